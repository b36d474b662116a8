"""The basket's pages: what a visitor gathers before asking for a quotation."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from catalog.models import Product
from fabrics.forms import FabricForm
from fabrics.models import DesignVersion
from fabrics.services import DesignError, freeze_design
from fabrics.views.common import edited_design
from fabrics.views.designs import find_version
from quotes.errors import QuoteError
from quotes.message_forms import ACCEPTS
from quotes.models import QuoteRequest, RequestLine
from quotes.services import baskets
from quotes.services.files import files_of
from quotes.typed import read_price, read_quantities, read_quantity
from sourceit.http import HttpRequest
from sourceit.models import User
from sourceit.posted import read_id, safe_next


@require_safe
def basket(request: HttpRequest) -> HttpResponse:
    return show_basket(request)


def show_basket(
    request: HttpRequest, *, problem: str = "", anchor: str = "", **extra: Any
) -> HttpResponse:
    """Render the basket with what was typed (`extra`), so that nothing is lost.

    A `problem` makes it a 422 and stands at the top with a link to `anchor`.
    """
    found = current_basket(request)
    lines = found.lines_asked() if found else []
    context = {
        "lines": lines,
        "basket": found,
        "files": files_of(found),
        "accepts": ACCEPTS,
        "problem": problem,
        "anchor": anchor,
        **extra,
    }
    status = 422 if problem else 200
    return render(request, "quotes/customer/basket.html", context, status=status)


@require_POST
def basket_add(request: HttpRequest) -> HttpResponse:
    product = get_object_or_404(
        Product.objects.on_show(), pk=read_id(request.POST.get("product", ""))
    )
    try:
        quantity = read_quantity(request.POST.get("quantity") or "1")
        line = baskets.add_product(
            basket=open_basket(request), product=product, quantity=quantity
        )
    except QuoteError as error:
        messages.error(request, f"{product.name}: {error}")
        return redirect(safe_next(request, product.get_absolute_url()))
    return _added(request, line)


@require_POST
def basket_add_text(request: HttpRequest) -> HttpResponse:
    typed = {name: request.POST.get(name, "") for name in _TYPED}
    try:
        quantity, *more = read_quantities(typed["quantity"] or "1")
        line = baskets.add_text(
            basket=open_basket(request),
            description=typed["description"],
            quantity=quantity,
            more_quantities=more,
            mpn=typed["mpn"],
            note=typed["note"],
            target_price=read_price(typed["target_price"]),
        )
    except QuoteError as error:
        return show_basket(
            request, problem=str(error), anchor="description", typed=typed
        )
    return _added(request, line)


_TYPED = ("description", "mpn", "quantity", "note", "target_price")


@require_POST
def basket_add_design(request: HttpRequest) -> HttpResponse:
    """Add a saved version, or freeze the configurator's form first and add that."""
    design = _saved_design(request)
    if design is None:
        form = FabricForm(request.POST)
        if not form.is_valid():
            messages.error(request, "That design cannot be built. Change it first.")
            return redirect(safe_next(request, "/fabrics/"))
        edited = edited_design(request, request.POST.get("of", ""))
        try:
            design = freeze_design(
                spec=form.spec, owner=visitor_of(request), edited=edited
            )
        except DesignError as error:
            messages.error(request, str(error))
            return redirect(safe_next(request, "/fabrics/"))
    try:
        line = baskets.add_design(basket=open_basket(request), design=design)
    except QuoteError as error:
        messages.error(request, str(error))
        return redirect("quotes:basket")
    return _added(request, line)


def _saved_design(request: HttpRequest) -> DesignVersion | None:
    """The version that the form names; one that is not the visitor's is not found."""
    post = request.POST
    if not post.get("saved"):
        return None
    try:
        pk, n = UUID(post["saved"]), int(post.get("version", "")[:5])
    except ValueError as error:
        raise Http404 from error
    return find_version(request, pk, n)


@require_POST
def basket_line(request: HttpRequest, pk: int) -> HttpResponse:
    line = _own_line(request, pk)
    post = request.POST
    try:
        quantity, *more = read_quantities(post.get("quantity", ""))
        baskets.set_line(
            line=line,
            quantity=quantity,
            more_quantities=more,
            note=post.get("note", line.note),
            target_price=read_price(post.get("target_price", "")),
        )
    except QuoteError as error:
        return show_basket(
            request,
            problem=str(error),
            anchor=f"quantity-{line.pk}",
            faulty={"pk": line.pk, **post.dict()},
        )
    messages.success(request, f"{line.description} updated.")
    return redirect("quotes:basket")


@require_POST
def basket_remove(request: HttpRequest, pk: int) -> HttpResponse:
    line = _own_line(request, pk)
    baskets.remove_line(line=line, now=timezone.now())
    refresh_count(request)
    return show_basket(request, removed=line)


@require_POST
def basket_restore(request: HttpRequest, pk: int) -> HttpResponse:
    line = _own_line(request, pk)
    try:
        baskets.restore_line(line=line)
    except QuoteError as error:
        messages.error(request, str(error))
        return redirect("quotes:basket")
    refresh_count(request)
    messages.success(request, f"{line.description} is back in your request.")
    return redirect("quotes:basket")


def visitor_of(request: HttpRequest) -> User | None:
    """Return who is signed in; None for a guest."""
    return request.user if isinstance(request.user, User) else None


def current_basket(request: HttpRequest) -> QuoteRequest | None:
    """Return the visitor's basket, merged into the account after signing in."""
    user = visitor_of(request)
    basket_pk = request.session.get("basket")
    found = baskets.find_basket(user=user, basket_pk=basket_pk)
    owner = user.pk if user else None
    if found is not None and (
        found.pk != basket_pk or request.session.get("basket_of") != owner
    ):
        request.session["basket"] = found.pk
        request.session["basket_of"] = owner
        request.session["basket_count"] = baskets.count_lines(found)
    return found


def refresh_count(request: HttpRequest) -> None:
    found = current_basket(request)
    request.session["basket_count"] = baskets.count_lines(found) if found else 0


def open_basket(request: HttpRequest) -> QuoteRequest:
    found = current_basket(request)
    if found is None:
        found = baskets.make_basket(user=visitor_of(request))
        request.session["basket"] = found.pk
        request.session["basket_of"] = found.user_id
    return found


def _own_line(request: HttpRequest, pk: int) -> RequestLine:
    """Return a line of the visitor's own basket; anything else is not found."""
    found = current_basket(request)
    if found is None:
        raise Http404
    return get_object_or_404(
        found.lines.select_related("product", "design__design"), pk=pk
    )


def _added(request: HttpRequest, line: RequestLine) -> HttpResponse:
    refresh_count(request)
    count = request.session["basket_count"]
    items = "1 line" if count == 1 else f"{count:,} lines"
    messages.success(
        request, f"Added {line.description}. Your request has {items} now."
    )
    return redirect(safe_next(request, "/basket/"))
