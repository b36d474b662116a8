"""Which lines left the special bid that their cost stands on, and why.

The one place for the rule: the builder's red rows and the check before the send ask it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal

from quotes.models import Line, QuoteRequest, Revision, SpecialBid, SpecialBidPart
from quotes.pricing import Kind
from quotes.problems import Problem
from quotes.services.offer_costs import Rates
from sourceit.money import HOME, MoneyError, format_money, round_unit_price

OUTSIDE = "bid"


def bids_under(lines: Iterable[Line]) -> dict[int, SpecialBid]:
    """Return the bids that lines stand on, by their ids, with their parts.

    No query where no line stands on one, else two.
    """
    wanted = {line.special_bid_id for line in lines if line.special_bid_id}
    if not wanted:
        return {}
    return SpecialBid.objects.prefetch_related("parts").in_bulk(wanted)


def home_cost(part: SpecialBidPart, currency: str, rates: Rates) -> Decimal | None:
    """Return a part's unit cost in S$ at a day's rate; None without a rate."""
    rate = rates.of(currency)
    try:
        return None if rate is None else round_unit_price(part.unit_cost * rate.rate)
    except MoneyError:
        return None


def check_bids(revision: Revision, now: datetime) -> Iterator[Problem]:
    """Yield each line that left its special bid, with the reasons.

    Needs the request loaded. No query where no line stands on a bid, else two, and one
    more for the rate of a bid in another currency.
    """
    lines = revision.lines_in_order()
    bids = bids_under(lines)
    if not bids:
        return
    over = _beyond_quantity(lines, bids)
    rates = Rates(now) if any(bid.currency != HOME for bid in bids.values()) else None
    for number, line in enumerate(lines, start=1):
        if (bid := bids.get(line.special_bid_id or 0)) is None:
            continue
        words = [
            *_why_outside(line, bid, revision.quote.request, rates, now),
            *over.get(line.pk, ()),
        ]
        if words:
            yield Problem(
                message=f"Line {number} left special bid {bid}: {'; '.join(words)}.",
                anchor=f"{line.pk}-unit_cost",
                kind=OUTSIDE,
                lines=(line.pk,),
            )


def _why_outside(
    line: Line,
    bid: SpecialBid,
    request: QuoteRequest,
    rates: Rates | None,
    now: datetime,
) -> Iterator[str]:
    if bid.has_ended(now):
        yield f"it ended on {bid.valid_until:%-d %b %Y}"
    elif not bid.has_begun(now):
        yield f"it begins on {bid.valid_from:%-d %b %Y}"
    if not is_for(bid, request):
        yield f"it is for {bid.end_user}"
    part = bid.part_of(line.mpn)
    if part is None:
        yield f"it has no part {line.mpn or 'without a number'}"
    elif line.offer_line_id is None:
        yield from _other_cost(line, bid, part, rates)


def _other_cost(
    line: Line, bid: SpecialBid, part: SpecialBidPart, rates: Rates | None
) -> Iterator[str]:
    """Say what the bid's cost is, where the line has another one.

    In S$ to the last decimal. In another currency the table's rate moves daily: then it
    is told where the line costs less than the bid comes to.
    """
    if bid.currency == HOME:
        if line.unit_cost != part.unit_cost:
            yield f"its cost is {format_money(part.unit_cost)}"
        return
    cost = home_cost(part, bid.currency, rates) if rates else None
    if cost is None:
        yield f"no exchange rate for {bid.currency} is known"
    elif line.unit_cost is None or line.unit_cost < cost:
        shown = format_money(part.unit_cost, bid.currency)
        yield f"its cost is {shown}, {format_money(cost)} today"


def _beyond_quantity(
    lines: Iterable[Line], bids: dict[int, SpecialBid]
) -> dict[int, list[str]]:
    """Say of a part's lines that ask for more, together, than its bid grants.

    Every line that may be bought counts, at the most that may be chosen of it; of
    alternatives to each other the largest one does.
    """
    by_part: dict[int, list[Line]] = defaultdict(list)
    parts: dict[int, SpecialBidPart] = {}
    for line in lines:
        bid = bids.get(line.special_bid_id or 0)
        part = bid.part_of(line.mpn) if bid and line.kind != Kind.TEXT else None
        if part is not None:
            parts[part.pk] = part
            by_part[part.pk].append(line)
    told: dict[int, list[str]] = {}
    for pk, sharing in by_part.items():
        asked = _most_of(sharing)
        if asked > (granted := parts[pk].quantity):
            words = f"it grants {_plain(granted)}, and the quote has {_plain(asked)}"
            told |= {line.pk: [words] for line in sharing}
    return told


def _most_of(lines: Iterable[Line]) -> Decimal:
    total = Decimal(0)
    largest: dict[str, Decimal] = {}
    for line in lines:
        most = max(line.quantity, line.quantity_max or Decimal(0))
        if line.choice:
            largest[line.choice] = max(most, largest.get(line.choice, Decimal(0)))
        else:
            total += most
    return total + sum(largest.values(), start=Decimal(0))


def _plain(quantity: Decimal) -> str:
    return f"{quantity.normalize():,f}"


def is_for(bid: SpecialBid, request: QuoteRequest) -> bool:
    """True where a bid's end user is the request's, or its company where none is said.

    Names are compared without regard to case, points and spaces.
    """
    named = request.end_user or request.company or request.customer_name
    return _name_key(bid.end_user) == _name_key(named)


def _name_key(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())
