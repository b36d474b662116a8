"""The pipeline: which requests stand in which view, in what order, and what is next."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db.models import (
    Case,
    Count,
    DateField,
    Exists,
    F,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    When,
)
from django.db.models.functions import TruncDate

from quotes.models import (
    Acceptance,
    ChangeRequest,
    Quote,
    QuoteRequest,
    RequestLine,
    Revision,
)
from quotes.pipeline_rows import Row, rows_of
from quotes.reply_clock import OPENS, is_working_day
from quotes.states import OPEN_REQUESTS, RequestStatus, RevisionStatus
from sourceit.clock import SINGAPORE, singapore_date
from sourceit.models import Delivery, Document, User
from sourceit.money import ZERO

PAGE = 25
EXPIRING_DAYS = 3
UNANSWERED = Q(status__in=[RequestStatus.SUBMITTED, RequestStatus.IN_PROGRESS])


def requests_with(revisions: QuerySet[Revision]) -> Q:
    return Q(pk__in=revisions.values("quote__request"))


def live_revisions() -> QuerySet[Revision]:
    return Revision.objects.filter(status=RevisionStatus.SENT)


def expiring(now: datetime) -> Q:
    """Quoted requests whose live quote runs out within three days, or has."""
    last = singapore_date(now) + timedelta(days=EXPIRING_DAYS)
    return Q(status=RequestStatus.QUOTED) & requests_with(
        live_revisions().filter(valid_until__lte=last)
    )


def change_asked() -> Q:
    """Requests whose live quote the customer wants changed."""
    asked = ChangeRequest.objects.filter(revision__status=RevisionStatus.SENT)
    return Q(pk__in=asked.values("revision__quote__request"))


def failed_documents() -> QuerySet[Revision]:
    """Revisions on their way out whose PDF could not be made."""
    failed = Document.objects.filter(
        subject_type=ContentType.objects.get_for_model(Revision),
        status=Document.Status.FAILED,
    )
    return Revision.objects.filter(
        status=RevisionStatus.SENDING, pk__in=failed.values("subject_id")
    )


def failed_emails() -> QuerySet[Revision]:
    """Sent revisions with an e-mail that did not go, or may not have gone."""
    failed = Delivery.objects.filter(
        subject_type=ContentType.objects.get_for_model(Revision),
        status__in=[Delivery.Status.FAILED, Delivery.Status.UNKNOWN],
    )
    return live_revisions().filter(pk__in=failed.values("subject_id"))


def stuck() -> Q:
    """Requests with a PDF that could not be made or an e-mail that did not go."""
    return requests_with(failed_documents()) | requests_with(failed_emails())


def needs_action(now: datetime) -> Q:
    """Everything that waits for the desk rather than for the customer."""
    return UNANSWERED | (
        Q(status__in=OPEN_REQUESTS) & (expiring(now) | change_asked() | stuck())
    )


def reply_due_today(now: datetime) -> Q:
    """Unanswered requests whose reply is due today or overdue.

    A reply is due one working day after the request came in: by tonight, for all that
    came in before the desk opened today (or last opened).
    """
    day = singapore_date(now)
    while not is_working_day(day):
        day -= timedelta(days=1)
    opened = datetime.combine(day, OPENS, tzinfo=SINGAPORE)
    return UNANSWERED & Q(submitted_at__lte=opened)


VIEWS = {
    "action": "Needs action",
    "mine": "Mine",
    "open": "All open",
    "won": "Won",
    "lost": "Lost",
}
FIGURES = {
    "new": "New",
    "due": "Reply due today",
    "waiting": "Waiting for customer",
    "expiring": "Expiring in 3 days",
}
CLOSED_VIEWS = ("won", "lost")
LOST = (RequestStatus.LOST, RequestStatus.DECLINED, RequestStatus.CANCELLED)


def in_view(view: str, user: User, now: datetime) -> Q:
    """Return the condition of a view or of a headline figure."""
    is_open = Q(status__in=OPEN_REQUESTS)
    conditions = {
        "action": needs_action(now),
        "mine": is_open & Q(owner=user),
        "open": is_open,
        "won": Q(status=RequestStatus.WON),
        "lost": Q(status__in=LOST),
        "new": Q(status=RequestStatus.SUBMITTED),
        "due": reply_due_today(now),
        "waiting": Q(status__in=[RequestStatus.QUOTED, RequestStatus.AWAITING])
        & ~needs_action(now),
        "expiring": expiring(now),
    }
    return conditions[view]


def count_views(user: User, now: datetime) -> dict[str, int]:
    """Count every view and figure in one query, grouped by the indexed status."""
    names = [*VIEWS, *FIGURES]
    counts: dict[str, Any] = {
        f"n_{name}": Count("pk", filter=in_view(name, user, now)) for name in names
    }
    by_status = QuoteRequest.objects.sent().order_by().values("status")
    rows: list[Any] = list(by_status.annotate(**counts))
    return {name: sum(row[f"n_{name}"] for row in rows) for name in names}


def won_this_month(now: datetime) -> Decimal:
    """Add up what was accepted since the first of the month, in Python (one query)."""
    first = now.astimezone(SINGAPORE).replace(
        day=1, hour=0, minute=0, second=0, microsecond=0
    )
    accepted = Acceptance.objects.filter(
        at__gte=first,
        revision__status__in=[RevisionStatus.ACCEPTED, RevisionStatus.CONVERTED],
    )
    return sum(accepted.values_list("gross", flat=True), start=ZERO)


def search(words: str) -> Q:
    """Match a request's or quote's number, the company, the person, the e-mail."""
    quotes = Quote.objects.filter(number__icontains=words)
    return (
        Q(number__icontains=words)
        | Q(company__icontains=words)
        | Q(name__icontains=words)
        | Q(email__icontains=words)
        | Q(pk__in=quotes.values("request"))
    )


def by_urgency(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Order by when something is due, soonest first.

    An unanswered request is due the day after it came in (the page says the hour), a
    quoted one on the last day of its live quote. A date, so that both databases compare
    it alike.
    """
    live = live_revisions().filter(quote__request=OuterRef("pk")).order_by()
    last_day = live.values("quote__request").annotate(day=Min("valid_until"))
    ordered: QuerySet[Any] = rows.annotate(
        due=Case(
            When(status=RequestStatus.QUOTED, then=Subquery(last_day.values("day"))),
            default=TruncDate(F("submitted_at") + timedelta(days=1)),
            output_field=DateField(),
        )
    ).order_by(F("due").asc(nulls_last=True), "pk")
    return ordered


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of the pipeline and the key of the next one, if there is one."""

    rows: list[Row]
    next_key: str


def load_page(view: str, words: str, after: str, user: User, now: datetime) -> Page:
    """Load one page by its key, with everything its rows show (four queries)."""
    found: QuerySet[Any] = QuoteRequest.objects.sent()
    rows = found.filter(in_view(view, user, now))
    if words:
        rows = rows.filter(search(words))
    rows = rows.select_related("owner").annotate(**_shown())
    if view in CLOSED_VIEWS:
        rows = rows.order_by("-pk")
        if after.isdecimal():
            rows = rows.filter(pk__lt=int(after))
    else:
        rows = _after(by_urgency(rows), after)
    page = list(rows[: PAGE + 1])
    next_key = _key_of(page[PAGE - 1], view) if len(page) > PAGE else ""
    return Page(rows=rows_of(page[:PAGE], now), next_key=next_key)


def _shown() -> dict[str, Any]:
    """What a row says of its lines and its live quote, by subquery."""
    lines = RequestLine.objects.filter(request=OuterRef("pk"), removed_at=None)
    count = lines.order_by().values("request").annotate(n=Count("pk")).values("n")
    first = lines.order_by("position", "pk")
    changes = ChangeRequest.objects.filter(
        revision__quote__request=OuterRef("pk"), revision__status=RevisionStatus.SENT
    )
    return {
        "line_count": Subquery(count),
        "first_line": Subquery(first.values("description")[:1]),
        "first_quantity": Subquery(first.values("quantity")[:1]),
        "is_change_asked": Exists(changes),
        "has_failed_document": _any_of(failed_documents()),
        "has_failed_email": _any_of(failed_emails()),
    }


def _any_of(revisions: QuerySet[Revision]) -> Exists:
    return Exists(revisions.filter(quote__request=OuterRef("pk")))


def _key_of(request: Any, view: str) -> str:
    if view in CLOSED_VIEWS:
        return str(request.pk)
    return f"{request.due.isoformat() if request.due else ''}~{request.pk}"


def _after(rows: QuerySet[Any], key: str) -> QuerySet[Any]:
    """Keep what comes after a key; a key that cannot be read is the first page."""
    day, _, pk = key.partition("~")
    if not pk.isdecimal():
        return rows
    if not day:
        return rows.filter(due=None, pk__gt=int(pk))
    try:
        due = date.fromisoformat(day)
    except ValueError:
        return rows
    return rows.filter(Q(due__gt=due) | Q(due=due, pk__gt=int(pk)) | Q(due=None))
