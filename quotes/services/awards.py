"""Comparing what suppliers offer in landed S$, and taking offers into the quote."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction

from quotes.errors import QuoteError
from quotes.landed import Landed
from quotes.models import (
    InquiryLine,
    Line,
    OfferLine,
    Revision,
    SupplierInquiry,
    SupplierInvite,
    SupplierOffer,
)
from quotes.services.inquiries import ASKABLE
from quotes.services.lines import save_line
from quotes.services.moves import move_inquiry
from quotes.services.offer_costs import Rate, Rates, cost_at
from quotes.states import EDITABLE, Actor
from sourceit.models import User

LEAD_SOURCE = "our supplier's offer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A supplier in the comparison, with its standing offer if there is one."""

    invite: SupplierInvite
    offer: SupplierOffer | None
    rate: Rate | None
    # Of all lines asked for, in S$; None where it does not offer all of them.
    total: Decimal | None
    # Why it is out of the running; "" where it is in.
    why_not: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bid:
    """What one supplier asks for one line."""

    column: Column
    line: OfferLine | None
    cost: Landed | None
    is_best: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedLine:
    """One line asked for, with a bid of each supplier, in the columns' order."""

    asked: InquiryLine
    bids: list[Bid]
    # The offer lines that the draft's cost stands on now.
    taken: set[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The whole table."""

    columns: list[Column]
    rows: list[ComparedLine]


def compare_offers(inquiry: SupplierInquiry, now: datetime) -> Comparison:
    """Compare the standing offers in landed S$; one that ended never counts as best.

    A fixed number of queries, whatever the size.
    """
    rates = Rates(now)
    lines = list(inquiry.lines.all())
    invites = list(inquiry.invites.select_related("supplier", "inquiry"))
    offers = _standing(invites)
    columns = [
        _column(invite, offers.get(invite.pk), rates, lines, now) for invite in invites
    ]
    taken = _taken(inquiry)
    rows = [
        ComparedLine(
            asked=line,
            bids=_mark_best(_bid(column, line) for column in columns),
            taken=taken,
        )
        for line in lines
    ]
    return Comparison(columns=columns, rows=rows)


def _standing(invites: list[SupplierInvite]) -> dict[int, SupplierOffer]:
    rows = SupplierOffer.objects.filter(
        invite__in=invites, replaced_at=None, withdrawn_at=None
    )
    found = rows.select_related("entered_by").prefetch_related("lines__asked")
    return {offer.invite_id: offer for offer in found}


def _column(
    invite: SupplierInvite,
    offer: SupplierOffer | None,
    rates: Rates,
    asked: list[InquiryLine],
    now: datetime,
) -> Column:
    if offer is None:
        return Column(invite=invite, offer=None, rate=None, total=None, why_not="")
    rate = rates.of(offer.currency)
    return Column(
        invite=invite,
        offer=offer,
        rate=rate,
        total=_total(offer, rate, asked),
        why_not=_why_not(offer, rate, now),
    )


def _why_not(offer: SupplierOffer, rate: Rate | None, now: datetime) -> str:
    if offer.has_ended(now):
        return f"Ended on {offer.valid_until:%-d %b %Y}"
    return "" if rate else f"No exchange rate for {offer.currency}"


def _total(
    offer: SupplierOffer, rate: Rate | None, asked: list[InquiryLine]
) -> Decimal | None:
    costs = [
        cost_at(line, offer, line.asked.quantity, rate) for line in offer.lines.all()
    ]
    known = [cost.total for cost in costs if cost is not None]
    return sum(known, start=Decimal(0)) if len(known) == len(asked) else None


def _bid(column: Column, asked: InquiryLine) -> Bid:
    offer = column.offer
    offered = offer.lines.all() if offer else ()
    line = next((one for one in offered if one.asked_id == asked.pk), None)
    if offer is None or line is None:
        return Bid(column=column, line=None, cost=None)
    cost = cost_at(line, offer, asked.quantity, column.rate)
    return Bid(column=column, line=line, cost=cost)


def _mark_best(bids: Iterable[Bid]) -> list[Bid]:
    """Mark the least landed cost among the offers that are in the running."""
    bids = list(bids)
    running = [
        bid.cost.unit for bid in bids if bid.cost is not None and not bid.column.why_not
    ]
    best = min(running, default=None)
    return [
        replace(
            bid,
            is_best=bid.cost is not None
            and not bid.column.why_not
            and bid.cost.unit == best,
        )
        for bid in bids
    ]


def _taken(inquiry: SupplierInquiry) -> set[int]:
    rows = Line.objects.filter(
        revision__in=drafts_of(inquiry), offer_line__offer__invite__inquiry=inquiry
    )
    return set(rows.values_list("offer_line", flat=True))


def drafts_of(inquiry: SupplierInquiry) -> Any:
    """Return the drafts that offers can be taken into (a query set)."""
    return Revision.objects.filter(
        quote__request=inquiry.request_id, status__in=EDITABLE
    )


@transaction.atomic
def take_offers(
    *,
    inquiry: SupplierInquiry,
    picks: Mapping[int, int],
    by: User,
    now: datetime,
) -> int:
    """Let lines of the draft stand on offers; return how many lines changed.

    `picks` is the offer line for each line asked for, by ids. Cost (landed at the
    line's own quantity), supplier and lead time are the offer's then; a price follows
    where its margin leads.

    Raises:
        QuoteError: nothing is picked, no draft is open, an offer ended or is no longer
            the newest, or a picked line is not in the draft.
        MoneyError: an amount does not fit.
    """
    if not picks:
        raise QuoteError("Pick an offer for at least one line.")
    drafts = list(drafts_of(inquiry).prefetch_related("lines"))
    if not drafts:
        raise QuoteError(
            "No draft of the quote is open: what was sent does not change. Revise it."
        )
    rates = Rates(now)
    offered = _picked(inquiry, picks, now)
    changed = 0
    for asked_pk, offer_line in offered.items():
        targets = [line for one in drafts for line in _lines_for(offer_line.asked, one)]
        if not targets:
            raise QuoteError(f"{offer_line.asked} is not in the draft any more.")
        for line in targets:
            _take(line, offer_line, rates, by, now)
        changed += len(targets)
        assert offer_line.asked_id == asked_pk
    words = f"Offers taken for {len(offered)} lines by {by}"
    move_inquiry(inquiry, "award", words, actor=Actor.SALES, by=by)
    return changed


def _picked(
    inquiry: SupplierInquiry, picks: Mapping[int, int], now: datetime
) -> dict[int, OfferLine]:
    """Return the picked offer lines, each still on the table for its line."""
    rows = OfferLine.objects.filter(offer__invite__inquiry=inquiry)
    rows = rows.select_related("asked", "offer__invite__supplier")
    found = rows.prefetch_related("offer__lines__asked").in_bulk(set(picks.values()))
    offered = {}
    for asked_pk, pk in picks.items():
        line = found.get(pk)
        if line is None or line.asked_id != asked_pk:
            raise QuoteError("There is no such offer. Load the page again.")
        offer = line.offer
        if not offer.stands:
            raise QuoteError(
                f"{offer.invite.supplier} changed its offer. Load the page again."
            )
        if offer.has_ended(now):
            raise QuoteError(
                f"The offer of {offer.invite.supplier} ended on "
                f"{offer.valid_until:%-d %b %Y}. Ask again."
            )
        offered[asked_pk] = line
    return offered


def _lines_for(asked: InquiryLine, draft: Revision) -> list[Line]:
    """Return a draft's lines of what was asked for: itself, or the same in a copy."""
    lines = [line for line in draft.lines.all() if line.kind in ASKABLE]
    own = [line for line in lines if line.pk == asked.source_id]
    return own or [line for line in lines if _is_same(line, asked)]


def _is_same(line: Line, asked: InquiryLine) -> bool:
    if asked.mpn:
        return line.mpn.casefold() == asked.mpn.casefold()
    return not line.mpn and line.description == asked.description


def _take(
    line: Line, offer_line: OfferLine, rates: Rates, by: User, now: datetime
) -> None:
    offer = offer_line.offer
    cost = cost_at(offer_line, offer, line.quantity, rates.of(offer.currency))
    if cost is None:
        raise QuoteError(
            f"There is no exchange rate for {offer.currency}. Add one first."
        )
    changes: dict[str, Any] = {
        "unit_cost": cost.unit,
        "supplier": offer.invite.supplier,
        "offer_line": offer_line,
    }
    if offer_line.lead_weeks_max is not None:
        changes |= {
            "lead_weeks_min": offer_line.lead_weeks_min,
            "lead_weeks_max": offer_line.lead_weeks_max,
            "lead_source": LEAD_SOURCE,
        }
    save_line(line=line, changes=changes, version=line.row_version, by=by, now=now)
