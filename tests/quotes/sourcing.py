"""Makers of what suppliers are asked and offer."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import uuid4

from catalog.models import Supplier
from quotes.models import (
    Revision,
    SpecialBid,
    SupplierInquiry,
    SupplierInvite,
    SupplierOffer,
)
from quotes.services.bids import BidPart, save_bid
from quotes.services.inquiries import draft_inquiry, send_inquiry, set_suppliers
from quotes.services.offers import Offered, OfferedLine, record_offer
from sourceit.models import User

NOW = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)


def make_supplier(name: str = "", **fields: Any) -> Supplier:
    name = name or f"Supplier {uuid4().hex[:6]}"
    email = f"{name.lower().replace(' ', '.')}@supply.example"
    return Supplier.objects.create(name=name, **({"email": email} | fields))


def make_inquiry(
    revision: Revision, by: User, *suppliers: Supplier, now: datetime = NOW
) -> SupplierInquiry:
    """A sent inquiry for all lines of a draft."""
    inquiry = draft_inquiry(
        revision=revision, lines=revision.lines.all(), by=by, now=now
    )
    set_suppliers(inquiry, suppliers or [make_supplier("Acme")])
    send_inquiry(inquiry=inquiry, by=by, now=now)
    return inquiry


def offer(
    invite: SupplierInvite, *prices: Any, now: datetime = NOW, **fields: Any
) -> SupplierOffer:
    """An offer with a price for each line in order; None is not offered."""
    by, files = fields.pop("by", None), fields.pop("files", ())
    more = fields.pop("line", {})
    lines = [
        OfferedLine(asked=asked.pk, price=Decimal(str(price)), **more)
        for asked, price in zip(invite.inquiry.lines.all(), prices, strict=True)
        if price is not None
    ]
    defaults: dict[str, Any] = {"currency": "SGD", "valid_until": date(2026, 12, 31)}
    offered = Offered(lines=lines, **(defaults | fields))
    return record_offer(invite=invite, offered=offered, by=by, files=files, now=now)


def make_bid(by: User, *parts: BidPart, **fields: Any) -> SpecialBid:
    """A running bid of NVIDIA for Initech, in S$ unless said otherwise."""
    defaults: dict[str, Any] = {
        "maker": "NVIDIA",
        "number": f"SB-{uuid4().hex[:6]}",
        "end_user": "Initech",
        "currency": "SGD",
        "valid_from": None,
        "valid_until": date(2026, 12, 31),
        "note": "",
    }
    return save_bid(fields=defaults | fields, parts=parts, by=by, now=NOW)
