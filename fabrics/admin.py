"""Saved designs in the admin: to look at, never to change."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from fabrics.models import Design, DesignVersion


@admin.register(Design)
class DesignAdmin(admin.ModelAdmin[Design]):
    list_display = ("name", "owner", "created_at", "removed_at")
    list_filter = ("created_at",)
    list_select_related = ("owner",)
    search_fields = ("name", "owner__email")
    fields = ("name", "owner", "created_at", "removed_at")
    readonly_fields = fields

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(
        self, request: HttpRequest, obj: Design | None = None
    ) -> bool:
        return False


@admin.register(DesignVersion)
class DesignVersionAdmin(admin.ModelAdmin[DesignVersion]):
    list_display = ("name", "n", "note", "engine_version", "created_at")
    list_filter = ("engine_version", "created_at")
    search_fields = ("name", "note", "design__owner__email")
    fields = ("design", "n", "name", "note", "spec", "result", "engine_version")
    readonly_fields = fields

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(
        self, request: HttpRequest, obj: DesignVersion | None = None
    ) -> bool:
        return False
