"""Lists of parts that people upload or paste: tables of text, columns and rows.

No database. Cells are text whatever they hold: a formula is its last value or its
words, and nothing of it is ever worked out here.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal

from quotes.errors import QuoteError
from quotes.typed import INVISIBLE, split_row
from quotes.workbooks import BadWorkbook, read_workbook
from sourceit.file_types import XLSX, BadFile, read_text

MAX_ROWS = 1_000
MAX_COLUMNS = 50
MAX_CELL = 2_000
# Headings are looked for in so many rows: lists begin with a title, a date, a blank.
HEADING_ROWS = 15

Table = list[list[str]]

# What people write above a column; a heading is compared without case and punctuation.
HEADINGS: dict[str, tuple[str, ...]] = {
    "part": (
        ("part number", "part no", "part", "partno", "mpn", "sku", "model", "item no")
        + ("item code", "product code", "code", "pn", "p n", "manufacturer part number")
        + ("mfr part number", "mfg part number", "article", "model number")
    ),
    "quantity": ("quantity", "qty", "qnty", "pcs", "units", "count", "no of units"),
    "description": (
        ("description", "item", "name", "product", "product name", "item description")
        + ("details", "specification")
    ),
    "note": ("note", "notes", "remark", "remarks", "comment", "comments"),
    "target": (
        ("target price", "target", "unit price", "price", "budget", "target unit price")
        + ("price each", "target price each", "target price sgd", "unit price sgd")
    ),
}
# What `write_rows` writes above its columns.
COLUMNS = {
    "part": "Part number",
    "quantity": "Quantity",
    "description": "Description",
    "note": "Note",
    "target": "Target price",
}
_WORD_OF = {word: name for name, words in HEADINGS.items() for word in words}


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRow:
    """One row of a list, as typed; `number` is its row in the sheet, from 1."""

    number: int
    part: str = ""
    quantity: str = ""
    description: str = ""
    note: str = ""
    target: str = ""


def read_table(data: bytes, content_type: str) -> Table:
    """Return the first sheet of a checked file as rows of text.

    Raises:
        QuoteError: it cannot be read, or holds more rows than a request has lines.
    """
    try:
        if content_type == XLSX:
            return _bound(read_workbook(data))
        return _bound(_read_csv(read_text(data)))
    except BadWorkbook as error:
        raise QuoteError(str(error)) from error
    except (BadFile, csv.Error) as error:
        raise QuoteError("This list cannot be read. Save it as CSV or XLSX.") from error


def split_pasted(text: str) -> Table:
    """Part what was pasted from a spreadsheet into cells.

    Raises:
        QuoteError: more rows than a request has lines, or a cell without an end.
    """
    try:
        return _bound(_read_csv(text))
    except csv.Error as error:
        raise QuoteError("These rows cannot be read. Paste fewer at a time.") from error


def write_rows(rows: Iterable[SheetRow]) -> str:
    """Write rows as text that `read_pasted` reads as the same ones."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    writer.writerow(COLUMNS.values())
    writer.writerows([getattr(row, name) for name in COLUMNS] for row in rows)
    return out.getvalue()


def read_pasted(text: str) -> list[SheetRow]:
    """Read pasted rows: with headings as a table, else each by its look.

    Raises:
        QuoteError: as `split_pasted` says.
    """
    table = split_pasted(text)
    if find_headings(table) is not None:
        return find_rows(table)
    rows = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            words, part, quantity, note = split_row(_plain(line))
            rows.append(
                SheetRow(
                    number=number,
                    part=part,
                    quantity=quantity,
                    description=words,
                    note=note,
                )
            )
    return rows


def find_rows(table: Table) -> list[SheetRow]:
    """Return the rows below the headings, or all of them where there are none.

    Without headings the columns are taken as part number, quantity, description, note,
    target price; a first column of numbers alone is the quantity.
    """
    found = find_headings(table)
    if found is None:
        first, columns, heads = 0, _guess_columns(table), ["-"] * MAX_COLUMNS
    else:
        first, columns, heads = found[0] + 1, found[1], table[found[0]]
    rows = []
    for number, cells in enumerate(table[first:], start=first + 1):
        values = {
            name: cells[at].strip()
            for name, at in columns.items()
            if at < len(cells) and cells[at].strip()
        }
        # A row of sums and remarks alone asks for nothing.
        if values.keys() & {"part", "description"}:
            values["note"] = _join_remarks(values.get("note", ""), cells, heads)
            rows.append(SheetRow(number=number, **values))
    return rows


def _join_remarks(note: str, cells: list[str], heads: list[str]) -> str:
    """Keep what stands in columns that nobody gave a heading: people remark there."""
    bare = [
        cell.strip()
        for at, cell in enumerate(cells)
        if cell.strip() and (at >= len(heads) or not heads[at].strip())
    ]
    return ", ".join([note, *bare] if note else bare)


def find_headings(table: Table) -> tuple[int, dict[str, int]] | None:
    """Return the row of headings and the column of each name; None without one."""
    for at, cells in enumerate(table[:HEADING_ROWS]):
        columns: dict[str, int] = {}
        for column, cell in enumerate(cells):
            name = _WORD_OF.get(_letters(cell))
            if name is not None:
                columns.setdefault(name, column)
        if len(columns) >= 2 and columns.keys() & {"part", "description"}:
            return at, columns
    return None


def _guess_columns(table: Table) -> dict[str, int]:
    names = ["part", "quantity", "description", "note", "target"]
    firsts = [cells[0].strip() for cells in table if cells and cells[0].strip()]
    if firsts and all(re.fullmatch(r"[\d,. ]{1,9}", cell) for cell in firsts):
        names[:2] = ["quantity", "part"]
    return {name: column for column, name in enumerate(names)}


def _letters(text: str) -> str:
    plain = re.sub(r"\(.*?\)", " ", text.lower()[:100])
    return " ".join(re.findall(r"[a-z]+", plain))


def _read_csv(text: str) -> Iterable[Sequence[object]]:
    head = text.splitlines()[:20]
    mark = max(("\t", ";", ","), key=lambda mark: sum(mark in line for line in head))
    return csv.reader(io.StringIO(text, newline=""), delimiter=mark)


def _bound(rows: Iterable[Sequence[object]]) -> Table:
    """Make text of every cell and keep to the limits."""
    table: Table = []
    filled = 0
    for row in rows:
        cells = [tell_cell(cell) for cell in row[:MAX_COLUMNS]]
        filled += any(cells)
        if filled > MAX_ROWS + HEADING_ROWS or len(table) > 100_000:
            raise QuoteError(
                f"A list takes at most {MAX_ROWS:,} rows. Send it in parts."
            )
        table.append(cells)
    return table


def tell_cell(value: object) -> str:
    """Write a cell as text: whole numbers without decimals, days as 2027-01-15."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        number = Decimal(repr(value))
        whole = number == number.to_integral_value() if number.is_finite() else False
        return f"{number:.0f}" if whole else f"{number:f}"
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return _plain(str(value))[:MAX_CELL] if value is not None else ""


def _plain(text: str) -> str:
    return INVISIBLE.sub(" ", text).strip()
