"""The one exception of this app."""

from __future__ import annotations


class QuoteError(Exception):
    """A refusal; the message is fit to show a person."""
