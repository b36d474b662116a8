"""Quotes at risk: an offer under a sent price ended, went, or became dearer.

The customer's quote is never changed by it. The owner is told, and settles each risk
by a new revision or with a reason.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from quotes.errors import QuoteError
from quotes.models import Line, OfferLine, OfferRisk, Revision, SupplierOffer
from quotes.services.offer_costs import Rates, cost_at, offers_under
from quotes.states import RevisionStatus
from sourceit.clock import has_ended
from sourceit.events import record_event
from sourceit.mail import queue_email
from sourceit.models import User
from sourceit.money import round_money

# What was promised and is not bought yet.
PROMISED = (RevisionStatus.SENT, RevisionStatus.ACCEPTED)
NO_LONGER = "The offer holds again."


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One risk as it is now."""

    line: Line
    offer: SupplierOffer
    kind: str
    words: str
    effect: Decimal | None = None

    @property
    def key(self) -> tuple[int, int, str]:
        return self.line.pk, self.offer.pk, self.kind


@transaction.atomic
def find_risks(
    now: datetime,
    *,
    offers: Collection[int] | None = None,
    revision: Revision | None = None,
) -> int:
    """Note new risks of promised quotes and tell their owners; return how many.

    With `offers` or a `revision` only their lines are looked at. What is no longer so
    is settled by itself. Safe to run as often as one likes: each risk is one row.
    """
    lines = _promised_lines(now, offers, revision)
    current = {found.key: found for found in _look(lines, now)}
    known = {
        (risk.line_id, risk.offer_id, risk.kind): risk
        for risk in OfferRisk.objects.filter(line__in=lines)
    }
    _settle_gone(known, current, now)
    new = [
        OfferRisk.objects.create(
            revision=found.line.revision,
            line=found.line,
            offer=found.offer,
            kind=found.kind,
            words=found.words[:300],
            effect=found.effect,
            found_at=now,
        )
        for key, found in current.items()
        if key not in known
    ]
    _tell_owners(new)
    return len(new)


def _promised_lines(
    now: datetime, offers: Collection[int] | None, revision: Revision | None
) -> list[Line]:
    rows = Line.objects.filter(
        revision__status__in=PROMISED, offer_line__isnull=False
    ).select_related("revision__quote__request__owner", "revision__author")
    if offers is not None:
        rows = rows.filter(offer_line__offer__in=_all_versions(offers))
    if revision is not None:
        rows = rows.filter(revision=revision)
    return [line for line in rows if not line.revision.has_expired(now)]


def _all_versions(offers: Collection[int]) -> Iterable[int]:
    """Return all offers of the same suppliers' answers: a quote may stand on any."""
    invites = SupplierOffer.objects.filter(pk__in=offers).values("invite")
    versions = SupplierOffer.objects.filter(invite__in=invites)
    return list(versions.values_list("pk", flat=True))


def _look(lines: list[Line], now: datetime) -> Iterable[Found]:
    """Compare each line's offer with what its supplier offers now."""
    under = offers_under(lines)
    standing = _standing_offers({one.offer.invite_id for one in under.values()})
    rates = Rates(now)
    for line in lines:
        stands_on = under.get(line.pk)
        if stands_on is not None:
            now_offered = standing.get(stands_on.offer.invite_id)
            yield from _risks_of(line, stands_on, now_offered, rates, now)


def _standing_offers(invites: Collection[int]) -> dict[int, SupplierOffer]:
    rows = SupplierOffer.objects.filter(
        invite__in=invites, replaced_at=None, withdrawn_at=None
    )
    found = rows.select_related("invite__supplier").prefetch_related("lines__asked")
    return {offer.invite_id: offer for offer in found}


def _risks_of(
    line: Line,
    stands_on: OfferLine,
    offered: SupplierOffer | None,
    rates: Rates,
    now: datetime,
) -> Iterable[Found]:
    kinds = OfferRisk.Kind
    used = stands_on.offer
    supplier = used.invite.supplier
    new = _line_for(offered, stands_on) if offered else None
    if offered is None or new is None:
        words = f"{supplier} does not offer it any more."
        yield Found(line=line, offer=offered or used, kind=kinds.GONE, words=words)
        return
    if (late := _end_words(line.revision, offered, now)) is not None:
        yield Found(line=line, offer=offered, kind=kinds.ENDED, words=late)
    if offered.pk == used.pk:
        return
    rise = _rise(line, stands_on, new, rates)
    if rise is not None and rise > 0:
        words = f"{supplier} asks S${rise:,.4f} more for one."
        effect = -round_money(rise * line.quantity)
        yield Found(
            line=line, offer=offered, kind=kinds.DEARER, words=words, effect=effect
        )


def _line_for(offer: SupplierOffer, old: OfferLine) -> OfferLine | None:
    return next(
        (one for one in offer.lines.all() if one.asked_id == old.asked_id), None
    )


def _end_words(revision: Revision, offer: SupplierOffer, now: datetime) -> str | None:
    day = offer.valid_until
    supplier = offer.invite.supplier
    if has_ended(day, now):
        return f"The offer of {supplier} ended on {day:%-d %b %Y}."
    until = revision.valid_until
    is_open = revision.status == RevisionStatus.SENT
    if is_open and until is not None and day < until:
        return f"The offer of {supplier} ends on {day:%-d %b %Y}, before the quote."
    return None


def _rise(line: Line, old: OfferLine, new: OfferLine, rates: Rates) -> Decimal | None:
    """Return by how much one got dearer in S$, both at the same rates.

    A move of the rate alone is not the supplier's; None where a rate is missing.
    """
    was = cost_at(old, old.offer, line.quantity, rates.of(old.offer.currency))
    is_now = cost_at(new, new.offer, line.quantity, rates.of(new.offer.currency))
    return None if was is None or is_now is None else is_now.unit - was.unit


def _settle_gone(
    known: dict[tuple[int, int, str], OfferRisk],
    current: dict[tuple[int, int, str], Found],
    now: datetime,
) -> None:
    gone = [risk.pk for key, risk in known.items() if key not in current]
    rows = OfferRisk.objects.filter(pk__in=gone, settled_at=None)
    rows.update(settled_at=now, reason=NO_LONGER)


def _tell_owners(risks: list[OfferRisk]) -> None:
    """Write to the owner of each quote once for all that was found of it."""
    grouped: dict[Revision, list[OfferRisk]] = defaultdict(list)
    for risk in risks:
        grouped[risk.revision].append(risk)
    for revision, found in grouped.items():
        for risk in found:
            record_event(revision, "at_risk", f"At risk: {risk.words}")
        request = revision.quote.request
        owner = request.owner or revision.author
        queue_email(
            revision,
            "quote_at_risk_desk",
            to=owner.email if owner else settings.SALES_EMAIL,
            context={
                "revision": revision,
                "request": request,
                "risks": found,
                "effect": effect_of(found),
            },
            occasion=str(max(risk.pk for risk in found)),
        )


def effect_of(risks: Iterable[OfferRisk]) -> Decimal | None:
    """Add up what risks do to the margin, in S$; None where none is known."""
    known = [risk.effect for risk in risks if risk.effect is not None]
    return sum(known, start=Decimal(0)) if known else None


def open_risks(revision: Revision) -> list[OfferRisk]:
    """Return what puts a promised quote at risk and is not settled (one query)."""
    if revision.status not in PROMISED:
        return []
    rows = revision.risks.filter(settled_at=None)
    return list(rows.select_related("line", "offer__invite__inquiry"))


def at_risk() -> Q:
    """Return what makes a revision one that is at risk."""
    risks = OfferRisk.objects.filter(settled_at=None)
    return Q(status__in=PROMISED, pk__in=risks.values("revision"))


@transaction.atomic
def settle_risks(*, revision: Revision, reason: str, by: User, now: datetime) -> None:
    """Keep the price in spite of its risks, with the reason.

    Raises:
        QuoteError: there is no reason, or nothing to settle.
    """
    reason = " ".join(reason.split())
    if not reason:
        raise QuoteError("Say why the price is kept.")
    if len(reason) > 200:
        raise QuoteError("Shorten the reason to 200 characters.")
    rows = revision.risks.filter(settled_at=None)
    if not rows.update(settled_at=now, settled_by=by, reason=reason):
        raise QuoteError("There is nothing to settle any more.")
    text = f"{by} keeps the price in spite of the risk: {reason}"
    record_event(revision, "risk_settled", text, by=by)
