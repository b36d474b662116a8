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
    HOME,
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
class Discount:
    """A discount on the whole quote before GST: in percent, or else an amount."""

    percent: Decimal = Decimal(0)
    amount: Decimal = ZERO

    def __bool__(self) -> bool:
        return bool(self.percent or self.amount)

    def off(self, subtotal: Decimal) -> Decimal:
        """Return what is taken off a subtotal, to the cent: never more than all of it.

        Raises:
            MoneyError: the amount does not fit.
        """
        if subtotal <= 0:
            return ZERO
        if self.percent:
            return round_money(subtotal * self.percent / HUNDRED)
        return min(self.amount, subtotal)


NO_DISCOUNT = Discount()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """Totals and tax categories; `is_complete` False means a price is missing.

    `totals.net` and the bases are after `discount`, the amount off the whole;
    `discount_percent` is not 0 where it was said in percent.
    """

    totals: Totals
    taxes: tuple[TaxLine, ...]
    is_complete: bool
    discount: Decimal = ZERO
    discount_percent: Decimal = Decimal(0)
    # The same totals in S$, for a quote in another currency.
    home: Totals | None = None

    @property
    def subtotal(self) -> Decimal:
        """The net of the lines before the discount on the whole."""
        return self.totals.net + self.discount


def line_net(line: Priceable) -> Decimal | None:
    """Return quantity x unit price less discount, to the cent; None without a price.

    Raises:
        MoneyError: the amount does not fit.
    """
    if line.kind == Kind.TEXT or line.unit_price is None:
        return None
    factor = (HUNDRED - line.discount_percent) / HUNDRED
    return round_money(line.quantity * line.unit_price * factor)


def net_shares(
    lines: Sequence[Priceable], discount: Discount = NO_DISCOUNT
) -> list[Decimal | None]:
    """Return what is left of each line that counts once the whole is discounted.

    None for a line that does not count or has no price. The discount is split over
    the lines by largest remainder, so that the parts add up to it.

    Raises:
        MoneyError: an amount does not fit.
    """
    nets = [line_net(line) if line.kind == Kind.STANDARD else None for line in lines]
    known = [net for net in nets if net is not None]
    off = discount.off(sum(known, start=ZERO))
    if not off:
        return list(nets)
    parts = iter(apportion(off, known))
    return [None if net is None else net - next(parts) for net in nets]


def add_up(
    lines: Iterable[Priceable],
    *,
    gst_percent: Decimal,
    currency: str = "SGD",
    discount: Discount = NO_DISCOUNT,
    rate: Decimal | None = None,
) -> Sums:
    """Sum the lines that count, with GST worked out once for each tax category.

    `rate` is S$ for one unit of another currency: each line is converted, not the sum.

    Raises:
        MoneyError: an amount does not fit.
    """
    all_lines = list(lines)
    shares = net_shares(all_lines, discount)
    bases: dict[str, Decimal] = {}
    rounding = subtotal = ZERO
    is_complete = True
    for line, share in zip(all_lines, shares, strict=True):
        if line.kind == Kind.ROUNDING:
            rounding += line_net(line) or ZERO
        elif line.kind == Kind.STANDARD and share is None:
            is_complete = False
        elif share is not None:
            bases[line.tax] = bases.get(line.tax, ZERO) + share
            subtotal += line_net(line) or ZERO
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
    return Sums(
        totals=totals,
        taxes=taxes,
        is_complete=is_complete,
        discount=subtotal - net_sum,
        discount_percent=discount.percent,
        home=None if rate is None else _in_home(shares, totals, taxes, rate),
    )


def _in_home(
    shares: Iterable[Decimal | None],
    totals: Totals,
    taxes: Iterable[TaxLine],
    rate: Decimal,
) -> Totals:
    """Convert line by line, the GST by treatment: the S$ totals add up as well."""
    nets = (convert(share, rate) for share in shares if share is not None)
    net = sum(nets, start=ZERO)
    gst = sum((convert(tax.gst, rate) for tax in taxes), start=ZERO)
    rounding = convert(totals.rounding, rate)
    return Totals(
        currency=HOME,
        net=net,
        gst=gst,
        rounding=rounding,
        gross=round_money(net + gst + rounding),
    )


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


def work_out_profit(
    lines: Iterable[Costed],
    discount: Discount = NO_DISCOUNT,
    rate: Decimal = Decimal(1),
) -> Profit:
    """Sum net and cost over the priced standard lines, each to the cent.

    The net is after the discount on the whole. `rate` brings all of it to S$.

    Raises:
        MoneyError: an amount does not fit.
    """
    net_sum = cost_sum = ZERO
    unknown = 0
    counted = list(lines)
    for line, share in zip(counted, net_shares(counted, discount), strict=True):
        if share is None:
            continue
        net_sum += convert(share, rate)
        if line.cost is None:
            unknown += 1
        else:
            cost_sum += convert(line.cost, rate)
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
