"""Saved designs in the admin: to look at, never to change."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from fabrics.models import Design


@admin.register(Design)
class DesignAdmin(admin.ModelAdmin[Design]):
    list_display = ("name", "owner", "engine_version", "created_at")
    list_filter = ("engine_version", "created_at")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__email")
    fields = ("name", "owner", "spec", "result", "engine_version", "created_at")
    readonly_fields = fields

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(
        self, request: HttpRequest, obj: Design | None = None
    ) -> bool:
        return False
