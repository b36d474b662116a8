"""What must be right before a quote may be sent, each with a link to its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.conf import settings

from quotes.content import sums_of
from quotes.models import Line, Revision
from quotes.pricing import Kind, Sums
from quotes.states import RequestStatus
from sourceit.clock import has_ended, singapore_date
from sourceit.money import MoneyError, round_money

# Above this a "rounding" would move the price without GST: that is a discount.
MAX_ROUNDING = Decimal("1.00")
CLOSED = (
    RequestStatus.LOST,
    RequestStatus.DECLINED,
    RequestStatus.CANCELLED,
    RequestStatus.SPAM,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing to mend; `anchor` is the id of its place on the builder."""

    message: str
    anchor: str
    is_blocking: bool = True


def find_problems(
    revision: Revision, now: datetime, *, sums: Sums | None = None
) -> list[Problem]:
    """Return what is wrong or odd, blocking problems first.

    Needs `Revision.objects.with_lines()`. Reads the GST rate (one query) unless the
    caller has added up already and hands over `sums`.
    """
    problems = [
        *_check_recipient(revision),
        *_check_validity(revision, now),
        *_check_lines(revision),
        *_check_sums(revision, now, sums),
        *_check_seller(revision),
    ]
    return sorted(problems, key=lambda problem: not problem.is_blocking)


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


def _check_validity(revision: Revision, now: datetime) -> Iterator[Problem]:
    if revision.valid_until is None:
        yield Problem(
            message="Enter the date until which the quote is valid.",
            anchor="id_valid_until",
        )
    elif has_ended(revision.valid_until, now):
        yield Problem(
            message=f"The validity ended on {revision.valid_until:%-d %b %Y}.",
            anchor="id_valid_until",
        )


def _check_lines(revision: Revision) -> Iterator[Problem]:
    lines = revision.lines_in_order()
    if not any(line.kind == Kind.STANDARD for line in lines):
        yield Problem(message="Add at least one line.", anchor="lines")
    for number, line in enumerate(lines, start=1):
        for words, is_blocking in _faults_of(line):
            yield Problem(
                message=f"Line {number}: {words}",
                anchor=f"line-{line.pk}",
                is_blocking=is_blocking,
            )


def _faults_of(line: Line) -> Iterator[tuple[str, bool]]:
    """Yield (words, is blocking) for each fault of a line."""
    if not (line.description or line.mpn):
        yield "enter a description.", True
    if line.kind == Kind.ROUNDING:
        if line.net is not None and abs(line.net) > MAX_ROUNDING:
            yield f"a rounding line is at most S${MAX_ROUNDING}.", True
        elif line.net is None:
            yield "enter the rounding, or remove the line.", True
    elif line.kind != Kind.TEXT:
        yield from _faults_of_supply(line)
        yield from _faults_of_price(line)


def _faults_of_supply(line: Line) -> Iterator[tuple[str, bool]]:
    if line.quantity <= 0:
        yield "enter a quantity.", True
    low, high = line.lead_weeks_min, line.lead_weeks_max
    if low is None and high is None:
        yield "enter a lead time.", True
    elif low is not None and high is not None and low > high:
        yield "the lead time's first week is after its last.", True


def _faults_of_price(line: Line) -> Iterator[tuple[str, bool]]:
    is_standard = line.kind == Kind.STANDARD
    try:
        net = line.net
    except MoneyError:
        yield "the amount is too large.", True
        return
    if net is None:
        yield "enter a price.", is_standard
        return
    if net == 0:
        yield "is free of charge.", False
    if line.cost is None:
        yield "the cost is not known, so its margin is not either.", False
    elif net < line.cost:
        loss = round_money(line.cost - net)
        yield f"is below cost by S${loss:,}.", False


def _check_sums(
    revision: Revision, now: datetime, sums: Sums | None
) -> Iterator[Problem]:
    try:
        sums = sums or sums_of(revision, singapore_date(now))
    except MoneyError:
        yield Problem(message="The total is too large.", anchor="lines")
    except LookupError:
        yield Problem(message="No GST rate is known for today.", anchor="lines")
    else:
        if sums.totals.gross < 0:
            yield Problem(message="The total is below zero.", anchor="lines")


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
