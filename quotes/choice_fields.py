"""Form fields of what a customer may choose: ranges of quantity and price breaks."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Any

from django import forms

from quotes.desk_fields import NumberField, strip_number, write_number
from quotes.offering import plain

MAX_BREAKS = 12
# "10: 95.00", "from 10 at 95.00", "10<tab>95.00"
_BETWEEN = ("\t", ":", " at ", "=")


def quantity_field(label: str, **options: Any) -> NumberField:
    return NumberField(
        noun="a quantity",
        label=label,
        required=False,
        max_digits=12,
        decimal_places=3,
        **options,
    )


class PriceBreaksField(forms.CharField):
    """Price breaks, one a line: "10: 95.00" is S$95.00 each from ten.

    Quantities that are `offer`ed stand there without a price; a row of one that was
    left so is no break.
    """

    def __init__(self, **options: Any) -> None:
        options.setdefault("widget", forms.Textarea(attrs={"rows": 3}))
        super().__init__(required=False, max_length=1000, **options)
        self.offered: list[Decimal] = []

    def offer(self, quantities: Iterable[int]) -> None:
        """Offer rows to fill in for quantities that a price was asked for."""
        self.offered = [Decimal(each) for each in quantities]
        if self.offered:
            asked = ", ".join(f"{each:,}" for each in self.offered)
            self.help_text = f"They asked a price for {asked} too. {self.help_text}"
            self.widget.attrs["rows"] = 3 + len(self.offered)

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        rows = {
            Decimal(one["from"]): write_number(Decimal(one["unit_price"]))
            for one in value
        }
        rows = dict.fromkeys(self.offered, "") | rows
        return "\n".join(
            f"{plain(low)}: {price}".rstrip() for low, price in sorted(rows.items())
        )

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.clean(data) != (initial or []))
        except forms.ValidationError:
            return True

    def clean(self, value: Any) -> Any:
        rows = [row.strip() for row in str(super().clean(value)).splitlines()]
        bare = {f"{plain(each)}:" for each in self.offered}
        breaks = sorted(_read_break(row) for row in rows if row and row not in bare)
        if len(breaks) > MAX_BREAKS:
            raise forms.ValidationError(f"Enter at most {MAX_BREAKS} price breaks")
        if len({low for low, _price in breaks}) < len(breaks):
            raise forms.ValidationError("Enter each quantity once")
        return [{"from": plain(low), "unit_price": f"{p:.4f}"} for low, p in breaks]


def _read_break(row: str) -> tuple[Decimal, Decimal]:
    """Read "10: 95.00" as the quantity and the unit price from it on."""
    for sign in _BETWEEN:
        row = row.replace(sign, "|", 1)
    texts = row.lower().removeprefix("from").split("|")
    try:
        low, price = (Decimal(strip_number(text)) for text in texts)
    except (InvalidOperation, ValueError) as error:
        raise forms.ValidationError(
            "Write a price break as quantity: price, such as 10: 95.00"
        ) from error
    if not (low.is_finite() and price.is_finite() and 0 < low < 10**9):
        raise forms.ValidationError("Enter a price break from a quantity above zero")
    if not 0 <= price < 10**11:
        raise forms.ValidationError("Enter a price of zero or more")
    if low != round(low, 3) or price != round(price, 4):
        raise forms.ValidationError(
            "Enter quantities with at most 3 decimals and prices with at most 4"
        )
    return low, price


RANGE = ("quantity_min", "quantity_max", "quantity_step")


def faults_of_range(cleaned: dict[str, Any]) -> dict[str, str]:
    """Say what is wrong with a range that was typed, field by field."""
    low, high, step = (cleaned.get(name) for name in RANGE)
    if (low is None) != (high is None):
        empty = "quantity_max" if high is None else "quantity_min"
        return {empty: "Enter both ends of the range, or neither"}
    faults = {}
    if step is not None and step <= 0:
        faults["quantity_step"] = "Enter a step above zero"
    if low is None or high is None:
        if step is not None:
            faults["quantity_min"] = "Enter the range that the step is for"
        return faults
    if low < 0:
        faults["quantity_min"] = "Enter a quantity of zero or more"
    if high <= low:
        faults["quantity_max"] = "Enter a quantity above the smallest"
    return faults
