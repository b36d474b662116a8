"""What must be right before a quote may be sent, each with a link to its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from django.conf import settings

from quotes.content import sums_at
from quotes.models import Line, Revision, Terms
from quotes.offering import faults_of_choices, faults_of_offer
from quotes.pricing import Kind, Sums
from quotes.problems import Problem
from quotes.services.around import Around, look_around
from quotes.services.bid_checks import check_bids
from quotes.services.fabric_checks import check_fabric
from quotes.services.money_checks import check_money
from quotes.services.offer_checks import check_offers
from quotes.services.screening import Standing, standing_of
from quotes.services.tax_checks import check_taxes
from quotes.services.validity import check_validity
from quotes.states import RequestStatus
from sourceit.money import MoneyError, format_money, round_money

# Above this a "rounding" would move the price without GST: that is a discount.
MAX_ROUNDING = Decimal("1.00")
CLOSED = (
    RequestStatus.LOST,
    RequestStatus.DECLINED,
    RequestStatus.CANCELLED,
    RequestStatus.SPAM,
)


def find_problems(
    revision: Revision,
    now: datetime,
    *,
    around: Around | None = None,
    sums: Sums | None = None,
    screening: Standing | None = None,
) -> list[Problem]:
    """Return what is wrong or odd, blocking problems first.

    Needs `Revision.objects.with_lines()`. Reads what stands around it and how the
    screening stands, unless the caller has these already and hands them over; and the
    forms of the products, and the reasons for letting a problem go.
    """
    around = around or look_around(revision, now)
    if screening is None:
        screening = standing_of(revision.quote.request, revision.lines.all())
    problems = [
        *_check_recipient(revision),
        *_check_standing(around),
        *check_validity(revision, now, has_ending_prices=around.has_ending_prices),
        *_check_lines(revision),
        *check_fabric(revision, has_designs=around.has_designs),
        *_check_sums(revision, around.gst_now, sums),
        *check_money(revision),
        *check_offers(revision, now),
        *check_bids(revision, now),
        *check_taxes(revision),
        *_check_screening(screening),
        *_check_seller(revision),
        *_check_terms(revision, around.newest_terms),
    ]
    told = _let_go(problems, revision)
    return sorted(told, key=lambda problem: not problem.is_blocking)


def _let_go(problems: Iterable[Problem], revision: Revision) -> Iterator[Problem]:
    """Stop what was let go with a reason from blocking (one query)."""
    reasons = dict(revision.overrides.values_list("code", "reason"))
    for problem in problems:
        if problem.can_be_let_go and problem.code in reasons:
            reason = reasons[problem.code]
            yield replace(problem, is_blocking=False, reason=reason)
        else:
            yield problem


def is_sendable(revision: Revision, now: datetime) -> bool:
    """True where no problem blocks the sending."""
    return not any(problem.is_blocking for problem in find_problems(revision, now))


def _check_recipient(revision: Revision) -> Iterator[Problem]:
    if not revision.to_email:
        yield Problem(message="Enter the customer's e-mail.", anchor="id_to_email")
    request = revision.quote.request
    if request.status in CLOSED:
        state = request.get_status_display().lower()
        yield Problem(message=f"{request} is {state}.", anchor="lines")


def _check_standing(around: Around) -> Iterator[Problem]:
    """A draft from before a yes does not know of it: it would replace it unasked."""
    if around.is_overtaken:
        words = "An earlier revision was accepted. Discard this draft and revise that."
        yield Problem(message=words, anchor="lines")


def _check_lines(revision: Revision) -> Iterator[Problem]:
    lines = revision.lines_in_order()
    if not any(line.kind == Kind.STANDARD for line in lines):
        yield Problem(message="Add at least one line.", anchor="lines")
    for number, line in enumerate(lines, start=1):
        for fault in _faults_of(line):
            yield Problem(
                message=f"Line {number}: {fault.words}",
                anchor=f"{line.pk}-{fault.field}",
                is_blocking=fault.is_blocking,
                kind=fault.kind,
                lines=(line.pk,) if fault.kind else (),
            )
    numbers = {line.pk: number for number, line in enumerate(lines, start=1)}
    for line, words in faults_of_choices(lines):
        yield Problem(
            message=f"Line {numbers[line.pk]}: {words}", anchor=f"line-{line.pk}"
        )


@dataclass(frozen=True, slots=True)
class _Fault:
    """What is wrong with a line, and the field where it is mended."""

    words: str
    field: str
    is_blocking: bool = True
    # Names what may be let go with a reason.
    kind: str = ""


def _faults_of(line: Line) -> Iterator[_Fault]:
    if not (line.description or line.mpn):
        yield _Fault("enter a description.", "description")
    if line.kind == Kind.ROUNDING:
        if line.net is not None and abs(line.net) > MAX_ROUNDING:
            words = f"a rounding line is at most S${MAX_ROUNDING}."
            yield _Fault(words, "unit_price")
        elif line.net is None:
            words = "enter the rounding, or remove the line."
            yield _Fault(words, "unit_price")
    elif line.kind != Kind.TEXT:
        yield from _faults_of_supply(line)
        yield from _faults_of_price(line)
        for words, field, is_blocking in faults_of_offer(line):
            yield _Fault(words, field, is_blocking)


def _faults_of_supply(line: Line) -> Iterator[_Fault]:
    if line.quantity <= 0:
        yield _Fault("enter a quantity.", "quantity")
    low, high = line.lead_weeks_min, line.lead_weeks_max
    if low is None and high is None:
        yield _Fault("enter a lead time.", "lead_weeks_min", kind="lead")
    elif low is not None and high is not None and low > high:
        words = "the lead time's first week is after its last."
        yield _Fault(words, "lead_weeks_min")


def _faults_of_price(line: Line) -> Iterator[_Fault]:
    try:
        net = line.net
    except MoneyError:
        yield _Fault("the amount is too large.", "unit_price")
        return
    if net is None:
        is_blocking = line.kind == Kind.STANDARD
        yield _Fault("enter a price.", "unit_price", is_blocking)
        return
    if net == 0:
        yield _Fault("is free of charge.", "unit_price", False)
    if line.cost is None:
        words = "the cost is not known, so its margin is not either."
        yield _Fault(words, "unit_cost", False)
    elif net < line.cost:
        loss = round_money(line.cost - net)
        shown = format_money(loss, line.revision.currency)
        yield _Fault(f"is below cost by {shown}.", "unit_price", False)


def _check_sums(
    revision: Revision, percent: Decimal | None, sums: Sums | None
) -> Iterator[Problem]:
    if percent is None:
        yield Problem(message="No GST rate is known for today.", anchor="lines")
        return
    try:
        sums = sums or sums_at(revision, percent)
    except MoneyError:
        yield Problem(message="The total is too large.", anchor="lines")
    else:
        if sums.totals.gross < 0:
            yield Problem(message="The total is below zero.", anchor="lines")


def _check_screening(screening: Standing) -> Iterator[Problem]:
    """A controlled item is held until its screening is recorded and still true."""
    if screening.items and screening.missing:
        named = ", ".join(screening.missing)
        words = f"Controlled items: the request does not say the {named}."
        yield Problem(message=words, anchor="screening")
    if screening.is_held:
        yield Problem(message=screening.words, anchor="screening")


def _check_seller(revision: Revision) -> Iterator[Problem]:
    """Sample facts and wording are for the demo; a real quote must not carry them."""
    terms = revision.terms
    if settings.SELLER_IS_SAMPLE:
        if terms is None:
            yield Problem(
                message="No terms of sale go with the quote.",
                anchor="id_terms",
                is_blocking=False,
            )
        return
    names = {"legal_name": "name", "uen": "UEN", "gst_number": "GST number"}
    for key, words in {**names, "address": "address"}.items():
        if not settings.SELLER.get(key):
            yield Problem(message=f"The seller's {words} is not set.", anchor="details")
    if terms is None:
        yield Problem(message="Choose the terms of sale.", anchor="id_terms")
    elif terms.is_sample:
        yield Problem(message="The terms of sale are sample wording.", anchor="details")


def _check_terms(revision: Revision, newest_pk: int | None) -> Iterator[Problem]:
    """Say when newer terms are in force than the quote has (one query then)."""
    if newest_pk is None or revision.terms_id in (None, newest_pk):
        return
    newest = Terms.objects.get(pk=newest_pk)
    yield Problem(
        message=f"{revision.terms} are not the newest: {newest} are in force.",
        anchor="id_terms",
        is_blocking=False,
    )
