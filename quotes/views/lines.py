"""Each small write to the lines and sections of a draft."""

from __future__ import annotations

import json
from typing import Any

from django.db.models import Q
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from catalog.models import Product
from quotes.desk_forms import LineForm, read_block
from quotes.desk_sheet import ROW_FIELDS, Row, Sheet, margin_shown, texts_of
from quotes.errors import QuoteError
from quotes.models import Line, Revision, Section
from quotes.pricing import Kind
from quotes.services import lines as services
from quotes.services import sections
from quotes.services.rounding import set_rounding
from quotes.typed import INVISIBLE
from quotes.views.builder import (
    builder_only,
    get_editable,
    get_line,
    lay_out_now,
    load_lines,
    save_fields,
    show_builder,
    tell_refusal,
    to_builder,
)
from sourceit.http import AuthenticatedHttpRequest
from sourceit.money import MoneyError
from sourceit.posted import read_id


@require_POST
@builder_only
@tell_refusal
def line_save(request: AuthenticatedHttpRequest, pk: int, line_pk: int) -> HttpResponse:
    """Save a row as it is typed (htmx), or a line's own page."""
    line = get_line(request, pk, line_pk)
    if not line.revision.is_editable:
        raise Http404
    if not request.htmx:
        return save_line_page(request, line)
    said = request.POST.get(f"{line.pk}-changed", "").split(",")
    names = list(dict.fromkeys(name for name in said if name in ROW_FIELDS))
    row = Row(line=line, number=0, texts={})
    if names and not save_fields(request, row, names, every=False):
        return refuse_row(row)
    load_lines(line.revision)
    typed = {name: request.POST.get(f"{line.pk}-{name}", "") for name in names}
    return answer_row(lay_out_now(line.revision), line, typed)


def answer_row(sheet: Sheet, line: Line, typed: dict[str, str]) -> HttpResponse:
    """Answer a saved row: outputs to swap, what was saved, and what follows from it."""
    row = sheet.row_of(line)
    context = {
        "sheet": sheet,
        "row": row,
        "group": sheet.group_of(row),
        "revision": sheet.revision,
        "saved_at": timezone.now(),
        "is_swap": True,
    }
    response = HttpResponse(render_to_string("quotes/desk/_row_saved.html", context))
    return _tell(
        response,
        "line-saved",
        line,
        typed=typed,
        texts=row.texts,
        lead=line.price_source,
    )


def refuse_row(row: Row) -> HttpResponse:
    """Answer a row that was not saved: beside which cell, and why."""
    if row.conflict:
        return _tell(
            HttpResponse(status=409),
            "line-conflict",
            row.line,
            message=row.conflict,
            texts=texts_of(row.line),
        )
    stored = Line.objects.filter(pk=row.line.pk).first()
    row.number = services.number_of(stored) if stored else 0
    response = HttpResponse(status=422)
    return _tell(response, "line-refused", row.line, errors=row.messages)


def _tell(
    response: HttpResponse, event: str, line: Line, **detail: Any
) -> HttpResponse:
    """Tell the row's script what happened, as an event on the row."""
    detail |= {"line": line.pk, "version": line.row_version}
    response["HX-Trigger"] = json.dumps({event: detail})
    return response


@require_safe
@builder_only
def line(request: AuthenticatedHttpRequest, pk: int, line_pk: int) -> HttpResponse:
    """Show everything of a line: kind, GST, discount, sources, notes."""
    found = get_editable_line(request, pk, line_pk)
    return show_line(request, found, form_of(found))


def get_editable_line(request: AuthenticatedHttpRequest, pk: int, line_pk: int) -> Line:
    """Return a line of a draft; what was sent is not found by any write."""
    found = get_line(request, pk, line_pk)
    if not found.revision.is_editable:
        raise Http404
    return found


def form_of(line: Line, *args: Any) -> LineForm:
    shown = {"margin_percent": margin_shown(line)}
    return LineForm(*args, instance=line, prefix=str(line.pk), initial=shown)


def show_line(
    request: AuthenticatedHttpRequest,
    line: Line,
    form: LineForm,
    *,
    message: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "line": line,
        "number": services.number_of(line),
        "revision": line.revision,
        "form": form,
        "message": message,
    }
    return render(request, "quotes/desk/line.html", context, status=status)


def save_line_page(request: AuthenticatedHttpRequest, line: Line) -> HttpResponse:
    """Save a line's own page: its fields that were changed."""
    stored = Line.objects.get(pk=line.pk)
    row = Row(line=line, number=0, texts={})
    if save_fields(request, row, list(LineForm.Meta.fields)):
        return to_builder(line.revision, f"line-{line.pk}")
    form = form_of(stored, request.POST)
    form.is_valid()
    for name, words in row.errors.items():
        if name not in form.errors:
            form.add_error(name, words)
    fresh = get_line(request, line.revision_id, line.pk)
    status = 409 if row.conflict else 422
    return show_line(request, fresh, form, message=row.conflict, status=status)


def or_say_why(
    request: AuthenticatedHttpRequest,
    revision: Revision,
    error: Exception,
    *,
    pasted: str = "",
) -> HttpResponse:
    """Show the builder as it stands now, with the reason of a refusal."""
    load_lines(revision)
    sheet = lay_out_now(revision)
    return show_builder(request, sheet, message=str(error), pasted=pasted, status=422)


@require_POST
@builder_only
@tell_refusal
def line_add(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Add an empty line, or the rounding line that the page offered."""
    revision = get_editable(request, pk)
    now = timezone.now()
    if request.POST.get("kind") == Kind.ROUNDING:
        set_rounding(revision=revision, by=request.user, now=now)
        return to_builder(revision, "totals")
    kind = Kind.TEXT if request.POST.get("kind") == Kind.TEXT else Kind.STANDARD
    try:
        added = services.add_line(
            revision=revision,
            by=request.user,
            now=now,
            kind=kind,
            section=find_section(revision, request.POST.get("section", "")),
        )
    except QuoteError as error:
        return or_say_why(request, revision, error)
    field = "description" if kind == Kind.TEXT else "mpn"
    return to_builder(revision, f"{added.pk}-{field}")


def find_section(revision: Revision, text: str) -> Section | None:
    """Return the section that a form names; None for none, or a foreign one."""
    return revision.sections.filter(pk=read_id(text)).first()


@require_POST
@builder_only
@tell_refusal
def line_add_product(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Add a catalogue product by its part number or name."""
    revision = get_editable(request, pk)
    words = request.POST.get("product", "").strip()
    try:
        product = find_product(words)
        added = services.add_product_line(
            revision=revision,
            product=product,
            by=request.user,
            now=timezone.now(),
            section=find_section(revision, request.POST.get("section", "")),
        )
    except QuoteError as error:
        return or_say_why(request, revision, error)
    return to_builder(revision, f"{added.pk}-quantity")


@require_POST
@builder_only
@tell_refusal
def line_paste(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Add the rows of a block pasted from a spreadsheet; all of them, or none."""
    revision = get_editable(request, pk)
    block, start = request.POST.get("block", ""), request.POST.get("start", "")
    names = ROW_FIELDS[ROW_FIELDS.index(start) if start in ROW_FIELDS else 0 :]
    rows, faults = read_block(block[:200_000], names, revision)
    if not rows and not faults:
        faults = ["Paste at least one row."]
    try:
        if faults:
            raise QuoteError(" ".join(faults[:5]))
        services.add_lines(
            revision=revision, rows=rows, by=request.user, now=timezone.now()
        )
    except (MoneyError, QuoteError) as error:
        return or_say_why(request, revision, error, pasted=block)
    return to_builder(revision, "lines")


def find_product(words: str) -> Product:
    """Return the one product that the words name: its part number before its name.

    Raises:
        QuoteError: no product, or several, go by these words.
    """
    if not words:
        raise QuoteError("Enter a part number or a product's name.")
    exact = list(Product.objects.filter(mpn__iexact=words)[:2])
    found = exact or list(find_products(words)[:2])
    if not found:
        raise QuoteError(f"No product in the catalogue is called {words}.")
    if len(found) > 1:
        raise QuoteError(f"Several products match {words}. Enter the part number.")
    return found[0]


def find_products(words: str) -> Any:
    """Return products whose part number, name or maker holds every word."""
    rows = Product.objects.order_by("name")
    for word in words.split():
        rows = rows.filter(
            Q(mpn__icontains=word) | Q(name__icontains=word) | Q(maker__icontains=word)
        )
    return rows


@require_safe
@builder_only
def product_options(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Answer the part number's list of suggestions as options."""
    words = INVISIBLE.sub("", request.GET.get("product", "")).strip()[:80]
    found = find_products(words)[:12] if len(words) > 1 else []
    return render(request, "quotes/desk/_product_options.html", {"products": found})


@require_POST
@builder_only
@tell_refusal
def line_remove(
    request: AuthenticatedHttpRequest, pk: int, line_pk: int
) -> HttpResponse:
    """Remove a line; the builder then offers to put it back."""
    found = get_editable_line(request, pk, line_pk)
    event = services.remove_line(line=found, by=request.user, now=timezone.now())
    return to_builder(found.revision, "undo", undo=event.pk)


@require_POST
@builder_only
@tell_refusal
def line_restore(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Put back the line that was removed."""
    revision = get_editable(request, pk)
    text = request.POST.get("event", "")
    event_pk = read_id(text)
    try:
        restored = services.restore_line(
            revision=revision, event_pk=event_pk, by=request.user, now=timezone.now()
        )
    except QuoteError as error:
        return or_say_why(request, revision, error)
    return to_builder(revision, f"line-{restored.pk}")


@require_POST
@builder_only
@tell_refusal
def line_move(request: AuthenticatedHttpRequest, pk: int, line_pk: int) -> HttpResponse:
    """Move a line up or down within its section."""
    found = get_editable_line(request, pk, line_pk)
    is_up = request.POST.get("to") == "up"
    services.move_line(line=found, up=is_up, by=request.user, now=timezone.now())
    return to_builder(found.revision, f"line-{found.pk}")


@require_POST
@builder_only
@tell_refusal
def section_add(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Add a section at the end."""
    revision = get_editable(request, pk)
    section = sections.add_section(
        revision=revision,
        title=request.POST.get("title", ""),
        by=request.user,
        now=timezone.now(),
    )
    return to_builder(revision, f"section-{section.pk}")


def get_section(request: AuthenticatedHttpRequest, pk: int, section_pk: int) -> Section:
    revision = get_editable(request, pk)
    return get_object_or_404(
        revision.sections.select_related("revision__quote__request"), pk=section_pk
    )


@require_POST
@builder_only
@tell_refusal
def section_rename(
    request: AuthenticatedHttpRequest, pk: int, section_pk: int
) -> HttpResponse:
    """Give a section another title."""
    section = get_section(request, pk, section_pk)
    try:
        sections.rename_section(
            section=section,
            title=request.POST.get("title", ""),
            by=request.user,
            now=timezone.now(),
        )
    except QuoteError as error:
        return or_say_why(request, section.revision, error)
    return to_builder(section.revision, f"section-{section.pk}")


@require_POST
@builder_only
@tell_refusal
def section_remove(
    request: AuthenticatedHttpRequest, pk: int, section_pk: int
) -> HttpResponse:
    """Remove a section; its lines stay."""
    section = get_section(request, pk, section_pk)
    sections.remove_section(section=section, by=request.user, now=timezone.now())
    return to_builder(section.revision, "lines")
