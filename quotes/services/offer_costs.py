"""What the offers of an inquiry come to in S$ at today's rates; one place for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from quotes.landed import Landed, freight_shares, landed
from quotes.models import Line, OfferLine, SupplierOffer
from quotes.services.rates import rates_on
from sourceit.clock import singapore_date
from sourceit.money import HOME, MoneyError


@dataclass(frozen=True, slots=True)
class Rate:
    """S$ for one unit of a currency, of a day; of no day for S$ itself."""

    rate: Decimal
    on: date | None = None
    source: str = ""


class Rates:
    """The rates of a day, read once (one query)."""

    def __init__(self, now: datetime) -> None:
        self._found = rates_on(singapore_date(now))

    def of(self, currency: str) -> Rate | None:
        """Return the rate of a currency; None where the table has none."""
        if currency == HOME:
            return Rate(Decimal(1))
        found = self._found.get(currency)
        return Rate(found.rate, found.on, found.source) if found else None

    @property
    def currencies(self) -> list[str]:
        return [HOME, *sorted(self._found)]


def freight_of(offer: SupplierOffer) -> dict[int, Decimal]:
    """Return each offer line's share of the freight, by id, in the offer's currency.

    By the quantities that were asked for. Reads `lines` with `asked`.
    """
    lines = list(offer.lines.all())
    if not lines:
        return {}
    shares = freight_shares(
        offer.freight, [(line, line.asked.quantity) for line in lines]
    )
    return {line.pk: share for line, share in zip(lines, shares, strict=True)}


def cost_at(
    line: OfferLine, offer: SupplierOffer, quantity: Decimal, rate: Rate | None
) -> Landed | None:
    """Return what an offer comes to for a quantity; None without a rate, or too large.

    The freight stays that of the quantity asked for: it was quoted for that.
    """
    if rate is None:
        return None
    try:
        freight = freight_of(offer)[line.pk]
        return landed(line, quantity, rate=rate.rate, freight=freight)
    except MoneyError:
        return None


def offers_under(lines: Iterable[Line]) -> dict[int, OfferLine]:
    """Return the offer that each quote line stands on, by the line's id.

    No query where no line stands on one, else three.
    """
    wanted = {line.pk: line.offer_line_id for line in lines if line.offer_line_id}
    if not wanted:
        return {}
    rows = OfferLine.objects.select_related(
        "asked", "offer__invite__supplier", "offer__invite__inquiry"
    ).prefetch_related("offer__lines__asked")
    found = rows.in_bulk(set(wanted.values()))
    return {pk: found[offer] for pk, offer in wanted.items() if offer in found}
