"""Workbooks that are broken, or made to break the reader, are refused in words."""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quotes import workbooks
from quotes.workbooks import BadWorkbook, read_workbook
from tests.files import workbook_with, xlsx_bytes, zip_bytes

SHEET = "xl/worksheets/sheet1.xml"
FAR = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'


def parts_of(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        return {name: book.read(name) for name in book.namelist()}


def changed(part: str, old: bytes, new: bytes) -> bytes:
    """A good workbook with one thing of one part changed."""
    parts = parts_of(xlsx_bytes())
    assert old in parts[part]
    return zip_bytes(parts | {part: parts[part].replace(old, new, 1)})


def test_the_first_sheet_with_something_in_it_is_read() -> None:
    assert read_workbook(xlsx_bytes([("A", 2)])) == [["A", 2.0]]


@pytest.mark.parametrize(
    "inside",
    [
        FAR,
        b"<row/>" * 1_000_000 + b'<row><c r="C1000001"/></row>',
        b'<row><c r="ALL1"/>' + b"<c/>" * 1_000 + b'</row><c r="A1048576"/>',
    ],
    ids=["a cell far out", "empty rows", "cells without a place"],
)
def test_cells_that_lie_far_apart_are_refused_before_there_is_room_for_them(
    inside,
) -> None:
    with pytest.raises(BadWorkbook, match="too far apart"):
        read_workbook(changed(SHEET, b"<sheetData>", b"<sheetData>" + inside))


def test_a_sheet_is_looked_at_wherever_it_lies() -> None:
    sheet = b"<worksheet><sheetData>" + FAR + b"</sheetData></worksheet>"

    with pytest.raises(BadWorkbook, match="too far apart"):
        read_workbook(workbook_with(elsewhere__one=sheet))


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        (SHEET, b'r="A1"', b'r="ZZZZZZZ1"'),
        (SHEET, b'r="A1"', b'r="A0"'),
        (SHEET, b'<row r="1"', b'<row r="4294967295"'),
        (SHEET, b"<worksheet", b'<!DOCTYPE c [<!ATTLIST c r CDATA "A1">]><worksheet'),
        (SHEET, b"</sheetData>", b""),
        ("xl/sharedStrings.xml", b'uniqueCount="3"', b'uniqueCount="4294967295"'),
        ("xl/sharedStrings.xml", b'uniqueCount="3"', b'uniqueCount="-1"'),
        ("xl/workbook.xml", b"<sheets>", b"<sheets"),
    ],
)
def test_what_the_reader_would_stumble_over_is_refused(part, old, new) -> None:
    with pytest.raises(BadWorkbook, match="cannot be read"):
        read_workbook(changed(part, old, new))


def test_a_sheet_of_another_kind_in_disguise_is_refused() -> None:
    book = workbook_with(**{"content.xml": b"<office/>"})

    with pytest.raises(BadWorkbook):
        read_workbook(book)


def test_a_panic_of_the_reader_is_told_as_a_fault(monkeypatch) -> None:
    panic = type("PanicException", (BaseException,), {})

    def fail(_data: object) -> None:
        raise panic("index out of bounds")

    monkeypatch.setattr(workbooks.CalamineWorkbook, "from_filelike", fail)

    with pytest.raises(BadWorkbook, match="cannot be read"):
        read_workbook(xlsx_bytes())


def test_what_ends_the_process_still_ends_it(monkeypatch) -> None:
    def stop(_data: bytes) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(workbooks, "_check_parts", stop)

    with pytest.raises(KeyboardInterrupt):
        read_workbook(xlsx_bytes())


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_workbook_with_any_bytes_changed_is_read_or_refused(data) -> None:
    parts = parts_of(xlsx_bytes())
    name = data.draw(st.sampled_from(sorted(parts)))
    at = data.draw(st.integers(0, len(parts[name])))
    gone = data.draw(st.integers(0, 30))
    put = data.draw(st.binary(max_size=20) | st.from_regex(rb"[0-9]{1,20}"))
    parts[name] = parts[name][:at] + put + parts[name][at + gone :]

    with suppress(BadWorkbook):
        read_workbook(zip_bytes(parts))
