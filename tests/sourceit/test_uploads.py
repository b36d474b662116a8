"""What is taken, what is refused, how it is stored and handed out."""

from __future__ import annotations

import io
import os
from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.base import ContentFile
from hypothesis import given
from hypothesis import strategies as st

from sourceit import file_types
from sourceit.file_types import CSV, ENDINGS, JPEG, PDF, PNG, XLSX, BadFile, find_type
from sourceit.models import Upload
from sourceit.uploads import (
    UploadRefused,
    check_upload,
    remove_upload,
    restore_upload,
    safe_name,
    serve_upload,
    store_upload,
    tell_size,
    tidy_uploads,
    uploads_of,
)
from tests.files import (
    HTML_BYTES,
    JPEG_BYTES,
    PDF_BYTES,
    PNG_BYTES,
    upload,
    workbook_with,
    xlsx_bytes,
    zip_bytes,
)

NOW = datetime(2026, 12, 1, 2, tzinfo=UTC)
GOOD = {
    "po.pdf": (PDF_BYTES, PDF),
    "rack.PNG": (PNG_BYTES, PNG),
    "site.jpeg": (JPEG_BYTES, JPEG),
    "parts.csv": (b"part,qty\r\nA-1,2\r\n", CSV),
    "caf\u00e9.csv": ("caf\u00e9;2".encode("cp1252"), CSV),
    "utf16.csv": ("part\tqty".encode("utf-16"), CSV),
    "parts.xlsx": (xlsx_bytes(), XLSX),
}
BAD = {
    "page.pdf": HTML_BYTES,
    "page.csv": HTML_BYTES,
    "drawing.csv": b"  <svg onload='alert(1)'/>",
    "script.png": b"\x89PNG\r\n\x1a\n" + HTML_BYTES,
    "half.png": PNG_BYTES[:20],
    "half.jpg": JPEG_BYTES[:12],
    "half.pdf": PDF_BYTES[:20],
    "old.pdf": b"%PDF-<script>startxref",
    "late.pdf": b" " + PDF_BYTES,
    "binary.csv": bytes(range(256)),
    "program.xlsx": b"MZ\x90\x00",
    "archive.xlsx": zip_bytes({"a.txt": b"a"}),
    "broken.xlsx": xlsx_bytes()[:400],
    "macros.xlsx": workbook_with(**{"xl__vbaProject.bin": b"x"}),
    "picture.pdf": PNG_BYTES,
    "run.exe": b"MZ\x90\x00",
    "noending": PDF_BYTES,
    "double.pdf.html": PDF_BYTES,
    "empty.csv": b"",
}


@pytest.mark.parametrize("name", GOOD)
def test_a_file_of_the_list_is_taken_by_its_bytes(name):
    data, content_type = GOOD[name]

    assert check_upload(upload(name, data)) == content_type


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_pretends_is_refused(name):
    with pytest.raises(UploadRefused):
        check_upload(upload(name, BAD[name]))


def test_the_refusal_tells_size_and_limit():
    big = upload("big.pdf", PDF_BYTES)
    big.size = 14 * 1024 * 1024

    with pytest.raises(UploadRefused) as caught:
        check_upload(big)

    assert str(caught.value) == "This file is 14 MB. The limit is 10 MB."


def test_a_workbook_that_unpacks_to_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(file_types, "MAX_UNPACKED", 100_000)
    bomb = workbook_with(xl__sheet1__xml=b"0" * 200_000)

    with pytest.raises(UploadRefused, match="too large inside"):
        check_upload(upload("bomb.xlsx", bomb))


def test_a_workbook_that_lies_about_its_size_is_refused():
    bomb = bytearray(workbook_with(xl__sheet1__xml=b"0" * 200_000))
    true_size = (200_000).to_bytes(4, "little")
    assert bomb.count(true_size) == 2
    lied = bytes(bomb).replace(true_size, (10).to_bytes(4, "little"))

    with pytest.raises(UploadRefused, match="damaged"):
        check_upload(upload("lie.xlsx", lied))


@given(
    st.binary(max_size=300),
    st.sampled_from([b"", b"%PDF-1.4", PNG_BYTES[:16], b"PK\3\4"]),
)
def test_any_bytes_are_told_or_refused(data, start):
    try:
        told = find_type(io.BytesIO(start + data))
    except BadFile as error:
        told = str(error)

    assert told is None or told in ENDINGS or told.startswith("This ")


@given(st.text(max_size=300), st.sampled_from(sorted(ENDINGS)))
def test_a_safe_name_is_short_and_holds_no_path(name, content_type):
    safe = safe_name(name, content_type)

    assert len(safe) <= 120
    assert safe.rpartition(".")[2] in ENDINGS[content_type]
    assert not set(safe) & set('/\\\r\n\0"<>:|')
    assert not safe.startswith(".")


def test_sizes_are_written_as_people_say_them():
    assert [tell_size(n) for n in (1, 327_680, 10_700_000)] == [
        "1 KB",
        "320 KB",
        "10.2 MB",
    ]


@pytest.mark.django_db
def test_a_stored_file_has_a_random_name_and_its_hash(sam, settings):
    stored = store_upload(
        upload("../My PO.pdf", PDF_BYTES), subject=sam, kind="po", by=sam, now=NOW
    )

    assert stored.name == "My PO.pdf"
    assert stored.size == len(PDF_BYTES)
    assert "My" not in stored.file.name
    assert not stored.file.path.startswith(str(settings.MEDIA_ROOT))
    assert stored.file.path.startswith(str(settings.VAR_DIR / "private"))
    assert list(uploads_of(sam, kind="po")) == [stored]
    assert list(uploads_of(sam, kind="other")) == []


@pytest.mark.django_db
def test_a_served_file_is_an_attachment_that_is_not_sniffed(sam):
    stored = store_upload(
        upload("na\u00efve;name.csv", b"a,b"),
        subject=sam,
        kind="list",
        by=None,
        now=NOW,
    )

    response = serve_upload(stored)

    assert b"".join(response) == b"a,b"
    response.close()
    assert response["Content-Disposition"].startswith("attachment")
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Type"] == "text/csv"
    assert "sandbox" in response["Content-Security-Policy"]


@pytest.mark.django_db
def test_no_more_than_so_many_files(sam, settings):
    settings.UPLOAD_MAX_FILES = 1
    keep = {"subject": sam, "kind": "po", "by": sam, "now": NOW}
    first = store_upload(upload("a.pdf", PDF_BYTES), **keep)

    with pytest.raises(UploadRefused, match="At most 1 file"):
        store_upload(upload("b.pdf", PDF_BYTES), **keep)
    remove_upload(first, NOW)
    store_upload(upload("b.pdf", PDF_BYTES), **keep)
    with pytest.raises(UploadRefused):
        restore_upload(first)
    assert Upload.objects.count() == 2


@pytest.mark.django_db
def test_tidying_deletes_what_was_removed_and_what_no_row_knows(sam):
    keep = {"subject": sam, "kind": "po", "by": sam, "now": NOW}
    kept, removed, fresh = (
        store_upload(upload(f"{name}.pdf", PDF_BYTES), **keep) for name in "abc"
    )
    remove_upload(removed, NOW)
    remove_upload(fresh, NOW + timedelta(days=2))
    orphan = kept.file.storage.save("uploads/2026/12/lost.pdf", ContentFile(b"x"))
    long_ago = (NOW - timedelta(days=9)).timestamp()
    os.utime(kept.file.storage.path(orphan), (long_ago, long_ago))
    os.utime(kept.file.path, (long_ago, long_ago))

    # Other tests leave files whose rows were rolled back: they go too.
    assert tidy_uploads(NOW + timedelta(days=2)) >= 2

    assert set(Upload.objects.all()) == {kept, fresh}
    assert not kept.file.storage.exists(orphan)
    assert not kept.file.storage.exists(removed.file.name)
    assert kept.file.storage.exists(kept.file.name)
    assert fresh.file.storage.exists(fresh.file.name)
