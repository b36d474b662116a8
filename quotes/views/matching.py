"""A purchase order at the desk: paste or load its lines, see what differs."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from quotes.bought import bought_lines
from quotes.errors import QuoteError
from quotes.forms import PurchaseOrderForm
from quotes.list_files import ListField
from quotes.models import Acceptance, Revision
from quotes.services.matching import check_purchase_order
from quotes.services.po_files import po_number_of, po_of
from quotes.sheets import Table, split_pasted
from quotes.views.sending import builder_only
from sourceit.http import AuthenticatedHttpRequest


class PoForm(forms.Form):
    """The lines of a purchase order, pasted or as a file."""

    use_required_attribute = False
    text = forms.CharField(
        label="Paste its lines from a spreadsheet",
        help_text="Part number, quantity, unit price, amount; or with a heading row.",
        required=False,
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 8}),
    )
    file = ListField(label="Or a CSV or Excel file")

    def clean_text(self) -> Table:
        try:
            return split_pasted(self.cleaned_data["text"])
        except QuoteError as error:
            raise forms.ValidationError(str(error)) from error

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors and not self.rows:
            self.add_error("text", "Paste the lines, or choose a file.")
        return cleaned

    @property
    def rows(self) -> Table:
        typed = self.cleaned_data
        rows: Table = typed.get("file") or typed.get("text") or []
        return rows


@require_http_methods(["GET", "HEAD", "POST"])
@builder_only
def po_check(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Show what was accepted and what the order says; a check is kept (POST)."""
    mine = Revision.objects.visible_to(request.user)
    rows = Acceptance.objects.filter(revision__in=mine).select_related(
        "revision__quote"
    )
    acceptance = get_object_or_404(rows, pk=pk)
    is_posted = request.method == "POST"
    form = PoForm(request.POST, request.FILES) if is_posted else PoForm()
    if is_posted and form.is_valid():
        try:
            check_purchase_order(
                acceptance=acceptance,
                rows=form.rows,
                by=request.user,
                now=timezone.now(),
            )
        except QuoteError as error:
            form.add_error(None, str(error))
        else:
            return redirect("desk:po_check", pk)
    context = {
        "acceptance": acceptance,
        "revision": acceptance.revision,
        "form": form,
        "check": acceptance.po_checks.select_related("by").first(),
        "bought": bought_lines(acceptance),
        "po": po_of(acceptance),
        "po_form": PurchaseOrderForm(initial={"po_number": po_number_of(acceptance)}),
    }
    status = 422 if form.errors else 200
    return render(request, "quotes/desk/po_check.html", context, status=status)
