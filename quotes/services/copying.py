"""Which lines a new revision starts from: those of its source, or what was bought."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from quotes.bought import bought_content, bought_lines
from quotes.models import Acceptance, Line, Revision
from quotes.pricing import Kind
from quotes.states import BOUGHT

# What a line's cost comes from, copied along with it.
STANDS_ON = ("supplier", "offer_line", "special_bid")


def lines_to_copy(source: Revision) -> list[Line]:
    """Return a revision's lines as its successor starts with them, unsaved.

    A change after a yes starts from what the customer chose, and not from what they
    were offered; a rounding line was made for the whole and is left out then.
    """
    lines = list(source.lines.select_related("product__collection", *STANDS_ON))
    acceptance = _choice_in(source)
    if acceptance is None:
        return lines
    entries = {entry["number"]: entry for entry in bought_lines(acceptance)}
    in_order = enumerate(source.lines_in_order(), start=1)
    numbers = {line.pk: number for number, line in in_order}
    kept = [line for line in lines if numbers[line.pk] in entries]
    for line in kept:
        if line.kind != Kind.TEXT:
            _settle(line, entries[numbers[line.pk]])
    return kept


def discount_to_copy(source: Revision) -> Decimal:
    """Return the discount in money on the whole that its successor starts with.

    After a yes to a part of what was offered it is the part that was accepted.
    """
    acceptance = _choice_in(source)
    if acceptance is None or not source.discount_amount:
        return source.discount_amount
    return Decimal(bought_content(acceptance)["totals"].get("discount", "0"))


def _choice_in(source: Revision) -> Acceptance | None:
    """Return the yes that stands, where it chose other than what was quoted."""
    if source.status not in BOUGHT:
        return None
    acceptance = source.acceptances.filter(voided_at=None).first()
    return acceptance if acceptance and acceptance.choice_words else None


def _settle(line: Line, entry: dict[str, Any]) -> None:
    """Make a line what was bought of it: at that quantity and price, nothing open."""
    line.kind = Kind.STANDARD
    line.quantity = Decimal(entry["quantity"])
    line.unit_price = Decimal(entry["unit_price"])
    line.price_source, line.margin_percent = Line.PriceSource.PRICE, None
    line.choice, line.price_breaks, line.asked_quantities = "", [], []
    line.quantity_min = line.quantity_max = line.quantity_step = None
