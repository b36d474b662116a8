"""The files of a request: gathered in the basket, frozen once it is sent."""

from __future__ import annotations

from datetime import datetime

from django.contrib.contenttypes.models import ContentType
from django.core.files.base import File
from django.db import transaction
from django.db.models import Q, QuerySet

from quotes.models import Message, QuoteRequest
from quotes.services.baskets import hold_basket
from sourceit.models import Upload, User
from sourceit.uploads import (
    UploadRefused,
    remove_upload,
    restore_upload,
    store_upload,
    uploads_of,
)

REQUEST_FILE = "request"


@transaction.atomic
def attach_file(
    *, basket: QuoteRequest, file: File[bytes], by: User | None, now: datetime
) -> Upload:
    """Keep a file with the basket.

    Raises:
        QuoteError: the basket was sent a moment ago.
        UploadRefused: the file is not taken; its message names it.
    """
    hold_basket(basket)
    try:
        return store_upload(file, subject=basket, kind=REQUEST_FILE, by=by, now=now)
    except UploadRefused as error:
        raise UploadRefused(f"{file.name}: {error}") from error


@transaction.atomic
def detach_file(*, basket: QuoteRequest, upload: Upload, now: datetime) -> None:
    """Take a file out of the basket; it can be put back until the request is sent.

    Raises:
        QuoteError: the basket was sent a moment ago.
    """
    hold_basket(basket)
    remove_upload(upload, now)


@transaction.atomic
def put_back_file(*, basket: QuoteRequest, upload: Upload) -> None:
    """Put a removed file back.

    Raises:
        QuoteError: the basket was sent a moment ago.
        UploadRefused: there are as many files as may be.
    """
    hold_basket(basket)
    restore_upload(upload)


def basket_files(basket: QuoteRequest) -> QuerySet[Upload]:
    """The basket's files with those that were removed and can be put back."""
    return Upload.objects.filter(
        subject_type=ContentType.objects.get_for_model(QuoteRequest),
        subject_id=basket.pk,
        kind=REQUEST_FILE,
    )


def files_of(request: QuoteRequest | None) -> list[Upload]:
    """The files that go, or went, with a request itself."""
    return list(uploads_of(request, kind=REQUEST_FILE)) if request else []


def files_about(request: QuoteRequest, *, for_desk: bool) -> QuerySet[Upload]:
    """Every file that a reader of the request may have: its own and its messages'.

    Without `for_desk` the files of the desk's notes are left out.
    """
    types = ContentType.objects
    messages = request.messages.all()
    shown = messages if for_desk else messages.shown_to_customer()
    return Upload.objects.filter(
        Q(
            subject_type=types.get_for_model(QuoteRequest),
            subject_id=request.pk,
            kind=REQUEST_FILE,
        )
        | Q(
            subject_type=types.get_for_model(Message),
            subject_id__in=shown.values("pk"),
        ),
        removed_at=None,
    )
