"""What is typed about a special bid, its parts one a row."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Any

from django import forms

from quotes.desk_fields import strip_number, write_number
from quotes.errors import QuoteError
from quotes.forms import PlainTextMixin
from quotes.models import SpecialBid
from quotes.services.bids import BidPart
from quotes.sourcing_forms import CURRENCIES, day_field
from quotes.typed import MAX_MPN, clean_words
from sourceit.money import MAX_UNIT_PRICE

MAX_PARTS = 300
HOW = "Write a part as number; quantity; cost of one, such as MQM9790-NS2F; 16; 20,500"


class PartsField(forms.CharField):
    """Parts of a bid, one a row: number, the most of it, cost of one.

    Cells are parted by tabs, as a spreadsheet pastes them, or by semicolons. The clean
    value is a list of `BidPart`.
    """

    def __init__(self, **options: Any) -> None:
        widget = forms.Textarea(attrs={"rows": 8, "spellcheck": "false"})
        super().__init__(widget=widget, max_length=40_000, **options)

    def clean(self, value: Any) -> Any:
        rows = str(super().clean(value)).splitlines()
        parts, faults = [], []
        for number, row in enumerate(rows, start=1):
            try:
                parts += [_read_part(row)] if row.strip() else []
            except QuoteError as error:
                faults.append(f"Row {number}: {error}")
        faults += _repeated(parts)
        if len(parts) > MAX_PARTS:
            faults.append(f"Enter at most {MAX_PARTS} parts.")
        if faults:
            raise forms.ValidationError(faults[:10])
        return parts


def write_parts(bid: SpecialBid) -> str:
    """Return a bid's parts as they are typed."""
    return "\n".join(
        f"{part.mpn}; {write_number(part.quantity)}; {write_number(part.unit_cost)}"
        for part in bid.parts.all()
    )


def _read_part(row: str) -> BidPart:
    cells = [cell.strip() for cell in row.split("\t" if "\t" in row else ";")]
    if len(cells) != 3 or not cells[0]:
        raise QuoteError(HOW)
    mpn = clean_words(cells[0], "part number", MAX_MPN)
    try:
        quantity, cost = (Decimal(strip_number(cell)) for cell in cells[1:])
    except (InvalidOperation, ValueError) as error:
        raise QuoteError(HOW) from error
    if not (quantity.is_finite() and 0 < quantity < 10**9):
        raise QuoteError("Enter a quantity above zero.")
    if not (cost.is_finite() and 0 <= cost <= MAX_UNIT_PRICE):
        raise QuoteError("Enter a cost of zero or more that fits.")
    if quantity != round(quantity, 3) or cost != round(cost, 4):
        raise QuoteError(
            "Enter quantities with at most 3 decimals and costs with at most 4."
        )
    return BidPart(mpn, quantity, cost)


def _repeated(parts: Iterable[BidPart]) -> list[str]:
    seen: set[str] = set()
    faults = []
    for part in parts:
        key = part.mpn.casefold()
        if key in seen:
            faults.append(f"{part.mpn} is there twice.")
        seen.add(key)
    return faults


class BidForm(PlainTextMixin, forms.Form):
    """A special bid: whose it is, for whom, between which days, and on what."""

    use_required_attribute = False
    maker = forms.CharField(
        label="Maker",
        max_length=80,
        error_messages={"required": "Enter the maker that grants it."},
    )
    number = forms.CharField(
        label="Bid number",
        max_length=60,
        error_messages={"required": "Enter the maker's number of the bid."},
    )
    end_user = forms.CharField(
        label="End user",
        max_length=200,
        help_text="As requests name it: a line for anybody else leaves the bid.",
        error_messages={"required": "Enter for whom it is granted."},
    )
    currency = forms.ChoiceField(
        label="Currency", choices=[(code, code) for code in CURRENCIES]
    )
    valid_from = day_field("From (optional)", required="")
    valid_until = day_field("Until", required="Enter the last day it holds.")
    parts = PartsField(
        label="Parts",
        help_text="One a row: part number, most that is granted, cost of one. "
        "Paste from a spreadsheet, or part them by semicolons.",
        error_messages={"required": "Enter at least one part."},
    )
    note = forms.CharField(
        label="Note (optional)",
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, data: Any = None, *, bid: SpecialBid | None = None) -> None:
        initial: dict[str, Any] = {"currency": "USD"}
        if bid is not None:
            initial = {name: getattr(bid, name) for name in self.base_fields}
            initial["parts"] = write_parts(bid)
        super().__init__(data, initial=initial)
        self.fields["valid_from"].required = False

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        first, last = cleaned.get("valid_from"), cleaned.get("valid_until")
        if first is not None and last is not None and first > last:
            self.add_error("valid_until", "Enter a last day after the first.")
        return cleaned
