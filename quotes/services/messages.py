"""Messages about a request: the customer's, the desk's, and the desk's own notes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.files.base import File
from django.db import transaction

from quotes.errors import QuoteError
from quotes.models import Message, QuoteRequest
from quotes.services.moves import move_request
from quotes.services.requests import tell_desk, tracking_link
from quotes.states import OPEN_REQUESTS, Actor, RequestStatus
from sourceit.events import record_event
from sourceit.mail import queue_email
from sourceit.models import Upload, User
from sourceit.uploads import UploadRefused, check_upload, store_upload

FILE_KIND = "message"
# The same words again within this time are the first message: a second click.
SAME_WITHIN = timedelta(hours=1)

Kind = Message.Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message with its files, as the thread shows it."""

    message: Message
    files: list[Upload] = field(default_factory=list)


def thread_of(request: QuoteRequest, *, for_desk: bool) -> list[Said]:
    """Return the messages about a request with their files, oldest first (two queries).

    Without `for_desk` the desk's notes and their files are left out.
    """
    rows = request.messages.select_related("by")
    messages = list(rows if for_desk else rows.shown_to_customer())
    files: dict[int, list[Upload]] = defaultdict(list)
    for upload in Upload.objects.filter(
        subject_type=ContentType.objects.get_for_model(Message),
        subject_id__in=[message.pk for message in messages],
        removed_at=None,
    ):
        files[upload.subject_id].append(upload)
    return [Said(message=each, files=files[each.pk]) for each in messages]


@transaction.atomic
def add_message(
    *,
    request: QuoteRequest,
    text: str,
    by: User | None,
    now: datetime,
    files: Sequence[File[bytes]] = (),
) -> Message:
    """Keep the customer's words and files, and tell whoever owns the request.

    They answer a question of ours if one is open.

    Raises:
        QuoteError: the request is closed.
        UploadRefused: a file is not taken; nothing is kept.
    """
    if (twin := _twin(request, Kind.CUSTOMER, text, now)) is not None:
        return twin
    name = str(by) if by else request.name
    if request.status == RequestStatus.AWAITING:
        said = "Answered our question"
        move_request(request, "answer", said, actor=Actor.CUSTOMER, by=by, by_name=name)
    elif request.status in OPEN_REQUESTS:
        said = "Sent a message"
        record_event(
            request, "request_message", said, by=by, by_name=name, internal=False
        )
    else:
        raise QuoteError("This request is closed. Please send a new one.")
    message = _keep(request, Kind.CUSTOMER, text, by, name, now, files)
    tell_desk(
        request,
        "request_message_desk",
        occasion=f"message-{message.pk}",
        text=text,
        files=len(files),
    )
    return message


@transaction.atomic
def ask_customer(
    *,
    request: QuoteRequest,
    text: str,
    by: User,
    now: datetime,
    files: Sequence[File[bytes]] = (),
) -> Message:
    """Ask the customer; until they answer, the reply clock stands still.

    Raises:
        QuoteError: the request is not in progress.
        UploadRefused: a file is not taken; nothing is kept.
    """
    if (twin := _twin(request, Kind.QUESTION, text, now)) is not None:
        return twin
    move_request(request, "ask", "Asked a question", actor=Actor.SALES, by=by)
    message = _keep(request, Kind.QUESTION, text, by, str(by), now, files)
    _tell_customer(message, by)
    return message


@transaction.atomic
def tell_customer(
    *,
    request: QuoteRequest,
    text: str,
    by: User,
    now: datetime,
    files: Sequence[File[bytes]] = (),
) -> Message:
    """Write to the customer without a question: nobody waits for an answer.

    Raises:
        QuoteError: the request is spam, to which nobody writes.
        UploadRefused: a file is not taken; nothing is kept.
    """
    if (twin := _twin(request, Kind.TOLD, text, now)) is not None:
        return twin
    if request.status in (RequestStatus.SPAM, RequestStatus.DRAFT):
        raise QuoteError("Nobody is written to about this request.")
    record_event(request, "request_told", "Sent a message", by=by, internal=False)
    message = _keep(request, Kind.TOLD, text, by, str(by), now, files)
    _tell_customer(message, by)
    return message


@transaction.atomic
def add_note(
    *,
    request: QuoteRequest,
    text: str,
    by: User,
    now: datetime,
    files: Sequence[File[bytes]] = (),
) -> Message:
    """Keep a note for the desk alone: no page, letter or file of a customer's has it.

    Raises:
        UploadRefused: a file is not taken; nothing is kept.
    """
    if (twin := _twin(request, Kind.NOTE, text, now)) is not None:
        return twin
    record_event(request, "request_note", "Added a note", by=by, internal=True)
    return _keep(request, Kind.NOTE, text, by, str(by), now, files)


def _twin(request: QuoteRequest, kind: str, text: str, now: datetime) -> Message | None:
    recent = request.messages.filter(kind=kind, text=text, at__gt=now - SAME_WITHIN)
    return recent.first()


def _keep(
    request: QuoteRequest,
    kind: str,
    text: str,
    by: User | None,
    by_name: str,
    now: datetime,
    files: Sequence[File[bytes]],
) -> Message:
    message = Message.objects.create(
        request=request, kind=kind, text=text, by=by, by_name=by_name, at=now
    )
    for file in files:
        _check(file)
    for file in files:
        store_upload(
            file, subject=message, kind=FILE_KIND, by=by, by_name=by_name, now=now
        )
    return message


def _check(file: File[bytes]) -> None:
    """Name the file that is refused; all are checked before any is stored."""
    try:
        check_upload(file)
    except UploadRefused as error:
        raise UploadRefused(f"{file.name}: {error}") from error


def _tell_customer(message: Message, by: User) -> None:
    request = message.request
    queue_email(
        request,
        "request_message",
        to=request.email,
        context={
            "request": request,
            "text": message.text,
            "by": by,
            "is_question": message.kind == Kind.QUESTION,
        },
        reply_to=request.owner.email if request.owner else settings.SALES_EMAIL,
        link=tracking_link(request),
        occasion=f"message-{message.pk}",
    )
