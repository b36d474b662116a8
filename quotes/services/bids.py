"""Special bids: kept, and put under a draft's lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Q

from quotes.errors import QuoteError
from quotes.models import Line, Revision, SpecialBid, SpecialBidPart
from quotes.pricing import Kind
from quotes.services.bid_checks import home_cost, is_for
from quotes.services.lines import save_line
from quotes.services.offer_costs import Rates
from sourceit.events import record_event
from sourceit.models import User

PRICED = (Kind.STANDARD, Kind.OPTIONAL, Kind.ALTERNATIVE)


@dataclass(frozen=True, slots=True)
class BidPart:
    """A part as it is typed: number, the most of it, the cost of one."""

    mpn: str
    quantity: Decimal
    unit_cost: Decimal


def save_bid(
    *,
    fields: Mapping[str, Any],
    parts: Sequence[BidPart],
    by: User,
    now: datetime,
    bid: SpecialBid | None = None,
    version: int = 0,
) -> SpecialBid:
    """Keep a new bid, or what changed of one; its parts are those given.

    Raises:
        QuoteError: no part, the maker has another bid of this number, or somebody
            saved it after `version`.
    """
    if not parts:
        raise QuoteError("Enter at least one part.")
    try:
        with transaction.atomic():
            return _save(bid, version, fields, parts, by, now)
    except IntegrityError as error:
        raise QuoteError("The maker has another bid of this number.") from error


def _save(
    bid: SpecialBid | None,
    version: int,
    fields: Mapping[str, Any],
    parts: Sequence[BidPart],
    by: User,
    now: datetime,
) -> SpecialBid:
    if bid is None:
        bid = SpecialBid.objects.create(author=by, created_at=now, **fields)
        what, kind = "entered", "bid_entered"
    else:
        rows = SpecialBid.objects.filter(pk=bid.pk, version=version)
        if not rows.update(version=F("version") + 1, **fields):
            raise QuoteError("Somebody changed the bid. Load the page again.")
        bid.refresh_from_db()
        bid.parts.all().delete()
        what, kind = "changed", "bid_changed"
    SpecialBidPart.objects.bulk_create(
        SpecialBidPart(
            bid=bid,
            position=position,
            mpn=part.mpn,
            quantity=part.quantity,
            unit_cost=part.unit_cost,
        )
        for position, part in enumerate(parts)
    )
    record_event(bid, kind, f"Special bid {bid} {what} by {by}", by=by)
    return bid


@transaction.atomic
def use_bid(*, revision: Revision, bid: SpecialBid, by: User, now: datetime) -> int:
    """Let a draft's lines of the bid's parts stand on it; return how many do.

    Their cost becomes the bid's, at today's rate where that is in another currency; a
    price follows where its margin leads. An offer under such a line is left.

    Raises:
        QuoteError: the bid does not run today, is for another end user, has none of
            the draft's parts, or there is no exchange rate; or it is no draft.
        MoneyError: an amount does not fit.
    """
    if not bid.runs(now):
        raise QuoteError(f"Special bid {bid} does not run today.")
    if not is_for(bid, revision.quote.request):
        raise QuoteError(f"Special bid {bid} is for {bid.end_user}.")
    rates = Rates(now)
    count = 0
    for line in revision.lines.filter(kind__in=PRICED).select_related("revision"):
        part = bid.part_of(line.mpn)
        if part is None:
            continue
        cost = home_cost(part, bid.currency, rates)
        if cost is None:
            raise QuoteError(
                f"There is no exchange rate for {bid.currency}. Add one first."
            )
        changes = {"unit_cost": cost, "special_bid": bid, "offer_line": None}
        _write(line, changes, by, now)
        count += 1
    if not count:
        raise QuoteError(f"No line of the draft is a part of special bid {bid}.")
    record_event(
        revision, "bid_used", f"{count} lines put on {bid}", by=by, internal=True
    )
    return count


@transaction.atomic
def leave_bid(*, revision: Revision, bid: SpecialBid, by: User, now: datetime) -> int:
    """Take a draft's lines off a bid; return how many. Their costs stay as they are.

    Raises:
        QuoteError: no line stands on it, or it is no draft.
    """
    lines = list(revision.lines.filter(special_bid=bid).select_related("revision"))
    if not lines:
        raise QuoteError(f"No line stands on special bid {bid}.")
    for line in lines:
        _write(line, {"special_bid": None}, by, now)
    record_event(
        revision, "bid_left", f"{len(lines)} lines left {bid}", by=by, internal=True
    )
    return len(lines)


def _write(line: Line, changes: dict[str, Any], by: User, now: datetime) -> None:
    save_line(line=line, changes=changes, version=line.row_version, by=by, now=now)


@dataclass(frozen=True, slots=True)
class Offered:
    """A bid beside a draft: whether it may be used, and whether lines stand on it."""

    bid: SpecialBid
    fits: bool
    is_used: bool


def bids_for(revision: Revision, now: datetime) -> list[Offered]:
    """Return the bids that a draft may use, and those that its lines stand on.

    One may be used that runs, is for the end user and has one of the parts. Two
    queries where a line has a part number.
    """
    lines = revision.lines_in_order()
    numbers = {line.mpn for line in lines if line.mpn}
    used = {line.special_bid_id for line in lines if line.special_bid_id}
    if not numbers and not used:
        return []
    rows = SpecialBid.objects.filter(Q(valid_until__gte=now.date()) | Q(pk__in=used))
    offered = [
        Offered(
            bid,
            fits=bid.runs(now)
            and is_for(bid, revision.quote.request)
            and any(bid.part_of(number) for number in numbers),
            is_used=bid.pk in used,
        )
        for bid in rows.prefetch_related("parts")
    ]
    return [one for one in offered if one.fits or one.is_used]
