"""Home, lists and the product page."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from catalog.models import Collection, Product
from sourceit.http import HttpRequest


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "catalog/home.html", {"products": Product.objects.on_show()})


@require_GET
def product_list(request: HttpRequest) -> HttpResponse:
    products = Product.objects.on_show()
    return render(request, "catalog/product_list.html", {"products": products})


@require_GET
def collection(request: HttpRequest, slug: str) -> HttpResponse:
    shelf = get_object_or_404(Collection, slug=slug)
    products = Product.objects.on_show().filter(collection=shelf)
    return render(
        request,
        "catalog/product_list.html",
        {"products": products, "collection": shelf},
    )


@require_GET
def product_detail(request: HttpRequest, slug: str) -> HttpResponse:
    product = get_object_or_404(Product.objects.on_show(), slug=slug)
    return render(request, "catalog/product_detail.html", {"product": product})
