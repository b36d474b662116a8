"""What a supplier's offer comes to in S$, landed. No database, exact until the end.

Landed is the price at the quantity that must be bought, with its share of the freight,
at a stated rate. GST on imports is left out: a registered buyer claims it back. What
must be bought beyond the need (a least quantity, whole packs) is part of the cost of
what is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from typing import Any, Protocol

from sourceit.money import round_money, round_unit_price


class Priced(Protocol):
    """One line of an offer: a price for a pack, in the offer's currency."""

    @property
    def price(self) -> Decimal: ...
    @property
    def pack(self) -> Decimal: ...
    @property
    def least(self) -> Decimal: ...
    @property
    def price_breaks(self) -> list[Any]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed:
    """An offer for a needed quantity; `unit` and `total` are S$ before GST.

    `unit` is the cost of one that is needed, at four decimals; `bought` is how many
    units must be bought for it.
    """

    unit: Decimal
    total: Decimal
    bought: Decimal
    surplus: Decimal


def bought_for(line: Priced, quantity: Decimal) -> Decimal:
    """Return how many units must be bought: the least sold, in whole packs."""
    needed = max(quantity, line.least)
    packs = (needed / line.pack).to_integral_value(rounding=ROUND_CEILING)
    return packs * line.pack


def price_at(line: Priced, bought: Decimal) -> Decimal:
    """Return the price of a pack when so many units are bought."""
    price = line.price
    for one in sorted(line.price_breaks, key=lambda one: Decimal(one["from"])):
        if bought >= Decimal(one["from"]):
            price = Decimal(one["unit_price"])
    return price


def goods_price(line: Priced, quantity: Decimal) -> Decimal:
    """Return what the goods of a line come to in the offer's currency, unrounded."""
    bought = bought_for(line, quantity)
    return bought / line.pack * price_at(line, bought)


def freight_shares(
    freight: Decimal, lines: Sequence[tuple[Priced, Decimal]]
) -> list[Decimal]:
    """Share an offer's freight by the value of its lines, each with its quantity.

    Where all of them are free of charge, each bears the same.
    """
    values = [goods_price(line, quantity) for line, quantity in lines]
    whole = sum(values, start=Decimal(0))
    if not whole:
        return [freight / len(lines) for _value in values]
    return [freight * value / whole for value in values]


def landed(
    line: Priced, quantity: Decimal, *, rate: Decimal, freight: Decimal
) -> Landed:
    """Work out an offer for a quantity; `freight` is the line's share, `rate` in S$.

    Raises:
        MoneyError: the result does not fit.
    """
    bought = bought_for(line, quantity)
    whole = (goods_price(line, quantity) + freight) * rate
    return Landed(
        unit=round_unit_price(whole / quantity),
        total=round_money(whole),
        bought=bought,
        surplus=bought - quantity,
    )
