"""A quotation's lines as a table for spreadsheets, from its frozen content alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from io import BytesIO
from typing import Any

from django.http import HttpResponse
from xlsxwriter import Workbook

from quotes.pricing import TAX_REASONS, Kind
from sourceit.cells import csv_response, safe_cell

Content = Mapping[str, Any]
Cell = str | Decimal

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
HEADINGS = (
    "No.",
    "Section",
    "Counted as",
    "Maker",
    "Part number",
    "Our part number",
    "Description",
    "Quantity",
    "Unit",
    "Unit price before GST",
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
_AMOUNT = HEADINGS.index("Amount before GST")
_CURRENCY = HEADINGS.index("Currency")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


def line_rows(content: Content) -> Iterator[tuple[Cell, ...]]:
    """Yield a row under `HEADINGS` for each line, then the totals, exact and as shown.

    Numbers are Decimals; what a person wrote is text.
    """
    for section in content["sections"]:
        for line in section["lines"]:
            yield _row(line, section["title"], content["currency"])
    for line in content["options"]:
        yield _row(line, "", content["currency"])
    yield from _total_rows(content)


def _row(line: Content, section: str, currency: str) -> tuple[Cell, ...]:
    is_text = line["kind"] == Kind.TEXT
    return (
        Decimal(line["number"]),
        section,
        COUNTED.get(Kind(line["kind"]), ""),
        line["maker"],
        line["mpn"],
        line.get("our_part", ""),
        line["description"],
        "" if is_text else _number(line["quantity"]),
        "" if is_text else line["unit"],
        _number(line["unit_price"]),
        "" if is_text else _number(line["discount_percent"]),
        _number(line["net"]),
        currency if line["net"] else "",
        "" if is_text else TAX_REASONS[line["tax"]],
        line["lead_time"],
        line["warranty"],
        line.get("origin", ""),
        line.get("hs_code", ""),
        line["note"],
    )


def _total_rows(content: Content) -> Iterator[tuple[Cell, ...]]:
    totals, currency = content["totals"], content["currency"]
    if not content["is_complete"]:
        yield _total("No total: some lines are on request", "", "")
        return
    if totals.get("discount"):
        yield _total("Lines together", _number(totals["subtotal"]), currency)
        yield _total("Discount", -Decimal(totals["discount"]), currency)
    yield _total("Total before GST", _number(totals["net"]), currency)
    yield _total("GST", _number(totals["gst"]), currency)
    if Decimal(totals["rounding"]):
        yield _total("Rounding", _number(totals["rounding"]), currency)
    yield _total("Total including GST", _number(totals["gross"]), currency)
    sgd, fx = totals.get("sgd"), content.get("fx")
    if sgd and fx:
        rate = f"S${fx['rate']} for 1 {currency}, {fx['source']}, {fx['on']}"
        yield _total(f"Total before GST at {rate}", _number(sgd["net"]), "SGD")
        yield _total("GST in S$", _number(sgd["gst"]), "SGD")
        yield _total("Total including GST in S$", _number(sgd["gross"]), "SGD")


def _total(words: str, amount: Cell, currency: str) -> tuple[Cell, ...]:
    cells: list[Cell] = [""] * len(HEADINGS)
    cells[HEADINGS.index("Description")] = words
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
    return f"SourceIT-Quotation-{number}-r{content['revision']}-lines.{ending}"
