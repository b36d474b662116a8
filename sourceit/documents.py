"""Files made once and kept: claimed once, made outside any transaction, then final.

waiting -> rendering (a worker has it) -> ready, or failed, which a person retries.
Who finishes must still hold the claim it was given (its time and its attempt).
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from uuid import uuid4

from django.contrib.contenttypes.models import ContentType
from django.core.files.base import ContentFile
from django.db import models
from django.db.models import F, Q, QuerySet

from sourceit.events import record_event
from sourceit.models import Document

MAX_ATTEMPTS = 3
# Longer than a task may run (CELERY_TASK_TIME_LIMIT): a live worker keeps its claim.
STALE_AFTER = timedelta(minutes=3)
NUDGE_AFTER = timedelta(seconds=30)

Status = Document.Status


def await_document(subject: models.Model, kind: str, name: str) -> Document:
    """Ask for a document: a new row, or the old one of a try that was called off."""
    document, _created = Document.objects.update_or_create(
        subject_type=_type_of(subject),
        subject_id=subject.pk,
        kind=kind,
        defaults={
            "name": name,
            "status": Status.WAITING,
            "error": "",
            "attempts": 0,
            "claimed_at": None,
        },
    )
    return document


def document_of(subject: models.Model, kind: str) -> Document | None:
    return _rows(subject, kind).first()


def claim_document(subject: models.Model, kind: str, now: datetime) -> Document | None:
    """Take a waiting document for making; None if somebody else has it."""
    return _take(subject, kind, now, [Status.WAITING])


def take_back_document(subject: models.Model, kind: str, now: datetime) -> bool:
    """Call off a document that nobody has begun, or that failed; False if begun.

    It is claimed in the way a worker claims, so that one of the two wins, and only then
    deleted (Django deletes by id, which alone would not see a worker's claim).
    """
    document = _take(subject, kind, now, [Status.WAITING, Status.FAILED])
    if document is None:
        return False
    document.delete()
    return True


def store_file(document: Document, data: bytes, name: str) -> None:
    """Write the bytes under a random name. Nothing in the database changes yet.

    Raises:
        OSError: it could not be written whole; nothing of it is left.
    """
    random_name = f"{uuid4().hex}.pdf"
    try:
        document.file.save(random_name, ContentFile(data), save=False)
    except OSError:
        field = document.file.field
        begun = field.generate_filename(document, random_name)
        document.file.storage.delete(begun)
        raise
    document.name = name
    document.sha256 = hashlib.sha256(data).hexdigest()
    document.size = len(data)


def finish_document(document: Document, *, pages: int) -> bool:
    """Make a stored file final, in the caller's transaction; False: claim lost."""
    document.pages = pages
    document.status = Status.READY
    return bool(
        _held(document).update(
            status=Status.READY,
            file=document.file.name,
            name=document.name,
            sha256=document.sha256,
            size=document.size,
            pages=pages,
            error="",
        )
    )


def drop_file(document: Document) -> None:
    """Delete a stored file that did not become final."""
    if document.file:
        document.file.delete(save=False)


def fail_document(document: Document, error: Exception | str) -> bool:
    """Write down that it could not be made; False if the claim was lost."""
    words = str(error) or type(error).__name__
    if not _held(document).update(status=Status.FAILED, error=words[:500]):
        return False
    if document.subject is not None:
        text = f"{document.name} could not be made: {words}"
        record_event(document.subject, "document_failed", text, document=document.pk)
    return True


def retry_document(document: Document) -> bool:
    """Let a failed document be made again, because a person decided so."""
    failed = Document.objects.filter(pk=document.pk, status=Status.FAILED)
    return bool(
        failed.update(status=Status.WAITING, error="", attempts=0, claimed_at=None)
    )


def nudge_due(kind: str, subjects: QuerySet[models.Model], now: datetime) -> list[int]:
    """Return ids of subjects whose document waits and was not put on the queue lately.

    A waiting row's `claimed_at` is when it was last put there: while workers are busy
    or away, messages do not pile up.
    """
    lately = Q(claimed_at=None) | Q(claimed_at__lt=now - NUDGE_AFTER)
    due = Document.objects.filter(
        lately,
        kind=kind,
        status=Status.WAITING,
        subject_type=ContentType.objects.get_for_model(subjects.model),
        subject_id__in=subjects.values("pk"),
    )
    ids = list(due.order_by("pk").values_list("subject_id", flat=True)[:200])
    due.filter(subject_id__in=ids).update(claimed_at=now)
    return ids


def release_stale(kind: str, now: datetime) -> None:
    """Let go of what a killed worker held; after some tries, call it failed."""
    stale = Document.objects.filter(
        kind=kind, status=Status.RENDERING, claimed_at__lt=now - STALE_AFTER
    )
    for document in stale.filter(attempts__gte=MAX_ATTEMPTS):
        fail_document(document, "The worker stopped while making the file.")
    stale.filter(attempts__lt=MAX_ATTEMPTS).update(
        status=Status.WAITING, claimed_at=None
    )


def _take(
    subject: models.Model, kind: str, now: datetime, statuses: list[Status]
) -> Document | None:
    taken = _rows(subject, kind).filter(status__in=statuses)
    if not taken.update(
        status=Status.RENDERING, claimed_at=now, attempts=F("attempts") + 1
    ):
        return None
    return _rows(subject, kind).get()


def _held(document: Document) -> QuerySet[Document]:
    return Document.objects.filter(
        pk=document.pk,
        status=Status.RENDERING,
        attempts=document.attempts,
        claimed_at=document.claimed_at,
    )


def _rows(subject: models.Model, kind: str) -> QuerySet[Document]:
    return Document.objects.filter(
        subject_type=_type_of(subject), subject_id=subject.pk, kind=kind
    )


def _type_of(subject: models.Model) -> ContentType:
    return ContentType.objects.get_for_model(subject)
