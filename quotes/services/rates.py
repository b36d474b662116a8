"""What other currencies are in S$, by the table of rates."""

from __future__ import annotations

from datetime import date

from quotes.models import FxRate


def rates_on(day: date) -> dict[str, FxRate]:
    """Return the newest rate of each currency on a day (one query)."""
    found = FxRate.objects.filter(on__lte=day).order_by("on")
    return {rate.currency: rate for rate in found}
