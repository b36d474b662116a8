"""Adding up a quote. No database: lines in, sums out. The method is in docs/pricing.md.

A line's net is rounded to the cent, nets are summed for each tax category, GST is
worked out once for each category, and the categories are summed ("on the total").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from enum import StrEnum
from typing import Protocol

from sourceit.money import (
    CENT,
    ZERO,
    MoneyError,
    Totals,
    round_money,
    round_unit_price,
)

HUNDRED = Decimal(100)


class Kind(StrEnum):
    """What a line is for the sum: only standard and rounding lines count."""

    STANDARD = "standard"
    OPTIONAL = "optional"
    ALTERNATIVE = "alternative"
    TEXT = "text"
    ROUNDING = "rounding"


class Tax(StrEnum):
    """How GST treats a line; the printed reason goes with it."""

    STANDARD = "standard"
    ZERO_RATED = "zero_rated"
    OUT_OF_SCOPE = "out_of_scope"
    CUSTOMER_ACCOUNTING = "customer_accounting"
    NOT_REGISTERED = "not_registered"


TAX_REASONS: dict[str, str] = {
    Tax.STANDARD: "Standard-rated supply in Singapore",
    Tax.ZERO_RATED: "Zero-rated: goods exported by the seller",
    Tax.OUT_OF_SCOPE: "Out of scope of Singapore GST",
    Tax.CUSTOMER_ACCOUNTING: "Customer accounting: the buyer accounts for GST",
    Tax.NOT_REGISTERED: "The seller is not registered for GST",
}


class Priceable(Protocol):
    """What a sum needs to know of a line."""

    @property
    def kind(self) -> str: ...
    @property
    def quantity(self) -> Decimal: ...
    @property
    def unit_price(self) -> Decimal | None: ...
    @property
    def discount_percent(self) -> Decimal: ...
    @property
    def tax(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TaxLine:
    """One tax category at the foot: base and GST, each to the cent."""

    tax: str
    percent: Decimal
    base: Decimal
    gst: Decimal
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """Totals and tax categories; `is_complete` False means a price is missing."""

    totals: Totals
    taxes: tuple[TaxLine, ...]
    is_complete: bool


def line_net(line: Priceable) -> Decimal | None:
    """Return quantity x unit price less discount, to the cent; None without a price.

    Raises:
        MoneyError: the amount does not fit.
    """
    if line.kind == Kind.TEXT or line.unit_price is None:
        return None
    factor = (HUNDRED - line.discount_percent) / HUNDRED
    return round_money(line.quantity * line.unit_price * factor)


def add_up(
    lines: Iterable[Priceable], *, gst_percent: Decimal, currency: str = "SGD"
) -> Sums:
    """Sum the lines that count, with GST worked out once for each tax category.

    Raises:
        MoneyError: an amount does not fit.
    """
    bases: dict[str, Decimal] = {}
    rounding = ZERO
    is_complete = True
    for line in lines:
        net = line_net(line)
        if line.kind == Kind.ROUNDING:
            rounding += net or ZERO
        elif line.kind == Kind.STANDARD and net is None:
            is_complete = False
        elif line.kind == Kind.STANDARD and net is not None:
            bases[line.tax] = bases.get(line.tax, ZERO) + net
    taxes = tuple(
        _tax_line(tax, base, gst_percent) for tax, base in sorted(bases.items())
    )
    net_sum = round_money(sum(bases.values(), start=ZERO))
    gst_sum = sum((tax.gst for tax in taxes), start=ZERO)
    totals = Totals(
        currency=currency,
        net=net_sum,
        gst=gst_sum,
        rounding=rounding,
        gross=round_money(net_sum + gst_sum + rounding),
    )
    return Sums(totals=totals, taxes=taxes, is_complete=is_complete)


def _tax_line(tax: str, base: Decimal, gst_percent: Decimal) -> TaxLine:
    percent = gst_percent if tax == Tax.STANDARD else Decimal(0)
    return TaxLine(
        tax=tax,
        percent=percent,
        base=base,
        gst=round_money(base * percent / HUNDRED),
        reason=TAX_REASONS[tax],
    )


def convert(amount: Decimal, rate: Decimal) -> Decimal:
    """Convert a line's amount at a frozen rate, rounded once; never the unit price."""
    return round_money(amount * rate)


def margin_percent(net: Decimal, cost: Decimal | None) -> Decimal | None:
    """Return (net - cost) / net in percent; None for an unknown cost or a net of 0."""
    if cost is None or net == 0:
        return None
    return (net - cost) / net * HUNDRED


def markup_percent(net: Decimal, cost: Decimal | None) -> Decimal | None:
    """Return (net - cost) / cost in percent; None when the cost is unknown or 0."""
    if not cost:
        return None
    return (net - cost) / cost * HUNDRED


def price_for_margin(
    cost: Decimal, margin: Decimal, discount: Decimal = Decimal(0)
) -> Decimal:
    """Return the unit price, at four decimals, that leaves a margin after the discount.

    All three are of one unit; margin and discount are in percent.

    Raises:
        MoneyError: no price gives a margin of 100% or more, or survives 100% off.
    """
    if margin >= HUNDRED:
        raise MoneyError("A margin must be under 100%.")
    if discount >= HUNDRED:
        raise MoneyError("A line that is 100% off has no margin.")
    after_discount = cost * HUNDRED / (HUNDRED - margin)
    return round_unit_price(after_discount * HUNDRED / (HUNDRED - discount))


@dataclass(frozen=True, slots=True, kw_only=True)
class Profit:
    """What is earned on the lines that count; None wherever a cost is not known."""

    net: Decimal
    cost: Decimal
    unknown_costs: int

    @property
    def amount(self) -> Decimal | None:
        return None if self.unknown_costs else self.net - self.cost

    @property
    def percent(self) -> Decimal | None:
        return None if self.unknown_costs else margin_percent(self.net, self.cost)


class Costed(Priceable, Protocol):
    """A line that also knows what it costs."""

    @property
    def cost(self) -> Decimal | None: ...


def work_out_profit(lines: Iterable[Costed]) -> Profit:
    """Sum net and cost over the priced standard lines, each to the cent.

    Raises:
        MoneyError: an amount does not fit.
    """
    net_sum = cost_sum = ZERO
    unknown = 0
    for line in lines:
        net = line_net(line)
        if line.kind != Kind.STANDARD or net is None:
            continue
        net_sum += net
        if line.cost is None:
            unknown += 1
        else:
            cost_sum += round_money(line.cost)
    return Profit(net=net_sum, cost=cost_sum, unknown_costs=unknown)


def apportion(amount: Decimal, weights: Sequence[Decimal]) -> list[Decimal]:
    """Split an amount by weight into cents that add up to it (largest remainder).

    Equal remainders go to the earlier part. All-zero weights count as equal ones.
    """
    if not weights:
        return []
    whole = sum(weights, start=Decimal(0))
    shares = weights if whole else [Decimal(1)] * len(weights)
    whole = whole or Decimal(len(weights))
    exact = [amount * share / whole for share in shares]
    parts = [part.quantize(CENT, rounding=ROUND_DOWN) for part in exact]
    missing = int((amount - sum(parts, start=ZERO)) / CENT)
    step = CENT if missing > 0 else -CENT
    by_remainder = sorted(
        range(len(parts)), key=lambda i: (-abs(exact[i] - parts[i]), i)
    )
    for index in by_remainder[: abs(missing)]:
        parts[index] += step
    return parts


def rounding_to(target_gross: Decimal, sums: Sums) -> Decimal:
    """Return the rounding line that brings the total to `target_gross`."""
    return target_gross - (sums.totals.gross - sums.totals.rounding)
