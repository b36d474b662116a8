"""Numbers and words as people type them, checked: each fault is one plain line."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

_WHOLE = re.compile(r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)", re.ASCII)
_SHOWN = 24


class SpecError(ValueError):
    """A size or an option that cannot be sized. The message is one plain line."""


def is_given(value: object) -> bool:
    return value is not None and value != ""


def shown(value: object) -> str:
    """A value for a message: one line, short, whatever was typed."""
    text = str(value)[: _SHOWN + 1]
    text = "".join(c if c.isprintable() else "?" for c in text)
    return f"'{text[:_SHOWN]}...'" if len(text) > _SHOWN else f"'{text}'"


def whole_number(name: str, value: object, low: int, high: int, where: str) -> int:
    bound = f"{name} must be a whole number from {low:,} to {high:,}{where}"
    text = str(value).strip() if isinstance(value, int | str) else ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        text = str(int(value))
    # The length is looked at first: int() refuses texts of thousands of digits.
    if isinstance(value, bool) or len(text) > 20 or not _WHOLE.fullmatch(text):
        raise SpecError(f"{bound}, not {shown(value)}")
    found = int(text.replace(",", ""))
    if not low <= found <= high:
        raise SpecError(f"{bound}, not {found:,}")
    return found


def number(name: str, value: object, low: int | str, high: int | Decimal) -> Decimal:
    bound = f"{name} must be a number from {low} to {high:,}"
    text = str(value).strip()
    if isinstance(value, bool) or len(text) > 20:
        raise SpecError(f"{bound}, not {shown(value)}")
    try:
        found = Decimal(text)
    except InvalidOperation:
        raise SpecError(f"{bound}, not {shown(value)}") from None
    if not found.is_finite() or not Decimal(low) <= found <= high:
        raise SpecError(f"{bound}, not {shown(value)}")
    return found


def yes_or_no(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    words = dict.fromkeys(("yes", "true", "on", "1"), True)
    words |= dict.fromkeys(("no", "false", "off", "0"), False)
    answer = words.get(str(value).strip().lower())
    if answer is None:
        raise SpecError(f"{name} must be yes or no, not {shown(value)}")
    return answer


def plain_number(value: Decimal) -> int | float:
    """A JSON number without a needless decimal point."""
    return int(value) if value == value.to_integral_value() else float(value)
