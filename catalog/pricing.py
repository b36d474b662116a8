"""A product's public price, with and without GST."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from catalog.models import Product
from sourceit.money import round_money
from sourceit.tax import gst_on, net_of_inclusive


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPrice:
    """What the public is shown: the price with GST first (IRAS), to the cent."""

    inclusive: Decimal
    before_gst: Decimal
    gst_percent: Decimal
    currency: str
    listed_on: date | None


def public_price(product: Product, gst_percent: Decimal) -> PublicPrice | None:
    """Return the price to show, or None for price on request."""
    if product.price is None:
        return None
    if product.price_includes_gst:
        inclusive = round_money(product.price)
        before = round_money(net_of_inclusive(product.price, gst_percent))
    else:
        before = round_money(product.price)
        inclusive = before + gst_on(before, gst_percent)
    return PublicPrice(
        inclusive=inclusive,
        before_gst=before,
        gst_percent=gst_percent,
        currency=product.currency,
        listed_on=product.listed_on,
    )
