"""Excel workbooks that people send, read as rows of values; hostile ones are refused.

The reader is a compiled library. It makes room for the whole area that the cells of a
sheet span, and for as many strings as a file says it has: a file of a kilobyte would
end the process. What it did not expect it answers with a panic, which is no
`Exception`. So places and counts are looked at first, and a panic is told like any
other fault.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Sequence
from xml.parsers import expat

from python_calamine import CalamineError, CalamineWorkbook

# The area that the cells of one sheet may span.
MAX_CELLS = 2_000_000
MOST_ROWS = 1_048_576
# What the reader and the zip file say of broken data; RuntimeError is a password.
BROKEN = (
    *(CalamineError, zipfile.BadZipFile, zlib.error, EOFError, OSError),
    *(NotImplementedError, OverflowError, RuntimeError, ValueError),
)
_CELL = re.compile(r"([A-Za-z]{1,3})([0-9]{1,7})")
_ROW = re.compile(r"[0-9]{1,7}")
_COUNT = re.compile(r"[0-9]{1,9}")


class BadWorkbook(Exception):
    """The workbook cannot be read; the message tells a person what to do."""

    def __init__(self, words: str = "") -> None:
        super().__init__(words or "This list cannot be read. Save it as CSV or XLSX.")


def read_workbook(data: bytes) -> list[Sequence[object]]:
    """Return the rows of the first sheet that is not empty, from its first cell on.

    The caller has bounded what `data` unpacks to (`sourceit.file_types`).

    Raises:
        BadWorkbook: broken, or its cells lie too far apart.
    """
    try:
        _check_parts(data)
        return _read(data)
    except (
        CalamineError,
        ValueError,
        OSError,
        zlib.error,
        zipfile.BadZipFile,
    ) as error:
        raise BadWorkbook from error
    except BaseException as error:
        # A panic of the reader's derives from BaseException and has no name to import.
        if type(error).__name__ != "PanicException":
            raise
        raise BadWorkbook from error


def _read(data: bytes) -> list[Sequence[object]]:
    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    for name in book.sheet_names:
        rows = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
        if any(cell != "" for row in rows for cell in row):
            return list(rows)
    return []


def _check_parts(data: bytes) -> None:
    """Look at every part with cells or strings, wherever in the file it lies."""
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        if "content.xml" in book.namelist():
            raise BadWorkbook  # the reader would take it for an OpenDocument sheet
        for info in book.infolist():  # two parts may have one name
            part = book.read(info)
            if b"sheetData" in part or b"uniqueCount" in part:
                _Extent().read(part)


class _Extent:
    """Follows the cells of a sheet as the reader places them, and counts of strings."""

    def __init__(self) -> None:
        self.row = self.column = 1
        self.last_row = self.last_column = self.cells = 0

    def read(self, part: bytes) -> None:
        # As the reader does: UTF-8, whatever the part declares.
        parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        # A document type could give cells places that the reader does not see.
        parser.StartDoctypeDeclHandler = _refuse
        try:
            parser.Parse(part, True)
        except expat.ExpatError as error:
            raise BadWorkbook from error

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        strings = attributes.get("uniqueCount", "0")
        if not _COUNT.fullmatch(strings) or int(strings) > MAX_CELLS:
            raise BadWorkbook
        name, place = name.rpartition(":")[2], attributes.get("r")
        if name == "row" and place is not None:
            self._go_to(_row_of(place), self.column)
        elif name == "c":
            row, column = self.row, self.column
            if place is not None:
                row, column = _place_of(place)
            self.cells += 1
            self._count(row, column)
            self.column = column + 1

    def _end(self, name: str) -> None:
        if name.rpartition(":")[2] == "row":
            self._go_to(self.row + 1, 1)

    def _go_to(self, row: int, column: int) -> None:
        if row > MOST_ROWS + 1:
            raise BadWorkbook
        self.row, self.column = row, column

    def _count(self, row: int, column: int) -> None:
        self.last_row = max(self.last_row, row)
        self.last_column = max(self.last_column, column)
        if max(self.last_row * self.last_column, self.cells) > MAX_CELLS:
            words = "The cells of this list lie too far apart. Save it as CSV."
            raise BadWorkbook(words)


def _refuse(*_args: object) -> None:
    raise BadWorkbook


def _row_of(place: str) -> int:
    if not _ROW.fullmatch(place) or not int(place):
        raise BadWorkbook
    return int(place)


def _place_of(place: str) -> tuple[int, int]:
    """Return row and column of "B4", from 1."""
    match = _CELL.fullmatch(place)
    if match is None:
        raise BadWorkbook
    column = 0
    for letter in match[1].upper():
        column = column * 26 + ord(letter) - 64
    return _row_of(match[2]), column
