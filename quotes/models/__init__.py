"""What is asked and what is promised."""

from __future__ import annotations

from quotes.models.desk import SavedView
from quotes.models.evidence import Acceptance, AcceptCode
from quotes.models.library import QuoteTemplate
from quotes.models.quotes import (
    ChangeRequest,
    Line,
    Quote,
    Revision,
    RevisionDesign,
    Section,
    Terms,
)
from quotes.models.requests import QuoteRequest, RequestLine

__all__ = [
    "AcceptCode",
    "Acceptance",
    "ChangeRequest",
    "Line",
    "Quote",
    "QuoteRequest",
    "QuoteTemplate",
    "RequestLine",
    "Revision",
    "RevisionDesign",
    "SavedView",
    "Section",
    "Terms",
]
