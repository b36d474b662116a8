"""A purchase order at the desk: paste or load its lines, see what differs."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods
from python_calamine import CalamineError, CalamineWorkbook

from quotes.bought import bought_lines
from quotes.errors import QuoteError
from quotes.forms import PurchaseOrderForm
from quotes.models import Acceptance, Revision
from quotes.po import split_text
from quotes.services.matching import check_purchase_order
from quotes.services.po_files import po_number_of, po_of
from quotes.views.sending import builder_only
from sourceit.http import AuthenticatedHttpRequest

MAX_FILE_BYTES = 2 * 1024 * 1024
MAX_SHEET_ROWS = 2_000


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
    file = forms.FileField(label="Or a CSV or Excel file", required=False)

    def clean_file(self) -> list[list[str]]:
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file is None:
            return []
        if (file.size or 0) > MAX_FILE_BYTES:
            raise forms.ValidationError("This file is larger than 2 MB.")
        data = file.read()
        if data.startswith(b"PK"):
            return _read_workbook(data)
        try:
            return split_text(data.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise forms.ValidationError(
                "This is neither an Excel file nor CSV in UTF-8."
            ) from error

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors and not (cleaned.get("text") or cleaned.get("file")):
            self.add_error("text", "Paste the lines, or choose a file.")
        return cleaned

    @property
    def rows(self) -> list[list[str]]:
        typed = self.cleaned_data
        found: list[list[str]] = typed["file"] or split_text(typed["text"])
        return found


def _read_workbook(data: bytes) -> list[list[str]]:
    """Read the first sheet of an Excel file as texts."""
    try:
        book = CalamineWorkbook.from_filelike(BytesIO(data))
        rows = book.get_sheet_by_index(0).to_python(nrows=MAX_SHEET_ROWS)
    except (CalamineError, ValueError, OSError) as error:
        raise forms.ValidationError("This Excel file cannot be read.") from error
    return [[_cell(value) for value in row] for row in rows]


def _cell(value: object) -> str:
    """Write a cell as text; Excel keeps whole numbers as 4.0."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


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
