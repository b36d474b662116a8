"""What the desk does with a request before it is quoted: take, refuse, enter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db import transaction

from quotes.errors import QuoteError
from quotes.models import QuoteRequest, RequestLine, Revision
from quotes.services.imports import Judged, make_line
from quotes.services.moves import move_request
from quotes.services.requests import tracking_link
from quotes.states import Actor, RevisionStatus
from sourceit.clock import SINGAPORE, singapore_date
from sourceit.mail import queue_email
from sourceit.models import Event, User
from sourceit.numbers import take_number

# While one of these stands, a request is not lost.
ALIVE = (
    RevisionStatus.DRAFT,
    RevisionStatus.PENDING_APPROVAL,
    RevisionStatus.APPROVED,
    RevisionStatus.SENDING,
    RevisionStatus.SENT,
    RevisionStatus.ACCEPTED,
    RevisionStatus.CONVERTED,
)


@transaction.atomic
def take_request(*, request: QuoteRequest, by: User) -> None:
    """Make `by` the owner of a new request; whoever is second learns who was first.

    Raises:
        QuoteError: somebody took it already ("Raj took this at 10:14."), or it is not
            open to be taken.
    """
    try:
        move_request(
            request, "take", f"Taken by {by}", actor=Actor.SALES, by=by, owner=by
        )
    except QuoteError as error:
        raise QuoteError(_who_took(request) or str(error)) from error


def _who_took(request: QuoteRequest) -> str:
    """Say who has the request and since when; empty if nobody has taken it."""
    event = (
        Event.objects.filter(
            subject_type=ContentType.objects.get_for_model(QuoteRequest),
            subject_id=request.pk,
            kind="request_take",
        )
        .order_by("-at")
        .first()
    )
    if event is None:
        return ""
    return f"{event.by_name} took this at {event.at.astimezone(SINGAPORE):%H:%M}."


@transaction.atomic
def decline_request(
    *, request: QuoteRequest, by: User, reason: str, now: datetime, told: str = ""
) -> None:
    """Refuse to quote. The customer is written `told`; the reason stays at the desk.

    Without `told` nobody is written to.

    Raises:
        QuoteError: there is no reason, or the request cannot be declined now.
    """
    reason = _need_reason(reason)
    text = f"Declined: {reason}"
    _close(request, "decline", text, by=by, reason=reason, now=now)
    if told:
        queue_email(
            request,
            "request_declined",
            to=request.email,
            context={"request": request, "told": told},
            reply_to=by.email,
            link=tracking_link(request),
        )


@transaction.atomic
def mark_spam(*, request: QuoteRequest, by: User, now: datetime) -> None:
    """Take a request out of every list and figure; nobody is written to."""
    _close(request, "mark_spam", "Marked as spam", by=by, reason="Spam", now=now)


@transaction.atomic
def lose_request(
    *, request: QuoteRequest, by: User, reason: str, now: datetime
) -> None:
    """Close a quoted request that came to nothing.

    Raises:
        QuoteError: there is no reason, or a quote of it is still alive.
    """
    reason = _need_reason(reason)
    alive = Revision.objects.filter(quote__request=request, status__in=ALIVE)
    if any(not revision.has_expired(now) for revision in alive):
        raise QuoteError("A quote is still open. Withdraw it first.")
    _close(request, "lose", f"Lost: {reason}", by=by, reason=reason, now=now)


def _need_reason(reason: str) -> str:
    if not reason.strip():
        raise QuoteError("Enter a reason.")
    return reason.strip()[:200]


def _close(
    request: QuoteRequest,
    action: str,
    text: str,
    *,
    by: User,
    reason: str,
    now: datetime,
) -> None:
    move_request(
        request,
        action,
        text,
        actor=Actor.SALES,
        by=by,
        internal=True,
        close_reason=reason,
        closed_at=now,
    )


@transaction.atomic
def enter_request(
    *,
    contact: Mapping[str, Any],
    rows: Sequence[Judged],
    source: str,
    by: User,
    now: datetime,
) -> QuoteRequest:
    """Enter what came by phone or e-mail on the customer's behalf; `by` owns it.

    `contact` holds fields of QuoteRequest, `rows` what `imports.judge_rows` made of
    what they want, and `source` says how it came ("By phone").
    """
    request = QuoteRequest.objects.create(**contact)
    RequestLine.objects.bulk_create(
        make_line(request, row, position) for position, row in enumerate(rows)
    )
    number = take_number("RFQ", singapore_date(now).year)
    move_request(
        request,
        "submit",
        f"{source}, entered by {by}",
        actor=Actor.SALES,
        by=by,
        internal=True,
        number=number,
        submitted_at=now,
    )
    take_request(request=request, by=by)
    return request
