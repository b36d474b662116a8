"""A purchase order that comes after the yes: from the customer, or at the desk."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from quotes.errors import QuoteError
from quotes.forms import PurchaseOrderForm
from quotes.models import Acceptance, Revision
from quotes.services.answers import acceptance_of
from quotes.services.po_files import add_purchase_order
from quotes.views.secret import Reader, account_required, answer_link_required
from quotes.views.sending import builder_only
from sourceit.http import AuthenticatedHttpRequest, HttpRequest
from sourceit.limits import RateLimited, check_rate


def _send(request: HttpRequest, reader: Reader, revision: Revision) -> HttpResponse:
    """Take the number and file of the order for what was accepted."""
    acceptance = acceptance_of(revision)
    if acceptance is None or not reader.may_answer:
        raise Http404
    is_posted = request.method == "POST"
    form = (
        PurchaseOrderForm(request.POST, request.FILES)
        if is_posted
        else PurchaseOrderForm()
    )
    if form.is_valid():
        try:
            check_rate("purchase-order", str(acceptance.pk), limit=20, seconds=3600)
            _keep(form, acceptance, by=reader.user, by_name=reader.name or reader.email)
        except (QuoteError, RateLimited) as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "Thank you. We have your purchase order.")
            return redirect(reader.urls["answer"])
    context = {
        "form": form,
        "revision": revision,
        "content": revision.content,
        "urls": reader.urls,
        "chose_file": bool(request.FILES),
    }
    page = "quotes/customer/purchase_order.html"
    return render(request, page, context, status=422 if form.errors else 200)


_methods = require_http_methods(["GET", "HEAD", "POST"])
po_send = _methods(answer_link_required(_send))
my_quote_po_send = _methods(account_required(_send))


@require_POST
@builder_only
def po_add(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Enter the order that the customer sent to the desk by other means."""
    mine = Revision.objects.visible_to(request.user)
    rows = Acceptance.objects.filter(revision__in=mine)
    acceptance = get_object_or_404(rows, pk=pk)
    form = PurchaseOrderForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            _keep(form, acceptance, by=request.user, by_name=str(request.user))
            messages.success(request, "The purchase order is kept.")
        except QuoteError as error:
            messages.error(request, str(error))
    else:
        for errors in form.errors.values():
            messages.error(request, " ".join(map(str, errors)))
    return redirect("desk:po_check", pk)


def _keep(form: PurchaseOrderForm, acceptance: Acceptance, **who: Any) -> None:
    typed = form.cleaned_data
    add_purchase_order(
        acceptance=acceptance,
        number=typed["po_number"],
        file=typed["po_file"],
        now=timezone.now(),
        **who,
    )
