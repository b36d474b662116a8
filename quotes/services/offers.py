"""What suppliers offer: each answer is a version of its own, and none is changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.core.files.base import File
from django.db import transaction
from django.db.models import Max, Q

from quotes.errors import QuoteError
from quotes.models import OfferLine, SupplierInvite, SupplierOffer
from quotes.services.moves import move_inquiry
from quotes.services.risks import find_risks
from quotes.states import Actor
from sourceit.clock import has_ended
from sourceit.mail import queue_email
from sourceit.models import User
from sourceit.uploads import store_upload, uploads_of

OFFER_FILE = "offer_file"


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedLine:
    """The price of one line asked for, as typed: see `quotes.models.OfferLine`."""

    asked: int
    price: Decimal
    pack: Decimal = Decimal(1)
    least: Decimal = Decimal(0)
    price_breaks: list[dict[str, str]] = field(default_factory=list)
    lead_weeks_min: int | None = None
    lead_weeks_max: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """An offer as typed; what is not priced is not offered."""

    currency: str
    valid_until: date
    lines: Sequence[OfferedLine]
    reference: str = ""
    freight: Decimal = Decimal(0)
    note: str = ""


@transaction.atomic
def record_offer(
    *,
    invite: SupplierInvite,
    offered: Offered,
    now: datetime,
    by: User | None = None,
    files: Iterable[File[Any]] = (),
) -> SupplierOffer:
    """Keep what a supplier offers as its next version; the one before is replaced.

    Files of the version before stay with it. Quotes that stand on that version are
    looked at anew. `by` None: the supplier itself wrote it.

    Raises:
        QuoteError: the inquiry takes no offers, nothing is priced, or it ended already.
        UploadRefused: a file is not taken.
    """
    if not offered.lines:
        raise QuoteError("Enter a price for at least one line.")
    if has_ended(offered.valid_until, now):
        raise QuoteError("Enter a day that is not over: until when the offer holds.")
    _check_lines(invite, offered.lines)
    before = _answer(invite, "offer", _words(invite, by), by)
    _end_standing(invite, replaced_at=now)
    last = invite.offers.aggregate(last=Max("version"))["last"] or 0
    offer = SupplierOffer.objects.create(
        invite=invite,
        version=last + 1,
        reference=offered.reference,
        currency=offered.currency,
        freight=offered.freight,
        valid_until=offered.valid_until,
        note=offered.note,
        created_at=now,
        entered_by=by,
    )
    OfferLine.objects.bulk_create(
        OfferLine(
            offer=offer,
            asked_id=line.asked,
            price=line.price,
            pack=line.pack,
            least=line.least,
            price_breaks=line.price_breaks,
            lead_weeks_min=line.lead_weeks_min,
            lead_weeks_max=line.lead_weeks_max,
            note=line.note,
        )
        for line in offered.lines
    )
    name = invite.name or str(invite.supplier)
    for file in files:
        store_upload(file, subject=offer, kind=OFFER_FILE, by=by, by_name=name, now=now)
    _set_answer(invite, SupplierInvite.Status.RECEIVED, now)
    if by is None:
        _tell_owner(invite, offer)
    if before is not None:
        find_risks(now, offers=[before.pk])
    return offer


def _words(invite: SupplierInvite, by: User | None) -> str:
    how = f", entered by {by}" if by else ""
    return f"Offer of {invite.supplier} received{how}"


def _check_lines(invite: SupplierInvite, lines: Sequence[OfferedLine]) -> None:
    """Refuse prices for lines that are not this inquiry's."""
    own = set(invite.inquiry.lines.values_list("pk", flat=True))
    if not {line.asked for line in lines} <= own:
        raise QuoteError("The inquiry was changed. Load the page again.")


def _answer(
    invite: SupplierInvite, action: str, text: str, by: User | None
) -> SupplierOffer | None:
    """Hold the inquiry for an answer; return the offer that stood until now."""
    inquiry = type(invite.inquiry).objects.select_for_update().get(pk=invite.inquiry_id)
    actor = Actor.SALES if by else Actor.SUPPLIER
    name = "" if by else str(invite.supplier)
    move_inquiry(inquiry, action, text, actor=actor, by=by, by_name=name)
    return standing_offer(invite)


def standing_offer(invite: SupplierInvite) -> SupplierOffer | None:
    """Return a supplier's newest offer that nobody took back."""
    return invite.offers.filter(replaced_at=None, withdrawn_at=None).first()


def _end_standing(invite: SupplierInvite, **ended: datetime) -> None:
    stands = Q(replaced_at=None, withdrawn_at=None)
    SupplierOffer.objects.filter(stands, invite=invite).update(**ended)


def _set_answer(
    invite: SupplierInvite, status: str, now: datetime, reason: str = ""
) -> None:
    invite.status, invite.answered_at, invite.declined_reason = status, now, reason
    invite.save(update_fields=["status", "answered_at", "declined_reason"])


def _tell_owner(invite: SupplierInvite, offer: SupplierOffer) -> None:
    """Write to who asked, and to the request's owner, that there is an offer."""
    inquiry = invite.inquiry
    owner = inquiry.request.owner or inquiry.author
    for person in {inquiry.author, owner}:
        queue_email(
            offer,
            "supplier_offer_desk",
            to=person.email,
            context={"offer": offer, "invite": invite, "inquiry": inquiry},
        )


@transaction.atomic
def decline_inquiry(
    *, invite: SupplierInvite, reason: str, now: datetime, by: User | None = None
) -> None:
    """Note that a supplier does not offer; an offer that stood is taken back.

    Raises:
        QuoteError: the inquiry takes no answers any more.
    """
    before = _answer(invite, "decline", f"{invite.supplier} does not offer", by)
    _end_standing(invite, withdrawn_at=now)
    _set_answer(invite, SupplierInvite.Status.DECLINED, now, reason[:500])
    if before is not None:
        find_risks(now, offers=[before.pk])


def files_of_offer(offer: SupplierOffer) -> Any:
    """Return the files that came with an offer (a query set)."""
    return uploads_of(offer).filter(kind=OFFER_FILE)
