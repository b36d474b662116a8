"""What other currencies are in S$, by the table of rates."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from django.db import IntegrityError, transaction

from quotes.errors import QuoteError
from quotes.models import FxRate
from sourceit.events import record_event
from sourceit.models import User
from sourceit.money import HOME

SHOWN = 200


def rates_on(day: date) -> dict[str, FxRate]:
    """Return the newest rate of each currency on a day (one query)."""
    found = FxRate.objects.filter(on__lte=day).order_by("on")
    return {rate.currency: rate for rate in found}


def newest_rates() -> Sequence[FxRate]:
    """Return the table, each currency's newest day first; the older end is cut off."""
    newest = list(FxRate.objects.order_by("-on", "currency")[:SHOWN])
    return sorted(newest, key=lambda rate: rate.currency)


@transaction.atomic
def add_rate(
    *,
    currency: str,
    rate: Decimal,
    on: date,
    source: str,
    locked_until: date | None,
    by: User,
) -> FxRate:
    """Add what one unit of a currency is in S$ from a day on.

    A rate that was added is never changed: quotes copy it, and say which it was.

    Raises:
        QuoteError: the currency is S$, or has a rate of that day.
    """
    if currency == HOME:
        raise QuoteError("S$ needs no rate.")
    try:
        with transaction.atomic():
            made = FxRate.objects.create(
                currency=currency,
                rate=rate,
                on=on,
                source=source,
                locked_until=locked_until,
            )
    except IntegrityError as error:
        raise QuoteError(
            f"{currency} has a rate of {on:%-d %b %Y}: enter another day."
        ) from error
    record_event(made, "rate_added", f"{made} ({source}) added by {by}", by=by)
    return made
