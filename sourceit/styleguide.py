"""What the style guide shows: a form in its states, events, icons, colours."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.utils import timezone

from sourceit.models import Event

PARTS = ("Words", "Colours", "Buttons", "Forms", "Boxes", "Tables", "Ways", "Icons")
COLOURS = (
    *("ink", "ink-2", "bg", "bg-2", "bg-3", "line", "line-2", "accent"),
    *("ok", "ok-bg", "warn", "warn-bg", "bad", "bad-bg", "info", "info-bg"),
)


class SampleForm(forms.Form):
    """One field of each kind that the pages use."""

    company = forms.CharField(
        help_text="As it should stand on the quotation.",
        error_messages={"required": "Enter the company's name"},
    )
    quantity = forms.IntegerField(
        help_text="Whole units.",
        widget=forms.TextInput(attrs={"inputmode": "numeric"}),
        error_messages={"invalid": "Enter a quantity in figures"},
    )
    terms = forms.ChoiceField(
        label="Delivery terms",
        choices=[("", "Choose"), ("DAP", "DAP Singapore"), ("EXW", "EXW warehouse")],
        error_messages={"required": "Choose the delivery terms"},
    )
    note = forms.CharField(
        label="Note", required=False, widget=forms.Textarea(attrs={"rows": 3})
    )
    consent = forms.BooleanField(
        label="I may commit my company to this",
        error_messages={"required": "Tick that you may commit your company"},
    )


def sample() -> dict[str, Any]:
    """Return the style guide's context."""
    return {
        "parts": PARTS,
        "colours": COLOURS,
        "icons": icon_names(),
        "blank": SampleForm(auto_id="blank_%s"),
        "faulty": SampleForm({"company": "", "quantity": "many"}, auto_id="faulty_%s"),
        "events": events(),
    }


def icon_names() -> list[str]:
    """Return the names in the sprite, as `{% icon %}` takes them."""
    sprite = (settings.BASE_DIR / "static/img/icons.svg").read_text()
    return re.findall(r'id="i-([\w-]+)"', sprite)


def events() -> list[Event]:
    """Return a short history; none of it is saved."""
    now = timezone.now()
    told = ("Revision 1 sent", "Change asked: quantity 4 to 6", "Revision 2 sent")
    people = ("Mei Lim", "Carol Tan", "Mei Lim")
    return [
        Event(text=text, by_name=name, at=now - timedelta(days=3 - number))
        for number, (text, name) in enumerate(zip(told, people, strict=True))
    ]
