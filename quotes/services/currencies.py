"""The currency of a draft: chosen with a rate from the table, never silently."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from django.db import transaction
from django.db.models import F

from quotes.errors import QuoteError
from quotes.models import Line, Revision
from quotes.pricing import Kind
from quotes.services.lines import touch
from quotes.services.rates import rates_on
from sourceit.clock import singapore_date
from sourceit.events import record_event
from sourceit.models import User
from sourceit.money import HOME, round_money, round_unit_price


class How(StrEnum):
    """What becomes of the prices when the currency changes."""

    CONVERT = "convert"
    KEEP = "keep"


@transaction.atomic
def set_currency(
    *, revision: Revision, currency: str, how: How, by: User, now: datetime
) -> None:
    """Put a draft into a currency at the newest rate of the table, or refresh the rate.

    Prices are converted, or keep their numbers, as was asked: costs are in S$ always.
    Where only the rate is new, prices stay and lead: a margin that made one was worked
    out at the rate before. A rounding line falls away with the
    currency it was made for.

    Raises:
        QuoteError: there is no rate, or it is no longer a draft.
        MoneyError: a converted amount does not fit.
    """
    touch(revision, by=by, now=now)
    held = Revision.objects.select_for_update().get(pk=revision.pk)
    rate = rates_on(singapore_date(now)).get(currency)
    if currency != HOME and rate is None:
        raise QuoteError(f"There is no exchange rate for {currency}. Add one first.")
    before, was = held.currency, held.home_rate
    held.currency = currency
    held.fx_rate = rate.rate if rate else None
    held.fx_source = rate.source if rate else ""
    held.fx_on = rate.on if rate else None
    held.fx_locked_until = rate.locked_until if rate else None
    if before != currency:
        _carry_over(held, was, how)
    elif was != held.home_rate:
        _let_prices_lead(held)
    held.save(update_fields=FIELDS)
    at = f" at S${held.fx_rate.normalize():f}" if held.fx_rate else ""
    words = {How.CONVERT: ", prices converted", How.KEEP: ", numbers kept"}
    done = words[how] if before != currency else ""
    text = f"{by}: the quote is in {currency}{at}{done}"
    record_event(held, "currency", text, by=by, before=before, after=currency)


FIELDS = [
    "currency",
    "fx_rate",
    "fx_source",
    "fx_on",
    "fx_locked_until",
    "discount_amount",
]


def _let_prices_lead(revision: Revision) -> None:
    """Keep each price as it is, so that no later edit moves it by the new rate."""
    sources = Line.PriceSource
    rows = Line.objects.filter(revision=revision, price_source=sources.MARGIN)
    rows.update(
        price_source=sources.PRICE,
        margin_percent=None,
        row_version=F("row_version") + 1,
    )


def _carry_over(revision: Revision, was: Decimal | None, how: How) -> None:
    """Convert the prices from the rate before to the one now, or keep their numbers.

    A price that was typed or that a margin made is a price now: it leads.
    """
    rows = Line.objects.filter(revision=revision)
    rows.filter(kind=Kind.ROUNDING).delete()
    now_rate = revision.home_rate
    if how == How.CONVERT and (was is None or now_rate is None):
        raise QuoteError("Without a rate before, prices can only keep their numbers.")
    lines = list(rows)
    for line in lines:
        line.revision = revision
        line.price_source, line.margin_percent = Line.PriceSource.PRICE, None
        line.row_version += 1
        if how == How.CONVERT and was is not None and now_rate is not None:
            _convert(line, was / now_rate)
    if how == How.CONVERT and was is not None and now_rate is not None:
        amount = revision.discount_amount * was / now_rate
        revision.discount_amount = round_money(amount)
    Line.objects.bulk_update(
        lines,
        ["price_source", "margin_percent", "row_version", "unit_price", "price_breaks"],
    )


def _convert(line: Line, factor: Decimal) -> None:
    if line.unit_price is not None:
        line.unit_price = round_unit_price(line.unit_price * factor)
    line.price_breaks = [
        {
            **one,
            "unit_price": str(round_unit_price(Decimal(one["unit_price"]) * factor)),
        }
        for one in line.price_breaks
    ]
