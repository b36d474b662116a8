"""A quotation's lines as a table for spreadsheets, from its frozen content alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from io import BytesIO
from typing import Any

from django.http import HttpResponse
from xlsxwriter import Workbook

from quotes.offer_tables import break_rows
from quotes.pricing import TAX_REASONS, Kind
from sourceit.cells import csv_response, safe_cell
from sourceit.money import format_money

Content = Mapping[str, Any]
Cell = str | Decimal

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
HEADINGS = (
    "No.",
    "Section",
    "Counted as",
    "One of",
    "Maker",
    "Part number",
    "Our part number",
    "Description",
    "Quantity",
    "Unit",
    "Smallest quantity",
    "Largest quantity",
    "Quantity step",
    "Unit price before GST",
    "Price breaks",
    "Discount %",
    "Amount before GST",
    "Currency",
    "GST treatment",
    "Lead time",
    "Warranty",
    "Country of origin",
    "HS code",
    "Note",
)
COUNTED = {
    Kind.STANDARD: "In the total",
    Kind.OPTIONAL: "Option, not in the total",
    Kind.ALTERNATIVE: "Alternative, not in the total",
    Kind.TEXT: "Text",
}
ACCEPTED = "Accepted"
_COUNTED = HEADINGS.index("Counted as")
_AMOUNT = HEADINGS.index("Amount before GST")
_CURRENCY = HEADINGS.index("Currency")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


def line_rows(content: Content) -> Iterator[tuple[Cell, ...]]:
    """Yield a row under `HEADINGS` for each line, then the totals, exact and as shown.

    Numbers are Decimals; what a person wrote is text. Of a content that was accepted
    (`quotes.bought.accepted_content`) every row says so.
    """
    for section in content["sections"]:
        for line in section["lines"]:
            yield _row(content, line, section["title"])
    for line in content["options"]:
        yield _row(content, line, "")
    yield from _total_rows(content)
    if is_accepted(content):
        yield from _accepted_rows(content)


def is_accepted(content: Content) -> bool:
    return bool(content.get("accepted_on"))


def _row(content: Content, line: Content, section: str) -> tuple[Cell, ...]:
    is_text = line["kind"] == Kind.TEXT
    return (
        Decimal(line["number"]),
        section,
        _counted_as(content, line),
        line.get("choice", ""),
        line["maker"],
        line["mpn"],
        line.get("our_part", ""),
        line["description"],
        "" if is_text else _number(line["quantity"]),
        "" if is_text else line["unit"],
        *_range_cells(line),
        _number(line["unit_price"]),
        _break_words(line, content["currency"]),
        "" if is_text else _number(line["discount_percent"]),
        _number(line["net"]),
        content["currency"] if line["net"] else "",
        "" if is_text else TAX_REASONS[line["tax"]],
        line["lead_time"],
        line["warranty"],
        line.get("origin", ""),
        line.get("hs_code", ""),
        line["note"],
    )


def _counted_as(content: Content, line: Content) -> str:
    kind = Kind(line["kind"])
    if is_accepted(content) and kind == Kind.STANDARD:
        return ACCEPTED
    return COUNTED.get(kind, "")


def _range_cells(line: Content) -> tuple[Cell, ...]:
    """Return smallest, largest and step; empty where the quantity is fixed."""
    bounds = line.get("range")
    if not bounds:
        return ("", "", "")
    return tuple(_number(bounds[name]) for name in ("min", "max", "step"))


def _break_words(line: Content, currency: str) -> str:
    """Write the price breaks as the page does: "from 10 at S$95.00; ..."."""
    if not line.get("breaks"):
        return ""
    return "; ".join(
        f"{row['words']} at {format_money(Decimal(row['unit_price']), currency)}"
        for row in break_rows(line)
    )


def _total_rows(content: Content) -> Iterator[tuple[Cell, ...]]:
    counted = ACCEPTED if is_accepted(content) else ""
    if not content["is_complete"]:
        yield _total("No total: some lines are on request", "", "")
        return
    for words, amount, currency in _totals(content):
        yield _total(words, amount, currency, counted)


def _totals(content: Content) -> Iterator[tuple[str, Cell, str]]:
    """Yield each total: its words, its amount and its currency."""
    totals, currency = content["totals"], content["currency"]
    if totals.get("discount"):
        yield "Lines together", _number(totals["subtotal"]), currency
        yield "Discount", -Decimal(totals["discount"]), currency
    yield "Total before GST", _number(totals["net"]), currency
    yield "GST", _number(totals["gst"]), currency
    if Decimal(totals["rounding"]):
        yield "Rounding", _number(totals["rounding"]), currency
    yield "Total including GST", _number(totals["gross"]), currency
    sgd, fx = totals.get("sgd"), content.get("fx")
    if sgd and fx:
        rate = f"S${fx['rate']} for 1 {currency}, {fx['source']}, {fx['on']}"
        yield f"Total before GST at {rate}", _number(sgd["net"]), "SGD"
        yield "GST in S$", _number(sgd["gst"]), "SGD"
        yield "Total including GST in S$", _number(sgd["gross"]), "SGD"


def _accepted_rows(content: Content) -> Iterator[tuple[Cell, ...]]:
    """Say when it was accepted, and how that differs from what was quoted."""
    day = date.fromisoformat(content["accepted_on"])
    chosen = content.get("words") or ["as quoted"]
    for words in chosen:
        yield _total(f"Accepted on {day:%-d %b %Y}: {words}", "", "", ACCEPTED)


def _total(
    words: str, amount: Cell, currency: str, counted: str = ""
) -> tuple[Cell, ...]:
    cells: list[Cell] = [""] * len(HEADINGS)
    cells[HEADINGS.index("Description")] = words
    cells[_COUNTED] = counted
    cells[_AMOUNT], cells[_CURRENCY] = amount, currency
    return tuple(cells)


def _number(text: str) -> Cell:
    return Decimal(text) if _NUMBER.fullmatch(text) else ""


def lines_csv(content: Content) -> HttpResponse:
    """Return the lines as CSV; no cell can run as a formula."""
    return csv_response(file_name(content, "csv"), HEADINGS, line_rows(content))


def lines_xlsx(content: Content) -> HttpResponse:
    """Return the lines as an Excel file: numbers as numbers, all else as text."""
    file = BytesIO()
    book = Workbook(file, {"in_memory": True, "strings_to_formulas": False})
    sheet = book.add_worksheet("Lines")
    bold = book.add_format({"bold": True})
    sheet.write_row(0, 0, HEADINGS, bold)
    for y, row in enumerate(line_rows(content), start=1):
        for x, cell in enumerate(row):
            if isinstance(cell, Decimal):
                sheet.write_number(y, x, cell)
            else:
                sheet.write_string(y, x, str(safe_cell(cell)))
    sheet.freeze_panes(1, 0)
    sheet.autofit()
    book.close()
    response = HttpResponse(file.getvalue(), content_type=XLSX)
    name = file_name(content, "xlsx")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def file_name(content: Content, ending: str) -> str:
    number = content["number"] or "draft"
    what = "accepted" if is_accepted(content) else "lines"
    return f"SourceIT-Quotation-{number}-r{content['revision']}-{what}.{ending}"
