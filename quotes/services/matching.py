"""Check a customer's purchase order against what was accepted, and keep the result."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from django.db import transaction

from quotes.bought import bought_lines
from quotes.errors import QuoteError
from quotes.models import Acceptance, PoCheck
from quotes.po import find_differences, read_rows
from sourceit.events import record_event
from sourceit.models import User


def check_purchase_order(
    *, acceptance: Acceptance, rows: list[list[str]], by: User, now: datetime
) -> PoCheck:
    """Hold the rows of an order against the accepted lines; nothing else changes.

    Raises:
        QuoteError: a row cannot be read; says every one.
    """
    ordered, faults = read_rows(rows)
    if faults:
        raise QuoteError(" ".join(faults[:10]))
    if not ordered:
        raise QuoteError("There are no lines to check.")
    differences = find_differences(
        bought_lines(acceptance), ordered, acceptance.currency
    )
    with transaction.atomic():
        check = PoCheck.objects.create(
            acceptance=acceptance,
            lines=[
                {name: "" if value is None else str(value) for name, value in row}
                for row in (asdict(line).items() for line in ordered)
            ],
            differences=differences,
            by=by,
            at=now,
        )
        record_event(acceptance.revision, "po_checked", _tell(differences), by=by)
    return check


def _tell(differences: list[str]) -> str:
    if not differences:
        return "The purchase order is as accepted"
    noun = "difference" if len(differences) == 1 else "differences"
    return f"The purchase order has {len(differences)} {noun}"
