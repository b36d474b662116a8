"""Tables as CSV that a spreadsheet opens as text and numbers, never as formulas."""

from __future__ import annotations

import csv
from collections.abc import Iterable

from django.http import HttpResponse

# Without this mark Excel reads the file in the wrong character set.
BYTE_ORDER_MARK = "\ufeff"
# OWASP, "CSV injection": a cell that starts so may be run.
_RUNS = ("=", "+", "-", "@", "\t", "\r")


def safe_cell(value: object) -> object:
    """Keep a spreadsheet from running a text as a formula; numbers stay numbers."""
    if isinstance(value, str) and value.startswith(_RUNS):
        return f"'{value}"
    return value


def csv_response(
    name: str, headings: Iterable[str], rows: Iterable[Iterable[object]]
) -> HttpResponse:
    """Return a table as an attached CSV file called `name`."""
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response.write(BYTE_ORDER_MARK)
    writer = csv.writer(response)
    writer.writerow(headings)
    writer.writerows([safe_cell(value) for value in row] for row in rows)
    return response
