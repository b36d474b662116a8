"""What the catalogue gives a line: copies, and defaults where nothing is typed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from catalog.models import Product, SupplierPart
from quotes.models import FxRate, Line
from quotes.services.rates import rates_on
from sourceit.clock import singapore_date
from sourceit.money import HOME, round_unit_price
from sourceit.tax import gst_percent, net_of_inclusive

PLAIN = ("warranty", "origin", "hs_code")
LEAD = ("lead_weeks_min", "lead_weeks_max", "lead_source", "lead_as_of")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listings:
    """Products as lines of one currency take them on one day."""

    currency: str
    percent: Decimal
    # Of each product, the preferred supplier first.
    parts: Mapping[int, list[SupplierPart]] = field(default_factory=dict)
    rates: Mapping[str, FxRate] = field(default_factory=dict)

    def new_line(self, product: Product) -> dict[str, Any]:
        """Return the fields of a new line of a product, on which nothing is typed."""
        return self.copy_of(product) | self.missing_in(Line(), product)

    def copy_of(self, product: Product) -> dict[str, Any]:
        """Return what names a product on a line, and today's list price."""
        return {
            "product": product,
            "maker": product.maker,
            "mpn": product.mpn,
            "description": product.name,
            "unit_price": self.price_of(product),
        }

    def price_of(self, product: Product) -> Decimal | None:
        return list_price(product, percent=self.percent, currency=self.currency)

    def missing_in(self, line: Line, product: Product) -> dict[str, Any]:
        """Return what a line has not and its product has: what is typed stays.

        A lead time is taken whole, with its source and day. So is a cost with its
        supplier: one that was typed may be anybody's, and a supplier that was chosen
        asks what is theirs.
        """
        found = {
            name: getattr(product, name) for name in PLAIN if not getattr(line, name)
        }
        has_weeks = line.lead_weeks_min is not None or line.lead_weeks_max is not None
        if product.has_lead_time and not has_weeks:
            found |= {name: getattr(product, name) for name in LEAD}
        return found | self._buying(line, product)

    def _buying(self, line: Line, product: Product) -> dict[str, Any]:
        part = part_of(self.parts.get(product.pk, []), line.supplier_id)
        if part is None or line.unit_cost is not None:
            return {}
        return {"supplier": part.supplier, "unit_cost": self._cost_of(part)}

    def _cost_of(self, part: SupplierPart) -> Decimal | None:
        """Return a supplier's cost in S$; None where it, or the rate, is not known."""
        if part.cost is None or part.supplier.currency == HOME:
            return part.cost
        rate = self.rates.get(part.supplier.currency)
        return None if rate is None else round_unit_price(part.cost * rate.rate)


def listings_of(
    products: Iterable[Product], *, currency: str, now: datetime
) -> Listings:
    """Gather what lines of these products take today (two queries at most)."""
    today = singapore_date(now)
    parts = parts_of(product.pk for product in products)
    abroad = any(
        one.supplier.currency != HOME for some in parts.values() for one in some
    )
    return Listings(
        currency=currency,
        percent=gst_percent(today),
        parts=parts,
        rates=rates_on(today) if abroad else {},
    )


def parts_of(products: Iterable[int]) -> dict[int, list[SupplierPart]]:
    """Return the parts of products, by their ids, the preferred first (one query)."""
    rows = SupplierPart.objects.filter(product__in=set(products))
    parts: dict[int, list[SupplierPart]] = {}
    for part in rows.select_related("supplier"):
        parts.setdefault(part.product_id, []).append(part)
    return parts


def part_of(
    parts: Iterable[SupplierPart], supplier_id: int | None
) -> SupplierPart | None:
    """Return a supplier's own part, or the usual one where no supplier was chosen."""
    return next((one for one in parts if supplier_id in (None, one.supplier_id)), None)


def list_price(product: Product, *, percent: Decimal, currency: str) -> Decimal | None:
    """Return a product's price as net at four decimals.

    None where it is on request or listed in another currency.
    """
    if product.price is None or product.currency != currency:
        return None
    if product.price_includes_gst:
        return net_of_inclusive(product.price, percent)
    return round_unit_price(product.price)
