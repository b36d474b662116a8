"""Form fields of the desk: numbers, dates and addresses as people type them."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from django import forms
from django.core.validators import validate_email

# What people put around numbers: S$ 1,249.95, 9 %, 1 152.
_AROUND_NUMBERS = re.compile(r"(?i)s\$|us\$|sgd|usd|[$,%\s\u00a0]")


def strip_number(text: str) -> str:
    """Return a typed or pasted number without currency, separators and spaces."""
    return _AROUND_NUMBERS.sub("", text)


def write_number(number: Decimal) -> str:
    """Write a number as people do, without empty decimals: 26,168.1193, 11, 2.5."""
    text = f"{number:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


class DateText(forms.DateInput):
    """A date as people write it here, 15 Dec 2026, whatever the browser's country."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__({"autocomplete": "off", **(attrs or {})}, format="%-d %b %Y")


class NumberField(forms.DecimalField):
    """A decimal that may be typed as people write it; refuses what does not fit."""

    def __init__(self, *, noun: str = "a number", **options: Any) -> None:
        options.setdefault("widget", forms.TextInput(attrs={"inputmode": "decimal"}))
        super().__init__(**options)
        fits = f"Enter {noun} of at most {self._whole_digits()} digits"
        self.error_messages |= {
            "required": f"Enter {noun}",
            "invalid": f"Enter {noun} in figures",
            "max_digits": fits,
            "max_whole_digits": fits,
            "max_decimal_places": (
                f"Enter {noun} with at most {self.decimal_places} decimals"
            ),
        }

    def _whole_digits(self) -> int:
        return (self.max_digits or 15) - (self.decimal_places or 0)

    def prepare_value(self, value: Any) -> Any:
        return write_number(value) if isinstance(value, Decimal) else value

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str):
            value = strip_number(value)
        return super().to_python(value)


class WeeksField(forms.IntegerField):
    """A number of weeks: 0 is in stock."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            required=False,
            min_value=0,
            max_value=260,
            widget=forms.TextInput(attrs={"inputmode": "numeric"}),
            **options,
        )
        self.error_messages["invalid"] = "Enter the lead time in whole weeks"
        for validator in self.validators:
            validator.message = "Enter a lead time of 0 to 260 weeks"  # type: ignore[attr-defined]


class EmailsField(forms.CharField):
    """Several e-mail addresses, separated by commas, semicolons or spaces."""

    def clean(self, value: Any) -> list[str]:
        text = super().clean(value)
        addresses = [part for part in re.split(r"[,;\s]+", text) if part]
        for address in addresses:
            try:
                validate_email(address)
            except forms.ValidationError as error:
                raise forms.ValidationError(
                    f"{address} is not an e-mail address"
                ) from error
        if len(addresses) > 10:
            raise forms.ValidationError("Enter at most 10 addresses")
        return list(dict.fromkeys(addresses))

    def has_changed(self, initial: Any, data: Any) -> bool:
        return str(self.prepare_value(initial or "")) != str(data or "").strip()

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value
