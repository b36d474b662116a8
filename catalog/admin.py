"""The catalogue in Django's admin, for catalogue editors."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import F
from django.http import HttpRequest

from catalog.drawings import draw
from catalog.models import Collection, Notice, Product, Supplier, SupplierPart
from sourceit.money import CENT, SYMBOLS

# A drawing of more ports or trays than this is a slip of the keyboard.
MOST_DRAWN = 256


@admin.register(Collection)
class CollectionAdmin(admin.ModelAdmin[Collection]):
    list_display = ("name", "slug", "position")
    prepopulated_fields = {"slug": ("name",)}


def check_specs(specs: object) -> None:
    """Refuse specifications that the pages could not show.

    Raises:
        ValidationError: not a list of groups with a title and rows of three texts.
    """
    shape = (
        'Write [{"title": "Network", "rows": [["Ports", "32 x 200 GbE", ""]]}]: '
        "each row is a name, a value and, if need be, a mark."
    )
    if not isinstance(specs, list) or not all(map(_is_group, specs)):
        raise ValidationError(shape)


def _is_group(group: object) -> bool:
    return (
        isinstance(group, dict)
        and isinstance(group.get("title"), str)
        and isinstance(group.get("rows"), list)
        and all(
            isinstance(row, list)
            and len(row) == 3
            and all(isinstance(cell, str) for cell in row)
            for row in group["rows"]
        )
    )


def check_drawing(form: str, numbers: object) -> None:
    """Refuse numbers that no drawing can be made from: every list would fail with them.

    Raises:
        ValidationError: not names with numbers, or the drawing is impossible or huge.
    """
    shape = 'Write names and numbers, such as {"units": 1, "rows": 2, "ports": 32}.'
    if not isinstance(numbers, dict):
        raise ValidationError(shape)
    if any(isinstance(n, int | float) and n > MOST_DRAWN for n in numbers.values()):
        raise ValidationError(f"Write numbers up to {MOST_DRAWN}.")
    try:
        draw(form, numbers, "")
    except (ArithmeticError, IndexError, TypeError, ValueError) as error:
        raise ValidationError(shape) from error


class ProductForm(forms.ModelForm[Product]):
    def clean_specs(self) -> Any:
        specs = self.cleaned_data["specs"] or []
        check_specs(specs)
        return specs

    def clean_drawing(self) -> Any:
        return self.cleaned_data["drawing"] or {}

    def clean_currency(self) -> str:
        currency: str = self.cleaned_data["currency"].strip().upper()
        if currency not in SYMBOLS:
            raise ValidationError(f"Enter {' or '.join(SYMBOLS)}.")
        return currency

    def clean(self) -> None:
        super().clean()
        price = self.cleaned_data.get("price")
        if price is not None and 0 < price < CENT:
            self.add_error("price", "Enter at least one cent.")
        if price is not None and not self.cleaned_data.get("listed_on"):
            self.add_error("listed_on", "Enter the date of the price.")
        self._check_lead_time()
        if "drawing" in self.cleaned_data and "form" in self.cleaned_data:
            try:
                check_drawing(self.cleaned_data["form"], self.cleaned_data["drawing"])
            except ValidationError as error:
                self.add_error("drawing", error)

    def _check_lead_time(self) -> None:
        """A lead time without its day would be taken for today's."""
        weeks = [self.cleaned_data.get(f"lead_weeks_{end}") for end in ("min", "max")]
        has_weeks = any(week is not None for week in weeks)
        if has_weeks and not self.cleaned_data.get("lead_as_of"):
            self.add_error("lead_as_of", "Enter the day of the lead time.")


@admin.register(Product)
class ProductAdmin(admin.ModelAdmin[Product]):
    form = ProductForm
    list_display = (
        "name",
        "mpn",
        "maker",
        "collection",
        "price",
        "supply",
        "is_on_show",
    )
    list_filter = ("collection", "supply", "is_on_show", "maker")
    list_select_related = ("collection",)
    search_fields = ("name", "mpn", "maker")
    prepopulated_fields = {"slug": ("name",)}
    readonly_fields = ("created_at", "updated_at")
    fieldsets = (
        (None, {"fields": ("name", "slug", "maker", "mpn", "collection", "summary")}),
        (
            "Price and supply",
            {
                "fields": (
                    "price",
                    "currency",
                    "price_includes_gst",
                    "listed_on",
                    "supply",
                    "is_controlled",
                )
            },
        ),
        (
            "New lines of quotes start with",
            {
                "fields": (
                    "warranty",
                    ("lead_weeks_min", "lead_weeks_max"),
                    ("lead_source", "lead_as_of"),
                    ("origin", "hs_code"),
                )
            },
        ),
        ("Page", {"fields": ("specs", "form", "drawing", "source")}),
        ("Shown", {"fields": ("is_on_show", "position", "created_at", "updated_at")}),
    )


@admin.register(Notice)
class NoticeAdmin(admin.ModelAdmin[Notice]):
    list_display = ("title", "kind", "severity", "is_active", "starts_at", "ends_at")
    list_filter = ("kind", "severity", "is_active")
    search_fields = ("title", "text")
    autocomplete_fields = ("product",)
    readonly_fields = ("version",)

    def save_model(
        self, request: HttpRequest, obj: Notice, form: Any, change: bool
    ) -> None:
        """Count the edit, so that a dismissed notice that was changed comes back."""
        if change and form.changed_data:
            obj.version = F("version") + 1
        super().save_model(request, obj, form, change)
        obj.refresh_from_db(fields=["version"])


class SupplierPartInline(admin.TabularInline[SupplierPart, Supplier]):
    model = SupplierPart
    extra = 0
    autocomplete_fields = ("product",)


@admin.register(Supplier)
class SupplierAdmin(admin.ModelAdmin[Supplier]):
    list_display = ("name", "contact_name", "email", "currency")
    search_fields = ("name", "contact_name", "email")
    inlines = (SupplierPartInline,)
