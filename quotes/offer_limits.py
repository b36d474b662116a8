"""The extremes of what a customer may choose: least margin, below cost, most money.

No database. A rule that looked only at the lines as they stand would be got around by
an option, a price break or a range of quantities.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any, Protocol

from quotes.pricing import Costed, Kind, line_net, margin_percent
from sourceit.money import ZERO, round_money

HUNDRED = Decimal(100)
OFFERED = (Kind.STANDARD, Kind.OPTIONAL, Kind.ALTERNATIVE)


class Offered(Costed, Protocol):
    """A line with what it leaves open."""

    @property
    def unit_cost(self) -> Decimal | None: ...
    @property
    def choice(self) -> str: ...
    @property
    def quantity_max(self) -> Decimal | None: ...
    @property
    def price_breaks(self) -> list[Any]: ...


Numbered = Sequence[tuple[int, Offered]]


def chosen_margins(lines: Numbered, whole: Decimal = ZERO) -> dict[str, Decimal | None]:
    """Return the margin of each price that only a choice brings, by where it is.

    None where the cost is not known. `whole` is the discount on all of it, in percent.
    """
    margins: dict[str, Decimal | None] = {}
    for number, line in lines:
        for where, price in _chosen_prices(number, line, whole):
            if price:
                margins[where] = margin_percent(price, _unit_cost(line))
    return margins


def _chosen_prices(
    number: int, line: Offered, whole: Decimal
) -> Iterator[tuple[str, Decimal]]:
    """Yield the prices of one, after discounts, of options and of price breaks."""
    if line.kind not in OFFERED:
        return
    factor = (HUNDRED - line.discount_percent) * (HUNDRED - whole) / HUNDRED**2
    if line.kind != Kind.STANDARD and line.unit_price is not None:
        yield f"of option line {number}", line.unit_price * factor
    for one in line.price_breaks:
        yield (
            f"of line {number} from {one['from']}",
            Decimal(one["unit_price"]) * factor,
        )


def _unit_cost(line: Offered) -> Decimal | None:
    """The cost of one in the quote's currency: `unit_cost` itself is in S$."""
    return None if line.cost is None else line.cost / line.quantity


def lines_below_cost(lines: Numbered, whole: Decimal = ZERO) -> tuple[int, ...]:
    """Return the numbers of the lines that are, or by a choice may be, below cost."""
    found = []
    for number, line in lines:
        if line.kind not in OFFERED or line.cost is None or line.unit_cost is None:
            continue
        net = line_net(line)
        prices = [price for _where, price in _chosen_prices(number, line, whole)]
        is_dearer = any(price < line.cost / line.quantity for price in prices)
        if is_dearer or (net is not None and net < line.cost):
            found.append(number)
    return tuple(found)


def most_net(lines: Iterable[Offered]) -> Decimal:
    """Return the most that an order could come to before GST.

    Every option is taken, each range to its end, and of each choice the dearest.
    """
    total = ZERO
    choices: dict[str, Decimal] = {}
    for line in lines:
        amount = _most_of(line) if line.kind in OFFERED else None
        if amount is None:
            continue
        if line.choice and line.kind != Kind.OPTIONAL:
            choices[line.choice] = max(choices.get(line.choice, ZERO), amount)
        elif line.kind != Kind.ALTERNATIVE:
            total += amount
    return total + sum(choices.values(), start=ZERO)


def _most_of(line: Offered) -> Decimal | None:
    """Return the most of one line: as it stands, or at the end of its range."""
    standing = line_net(line)
    most = line.quantity_max
    if standing is None or line.unit_price is None or most is None:
        return standing
    reached = [one for one in line.price_breaks if Decimal(one["from"]) <= most]
    price = Decimal(reached[-1]["unit_price"]) if reached else line.unit_price
    factor = (HUNDRED - line.discount_percent) / HUNDRED
    return max(standing, round_money(most * price * factor))
