"""What a customer's choice costs, from a quotation's frozen content. No database.

Options, one of several, and quantities inside a range are chosen on the accept page;
this module alone works out what that comes to, and refuses what was not offered. The
sums are those of `quotes.pricing`: nothing is added up here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from quotes.errors import QuoteError
from quotes.pricing import (
    HUNDRED,
    NO_DISCOUNT,
    Discount,
    Kind,
    Sums,
    Tax,
    add_up,
)
from sourceit.money import ZERO, round_money

Content = Mapping[str, Any]


class NotOffered(QuoteError):
    """The choice is not one that the quotation offers; the words may be shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What the customer picked, by line number; what it does not name is as quoted."""

    options: frozenset[int] = frozenset()
    picks: Mapping[str, int] = field(default_factory=dict)
    quantities: Mapping[int, Decimal] = field(default_factory=dict)


AS_QUOTED = Choice()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What a choice comes to: the lines that count, as frozen entries, and the sums."""

    lines: tuple[dict[str, Any], ...]
    sums: Sums
    is_as_quoted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Priced:
    """A frozen line as `add_up` reads it."""

    kind: str
    quantity: Decimal
    unit_price: Decimal | None
    discount_percent: Decimal
    tax: str


def lines_of(content: Content) -> Iterator[dict[str, Any]]:
    """Yield every priced line of a content, counted or not, in its order."""
    entries = [line for part in content.get("sections", ()) for line in part["lines"]]
    entries += content.get("options", ())
    for entry in sorted(entries, key=lambda one: int(one["number"])):
        if entry["kind"] != Kind.TEXT:
            yield entry


def has_choices(content: Content) -> bool:
    """True where the customer may choose anything at all."""
    return any(is_choosable(content, line) for line in lines_of(content))


def is_choosable(content: Content, line: Content) -> bool:
    """True for a priced line that is an option, one of several, or has a range."""
    if not line["unit_price"]:
        return False
    is_one_of = any(line["number"] in one["lines"] for one in groups_of(content))
    return line["kind"] == Kind.OPTIONAL or is_one_of or bool(range_of(line))


def groups_of(content: Content) -> list[Content]:
    """Return the choices of one among several; older contents have none."""
    return list(content.get("choices", []))


def range_of(line: Content) -> Content | None:
    """Return a line's range of quantities, or None where the quantity is fixed."""
    found: Content | None = line.get("range")
    return found


def choose(content: Content, choice: Choice) -> Chosen:
    """Work out the lines and sums of a choice.

    A rounding line was made for the whole as quoted: it is kept for exactly that, and
    dropped from any other choice.

    Raises:
        NotOffered: the quotation does not offer this.
        MoneyError: an amount does not fit.
    """
    known = {line["number"]: line for line in lines_of(content)}
    _refuse_unknown(choice, known)
    picked = _picked(content, choice, known)
    counted, is_as_quoted = [], not choice.options
    for number, line in known.items():
        standing = line["kind"] == Kind.STANDARD
        taken = picked.get(number, standing or number in choice.options)
        quantity = _quantity(line, choice.quantities.get(number), is_taken=taken)
        is_as_quoted &= taken == standing
        is_as_quoted &= not taken or quantity == Decimal(line["quantity"])
        if taken and quantity:
            counted.append(_at_quantity(line, quantity))
    if not counted:
        raise NotOffered("Choose at least one line.")
    sums = _add_up(content, counted, is_as_quoted=is_as_quoted)
    return Chosen(lines=tuple(counted), sums=sums, is_as_quoted=is_as_quoted)


def _refuse_unknown(choice: Choice, known: Mapping[int, Content]) -> None:
    for number in choice.options:
        line = known.get(number)
        if line is None or line["kind"] != Kind.OPTIONAL:
            raise NotOffered(f"Line {number} is not an option of this quotation.")
        if not line["unit_price"]:
            raise NotOffered(f"Line {number} has no price yet. Ask for a change.")
    for number in choice.quantities:
        if number not in known:
            raise NotOffered(f"This quotation has no line {number}.")


def _picked(
    content: Content, choice: Choice, known: Mapping[int, Content]
) -> dict[int, bool]:
    """Tell of each line of a choice whether it is the one that counts."""
    groups = {group["name"]: group for group in groups_of(content)}
    for name in choice.picks:
        if name not in groups:
            raise NotOffered(f"There is nothing to choose called {name}.")
    taken: dict[int, bool] = {}
    for name, group in groups.items():
        pick = choice.picks.get(name, group["default"])
        if pick not in group["lines"]:
            raise NotOffered(f"Line {pick} is not one of the choices for {name}.")
        if pick != group["default"] and not known[pick]["unit_price"]:
            raise NotOffered(f"Line {pick} has no price yet. Ask for a change.")
        taken |= {number: number == pick for number in group["lines"]}
    return taken


def _quantity(line: Content, asked: Decimal | None, *, is_taken: bool) -> Decimal:
    """Return the quantity of a line, as quoted unless another one was asked for.

    What is asked of a line that is not taken does not matter.
    """
    quoted = Decimal(line["quantity"])
    if asked is None or asked == quoted or not is_taken:
        return quoted
    number, bounds = line["number"], range_of(line)
    if bounds is None:
        raise NotOffered(f"The quantity of line {number} is {line['quantity']}.")
    low, high, step = (Decimal(bounds[name]) for name in ("min", "max", "step"))
    if not low <= asked <= high:
        raise NotOffered(
            f"Line {number}: choose from {bounds['min']} to {bounds['max']}."
        )
    if (asked - low) % step:
        raise NotOffered(
            f"Line {number}: choose {bounds['min']} or more in steps of "
            f"{bounds['step']}."
        )
    return asked


def unit_price_at(line: Content, quantity: Decimal) -> Decimal:
    """Return the frozen unit price for a quantity: the quoted one for the quoted.

    For another it is that of the highest break that the quantity reaches, else the
    quoted one, which then stands below the first break.

    Raises:
        NotOffered: no price was offered for so few.
    """
    quoted = Decimal(line["unit_price"])
    breaks = line.get("breaks", [])
    if quantity == Decimal(line["quantity"]) or not breaks:
        return quoted
    reached = [one for one in breaks if Decimal(one["from"]) <= quantity]
    if reached:
        return Decimal(reached[-1]["unit_price"])
    if Decimal(line["quantity"]) < Decimal(breaks[0]["from"]):
        return quoted
    raise NotOffered(
        f"Line {line['number']}: no price is offered for fewer than "
        f"{breaks[0]['from']}."
    )


def _at_quantity(line: Content, quantity: Decimal) -> dict[str, Any]:
    """Return a frozen entry as chosen: it counts, at this quantity and its price."""
    if not line["unit_price"]:
        raise NotOffered(f"Line {line['number']} has no price yet. Ask for a change.")
    unit_price = unit_price_at(line, quantity)
    discount = Decimal(line["discount_percent"])
    net = round_money(quantity * unit_price * (HUNDRED - discount) / HUNDRED)
    text = f"{quantity:f}"
    return {
        **line,
        "kind": str(Kind.STANDARD),
        "quantity": text.rstrip("0").rstrip(".") if "." in text else text,
        "unit_price": str(unit_price),
        "net": str(net),
    }


def _add_up(
    content: Content, entries: list[dict[str, Any]], *, is_as_quoted: bool
) -> Sums:
    lines = [_priced(entry) for entry in entries]
    rounding = Decimal(content["totals"]["rounding"])
    if is_as_quoted and rounding:
        lines.append(_rounding(rounding))
    percent = Decimal(content["gst_percent"])
    return add_up(
        lines,
        gst_percent=percent,
        currency=content["currency"],
        discount=_discount(content, entries, is_as_quoted=is_as_quoted),
        rate=_rate(content),
    )


def _rate(content: Content) -> Decimal | None:
    """Return the frozen rate to S$; None for a quote in S$, and for older contents."""
    fx = content.get("fx")
    return Decimal(fx["rate"]) if fx else None


def _discount(
    content: Content, entries: list[dict[str, Any]], *, is_as_quoted: bool
) -> Discount:
    """Return the discount on the whole for what is chosen.

    A percentage holds for any choice. An amount was given for the whole as quoted: who
    takes less of it has that part of the amount, who takes more has no more.
    """
    totals = content["totals"]
    if not totals.get("discount"):
        return NO_DISCOUNT
    if totals["discount_percent"]:
        return Discount(percent=Decimal(totals["discount_percent"]))
    amount, quoted = Decimal(totals["discount"]), Decimal(totals["subtotal"])
    chosen = sum((Decimal(entry["net"]) for entry in entries), start=ZERO)
    if not is_as_quoted and chosen < quoted:
        amount = round_money(amount * chosen / quoted)
    return Discount(amount=amount)


def _priced(entry: Content) -> _Priced:
    return _Priced(
        kind=entry["kind"],
        quantity=Decimal(entry["quantity"]),
        unit_price=Decimal(entry["unit_price"]),
        discount_percent=Decimal(entry["discount_percent"]),
        tax=entry["tax"],
    )


def _rounding(amount: Decimal) -> _Priced:
    return _Priced(
        kind=Kind.ROUNDING,
        quantity=Decimal(1),
        unit_price=amount,
        discount_percent=Decimal(0),
        tax=Tax.STANDARD,
    )
