"""What a customer's choice comes to when they accept: worked out and checked here."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from quotes.choosing import Choice, NotOffered, choose
from quotes.chosen import write_chosen
from quotes.errors import QuoteError
from quotes.models import Revision
from sourceit.money import MoneyError, format_money


class TotalMoved(QuoteError):
    """The page showed another total than this choice comes to."""


def settle_choice(
    revision: Revision, choice: Choice, *, total_shown: Decimal | None = None
) -> dict[str, Any]:
    """Work out a choice from the frozen content, and return it as it is kept.

    `total_shown` is the total on the page that was accepted; None where the customer
    saw none but the quotation's own.

    Raises:
        NotOffered: the quotation does not offer this.
        TotalMoved: it comes to another total than was shown.
    """
    content = revision.content or {}
    try:
        chosen = choose(content, choice)
    except MoneyError as error:
        raise NotOffered(str(error)) from error
    gross = chosen.sums.totals.gross
    if total_shown is not None and total_shown != gross:
        total = format_money(gross, content["currency"])
        raise TotalMoved(
            f"With what you chose the total is {total}. Check it, and accept again."
        )
    return write_chosen(content, chosen)
