"""Home, lists, product pages, comparison, and what search engines read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRedirect

from catalog.models import Collection, Notice, Product
from catalog.pricing import PublicPrice, public_price
from catalog.search import PAGE_SIZE, Search, choices, exact_part, find_products
from sourceit.htmx import render_page
from sourceit.http import HttpRequest
from sourceit.tax import gst_percent

MOST_COMPARED = 4


class Item:
    """A product as pages show it: with its public price."""

    def __init__(self, product: Product, percent: Decimal) -> None:
        self.product = product
        self.price: PublicPrice | None = public_price(product, percent)


def _items(products: Iterable[Product]) -> list[Item]:
    percent = gst_percent(timezone.localdate())
    return [Item(product, percent) for product in products]


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    products = Product.objects.on_show().exclude(supply=Product.Supply.BY_SOURCING)
    context = {
        "items": _items(products[:8]),
        "collections": Collection.objects.all(),
    }
    return render(request, "catalog/home.html", context)


@require_safe
def product_list(request: HttpRequest) -> HttpResponse:
    """Show a search; an exact part number goes straight to its product."""
    search = Search.from_query(request.GET.dict())
    product = exact_part(search.words)
    if product is not None:
        url = product.get_absolute_url()
        return HttpResponseClientRedirect(url) if request.htmx else redirect(url)
    return _show_list(request, search, None)


@require_safe
def collection(request: HttpRequest, slug: str) -> HttpResponse:
    shelf = get_object_or_404(Collection, slug=slug)
    asked = {**request.GET.dict(), "collection": slug}
    return _show_list(request, Search.from_query(asked), shelf)


def _show_list(
    request: HttpRequest, search: Search, shelf: Collection | None
) -> HttpResponse:
    rows = find_products(search)
    count = rows.count()
    last = max(1, -(-count // PAGE_SIZE))
    # An address kept from a longer list shows the last page, not an empty one.
    search = replace(search, page=min(search.page, last))
    start = (search.page - 1) * PAGE_SIZE
    context = {
        "search": search,
        "items": _items(rows[start : start + PAGE_SIZE]),
        "count": count,
        "collection": shelf,
        "list_url": reverse("catalog:list"),
        "previous": search.query(page=search.page - 1) if search.page > 1 else "",
        "next": search.query(page=search.page + 1) if search.page < last else "",
        **choices(),
    }
    return render_page(request, "catalog/product_list.html", context, partial="results")


@require_safe
def product_detail(request: HttpRequest, slug: str) -> HttpResponse:
    product = get_object_or_404(Product.objects.on_show(), slug=slug)
    in_force = list(Notice.objects.in_force(timezone.now()))
    concerned = [notice for notice in in_force if notice.concerns(product)]
    same_shelf = Product.objects.on_show().filter(collection_id=product.collection_id)
    [item, *related] = _items([product, *same_shelf.exclude(pk=product.pk)[:4]])
    context = {
        "product": product,
        "item": item,
        "notices": [notice for notice in concerned if not notice.is_site_wide],
        "may_change": any(notice.kind == Notice.Kind.PRICE for notice in concerned),
        "related": related,
        "base_url": settings.SITE_URL,
    }
    return render(request, "catalog/product_detail.html", context)


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """Put up to four products of a collection side by side; the address holds them."""
    asked = [slug for slug in request.GET.getlist("p") if slug and "\0" not in slug]
    wanted = list(dict.fromkeys(asked))[:MOST_COMPARED]
    found = {p.slug: p for p in Product.objects.on_show().filter(slug__in=wanted)}
    products = [found[slug] for slug in wanted if slug in found]
    shelf = products[0].collection if products else None
    others = [p for p in products if p.collection_id != products[0].collection_id]
    shown = [product for product in products if product not in others]
    only_differences = request.GET.get("differences") == "1"
    same_shelf = Product.objects.on_show().filter(collection=shelf) if shelf else None
    context = {
        "items": _items(shown),
        "others": others,
        "groups": compared_groups(shown, only_differences=only_differences),
        "only_differences": only_differences,
        "choices": _addable(same_shelf, shown),
        "slugs": [product.slug for product in shown],
        "is_full": len(shown) >= MOST_COMPARED,
    }
    return render(request, "catalog/compare.html", context)


def _addable(rows: Any, shown: Sequence[Product]) -> list[Product]:
    return [p for p in rows if p not in shown] if rows is not None else []


def compared_groups(
    products: Sequence[Product], *, only_differences: bool
) -> list[dict[str, Any]]:
    """Return the groups of specifications, a row each with one value a product.

    A value comes with its mark ("third-party source"), and is None where a product
    does not have it; `differs` is for marking in words.
    """
    titles: dict[str, dict[str, None]] = {}
    values: dict[tuple[str, str], dict[int, tuple[str, str]]] = {}
    for index, product in enumerate(products):
        for group in product.specs:
            for name, value, mark in group["rows"]:
                titles.setdefault(group["title"], {})[name] = None
                values.setdefault((group["title"], name), {})[index] = value, mark
    groups = []
    for title, names in titles.items():
        rows = [_compared_row(name, values[title, name], products) for name in names]
        kept = [row for row in rows if row["differs"] or not only_differences]
        if kept:
            groups.append({"title": title, "rows": kept})
    return groups


def _compared_row(
    name: str, values: dict[int, tuple[str, str]], products: Sequence[Product]
) -> dict[str, Any]:
    cells = [values.get(index) for index in range(len(products))]
    told = {cell and cell[0] for cell in cells}
    return {"name": name, "cells": cells, "differs": len(told) > 1}


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """List the public pages for search engines; it holds no price."""
    pages = [reverse(name) for name in ("catalog:home", "catalog:list")]
    pages += [shelf.get_absolute_url() for shelf in Collection.objects.all()]
    pages += [product.get_absolute_url() for product in Product.objects.on_show()]
    context = {"pages": [settings.SITE_URL + page for page in pages]}
    return render(
        request, "catalog/sitemap.xml", context, content_type="application/xml"
    )


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    closed = "".join(f"Disallow: {path}\n" for path in CLOSED)
    text = f"User-agent: *\n{closed}Sitemap: {settings.SITE_URL}/sitemap.xml\n"
    return HttpResponse(text, content_type="text/plain")


CLOSED = ("/q/", "/r/", "/desk/", "/admin/", "/accounts/", "/basket/", "/request/")
