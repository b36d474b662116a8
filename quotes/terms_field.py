"""The builder's choice of terms: every version that may be chosen, and its standing."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from quotes.models import Terms
from sourceit.clock import singapore_date


class TermsField(forms.ModelChoiceField[Terms]):
    """Versions whose day has come, the newest first, each told apart.

    `offer` says which is chosen already: that one stays among them.
    """

    def offer(self, chosen_pk: int | None) -> None:
        """Read the versions (one query) and link to the page that shows them."""
        today = singapore_date(timezone.now())
        known = Terms.objects.filter(Q(valid_from__lte=today) | Q(pk=chosen_pk))
        self.queryset = known.order_by("-valid_from", "-pk")
        newest = Terms.objects.in_force(today).first()
        self.newest_pk = newest.pk if newest else None
        self.today = today
        self.empty_label = "None"
        self.help_text = format_html(
            '<a href="{}">Read every version</a>', reverse("desk:terms")
        )

    def label_from_instance(self, obj: Any) -> str:
        if obj.pk == self.newest_pk:
            return f"{obj}, in force"
        if obj.valid_from > self.today:
            return f"{obj}, to come on {obj.valid_from:%-d %b %Y}"
        return f"{obj}, older, from {obj.valid_from:%-d %b %Y}"
