"""The least margin that any lawful choice of a customer may leave. No database.

Each option, price break and quantity may pass the rule by itself, and all of them
together may not: fewer of the line that earns most, more of the one that earns least.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import partial
from typing import Protocol

from quotes.offer_limits import HUNDRED, OFFERED, Offered
from quotes.pricing import Kind, margin_percent
from sourceit.money import ZERO

# The search ends by itself: each round takes another choice, or is the last.
MAX_ROUNDS = 50

# What a pick comes to before GST, and what it costs us, in the quote's currency.
Pick = tuple[Decimal, Decimal]
NOTHING: Pick = (ZERO, ZERO)


class Open(Offered, Protocol):
    """A line with the quantities that may be chosen of it."""

    @property
    def quantity_min(self) -> Decimal | None: ...
    @property
    def quantity_step(self) -> Decimal | None: ...


def least_margin(lines: Iterable[Open], whole: Decimal = ZERO) -> Decimal | None:
    """Return the least margin in percent over all choices; None where none is open.

    `whole` is the discount on all of it in percent. An amount is taken as its part of
    what was quoted, so that the margin of a larger order is told a little too low and
    never too high. Lines without a price or a cost are left out: others name those.

    The greatest cost / net is found by Dinkelbach's method ("On nonlinear fractional
    programming", 1967): for a ratio r each line picks the most of cost - r x net by
    itself, and r rises to what these picks come to, until it stays.
    """
    groups = [picks for picks in _groups(lines) if picks]
    if not any(len(picks) > 1 for picks in groups):
        return None
    factor = (HUNDRED - whole) / HUNDRED
    net, cost = _sum(picks[0] for picks in groups)
    if not net * factor:
        return None
    ratio = cost / net
    for _ in range(MAX_ROUNDS):
        best = [max(picks, key=partial(_worth, ratio)) for picks in groups]
        more_net, more_cost = _sum(best)
        if not more_net or more_cost / more_net <= ratio:
            break
        net, cost = more_net, more_cost
        ratio = cost / net
    return margin_percent(net * factor, cost)


def _worth(ratio: Decimal, pick: Pick) -> Decimal:
    net, cost = pick
    return cost - ratio * net


def _sum(picks: Iterable[Pick]) -> Pick:
    net = cost = ZERO
    for one_net, one_cost in picks:
        net, cost = net + one_net, cost + one_cost
    return net, cost


def _groups(lines: Iterable[Open]) -> Iterator[list[Pick]]:
    """Yield what may be picked where one pick each is taken, the quoted one first."""
    choices: dict[str, list[Pick]] = {}
    for line in lines:
        picks = list(_picks(line)) if line.kind in OFFERED else []
        if line.kind == Kind.OPTIONAL:
            yield [NOTHING, *picks]
        elif line.choice:
            group = choices.setdefault(line.choice, [])
            is_quoted = line.kind == Kind.STANDARD
            choices[line.choice] = [*picks, *group] if is_quoted else [*group, *picks]
        elif line.kind == Kind.STANDARD:
            yield picks
    yield from choices.values()


def _picks(line: Open) -> Iterator[Pick]:
    if line.unit_price is None or line.cost is None or not line.quantity:
        return
    unit_cost = line.cost / line.quantity
    kept = (HUNDRED - line.discount_percent) / HUNDRED
    for quantity in _quantities(line):
        price = _price_at(line, quantity)
        if price is not None:
            yield quantity * price * kept, quantity * unit_cost


def _quantities(line: Open) -> list[Decimal]:
    """Return the quoted quantity, and both ends of each stretch of one price."""
    low, high = line.quantity_min, line.quantity_max
    if low is None or high is None:
        return [line.quantity]
    step = line.quantity_step or Decimal(1)
    ends = {low, low + (high - low) // step * step}
    for one in line.price_breaks:
        # The first quantity that reaches the break, and the last that does not.
        steps = -((low - Decimal(one["from"])) // step)
        ends |= {low + steps * step, low + (steps - 1) * step}
    return [line.quantity, *sorted(end for end in ends if low <= end <= high)]


def _price_at(line: Open, quantity: Decimal) -> Decimal | None:
    """Return the price that `choosing.unit_price_at` gives; None where it has none."""
    breaks = line.price_breaks
    if quantity == line.quantity or not breaks:
        return line.unit_price
    reached = [one for one in breaks if Decimal(one["from"]) <= quantity]
    if reached:
        return Decimal(reached[-1]["unit_price"])
    is_below = line.quantity < Decimal(breaks[0]["from"])
    return line.unit_price if is_below else None
