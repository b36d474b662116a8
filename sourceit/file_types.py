"""What a file is, told by its bytes: never by its name or by what the browser says."""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from typing import BinaryIO

PDF = "application/pdf"
PNG = "image/png"
JPEG = "image/jpeg"
CSV = "text/csv"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

# The endings a file of each type may have; the first is the one it is stored with.
ENDINGS: dict[str, tuple[str, ...]] = {
    PDF: ("pdf",),
    PNG: ("png",),
    JPEG: ("jpg", "jpeg"),
    CSV: ("csv", "txt", "tsv"),
    XLSX: ("xlsx",),
}
WORDS = {PDF: "PDF", PNG: "PNG", JPEG: "JPEG", CSV: "CSV", XLSX: "Excel (XLSX)"}

# A workbook unpacks to several times its size; a bomb to a thousand times.
MAX_UNPACKED = 60 * 1024 * 1024
MAX_PARTS = 2_000
_BLOCK = 64 * 1024
_PNG_START = b"\x89PNG\r\n\x1a\n"
# Start-of-frame markers of JPEG: all of C0 to CF but the three that are tables.
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_MARKUP = re.compile(r"\s*<(?:!doctype|html|script|svg|\?xml|head|body)", re.IGNORECASE)


class BadFile(Exception):
    """The bytes are not what they begin as; the message tells a person what to do."""


def find_type(file: BinaryIO) -> str | None:
    """Return the media type of a file on the allow-list, or None.

    Raises:
        BadFile: it begins as one of them and is broken, or holds what could run.
    """
    file.seek(0)
    head = file.read(8)
    file.seek(0)
    if head.startswith(b"%PDF-"):
        _check_pdf(file)
        return PDF
    if head == _PNG_START:
        _check_png(file)
        return PNG
    if head.startswith(b"\xff\xd8\xff"):
        _check_jpeg(file)
        return JPEG
    if head.startswith(b"PK\x03\x04"):
        return XLSX if _is_workbook(file) else None
    return CSV if _is_text(file) else None


def read_text(data: bytes) -> str:
    """Decode a text file: UTF-8, UTF-16 with a mark, else what Excel writes (CP1252).

    Raises:
        BadFile: it holds bytes that no text has.
    """
    encodings: tuple[str, ...] = ("utf-8-sig", "cp1252")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ("utf-16",)
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not re.search("[\x00-\x08\x0e-\x1f\x7f]", text):
            return text
    raise BadFile("This file is not text. Save it as CSV (UTF-8) and try again.")


def _check_pdf(file: BinaryIO) -> None:
    """A whole PDF has a version in its first line and `startxref` near its end."""
    if not re.match(rb"%PDF-[12]\.[0-9]", file.read(16)):
        raise BadFile("This PDF cannot be read. Save it again and try once more.")
    size = file.seek(0, 2)
    file.seek(max(0, size - 2048))
    if b"startxref" not in file.read():
        raise BadFile("This PDF is not complete. Save it again and try once more.")


def _check_png(file: BinaryIO) -> None:
    """The first chunk is the header: 13 bytes with a size that is not nought."""
    chunk = file.read(33)[8:]
    if len(chunk) == 25 and chunk[:8] == b"\x00\x00\x00\x0dIHDR":
        width, height = struct.unpack(">II", chunk[8:16])
        (checksum,) = struct.unpack(">I", chunk[21:25])
        if width and height and checksum == zlib.crc32(chunk[4:21]):
            return
    raise BadFile("This picture cannot be read. Save it again and try once more.")


def _check_jpeg(file: BinaryIO) -> None:
    """Walk the markers to the frame that tells the picture's size."""
    file.seek(2)
    for _ in range(200):
        mark = file.read(4)
        if len(mark) < 4 or mark[0] != 0xFF:
            break
        length = int.from_bytes(mark[2:4], "big")
        if mark[1] in _FRAMES:
            frame = file.read(5)
            if len(frame) == 5 and frame[1:3] != b"\0\0" and frame[3:5] != b"\0\0":
                return
            break
        file.seek(length - 2, 1)
    raise BadFile("This picture cannot be read. Save it again and try once more.")


def _is_workbook(file: BinaryIO) -> bool:
    """True for an Excel workbook; other zip files are not ours to take.

    Raises:
        BadFile: it is damaged, locked, holds macros, or unpacks to too much.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            names = {info.filename for info in archive.infolist()}
            if "xl/workbook.xml" not in names or "[Content_Types].xml" not in names:
                return False
            if any(_may_run(name) for name in names):
                raise BadFile("This workbook holds macros. Save it as plain XLSX.")
            _unpack(archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise BadFile("This workbook is damaged. Save it again.") from error
    except RuntimeError as error:  # zipfile says so of an entry with a password
        raise BadFile("This workbook is locked. Save it without password.") from error
    return True


def _may_run(name: str) -> bool:
    low = name.lower()
    return (
        low.endswith((".bin", ".exe", ".js", ".vbs")) and "printersettings" not in low
    )


def _unpack(archive: zipfile.ZipFile) -> None:
    """Read every part to its end, counting: what a zip file declares may be a lie."""
    infos = archive.infolist()
    left = MAX_UNPACKED
    if len(infos) > MAX_PARTS or sum(info.file_size for info in infos) > left:
        raise BadFile("This workbook is too large inside. Send fewer rows.")
    for info in infos:
        with archive.open(info) as part:
            while block := part.read(_BLOCK):
                left -= len(block)
                if left < 0:
                    raise BadFile("This workbook is too large inside. Send fewer rows.")


def _is_text(file: BinaryIO) -> bool:
    """True for plain text that is no markup: a browser must find nothing to run."""
    try:
        text = read_text(file.read())
    except BadFile:
        return False
    return bool(text.strip()) and not _MARKUP.match(text)
