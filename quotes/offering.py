"""What a draft's lines leave to the customer: as frozen content, and what is amiss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from quotes.models import Line
from quotes.pricing import Kind
from sourceit.money import MoneyError, round_money

Content = dict[str, Any]
Fault = tuple[str, str, bool]


def offer_of(line: Line) -> Content:
    """Return the range of quantities and the price breaks of a line, as JSON values."""
    return {
        "choice": line.choice,
        "range": _range_of(line),
        "breaks": [dict(one) for one in line.price_breaks],
    }


def _range_of(line: Line) -> Content | None:
    if not line.has_range:
        return None
    bounds = (line.quantity_min, line.quantity_max, line.quantity_step or Decimal(1))
    texts = (plain(bound) for bound in bounds if bound is not None)
    return dict(zip(("min", "max", "step"), texts, strict=True))


def choices_of(numbered: Iterable[tuple[Line, Content]]) -> list[Content]:
    """Return each choice of one among several: its lines and the one that counts."""
    groups: dict[str, list[tuple[Line, Content]]] = {}
    for line, entry in numbered:
        if line.choice and line.kind in (Kind.STANDARD, Kind.ALTERNATIVE):
            groups.setdefault(line.choice, []).append((line, entry))
    return [
        {
            "name": name,
            "default": _standing(members)[0],
            "lines": [entry["number"] for _line, entry in members],
        }
        for name, members in groups.items()
        if len(_standing(members)) == 1 and len(members) > 1
    ]


def _standing(members: Iterable[tuple[Line, Content]]) -> list[int]:
    return [entry["number"] for line, entry in members if line.kind == Kind.STANDARD]


def faults_of_offer(line: Line) -> Iterator[Fault]:
    """Yield what is wrong with a line's choice: words, field, and whether it blocks."""
    if line.kind == Kind.ALTERNATIVE and not line.choice:
        words = "say what it is an alternative to: give both lines the same choice."
        yield words, "choice", True
    if line.choice and line.kind == Kind.OPTIONAL:
        yield "an option is not one of a choice; make it an alternative.", "kind", True
    yield from _faults_of_range(line)
    yield from _faults_of_breaks(line)


def _faults_of_range(line: Line) -> Iterator[Fault]:
    low, high = line.quantity_min, line.quantity_max
    if low is None or high is None:
        return
    step = line.quantity_step or Decimal(1)
    if not _fits(line):
        yield "the amount of the largest quantity is too large.", "quantity_max", True
    if not low <= line.quantity <= high:
        words = f"the quantity is not from {plain(low)} to {plain(high)}."
        yield words, "quantity", True
    elif (line.quantity - low) % step:
        words = f"the quantity is not {plain(low)} and steps of {plain(step)}."
        yield words, "quantity", True


def _fits(line: Line) -> bool:
    prices = [Decimal(one["unit_price"]) for one in line.price_breaks]
    highest = max([line.unit_price or Decimal(0), *prices])
    try:
        round_money(highest * (line.quantity_max or Decimal(0)))
    except MoneyError:
        return False
    return True


def _faults_of_breaks(line: Line) -> Iterator[Fault]:
    if unpriced := line.unpriced_quantities:
        asked = " and ".join(f"{each:,}" for each in unpriced)
        yield f"no price for {asked}, which they asked for.", "price_breaks", False
    if not line.price_breaks or line.unit_price is None:
        return
    first = Decimal(line.price_breaks[0]["from"])
    low = line.quantity_min if line.has_range else line.quantity
    if low and low < first <= line.quantity:
        yield f"add the price from {plain(low)}.", "price_breaks", True
    offered = break_for(line, line.quantity)
    if offered is not None and offered != line.unit_price:
        words = f"the price is not the {offered:,f} of its price breaks."
        yield words, "unit_price", False
    prices = [Decimal(one["unit_price"]) for one in line.price_breaks]
    if line.unit_cost is not None and min(prices) < line.unit_cost:
        yield "a price break is below cost.", "price_breaks", False


def break_for(line: Line, quantity: Decimal) -> Decimal | None:
    """Return the price of the highest break that a quantity reaches; None for none."""
    reached = [one for one in line.price_breaks if Decimal(one["from"]) <= quantity]
    return Decimal(reached[-1]["unit_price"]) if reached else None


def faults_of_choices(lines: Iterable[Line]) -> Iterator[tuple[Line, str]]:
    """Yield choices in which not exactly one line counts, at their first line."""
    groups: dict[str, list[Line]] = {}
    for line in lines:
        if line.choice and line.kind in (Kind.STANDARD, Kind.ALTERNATIVE):
            groups.setdefault(line.choice, []).append(line)
    for name, members in groups.items():
        standing = [line for line in members if line.kind == Kind.STANDARD]
        if len(standing) != 1:
            count = f"{len(standing)} lines" if standing else "no line"
            words = f"of the choice {name} {count} would count; make one standard."
            yield members[0], words
        elif len(members) == 1:
            yield members[0], f"there is nothing else to choose for {name}."


def plain(number: Decimal) -> str:
    """Write a number without exponent or empty decimals: 4, 2.5, 100."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
