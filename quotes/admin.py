"""Conditions of sale in Django's admin. Requests and quotes are worked at the desk."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from quotes.models import FxRate, Terms


@admin.register(FxRate)
class FxRateAdmin(admin.ModelAdmin[FxRate]):
    """Quotes hold copies of a rate: to change or remove one changes no quote."""

    list_display = ("currency", "rate", "on", "source", "locked_until")
    list_filter = ("currency",)


@admin.register(Terms)
class TermsAdmin(admin.ModelAdmin[Terms]):
    list_display = ("version", "valid_from", "is_sample")

    def has_change_permission(
        self, request: HttpRequest, obj: Terms | None = None
    ) -> bool:
        """A version that a revision stands on is not edited: make the next one."""
        if obj is not None and obj.revision_set.exists():
            return False
        return super().has_change_permission(request, obj)
