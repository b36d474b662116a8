"""Whether the offers under a quote's costs still hold, before it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from quotes.models import Line, OfferLine, Revision
from quotes.problems import Problem
from quotes.services.offer_costs import Rates, cost_at, offers_under
from sourceit.money import format_money


def check_offers(revision: Revision, now: datetime) -> Iterator[Problem]:
    """Yield lines whose offer went, or costs something else at the line's quantity.

    An offer that ends is a limit of the validity, and said there. No query where no
    line stands on an offer.
    """
    lines = revision.lines_in_order()
    under = offers_under(lines)
    if not under:
        return
    rates = Rates(now)
    for number, line in enumerate(lines, start=1):
        if (used := under.get(line.pk)) is None:
            continue
        if not used.offer.stands:
            supplier = used.offer.invite.supplier
            yield Problem(
                message=f"Line {number}: {supplier} has another offer now, or none. "
                "Take the new one, or enter the cost.",
                anchor=f"{line.pk}-unit_cost",
                code=f"offer-{line.pk}-{used.offer.pk}",
            )
        elif words := _other_cost(line, used, rates):
            yield Problem(
                message=f"Line {number}: {words}",
                anchor=f"{line.pk}-unit_cost",
                is_blocking=False,
            )


def _other_cost(line: Line, used: OfferLine, rates: Rates) -> str:
    """Say what the offer comes to at this quantity, where the cost is another."""
    cost = cost_at(used, used.offer, line.quantity, rates.of(used.offer.currency))
    if cost is None or line.unit_cost is None or cost.unit == line.unit_cost:
        return ""
    shown, was = format_money(cost.unit), format_money(line.unit_cost)
    return f"the offer comes to {shown} each for this quantity today, not {was}."
