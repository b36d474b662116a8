"""Drawings on catalogue pages."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString

from catalog.drawings import draw
from catalog.models import Product

register = template.Library()

SUPPLY_COLOURS = {
    Product.Supply.AVAILABLE_TO_ORDER: "ok",
    Product.Supply.LIMITED: "warn",
    Product.Supply.LONG_LEAD_TIME: "warn",
    Product.Supply.BY_SOURCING: "info",
    Product.Supply.DISCONTINUED: "bad",
}


@register.simple_tag
def drawing(product: Product) -> SafeString:
    """Draw the product's form from its numbers."""
    form = Product.Form(product.form).label.lower()
    return draw(product.form, product.drawing, f"{product.name}: drawing of a {form}")


@register.filter
def supply_colour(supply: str) -> str:
    """The tag colour of a supply state; the word beside it says the same."""
    return SUPPLY_COLOURS.get(Product.Supply(supply), "")
