"""The named rounding line: list prices with GST, times a quantity, exactly."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from django.db import transaction

from quotes.models import Line, Revision
from quotes.pricing import Kind, Tax, add_up
from quotes.services.lines import add_line, touch
from sourceit.clock import singapore_date
from sourceit.models import User
from sourceit.money import ZERO, round_money
from sourceit.tax import gst_percent, net_of_inclusive


def missing_rounding(revision: Revision, percent: Decimal) -> Decimal | None:
    """Return the rounding line that makes inclusive list prices exact; None without.

    A discounted whole, or one in another currency, is not the listed prices any more.

    Seven at S$28,523.25 are S$199,662.75, but no net in cents reaches that with its
    GST. Lines at their product's inclusive list price are worth quantity x list price;
    what misses from that is the rounding. Needs the lines loaded with their products.
    """
    if revision.discount or revision.is_foreign:
        return None
    lines = revision.lines.all()
    counted = [line for line in lines if line.kind == Kind.STANDARD]
    listed = [line for line in counted if is_at_list_price(line, percent)]
    if not listed:
        return None
    keys = {line.pk for line in listed}
    others = [line for line in counted if line.pk not in keys]
    wanted = add_up(others, gst_percent=percent).totals.gross
    for line in listed:
        assert line.product is not None
        wanted += line.quantity * (line.product.price or ZERO)
    reached = add_up(counted, gst_percent=percent).totals.gross
    missing = wanted - reached
    return missing if missing == round_money(missing) else None


def is_at_list_price(line: Line, percent: Decimal) -> bool:
    """True where a line asks exactly its product's listed price, which includes GST."""
    product = line.product
    return (
        product is not None
        and product.price is not None
        and product.price_includes_gst
        and line.tax == Tax.STANDARD
        and line.discount_percent == 0
        and line.unit_price == net_of_inclusive(product.price, percent)
    )


@transaction.atomic
def set_rounding(*, revision: Revision, by: User, now: datetime) -> None:
    """Make the named rounding line fit the list prices; remove it where none is needed.

    Needs `with_lines()`, with products.
    """
    missing = missing_rounding(revision, gst_percent(singapore_date(now)))
    old = [line for line in revision.lines.all() if line.kind == Kind.ROUNDING]
    touch(revision, by=by, now=now)
    Line.objects.filter(pk__in=[line.pk for line in old]).delete()
    if missing:
        add_line(
            revision=revision,
            by=by,
            now=now,
            kind=Kind.ROUNDING,
            description="Rounding to the listed prices",
            unit_price=missing,
        )
