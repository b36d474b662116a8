"""A design as files: parts and cabling for spreadsheets, JSON, and the drawing."""

from __future__ import annotations

import csv
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from itertools import islice
from typing import IO, Any

from django.http import FileResponse, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.text import slugify
from xlsxwriter import Workbook

from fabrics.drawing import PRINT, floor_svg, topology_svg
from fabrics.engine import (
    CABLE_HEADINGS,
    CABLE_NETWORKS,
    FabricDesign,
    cable_count,
    cabling,
    network_counts,
)
from fabrics.figures import design_name, read_design
from fabrics.headline import Result
from fabrics.services import BomRow
from sourceit.cells import BYTE_ORDER_MARK, safe_cell

PARTS_HEADINGS = (
    "Network",
    "Part",
    "Ordering number",
    "Maker",
    "Description",
    "Quantity",
    "How we got it",
    "Source",
    "Supply",
    "Listed price each with GST (SGD)",
)
# A worksheet holds 1,048,576 rows, and takes about 10 seconds for so many as this.
MOST_XLSX_CABLES = 100_000
_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_CHUNK = 500


class ExportError(Exception):
    """A file that is not made; the message says what to take instead."""


def parts_rows(rows: Iterable[BomRow]) -> Iterator[tuple[object, ...]]:
    for row in rows:
        yield (
            row.section,
            row.part,
            row.opn,
            row.maker,
            row.description,
            row.quantity,
            row.because,
            row.source.text if row.source else "",
            row.supply_label,
            row.price.inclusive if row.price else "",
        )


def parts_csv(result: Result, rows: Iterable[BomRow]) -> HttpResponse:
    response = _attached(result, "parts.csv", "text/csv; charset=utf-8")
    response.write(BYTE_ORDER_MARK)
    writer = csv.writer(response)
    writer.writerow(PARTS_HEADINGS)
    for row in parts_rows(rows):
        writer.writerow([safe_cell(value) for value in row])
    return response


def parts_xlsx(result: Result, rows: Iterable[BomRow]) -> HttpResponse:
    """The parts list, the figures with their checks, and the documents cited."""
    view = read_design(result)
    figures = [*view.headline, *view.bandwidth, *view.site]
    notes = [(item.label, item.value, item.note) for item in figures]
    notes += [("Not known", text, "") for text in view.not_known]
    checks = [
        (group.level, line.message, line.source.text if line.source else "")
        for group in view.groups
        for line in group.lines
    ]
    sources = [(ref.number, ref.text, ref.url) for ref in view.sources]
    file = BytesIO()
    with _workbook(file) as book:
        widths = (20, 18, 22, 10, 58, 10, 52, 60, 18, 20)
        _sheet(book, "Parts", PARTS_HEADINGS, parts_rows(rows), widths)
        _sheet(book, "Figures", ("Figure", "Value", "Note"), notes, (30, 40, 50))
        _sheet(book, "Checks", ("Level", "Check", "Source"), checks, (10, 90, 60))
        _sheet(book, "Sources", ("No.", "Document", "Address"), sources, (6, 80, 80))
    response = _attached(result, "parts.xlsx", _XLSX)
    response.write(file.getvalue())
    return response


def design_json(result: Result) -> HttpResponse:
    response = _attached(result, "design.json", "application/json")
    response.write(json.dumps(result, indent=2, ensure_ascii=False))
    return response


def drawing_file(result: Result, name: str, svg: str) -> HttpResponse:
    """A drawing with colours of its own, for a file that stands alone."""
    response = _attached(result, name, "image/svg+xml")
    response.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    response.write(svg)
    return response


def _topology_file(result: Result, design: FabricDesign) -> HttpResponse:
    return drawing_file(result, "topology.svg", topology_svg(design, skin=PRINT))


def _floor_file(result: Result, design: FabricDesign) -> HttpResponse:
    svg = floor_svg(design, skin=PRINT)
    if not svg:
        raise ExportError("This design has no floor plan. Give it racks a row first.")
    return drawing_file(result, "floor.svg", svg)


def cabling_csv(
    result: Result, design: FabricDesign, network: str = ""
) -> StreamingHttpResponse:
    """Every link, one row each, streamed: the list is never held in memory."""
    rows = cabling(design, CABLE_LISTS.get(network, ""))
    response = StreamingHttpResponse(
        _csv_chunks(rows), content_type="text/csv; charset=utf-8"
    )
    name = f"{network}-cabling.csv" if network else "cabling.csv"
    response["Content-Disposition"] = _disposition(result, name)
    return response


class _Echo:
    """A file that hands back what is written to it."""

    def write(self, text: str) -> str:
        return text


def _csv_chunks(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield BYTE_ORDER_MARK + str(writer.writerow(CABLE_HEADINGS))
    rows = iter(rows)
    while chunk := list(islice(rows, _CHUNK)):
        yield "".join(str(writer.writerow(row)) for row in chunk)


def cabling_xlsx(
    result: Result, design: FabricDesign, network: str = ""
) -> FileResponse:
    """A worksheet for each network, written row by row to a temporary file.

    Raises:
        ExportError: the list is too long for a worksheet.
    """
    only = CABLE_LISTS.get(network, "")
    count = cable_count(design, only)
    if count > MOST_XLSX_CABLES:
        raise ExportError(
            f"{count:,} links are too many for one worksheet. Take the CSV instead."
        )
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the response closes it
    widths = (12, 18, 16, 9, 22, 14, 16, 9, 24, 12, 16, 8, 16)
    with _workbook(file, constant_memory=True) as book:
        for name in [only] if only else network_counts(design):
            _sheet(book, name, CABLE_HEADINGS, cabling(design, name), widths)
    file.seek(0)
    return FileResponse(
        file,
        as_attachment=True,
        filename=_filename(
            result, f"{network}-cabling.xlsx" if network else "cabling.xlsx"
        ),
        content_type=_XLSX,
    )


def _workbook(file: IO[bytes], **options: bool) -> Any:
    plain = {"strings_to_formulas": False, "strings_to_urls": False}
    return Workbook(file, {**plain, **options})


def _sheet(
    book: Any,
    name: str,
    headings: tuple[str, ...],
    rows: Iterable[tuple[object, ...]],
    widths: tuple[int, ...],
) -> None:
    sheet = book.add_worksheet(name)
    for column, width in enumerate(widths):
        sheet.set_column(column, column, width)
    sheet.freeze_panes(1, 0)
    sheet.write_row(0, 0, headings, book.add_format({"bold": True, "bottom": 1}))
    for number, row in enumerate(rows, start=1):
        sheet.write_row(number, 0, row)


def _attached(result: Result, name: str, content_type: str) -> HttpResponse:
    response = HttpResponse(content_type=content_type)
    response["Content-Disposition"] = _disposition(result, name)
    return response


def _disposition(result: Result, name: str) -> str:
    return f'attachment; filename="{_filename(result, name)}"'


def _filename(result: Result, name: str) -> str:
    return f"{slugify(design_name(result))}-{name}"


# What needs the parts with their products, and what needs the design sized anew.
FROM_PARTS: dict[str, Callable[[Result, Iterable[BomRow]], HttpResponse]] = {
    "parts.csv": parts_csv,
    "parts.xlsx": parts_xlsx,
}
FROM_DESIGN: dict[str, Callable[[Result, FabricDesign], HttpResponseBase]] = {
    "topology.svg": _topology_file,
    "floor.svg": _floor_file,
}
# Cabling lists take a network's name in the address, or none for all.
CABLE_LISTS = {"": "", **{slugify(name): name for name in CABLE_NETWORKS}}
CABLING: dict[str, Callable[[Result, FabricDesign, str], HttpResponseBase]] = {
    "cabling.csv": cabling_csv,
    "cabling.xlsx": cabling_xlsx,
}
