"""What a row of the pipeline says: value, status, and what is next by when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db.models import Exists, OuterRef, QuerySet, Subquery

from quotes.models import (
    Acceptance,
    ChangeRequest,
    Line,
    OfferRisk,
    QuoteRequest,
    Revision,
)
from quotes.pricing import Discount, add_up
from quotes.states import UNSENT, RequestStatus, RevisionStatus
from sourceit.clock import SINGAPORE, days_left, singapore_date
from sourceit.models import Delivery, Document
from sourceit.money import MoneyError
from sourceit.tax import gst_subquery

# What a request is worth: its live revision, else what was accepted, else the draft.
WORTH = (
    RevisionStatus.ACCEPTED,
    RevisionStatus.CONVERTED,
    RevisionStatus.SENT,
    *UNSENT,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A request as the pipeline shows it."""

    request: QuoteRequest
    wants: str
    currency: str
    value: Decimal | None
    is_draft_value: bool
    status: str
    tone: str
    next: str


@dataclass(slots=True)
class _Worth:
    """The one revision of a request that counts, and what is wrong with any of them."""

    revision: Any = None
    is_change_asked: bool = False
    has_failed_document: bool = False
    has_failed_email: bool = False
    waits_for_approval: bool = False
    is_at_risk: bool = False


def rows_of(requests: list[Any], now: datetime) -> list[Row]:
    """Return the pipeline's rows of requests (three queries at most)."""
    worth = _worth_of(requests)
    revisions = [one.revision for one in worth.values() if one.revision]
    draft_values = _draft_values(revisions, now)
    return [_row(one, worth[one.pk], draft_values, now) for one in requests]


def _worth_of(requests: Iterable[QuoteRequest]) -> dict[int, _Worth]:
    """Return what counts of each request's revisions (one query)."""
    worth = {request.pk: _Worth() for request in requests}
    revisions = Revision.objects.filter(quote__request__in=worth, status__in=WORTH)
    flagged: QuerySet[Any] = revisions.annotate(**_flags()).defer("content")
    for revision in flagged.select_related("quote").order_by("n"):
        one = worth[revision.quote.request_id]
        if one.revision is None or _rank(revision) <= _rank(one.revision):
            one.revision = revision
        is_sent = revision.status == RevisionStatus.SENT
        one.is_change_asked |= is_sent and revision.is_change_asked
        one.has_failed_email |= is_sent and revision.has_failed_email
        one.is_at_risk |= is_sent and revision.is_at_risk
        one.waits_for_approval |= revision.status == RevisionStatus.PENDING_APPROVAL
        is_on_its_way = revision.status == RevisionStatus.SENDING
        one.has_failed_document |= is_on_its_way and revision.has_failed_document
    return worth


def _flags() -> dict[str, Any]:
    """What is wrong with a revision, each by its key in an index."""
    mine: dict[str, Any] = {
        "subject_type": ContentType.objects.get_for_model(Revision),
        "subject_id": OuterRef("pk"),
    }
    failed = Document.objects.filter(status=Document.Status.FAILED, **mine)
    lost = Delivery.objects.filter(status__in=Delivery.LOST, **mine)
    changes = ChangeRequest.objects.filter(revision=OuterRef("pk"))
    risks = OfferRisk.objects.filter(revision=OuterRef("pk"), settled_at=None)
    bought = Acceptance.objects.filter(revision=OuterRef("pk"), voided_at=None)
    return {
        # What was bought may be less or more than what was quoted.
        "bought_gross": Subquery(bought.values("gross")[:1]),
        "is_change_asked": Exists(changes),
        "is_at_risk": Exists(risks),
        "has_failed_email": Exists(lost),
        "has_failed_document": Exists(failed),
    }


def _rank(revision: Revision) -> int:
    return WORTH.index(RevisionStatus(revision.status))


def _draft_values(
    revisions: Iterable[Revision], now: datetime
) -> dict[int, Decimal | None]:
    """Add up the drafts among the revisions at today's rate."""
    drafts = {one.pk: one for one in revisions if one.gross is None}
    if not drafts:
        return {}
    lines: dict[int, list[Any]] = {}
    rate = gst_subquery(singapore_date(now))
    found: QuerySet[Any] = Line.objects.filter(revision__in=drafts)
    for line in found.annotate(gst_percent=rate):
        lines.setdefault(line.revision_id, []).append(line)
    return {
        pk: _gross(group, group[0].gst_percent, drafts[pk].discount)
        for pk, group in lines.items()
    }


def _gross(lines: list[Any], percent: Decimal, discount: Discount) -> Decimal | None:
    try:
        sums = add_up(lines, gst_percent=percent, discount=discount)
        return sums.totals.gross or None
    except MoneyError:
        return None


def _row(
    request: Any,
    worth: _Worth,
    draft_values: dict[int, Decimal | None],
    now: datetime,
) -> Row:
    revision = worth.revision
    value, is_draft = None, False
    if revision is not None:
        is_draft = revision.gross is None
        value = draft_values.get(revision.pk) if is_draft else _worth_now(revision)
    status, tone = status_words(
        request,
        revision,
        now,
        is_change_asked=worth.is_change_asked,
        is_at_risk=worth.is_at_risk,
    )
    return Row(
        request=request,
        wants=_wants(request),
        currency=revision.currency if revision is not None else "SGD",
        value=value,
        is_draft_value=is_draft,
        status=status,
        tone=tone,
        next=_next(request, worth, now),
    )


def _worth_now(revision: Any) -> Decimal | None:
    """The total as accepted, else as quoted."""
    bought: Decimal | None = revision.bought_gross
    return revision.gross if bought is None else bought


def _wants(request: Any) -> str:
    if not request.line_count:
        return "See the message"
    words = f"{request.first_quantity} × {request.first_line}"
    more = request.line_count - 1
    return f"{words} and {more} more" if more else words


TONES = {
    RequestStatus.SUBMITTED: "warn",
    RequestStatus.IN_PROGRESS: "info",
    RequestStatus.AWAITING: "info",
    RequestStatus.QUOTED: "info",
    RequestStatus.WON: "ok",
    RequestStatus.LOST: "",
    RequestStatus.DECLINED: "",
    RequestStatus.CANCELLED: "",
}


def status_words(
    request: QuoteRequest,
    revision: Revision | None,
    now: datetime,
    *,
    is_change_asked: bool,
    is_at_risk: bool = False,
) -> tuple[str, str]:
    """Return a request's status in words and its tone, by the revision that counts.

    Expired and changes asked are computed, and come before what is stored.
    """
    if request.status == RequestStatus.QUOTED and revision is not None:
        if is_change_asked:
            return "Changes asked", "warn"
        if revision.has_expired(now):
            return "Expired", "bad"
        if is_at_risk:
            return "At risk", "bad"
    status = RequestStatus(request.status)
    return status.label, TONES.get(status, "")


def _next(request: QuoteRequest, worth: _Worth, now: datetime) -> str:
    """Say what is to be done next and by when."""
    if worth.has_failed_document:
        return "The PDF could not be made"
    if worth.has_failed_email:
        return "An e-mail did not go"
    if worth.waits_for_approval:
        return "Waiting for approval"
    if request.status in (RequestStatus.SUBMITTED, RequestStatus.IN_PROGRESS):
        due = request.reply_due_at
        return _reply_words(due, now) if due else "Reply"
    if request.status == RequestStatus.AWAITING:
        return "Waiting for customer"
    if request.status == RequestStatus.WON and worth.is_change_asked:
        return "Revise the change after the yes"
    if request.status == RequestStatus.WON and worth.revision is not None:
        is_ordered = worth.revision.status == RevisionStatus.CONVERTED
        return "Ordered" if is_ordered else "Make the order"
    if request.status != RequestStatus.QUOTED:
        return request.close_reason
    return _quoted_words(worth, now)


def _quoted_words(worth: _Worth, now: datetime) -> str:
    if worth.is_change_asked:
        return "Revise the quote"
    if worth.is_at_risk:
        return "An offer moved: revise, or keep the price"
    if worth.revision is None or worth.revision.valid_until is None:
        return "Close it or revise"
    return _validity_words(worth.revision.valid_until, now)


def _reply_words(due: datetime, now: datetime) -> str:
    local = due.astimezone(SINGAPORE)
    if due < now:
        return f"Reply overdue since {local:%a %-d %b, %H:%M}"
    if local.date() == singapore_date(now):
        return f"Reply due today, {local:%H:%M}"
    return f"Reply due {local:%a %-d %b, %H:%M}"


def _validity_words(day: date, now: datetime) -> str:
    left = days_left(day, now)
    if left < 0:
        ago = "day" if left == -1 else "days"
        return f"Expired {-left} {ago} ago"
    if left == 0:
        return "Expires today"
    return f"{left} day{'' if left == 1 else 's'} left"
