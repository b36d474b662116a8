"""What is asked and what is promised."""

from __future__ import annotations

from quotes.models.approvals import Approval, ApprovalRule, CheckOverride
from quotes.models.bids import SpecialBid, SpecialBidPart
from quotes.models.changes import ChangeRequest
from quotes.models.desk import DeskDay, SavedView
from quotes.models.evidence import Acceptance, AcceptCode, PoCheck, PurchaseOrder
from quotes.models.library import QuoteTemplate
from quotes.models.messages import Message
from quotes.models.money import FxRate
from quotes.models.orders import Order, OrderLine
from quotes.models.quotes import (
    Line,
    Quote,
    Revision,
    RevisionDesign,
    Section,
)
from quotes.models.requests import QuoteRequest, RequestLine
from quotes.models.screening import Screening
from quotes.models.sourcing import (
    InquiryLine,
    OfferLine,
    OfferRisk,
    SupplierInquiry,
    SupplierInvite,
    SupplierOffer,
)
from quotes.models.terms import Terms

__all__ = [
    "PoCheck",
    "Order",
    "OrderLine",
    "AcceptCode",
    "Acceptance",
    "Approval",
    "ApprovalRule",
    "ChangeRequest",
    "CheckOverride",
    "DeskDay",
    "FxRate",
    "InquiryLine",
    "Line",
    "Message",
    "OfferLine",
    "OfferRisk",
    "Quote",
    "PurchaseOrder",
    "QuoteRequest",
    "QuoteTemplate",
    "RequestLine",
    "Revision",
    "RevisionDesign",
    "SavedView",
    "Screening",
    "Section",
    "SpecialBid",
    "SpecialBidPart",
    "SupplierInquiry",
    "SupplierInvite",
    "SupplierOffer",
    "Terms",
]
