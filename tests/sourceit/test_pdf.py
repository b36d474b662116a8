from __future__ import annotations

import gc
import io
from datetime import UTC, datetime

import pikepdf
import pytest
from pypdf import PdfReader

from sourceit import pdf as pdf_module
from sourceit.pdf import (
    MAX_HTML_CHARS,
    OwnFilesOnly,
    PdfError,
    render_parts,
    render_pdf,
)

NOW = datetime(2026, 12, 1, 2, tzinfo=UTC)


def render(body: str, **fields):
    html = f'<html lang="en-SG"><title>A test</title><body><h1>Test</h1>{body}'
    return render_pdf(html, **({"identifier": "test", "created": NOW} | fields))


def opened(pdf) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(pdf.data))


def test_the_same_input_gives_the_same_bytes():
    first = render("<p>Same")
    render("<p>Something else, so that a shared cache could differ: ÄÖ")
    again = render("<p>Same")

    assert first.data == again.data
    assert first.sha256 == again.sha256


def test_time_and_identifier_are_part_of_the_file():
    plain = render("<p>Same").sha256

    assert plain != render("<p>Same", identifier="other").sha256
    assert plain != render("<p>Same", created=NOW.replace(hour=3)).sha256


def test_it_is_a_tagged_pdf_with_language_and_title():
    with opened(render("<p>Hello")) as pdf:
        assert str(pdf.Root.Lang) == "en-SG"
        assert bool(pdf.Root.MarkInfo.Marked)
        assert "/StructTreeRoot" in pdf.Root
        assert bool(pdf.Root.ViewerPreferences.DisplayDocTitle)
        assert str(pdf.docinfo.Title) == "A test"
        assert str(pdf.docinfo.CreationDate) == "D:20261201020000Z"
        assert pdf.open_metadata()["pdfuaid:part"] == "1"


def test_fonts_are_embedded_subsets_of_inter():
    with opened(render("<p>Regular <b>bold</b> 123")) as pdf:
        names = [font_name(font) for font in fonts_of(pdf)]

    assert names
    assert all("+Inter" in name for name in names)


def fonts_of(pdf: pikepdf.Pdf):
    for page in pdf.pages:
        yield from page.resources.get("/Font", {}).values()


def font_name(font) -> str:
    described = font.DescendantFonts[0].FontDescriptor
    assert any(key in described for key in ("/FontFile2", "/FontFile3"))
    return str(described.FontName)


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest/meta-data/",
        "https://example.com/logo.png",
        "file:///etc/passwd",
        "/etc/passwd",
        "ftp://example.com/x",
        "static:../sourceit/settings.py",
        "static:css/../../manage.py",
        "static:/etc/passwd",
        "static:no-such-file.svg",
        "data:text/html,<b>x</b>",
        "data:image/png;base64," + "A" * 200_000,
    ],
)
def test_the_fetcher_refuses_everything_but_our_own_files(url):
    with pytest.raises(Exception, match=r"Only our own|No static file|located outside"):
        OwnFilesOnly().fetch(url)


def test_the_fetcher_reads_a_static_file_and_a_small_picture():
    assert OwnFilesOnly().fetch("static:css/pdf.css").content_type == "text/css"
    dot = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
    assert OwnFilesOnly().fetch(dot).read().startswith(b"GIF89a")


def test_a_picture_from_elsewhere_is_a_warning_and_not_a_request(monkeypatch):
    monkeypatch.setattr("socket.socket.connect", no_network)

    pdf = render('<img alt="x" src="http://127.0.0.1:1/x.png"><p>After it')

    assert any("127.0.0.1" in warning for warning in pdf.warnings)
    assert "After it" in PdfReader(io.BytesIO(pdf.data)).pages[0].extract_text()


def no_network(*args):
    raise AssertionError("the renderer must not reach the network")


def test_our_own_styles_raise_no_warning():
    pdf_module._prepared.cache_clear()
    with pdf_module._heard_warnings() as warnings:
        pdf_module._prepared()

    assert warnings == []


def test_what_is_beyond_any_document_is_refused():
    with pytest.raises(PdfError, match="too long"):
        render("x" * MAX_HTML_CHARS)


def test_parts_become_one_document_numbered_through():
    html = '<html lang="en-SG"><title>A</title><body><h1>A</h1><div class="wide">Wide'
    more = '<html lang="en-SG"><title>B</title><body><h2>B</h2><p>More'

    pdf = render_parts([html, more], identifier="two", created=NOW)

    pages = PdfReader(io.BytesIO(pdf.data)).pages
    sizes = [page.mediabox.width > page.mediabox.height for page in pages]
    assert sizes == [False, True, False]
    texts = [page.extract_text() for page in pages]
    assert all(f"Page {n} of 3" in text for n, text in enumerate(texts, start=1))
    assert "More" in texts[2]


def test_one_part_is_a_plain_document():
    html = '<html lang="en-SG"><title>A</title><body><h1>A</h1>'
    fields = {"identifier": "one", "created": NOW}

    assert render_parts([html], **fields) == render_pdf(html, **fields)


def test_the_collector_is_back_on_whatever_happens(monkeypatch):
    def fail(*args, **kwargs):
        assert not gc.isenabled()
        raise RuntimeError

    monkeypatch.setattr(pdf_module, "_write", fail)
    with pytest.raises(RuntimeError):
        render("<p>x")

    assert gc.isenabled()
