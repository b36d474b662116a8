"""The pipeline: which requests stand in which view, in what order, and what is next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db.models import (
    Case,
    Count,
    DateField,
    F,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    When,
)
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Coalesce, TruncDate

from quotes.models import (
    Acceptance,
    ChangeRequest,
    Quote,
    QuoteRequest,
    RequestLine,
    Revision,
)
from quotes.pipeline_filters import PipelineFilters
from quotes.pipeline_rows import Row, rows_of
from quotes.services.risks import at_risk
from quotes.states import OPEN_REQUESTS, RequestStatus, RevisionStatus
from sourceit.clock import SINGAPORE, end_of_day, singapore_date
from sourceit.models import Delivery, Document, User
from sourceit.money import ZERO
from sourceit.posted import read_id

PAGE = 25
EXPORT_PAGE = 500
EXPIRING_DAYS = 3
# Open, or won: a change after the yes is put to the customer as a quote of its own.
WITH_QUOTES = Q(status__in=[*OPEN_REQUESTS, RequestStatus.WON])
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
    """Sent revisions with an e-mail that did not go, came back, or may have gone."""
    failed = Delivery.objects.filter(
        subject_type=ContentType.objects.get_for_model(Revision),
        status__in=Delivery.LOST,
    )
    return live_revisions().filter(pk__in=failed.values("subject_id"))


def waits_for_approval() -> Q:
    """Requests with a quote that an approver must look at."""
    waiting = Revision.objects.filter(status=RevisionStatus.PENDING_APPROVAL)
    return WITH_QUOTES & requests_with(waiting)


def stuck() -> Q:
    """Requests with a PDF that could not be made or an e-mail that did not go."""
    return requests_with(failed_documents()) | requests_with(failed_emails())


def to_order() -> Q:
    """Requests with a quote that was accepted and is no order yet."""
    return requests_with(Revision.objects.filter(status=RevisionStatus.ACCEPTED))


def offers_moved() -> Q:
    """Requests with a promised quote whose suppliers' offers ended or got dearer."""
    return requests_with(Revision.objects.filter(at_risk()))


def needs_action(now: datetime) -> Q:
    """Everything that waits for the desk rather than for the customer."""
    return (
        UNANSWERED
        | to_order()
        | (
            WITH_QUOTES
            & (
                expiring(now)
                | change_asked()
                | stuck()
                | waits_for_approval()
                | offers_moved()
            )
        )
    )


def reply_due_today(now: datetime) -> Q:
    """Unanswered requests whose reply is due today or overdue."""
    return UNANSWERED & Q(reply_due_at__lte=end_of_day(singapore_date(now)))


VIEWS = {
    "action": "Needs action",
    "approval": "To approve",
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


def conditions(user: User, now: datetime) -> dict[str, Q]:
    """Return what puts a request into each view and behind each headline figure."""
    is_open = Q(status__in=OPEN_REQUESTS)
    waits_for_desk = needs_action(now)
    with_customer = Q(status__in=[RequestStatus.QUOTED, RequestStatus.AWAITING])
    return {
        "action": waits_for_desk,
        "approval": waits_for_approval(),
        "mine": is_open & Q(owner=user),
        "open": is_open,
        "won": Q(status=RequestStatus.WON),
        "lost": Q(status__in=LOST),
        "new": Q(status=RequestStatus.SUBMITTED),
        "due": reply_due_today(now),
        "waiting": with_customer & ~waits_for_desk,
        "expiring": expiring(now),
    }


def count_views(user: User, now: datetime) -> dict[str, int]:
    """Count every view and figure in one query, grouped by the indexed status."""
    wanted = conditions(user, now)
    counts: dict[str, Any] = {
        f"n_{name}": Count("pk", filter=condition) for name, condition in wanted.items()
    }
    by_status = QuoteRequest.objects.sent().order_by().values("status")
    rows: list[Any] = list(by_status.annotate(**counts))
    return {name: sum(row[f"n_{name}"] for row in rows) for name in wanted}


def won_this_month(now: datetime) -> Decimal:
    """Add up what was accepted since the first of the month, in S$ (one query)."""
    first = now.astimezone(SINGAPORE).replace(
        day=1, hour=0, minute=0, second=0, microsecond=0
    )
    accepted = Acceptance.objects.filter(
        at__gte=first,
        voided_at=None,
        revision__status__in=[RevisionStatus.ACCEPTED, RevisionStatus.CONVERTED],
    )
    # The S$ total as it was frozen: a gross converted again may differ by a cent.
    # A quote in S$ has none beside its gross.
    rows = accepted.annotate(
        chosen_home=_home_gross("chosen"), quoted_home=_home_gross("revision__content")
    ).values_list("chosen_home", "quoted_home", "gross")
    totals = (Decimal(chosen or quoted or gross) for chosen, quoted, gross in rows)
    return sum(totals, start=ZERO)


def _home_gross(content: str) -> KeyTextTransform:
    """Return the S$ total of a content's totals as text, so that no float is made."""
    totals = KeyTransform("sgd", KeyTransform("totals", content))
    return KeyTextTransform("gross", totals)


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

    An unanswered request stands by the day its reply is due, one that waits for its
    customer by the day it came in, a quoted one by the last day of its live quote.
    Dates, so that both databases compare them alike; by a join, because a subquery for
    each row grew with their square.
    """
    is_live = Q(quotes__revisions__status=RevisionStatus.SENT)
    last_day = Min("quotes__revisions__valid_until", filter=is_live)
    dated: QuerySet[Any] = rows.annotate(last_day=last_day).annotate(
        due=Case(
            When(status=RequestStatus.QUOTED, then=F("last_day")),
            default=TruncDate(Coalesce("reply_due_at", "submitted_at")),
            output_field=DateField(),
        )
    )
    return dated.order_by(F("due").asc(nulls_last=True), "pk")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of the pipeline and the key of the next one, if there is one."""

    rows: list[Row]
    next_key: str


def load_page(
    filters: PipelineFilters, after: str, user: User, now: datetime, *, size: int = 0
) -> Page:
    """Load one page by its key, with everything its rows show (four queries).

    The page's ids are found in a subquery, so that what a row shows is looked up for
    the page alone.
    """
    size = size or PAGE
    is_closed = filters.view in CLOSED_VIEWS
    order = by_age if is_closed else by_urgency
    rows = order(_chosen(filters, user, now))
    chosen = _after(rows, after, is_closed).values("pk")[: size + 1]
    shown = order(QuoteRequest.objects.filter(pk__in=chosen)).annotate(**_lines())
    page = list(shown.select_related("owner"))
    next_key = _key_of(page[size - 1], is_closed) if len(page) > size else ""
    return Page(rows=rows_of(page[:size], now), next_key=next_key)


def load_all(filters: PipelineFilters, user: User, now: datetime) -> Iterator[Row]:
    """Load every row the filters choose, some hundred at a time (for exports)."""
    after = ""
    while True:
        page = load_page(filters, after, user, now, size=EXPORT_PAGE)
        yield from page.rows
        after = page.next_key
        if not after:
            return


def _chosen(
    filters: PipelineFilters, user: User, now: datetime
) -> QuerySet[QuoteRequest]:
    rows = QuoteRequest.objects.sent().filter(conditions(user, now)[filters.view])
    rows = rows.filter(filters.condition(now))
    return rows.filter(search(filters.words)) if filters.words else rows


def by_age(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Order by when it came in, newest first."""
    return rows.order_by("-pk")


def _key_of(request: Any, is_closed: bool) -> str:
    return str(request.pk) if is_closed else f"{request.due or ''}~{request.pk}"


def _lines() -> dict[str, Any]:
    """What a row says of its lines, by subquery."""
    lines = RequestLine.objects.filter(request=OuterRef("pk"), removed_at=None)
    count = lines.order_by().values("request").annotate(n=Count("pk")).values("n")
    first = lines.order_by("position", "pk")
    return {
        "line_count": Subquery(count),
        "first_line": Subquery(first.values("description")[:1]),
        "first_quantity": Subquery(first.values("quantity")[:1]),
    }


def _after(rows: QuerySet[Any], key: str, is_closed: bool) -> QuerySet[Any]:
    """Keep what comes after a key; a key that cannot be read is the first page."""
    day, _, text = key.rpartition("~")
    pk = read_id(text)
    if not pk:
        return rows
    if is_closed:
        return rows.filter(pk__lt=pk)
    if not day:
        return rows.filter(due=None, pk__gt=pk)
    try:
        due = date.fromisoformat(day)
    except ValueError:
        return rows
    return rows.filter(Q(due__gt=due) | Q(due=due, pk__gt=pk) | Q(due=None))
