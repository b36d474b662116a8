"""Money: Decimal only, one rounding rule, totals that cannot contradict themselves."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

ZERO = Decimal("0.00")
CENT = Decimal("0.01")
UNIT = Decimal("0.0001")
# What the columns hold: unit prices (15, 4), totals (15, 2).
MAX_UNIT_PRICE = Decimal("99999999999.9999")
MAX_TOTAL = Decimal("9999999999999.99")
# What costs are kept in, and what other currencies are shown in as well.
HOME = "SGD"
SYMBOLS = {"SGD": "S$", "USD": "US$"}


class MoneyError(ValueError):
    """A sum that must not be made; the message is fit to show a person."""


def round_money(amount: Decimal) -> Decimal:
    """Round to the cent, half up and away from zero: -0.045 becomes -0.05.

    The only rounding of amounts in the product.

    Raises:
        MoneyError: the result does not fit a total, or is not a number.
    """
    return _round(amount, CENT, MAX_TOTAL)


def round_unit_price(amount: Decimal) -> Decimal:
    """Round a unit price to four decimals by the same rule.

    Raises:
        MoneyError: the result does not fit a unit price, or is not a number.
    """
    return _round(amount, UNIT, MAX_UNIT_PRICE)


def _round(amount: Decimal, step: Decimal, limit: Decimal) -> Decimal:
    if not isinstance(amount, Decimal):
        raise TypeError("Money is Decimal, never float.")
    if not amount.is_finite() or abs(amount) > limit:
        raise MoneyError(f"An amount is beyond {limit:,f}.")
    # Adding zero turns the -0.00 that rounding can leave into 0.00.
    return amount.quantize(step, rounding=ROUND_HALF_UP) + Decimal(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """The sums at the foot of a quote; refuses to exist unless they agree.

    `net + gst + rounding == gross`. `rounding` is the named rounding line, outside GST.
    """

    currency: str
    net: Decimal
    gst: Decimal
    gross: Decimal
    rounding: Decimal = ZERO

    def __post_init__(self) -> None:
        if self.net + self.gst + self.rounding != self.gross:
            raise MoneyError(
                f"{self.net} + {self.gst} + {self.rounding} is not {self.gross}."
            )

    def __add__(self, other: Totals) -> Totals:
        if self.currency != other.currency:
            raise MoneyError(f"{self.currency} and {other.currency} cannot be added.")
        return Totals(
            currency=self.currency,
            net=self.net + other.net,
            gst=self.gst + other.gst,
            gross=self.gross + other.gross,
            rounding=self.rounding + other.rounding,
        )


def format_money(amount: Decimal, currency: str = "SGD", places: int = 2) -> str:
    """Write an amount as people read it: `S$28,523.25`, `-US$0.50`.

    Shows at least `places` decimals, and more only where the amount has them: a unit
    price of 26168.1193 is never shown as 26,168.12.
    """
    sign = "-" if amount < 0 else ""
    digits = f"{abs(amount):,f}"
    whole, _, fraction = digits.partition(".")
    fraction = fraction.rstrip("0").ljust(places, "0")
    symbol = SYMBOLS.get(currency, f"{currency} ")
    return f"{sign}{symbol}{whole}.{fraction}" if fraction else f"{sign}{symbol}{whole}"
