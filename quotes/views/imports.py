"""A list of parts, uploaded or pasted: seen row by row before anything is added."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from quotes.errors import QuoteError
from quotes.list_files import read_list
from quotes.services import imports
from quotes.sheets import (
    MAX_CELL,
    MAX_ROWS,
    SheetRow,
    find_rows,
    read_pasted,
)
from quotes.views.basket import current_basket, open_basket, refresh_count, show_basket
from sourceit.access import client_address
from sourceit.http import HttpRequest
from sourceit.limits import RateLimited, check_rate

BASKET = "quotes:basket"
FIELDS = ("part", "quantity", "description", "note", "target")


@require_POST
def basket_upload(request: HttpRequest) -> HttpResponse:
    """Read an uploaded list and show what would become of its rows."""
    file = request.FILES.get("list")
    if file is None:
        return show_basket(request, problem="Choose a list first.", anchor="list")
    try:
        check_rate("lists", client_address(request), limit=60, seconds=3600)
        rows = find_rows(read_list(file))
        _need_rows(rows)
    except (QuoteError, RateLimited) as error:
        return show_basket(request, problem=f"{file.name}: {error}", anchor="list")
    return _preview(request, rows, file.name or "")


@require_POST
def basket_paste(request: HttpRequest) -> HttpResponse:
    """Read pasted rows and show what would become of them."""
    text = request.POST.get("rows", "")
    try:
        rows = read_pasted(text)
        _need_rows(rows)
    except QuoteError as error:
        return show_basket(request, problem=str(error), anchor="rows", pasted_text=text)
    return _preview(request, rows, "")


def _need_rows(rows: list[SheetRow]) -> None:
    if not rows:
        raise QuoteError("No row with a part number or a description was found.")
    if len(rows) > MAX_ROWS:
        raise QuoteError(f"A list takes at most {MAX_ROWS:,} rows. Send it in parts.")


def _preview(
    request: HttpRequest,
    rows: list[SheetRow],
    name: str,
    *,
    problem: str = "",
    picks: dict[int, int] | None = None,
) -> HttpResponse:
    judged = imports.judge_rows(rows, picks)
    counts = imports.count_verdicts(judged)
    context = {
        "judged": judged,
        "counts": counts,
        "takes": len(judged) - counts[imports.Verdict.BAD],
        "table": json.dumps([asdict(row) for row in rows]),
        "name": name,
        "problem": problem,
    }
    page = "quotes/customer/basket_import.html"
    return render(request, page, context, status=422 if problem else 200)


@require_POST
def basket_import(request: HttpRequest) -> HttpResponse:
    """Add the rows that were seen, or look again with what was corrected."""
    rows = _corrected(_read_rows(request.POST.get("table", "")), request.POST)
    picks = _read_picks(request.POST)
    if "look" in request.POST:
        return _preview(request, rows, "", picks=picks)
    try:
        batch, count = imports.import_rows(
            basket=open_basket(request), rows=rows, picks=picks
        )
    except QuoteError as error:
        return _preview(request, rows, "", problem=str(error), picks=picks)
    refresh_count(request)
    return show_basket(request, imported=batch, imported_count=count)


@require_POST
def basket_undo(request: HttpRequest, batch: UUID) -> HttpResponse:
    """Take the whole list out again."""
    found = current_basket(request)
    if found is None or not found.lines.filter(batch=batch).exists():
        raise Http404
    try:
        count = imports.undo_import(basket=found, batch=batch, now=timezone.now())
        lines = "1 line" if count == 1 else f"{count:,} lines"
        messages.success(request, f"The list is out of your request again: {lines}.")
    except QuoteError as error:
        messages.error(request, str(error))
    refresh_count(request)
    return redirect(BASKET)


def _read_rows(text: str) -> list[SheetRow]:
    """Read the rows back that the preview carries; they are judged anew."""
    try:
        raw = json.loads(text)
        rows = [
            SheetRow(
                number=int(each["number"]),
                **{name: str(each.get(name, ""))[:MAX_CELL] for name in FIELDS},
            )
            for each in raw[:MAX_ROWS]
        ]
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise Http404 from error
    return rows


def _corrected(rows: list[SheetRow], post: QueryDict) -> list[SheetRow]:
    """Put corrected quantities and prices in their rows."""
    return [
        replace(
            row,
            quantity=post.get(f"quantity-{row.number}", row.quantity)[:MAX_CELL],
            target=post.get(f"target-{row.number}", row.target)[:MAX_CELL],
        )
        for row in rows
    ]


def _read_picks(post: QueryDict) -> dict[int, int]:
    picks = {}
    for name, value in post.items():
        number = name.removeprefix("pick-")
        if name != number and number.isdecimal() and str(value).isdecimal():
            picks[int(number[:9])] = int(str(value)[:18])
    return picks
