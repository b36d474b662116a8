"""How things are written on pages: money, quantities, icons, tags."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal, InvalidOperation

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from sourceit.money import format_money

register = template.Library()


@register.filter
def money(amount: Decimal | str | None, currency: str = "SGD") -> str:
    """Write an amount with its currency: S$28,523.25; nothing for None."""
    if amount is None or amount == "":
        return ""
    return format_money(Decimal(amount), currency)


@register.filter
def iso_day(text: str) -> str:
    """Write an ISO date of a frozen content as people do: 1 Dec 2026."""
    return f"{date.fromisoformat(text):%-d %b %Y}" if text else ""


@register.filter
def quantity(amount: Decimal | str | int | None) -> str:
    """Write a quantity without empty decimals: 4, 2.5, 1,152."""
    if amount is None or amount == "":
        return ""
    try:
        number = Decimal(amount)
    except InvalidOperation:
        return str(amount)
    whole, _, fraction = f"{number:,f}".partition(".")
    fraction = fraction.rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole


@register.filter
def telephone(number: str) -> str:
    """Write a number as a `tel:` link dials it: (65) 6978 3502 as +6569783502.

    A number of eight digits is Singapore's own and gets its country code.
    """
    digits = re.sub(r"\D", "", number)
    return f"+65{digits}" if len(digits) == 8 else f"+{digits}"


@register.simple_tag
def icon(name: str) -> SafeString:
    """Draw an icon of the sprite; it says nothing to a screen reader."""
    return format_html(
        '<svg class="icon" aria-hidden="true"><use href="{}#i-{}"/></svg>',
        static("img/icons.svg"),
        name,
    )
