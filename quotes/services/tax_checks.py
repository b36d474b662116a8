"""Checks that GST treatment and place of delivery tell the same story."""

from __future__ import annotations

from collections.abc import Iterator

from quotes.models import Line, Revision
from quotes.pricing import Kind, Tax
from quotes.problems import Problem

HERE = "singapore"


def check_taxes(revision: Revision) -> Iterator[Problem]:
    """Yield what disagrees; for a person to judge, so nothing of it blocks.

    Zero-rating needs the goods to be exported by the seller; a supply that leaves
    Singapore need not be standard-rated; customer accounting is for buyers who are
    registered for GST.
    """
    request = revision.quote.request
    address = request.delivery_address.strip()
    is_here = HERE in f"{address} {'' if address else revision.delivery_words}".lower()
    if is_here:
        words = "zero-rated, but the delivery is in Singapore."
        yield from _told(revision, Tax.ZERO_RATED, words)
    elif address:
        words = "standard-rated, but the delivery address is not in Singapore."
        yield from _told(revision, Tax.STANDARD, words)
    if not request.uen.strip():
        words = (
            "under customer accounting, which needs a buyer registered for GST: the "
            "request has no UEN."
        )
        yield from _told(revision, Tax.CUSTOMER_ACCOUNTING, words)


def _told(revision: Revision, tax: Tax, words: str) -> Iterator[Problem]:
    found = [
        (number, line)
        for number, line in enumerate(revision.lines_in_order(), start=1)
        if line.tax == tax and line.kind not in (Kind.TEXT, Kind.ROUNDING)
    ]
    if not found:
        return
    numbers = ", ".join(str(number) for number, _line in found)
    subject = f"Line {numbers} is" if len(found) == 1 else f"Lines {numbers} are"
    yield Problem(
        message=f"{subject} {words}", anchor=_anchor(found[0][1]), is_blocking=False
    )


def _anchor(line: Line) -> str:
    return f"line-{line.pk}"
