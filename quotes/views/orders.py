"""Orders at the desk and for the customer; what to buy is for the desk alone."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe
from xlsxwriter import Workbook

from catalog.models import Supplier
from quotes.errors import QuoteError
from quotes.models import Order, Revision
from quotes.services import orders, purchasing
from quotes.services.po_files import po_number_of
from quotes.views.answers import pdf_response
from quotes.views.secret import Reader, account_required, answer_link_required
from quotes.views.sending import (
    builder_only,
    get_whole,
    sender_only,
    show_quote,
    staff_only,
)
from sourceit.cells import csv_response, safe_cell
from sourceit.documents import document_of
from sourceit.events import events_of
from sourceit.http import AuthenticatedHttpRequest, HttpRequest
from sourceit.models import Document
from sourceit.posted import read_id, read_ids

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def find_order(request: AuthenticatedHttpRequest, pk: int) -> Order:
    """Return an order the person may see, with what its pages show, or 404."""
    rows = Order.objects.visible_to(request.user).select_related(
        "acceptance__revision__quote__request__owner", "document", "created_by"
    )
    return get_object_or_404(rows, pk=pk)


@require_safe
@staff_only
def order_list(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Show the newest orders."""
    rows = Order.objects.visible_to(request.user).select_related(
        "acceptance__revision__quote__request"
    )
    return render(request, "quotes/desk/orders.html", {"orders": rows[:200]})


@require_POST
@builder_only
def quote_convert(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Make the order of an accepted quote, or open the one there is."""
    revision = get_whole(request, pk)
    try:
        order = orders.convert_quote(
            revision=revision, by=request.user, now=timezone.now()
        )
    except QuoteError as error:
        return show_quote(request, revision, message=str(error))
    return redirect("desk:order", order.pk)


@require_safe
@staff_only
def order_detail(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Show an order: what, for whom, its confirmation, what to buy."""
    return show_order(request, find_order(request, pk))


def show_order(
    request: AuthenticatedHttpRequest, order: Order, *, message: str = ""
) -> HttpResponse:
    revision = order.acceptance.revision
    context = {
        "order": order,
        "revision": revision,
        "asked": revision.quote.request,
        "content": order.content,
        "document": document_of(order, orders.CONFIRMATION),
        "po_number": po_number_of(order.acceptance),
        "events": list(events_of(revision)),
        "message": message,
    }
    status = 409 if message else 200
    return render(request, "quotes/desk/order.html", context, status=status)


def _try(
    request: AuthenticatedHttpRequest, order: Order, act: Callable[[], object]
) -> HttpResponse:
    try:
        act()
    except QuoteError as error:
        return show_order(request, find_order(request, order.pk), message=str(error))
    return redirect("desk:order", order.pk)


@require_POST
@sender_only
def order_confirm(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """E-mail the confirmation to the customer, once."""
    order = find_order(request, pk)
    return _try(
        request,
        order,
        lambda: orders.confirm_order(order=order, by=request.user, now=timezone.now()),
    )


@require_POST
@sender_only
def order_retry(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Have a confirmation printed again that could not be."""
    order = find_order(request, pk)
    return _try(
        request, order, lambda: orders.retry_confirmation(order=order, by=request.user)
    )


@require_safe
@staff_only
def order_document(request: AuthenticatedHttpRequest, pk: int) -> FileResponse:
    """Hand out the confirmation, byte for byte."""
    return _file_of(find_order(request, pk))


def _file_of(order: Order | None) -> FileResponse:
    document = order.document if order else None
    if document is None or document.status != Document.Status.READY:
        raise Http404
    return pdf_response(document)


def _customers_order(
    request: HttpRequest, reader: Reader, revision: Revision
) -> FileResponse:
    """The customer's copy; there is none until it was sent to them."""
    rows = Order.objects.filter(acceptance__revision=revision)
    return _file_of(rows.exclude(confirmed_at=None).select_related("document").first())


answer_order = require_safe(answer_link_required(_customers_order))
my_quote_order = require_safe(account_required(_customers_order))


# What to buy


@require_safe
@staff_only
def purchase(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Show what to buy of whom for an order."""
    return show_purchase(request, find_order(request, pk))


def show_purchase(
    request: AuthenticatedHttpRequest, order: Order, *, message: str = ""
) -> HttpResponse:
    groups = purchasing.purchase_lists(order)
    moved = purchasing.offers_moved(groups, timezone.now())
    context = {
        "order": order,
        "asked": order.acceptance.revision.quote.request,
        "groups": [
            (
                group,
                [
                    (line, purchasing.cost_of(line), moved.get(line.pk, ""))
                    for line in group.lines
                ],
            )
            for group in groups
        ],
        "suppliers": list(Supplier.objects.all()),
        "message": message,
    }
    status = 409 if message else 200
    return render(request, "quotes/desk/purchase.html", context, status=status)


@require_POST
@builder_only
def purchase_assign(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Say of whom the picked lines are bought; a new name makes a new supplier."""
    order = find_order(request, pk)
    picked = read_ids(request.POST.getlist("line"))
    lines = list(
        order.lines.filter(pk__in=picked).select_related(
            "order__acceptance__revision", "source"
        )
    )
    try:
        if not lines:
            raise QuoteError("Tick the lines first.")
        supplier = _chosen_supplier(request)
        for line in lines:
            purchasing.assign_supplier(line=line, supplier=supplier, by=request.user)
    except QuoteError as error:
        return show_purchase(request, order, message=str(error))
    noun = "line is" if len(lines) == 1 else "lines are"
    messages.success(request, f"{len(lines)} {noun} bought from {supplier}.")
    return redirect("desk:purchase", pk)


def _chosen_supplier(request: AuthenticatedHttpRequest) -> Supplier:
    key = request.POST.get("supplier", "")
    known = Supplier.objects.filter(pk=read_id(key)).first()
    return known or purchasing.find_or_make_supplier(request.POST.get("new_name", ""))


@require_safe
@staff_only
def purchase_csv(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """The purchase list as a CSV file."""
    order = find_order(request, pk)
    rows = purchasing.purchase_rows(order)
    return csv_response(f"{order.number}-purchase.csv", purchasing.HEADINGS, rows)


@require_safe
@staff_only
def purchase_xlsx(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """The purchase list as an Excel file; amounts are texts, to the last digit."""
    order = find_order(request, pk)
    file = BytesIO()
    book = Workbook(file, {"in_memory": True, "strings_to_formulas": False})
    sheet = book.add_worksheet("Purchase")
    sheet.write_row(0, 0, purchasing.HEADINGS, book.add_format({"bold": True}))
    for number, row in enumerate(purchasing.purchase_rows(order), start=1):
        sheet.write_row(number, 0, [safe_cell(value) for value in row])
    sheet.freeze_panes(1, 0)
    sheet.autofit()
    book.close()
    response = HttpResponse(file.getvalue(), content_type=XLSX)
    name = f"{order.number}-purchase.xlsx"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
