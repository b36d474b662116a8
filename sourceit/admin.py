"""People, companies and rates in Django's admin; history there is read-only."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.db import models
from django.http import HttpRequest

from sourceit.models import (
    Contact,
    Delivery,
    Document,
    Event,
    Membership,
    Organisation,
    TaxRate,
    User,
)


class UserCreation(AdminUserCreationForm):  # type: ignore[type-arg]  # not generic when run
    class Meta:
        model = User
        fields = ("email",)


class UserChange(UserChangeForm):  # type: ignore[type-arg]  # not generic when run
    class Meta:
        model = User
        fields = "__all__"


class MembershipInline(admin.TabularInline[Membership, models.Model]):
    model = Membership
    extra = 0
    autocomplete_fields = ("user", "organisation")


@admin.register(User)
class UserAdmin(DjangoUserAdmin):  # type: ignore[type-arg]  # not generic when run
    form = UserChange
    add_form = UserCreation
    ordering = ("email",)
    list_display = ("email", "name", "is_staff", "is_active", "last_login")
    list_filter = ("is_staff", "groups", "is_active")
    search_fields = ("email", "name")
    filter_horizontal = ("groups",)
    inlines = (MembershipInline,)
    fieldsets = (
        (None, {"fields": ("email", "password")}),
        ("Person", {"fields": ("name", "job_title", "phone")}),
        ("Roles", {"fields": ("is_active", "is_staff", "is_superuser", "groups")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = (
        (None, {"fields": ("email", "usable_password", "password1", "password2")}),
    )


@admin.register(Organisation)
class OrganisationAdmin(admin.ModelAdmin[Organisation]):
    list_display = ("name", "uen", "is_gst_registered")
    search_fields = ("name", "uen")
    inlines = (MembershipInline,)


@admin.register(Contact)
class ContactAdmin(admin.ModelAdmin[Contact]):
    list_display = ("name", "email", "organisation", "phone")
    list_select_related = ("organisation",)
    search_fields = ("name", "email", "organisation__name")
    autocomplete_fields = ("organisation",)


@admin.register(TaxRate)
class TaxRateAdmin(admin.ModelAdmin[TaxRate]):
    list_display = ("percent", "valid_from", "source")


class HistoryAdmin(admin.ModelAdmin[Any]):
    """Shows rows that only the application writes."""

    def has_add_permission(self, request: HttpRequest, *_: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, *_: Any) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, *_: Any) -> bool:
        return False


@admin.register(Event)
class EventAdmin(HistoryAdmin):
    list_display = ("at", "kind", "text", "by_name", "is_internal")
    list_filter = ("is_internal", "kind")
    search_fields = ("text", "by_name")


@admin.register(Delivery)
class DeliveryAdmin(HistoryAdmin):
    list_display = ("created_at", "kind", "recipient", "status", "sent_at", "error")
    list_filter = ("status", "kind")
    search_fields = ("recipient", "email_subject")
    # The body may hold a customer's words; the desk's pages show it where it belongs.
    exclude = ("body_text", "body_html", "link")


@admin.register(Document)
class DocumentAdmin(HistoryAdmin):
    list_display = ("name", "kind", "status", "pages", "size", "created_at")
    list_filter = ("status", "kind")
    search_fields = ("name", "sha256")
