"""The rules page: how every figure is worked out, and from which document."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from catalog.models import Product
from fabrics import rules
from fabrics.services import match_products
from sourceit.http import HttpRequest


@require_safe
def rules_page(request: HttpRequest) -> HttpResponse:
    """The rules in words, the engine's own tables, parts with their figures."""
    parts = rules.parts()
    numbers = {number for part in parts for number in (part.opn, part.key)}
    products = match_products(numbers)
    context = {
        "chapters": rules.chapters(),
        "profiles": rules.profile_rows(),
        "platforms": rules.platforms(),
        "parts": [
            (part, rules.part_anchor(part.key), _found(products, part.opn, part.key))
            for part in parts
        ],
        "documents": rules.documents(),
    }
    return render(request, "fabrics/rules.html", context)


def _found(products: dict[str, Product], *numbers: str) -> Product | None:
    return next((products[each] for each in numbers if each in products), None)
