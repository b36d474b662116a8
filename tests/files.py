"""Small real files of each kind, and some that pretend."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterable

import xlsxwriter
from django.core.files.uploadedfile import SimpleUploadedFile

PDF_BYTES = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\nstartxref\n0\n%%EOF\n"
_HEADER = b"IHDR" + struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
PNG_BYTES = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"
    + _HEADER
    + struct.pack(">I", zlib.crc32(_HEADER))
    + b"\x00\x00\x00\x00IEND\xaeB`\x82"
)
JPEG_BYTES = (
    b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"
    b"\xff\xc0\x00\x11\x08\x00\x01\x00\x01\x03\x01\x11\x00\x02\x11\x00\x03\x11\x00\xff\xd9"
)
HTML_BYTES = b"<!doctype html><script>alert(1)</script>"


def xlsx_bytes(
    rows: Iterable[Iterable[object]] = (("Part", "Qty"), ("A-1", 2)),
) -> bytes:
    """A real workbook; a text that begins with "=" is a formula in it."""
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    sheet = book.add_worksheet()
    for n, row in enumerate(rows):
        sheet.write_row(n, 0, row)
    book.close()
    return out.getvalue()


def zip_bytes(parts: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def workbook_with(**parts: bytes) -> bytes:
    """A workbook's outline with more parts, each by its path with "__" for "/"."""
    more = {name.replace("__", "/"): data for name, data in parts.items()}
    return zip_bytes(
        {"[Content_Types].xml": b"<x/>", "xl/workbook.xml": b"<x/>", **more}
    )


def upload(name: str, data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def read_file(response) -> bytes:
    """The bytes of a file response, which is closed without the test's database."""
    data = b"".join(response)
    for close in response._resource_closers:
        close()
    return data
