"""Build from what there is: templates, earlier quotes, and what has moved since."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from quotes.desk_forms import FillForm, first_errors
from quotes.errors import QuoteError
from quotes.memory import remember
from quotes.models import Line, QuoteTemplate, Revision
from quotes.services import library, repricing
from quotes.services.filling import fill_in
from quotes.services.lines import number_of, save_line
from quotes.states import RevisionStatus
from quotes.typed import INVISIBLE
from quotes.views.builder import (
    builder_only,
    get_editable,
    staff_only,
    tell_refusal,
    to_builder,
)
from quotes.views.lines import get_editable_line
from sourceit.http import AuthenticatedHttpRequest
from sourceit.money import MoneyError
from sourceit.posted import read_id

FOUND = 12


@require_http_methods(["GET", "HEAD", "POST"])
@builder_only
@tell_refusal
def line_prices(
    request: AuthenticatedHttpRequest, pk: int, line_pk: int
) -> HttpResponse:
    """Show what a line's part was quoted for before; POST takes a price or cost."""
    line = get_editable_line(request, pk, line_pk)
    memory = remember(line, timezone.now())
    if request.method == "POST":
        chosen = next(
            (
                one.line
                for one in memory.entries
                if str(one.line.pk) == request.POST.get("from", "")
            ),
            None,
        )
        if chosen is None:
            raise QuoteError("That price is not there any more.")
        take_remembered(request, line, chosen)
        return to_builder(line.revision, f"line-{line.pk}")
    context = {
        "revision": line.revision,
        "line": line,
        "number": number_of(line),
        "memory": memory,
    }
    return render(request, "quotes/desk/prices.html", context)


def take_remembered(
    request: AuthenticatedHttpRequest, line: Line, chosen: Line
) -> None:
    """Write an earlier line's price or cost on a line, as if it had been typed."""
    name = "unit_cost" if request.POST.get("take") == "cost" else "unit_price"
    is_foreign = chosen.revision.currency != line.revision.currency
    if name == "unit_price" and is_foreign:
        raise QuoteError(f"That price is in {chosen.revision.currency}.")
    try:
        save_line(
            line=line,
            changes={name: getattr(chosen, name)},
            version=line.row_version,
            by=request.user,
            now=timezone.now(),
        )
    except MoneyError as error:
        raise QuoteError(str(error)) from error


@require_http_methods(["GET", "HEAD", "POST"])
@builder_only
@tell_refusal
def quote_reprice(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Show old and new cost, price and margin by line; POST writes what was ticked."""
    revision = get_editable(request, pk)
    message, status = "", 200
    if request.method == "POST":
        try:
            count = repricing.take_movements(
                revision=revision,
                picks=read_picks(request),
                by=request.user,
                now=timezone.now(),
            )
        except (QuoteError, MoneyError) as error:
            message, status = str(error), 422
            revision = get_editable(request, pk)
        else:
            messages.success(request, f"{count} line{'s'[: count != 1]} re-priced.")
            return to_builder(revision, "lines")
    context = {
        "revision": revision,
        "movements": repricing.find_movements(revision, timezone.now()),
        "message": message,
    }
    return render(request, "quotes/desk/reprice.html", context, status=status)


def read_picks(request: AuthenticatedHttpRequest) -> list[tuple[int, int]]:
    """Read ticked lines, each "id:version"; what cannot be read is not picked."""
    picks = []
    for text in request.POST.getlist("line"):
        pk, _, version = text.partition(":")
        if read_id(pk) and read_id(version):
            picks.append((read_id(pk), read_id(version)))
    return picks


@require_http_methods(["GET", "HEAD", "POST"])
@builder_only
@tell_refusal
def quote_copy(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Find an earlier quote, tick its lines, and copy them."""
    revision = get_editable(request, pk)
    source = find_source(request, revision)
    message, status = "", 200
    if request.method == "POST" and source is not None:
        ticked = set(request.POST.getlist("line"))
        try:
            count = library.copy_lines(
                revision=revision,
                source=source,
                lines=[x for x in source.lines_in_order() if str(x.pk) in ticked],
                with_prices=request.POST.get("prices") == "with",
                by=request.user,
                now=timezone.now(),
            )
        except QuoteError as error:
            message, status = str(error), 422
        else:
            messages.success(request, f"{count} line{'s'[: count != 1]} copied.")
            return to_builder(revision, "lines")
    words = INVISIBLE.sub("", request.GET.get("q", "")).strip()[:100]
    context = {
        "revision": revision,
        "words": words,
        "found": find_quotes(request, revision, words) if source is None else [],
        "source": source,
        "source_lines": source.lines_in_order() if source else [],
        "message": message,
    }
    return render(request, "quotes/desk/copy.html", context, status=status)


def find_source(
    request: AuthenticatedHttpRequest, revision: Revision
) -> Revision | None:
    """Return the earlier quote that the address names, with its lines."""
    text = request.GET.get("from", "")
    if not read_id(text):
        return None
    rows = earlier_quotes(request, revision).prefetch_related("lines", "sections")
    return get_object_or_404(rows, pk=int(text))


def earlier_quotes(
    request: AuthenticatedHttpRequest, revision: Revision
) -> QuerySet[Revision]:
    rows = Revision.objects.visible_to(request.user).exclude(pk=revision.pk)
    rows = rows.exclude(status=RevisionStatus.SUPERSEDED).defer("content")
    return rows.select_related("quote__request")


def find_quotes(
    request: AuthenticatedHttpRequest, revision: Revision, words: str
) -> list[Revision]:
    """Return the newest quotes whose number, customer or lines hold the words.

    Without words, the same customer's.
    """
    rows = earlier_quotes(request, revision)
    if words:
        lines = Line.objects.filter(
            Q(mpn__icontains=words) | Q(description__icontains=words)
        )
        rows = rows.filter(
            Q(quote__number__icontains=words)
            | Q(quote__request__number__icontains=words)
            | Q(quote__request__company__icontains=words)
            | Q(pk__in=lines.values("revision"))
        )
    else:
        asked = revision.quote.request
        rows = rows.filter(quote__request__email__iexact=asked.email)
    return list(rows.order_by("-pk")[:FOUND])


@require_POST
@builder_only
@tell_refusal
def lines_fill(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Give every line that lacks a lead time or a warranty the one that was typed."""
    revision = get_editable(request, pk)
    form = FillForm(request.POST)
    if not form.is_valid():
        raise QuoteError(" ".join(first_errors(form).values()))
    typed = form.cleaned_data
    count = fill_in(
        revision=revision,
        weeks=(typed["fill_from"], typed["fill_to"]),
        warranty=typed["fill_warranty"].strip(),
        by=request.user,
        now=timezone.now(),
    )
    messages.success(request, f"{count} line{'s'[: count != 1]} filled in.")
    return to_builder(revision, "lines")


@require_POST
@builder_only
@tell_refusal
def template_save(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Keep this quote's lines and sections as a template."""
    revision = get_editable(request, pk)
    template = library.save_template(
        revision=revision,
        name=request.POST.get("name", ""),
        by=request.user,
        now=timezone.now(),
    )
    messages.success(request, f"Kept as the template “{template}”.")
    return to_builder(revision, "lines")


@require_POST
@builder_only
@tell_refusal
def template_insert(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Put a template's lines into the quote."""
    revision = get_editable(request, pk)
    text = request.POST.get("template", "")
    kept = QuoteTemplate.objects.filter(removed_at=None)
    template = kept.filter(pk=read_id(text)).first()
    if template is None:
        raise QuoteError("Choose a template.")
    count = library.insert_template(
        revision=revision,
        template=template,
        with_prices=request.POST.get("prices") == "with",
        by=request.user,
        now=timezone.now(),
    )
    messages.success(request, f"{count} line{'s'[: count != 1]} of “{template}” added.")
    return to_builder(revision, "lines")


@require_safe
@staff_only
def templates(request: AuthenticatedHttpRequest) -> HttpResponse:
    """List the templates, with what is in them."""
    every = list(QuoteTemplate.objects.select_related("by"))
    removed = request.GET.get("removed", "")
    context: dict[str, Any] = {
        "templates": [one for one in every if one.removed_at is None],
        "removed": next(
            (x for x in every if x.removed_at and f"{x.pk}" == removed), None
        ),
    }
    return render(request, "quotes/desk/templates.html", context)


@require_POST
@builder_only
def template_change(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Rename a template, take it away, or put it back."""
    template = get_object_or_404(QuoteTemplate, pk=pk)
    query = ""
    try:
        match request.POST.get("to"):
            case "rename":
                name = request.POST.get("name", "")
                library.rename_template(template=template, name=name)
            case "remove":
                library.remove_template(template=template, now=timezone.now())
                query = f"?removed={template.pk}"
            case "restore":
                library.restore_template(template=template)
    except QuoteError as error:
        messages.error(request, str(error))
    return redirect(reverse("desk:templates") + query)
