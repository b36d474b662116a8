"""The standard GST rate by date, and prices with and without it."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from django.db.models import Subquery

from sourceit.models import TaxRate
from sourceit.money import round_money, round_unit_price


def gst_percent(on: date) -> Decimal:
    """Return the standard rate in percent on a date (one query).

    Raises:
        LookupError: the date lies before the first known rate.
    """
    rate = TaxRate.objects.filter(valid_from__lte=on).order_by("-valid_from").first()
    if rate is None:
        raise LookupError(f"No GST rate is known for {on}.")
    return rate.percent


def gst_subquery(on: date) -> Subquery:
    """The same rate, to be read along with other rows; None before the first rate."""
    rates = TaxRate.objects.filter(valid_from__lte=on).order_by("-valid_from")
    return Subquery(rates.values("percent")[:1])


def net_of_inclusive(inclusive: Decimal, percent: Decimal) -> Decimal:
    """Return the price before GST at four decimals: 28523.25 at 9% is 26168.1193."""
    return round_unit_price(inclusive * 100 / (100 + percent))


def gst_on(net: Decimal, percent: Decimal) -> Decimal:
    """Return the GST on a taxable sum, rounded once, to the cent."""
    return round_money(net * percent / 100)
