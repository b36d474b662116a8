"""HTML to a tagged PDF, with nothing fetched from anywhere. The only use of WeasyPrint.

The same HTML, identifier and time give the same bytes, so a hash means something.
"""

from __future__ import annotations

import gc
import hashlib
import logging
import mimetypes
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.request import DataHandler, Request

from django.contrib.staticfiles import finders
from weasyprint import CSS, HTML, Document
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher, URLFetcherResponse

from sourceit.pdf_join import join_pdfs

logger = logging.getLogger(__name__)

STYLESHEETS = ("css/pdf.css",)
# Tagged for screen readers. No claim of conformance is made: page heads and feet are
# not marked as artifacts by WeasyPrint 70.
VARIANT = "pdf/ua-1"
# 1,000 lines with the longest texts are 2 MB; far more would not end in time.
MAX_HTML_CHARS = 3_000_000
MAX_DATA_URL_CHARS = 100_000
_STATIC = "static:"
# Controls, and the marks that write text backwards: they print as boxes or mislead.
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
)
# Rendering toggles the garbage collector and shares fonts: one at a time a process.
_one_at_a_time = threading.Lock()


class PdfError(Exception):
    """The document cannot be made; the message is fit to show a person."""


@dataclass(frozen=True, slots=True)
class Pdf:
    """A finished file. `warnings` are what the renderer could not do as asked."""

    data: bytes
    pages: int
    warnings: tuple[str, ...] = ()

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


def render_pdf(html: str, *, identifier: str, created: datetime) -> Pdf:
    """Render a whole HTML page with our stylesheet.

    `identifier` and `created` go into the file, so that the same input gives the same
    bytes. URLs are never followed; `static:<name>` reads one of our own static files.

    Raises:
        PdfError: the HTML is beyond any document.
    """
    pdf, _wide = _print(html, identifier, created, _prepared().styles)
    return pdf


def render_parts(parts: Sequence[str], *, identifier: str, created: datetime) -> Pdf:
    """Render HTML pages as one document, each part beginning on a page of its own.

    Layout keeps 0.2 MB for each row of a table until its document is written: 1,000
    rows take 320 MB at once and 210 MB in four parts, in the same time. The number of
    pages is only known at the end, so page numbers are laid over the joined file.

    Raises:
        PdfError: the HTML is beyond any document.
    """
    if len(parts) == 1:
        return render_pdf(parts[0], identifier=identifier, created=created)
    styles = (*_prepared().styles, _prepared().unnumbered)
    printed = [
        _print(html, f"{identifier}-{n}", created, styles)
        for n, html in enumerate(parts, start=1)
    ]
    wide = [is_wide for _pdf, pages in printed for is_wide in pages]
    numbers, _wide = _print(
        _empty_pages(wide), identifier, created, _prepared().styles, variant=None
    )
    return Pdf(
        data=join_pdfs([pdf.data for pdf, _wide in printed], numbers.data),
        pages=len(wide),
        warnings=tuple(word for pdf, _wide in printed for word in pdf.warnings),
    )


def _print(
    html: str,
    identifier: str,
    created: datetime,
    styles: tuple[CSS, ...],
    *,
    variant: str | None = VARIANT,
) -> tuple[Pdf, list[bool]]:
    """Lay out and write one document; also say of each page whether it is wide."""
    if len(html) > MAX_HTML_CHARS:
        raise PdfError(f"The document is too long: {len(html):,} characters.")
    text = _UNPRINTABLE.sub("", html)
    with _one_at_a_time, _collector_asleep(), _heard_warnings() as warnings:
        page = HTML(string=text, base_url=_STATIC, url_fetcher=OwnFilesOnly())
        document = page.render(
            font_config=_prepared().fonts, stylesheets=list(styles), pdf_variant=variant
        )
        data = _write(document, identifier, created, variant)
        wide = [sheet.width > sheet.height for sheet in document.pages]
        del document, page
    for warning in warnings:
        logger.warning("PDF %s: %s", identifier, warning)
    return Pdf(data=data, pages=len(wide), warnings=tuple(warnings)), wide


def _empty_pages(wide: list[bool]) -> str:
    """Write pages that hold nothing but what the style sheet puts at their foot."""
    sheets = "".join(f'<hr class="{"wide" if one else "sheet"}">' for one in wide)
    return f'<html lang="en-SG"><title>Page numbers</title><body>{sheets}'


def warm_up() -> None:
    """Read fonts and styles before the first document waits for them."""
    html = '<html lang="en-SG"><title>Warm-up</title><h1>0</h1>'
    render_pdf(html, identifier="warm-up", created=datetime(2026, 1, 1, tzinfo=UTC))


class OwnFilesOnly(URLFetcher):  # type: ignore[misc]  # WeasyPrint has no types
    """Reads our own static files by name and small inline images; refuses the rest.

    The parent class can reach the network and the disk, so its `fetch` is replaced and
    never called.
    """

    def fetch(
        self, url: str, headers: dict[str, str] | None = None
    ) -> URLFetcherResponse:
        if url.startswith(_STATIC):
            return _own_file(url.removeprefix(_STATIC), url)
        if url.startswith("data:image/") and len(url) <= MAX_DATA_URL_CHARS:
            answer = DataHandler().data_open(Request(url))
            return URLFetcherResponse(url, answer.read(), dict(answer.headers))
        raise ValueError("Only our own files may be read.")


def _own_file(name: str, url: str) -> URLFetcherResponse:
    path = finders.find(name)
    if not isinstance(path, str):
        raise ValueError(f"No static file is called {name}.")
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return URLFetcherResponse(url, Path(path).read_bytes(), {"Content-Type": kind})


@dataclass(frozen=True, slots=True)
class _Prepared:
    fonts: FontConfiguration
    styles: tuple[CSS, ...]
    unnumbered: CSS


@lru_cache(maxsize=1)
def _prepared() -> _Prepared:
    """Read fonts and styles once a process: a fresh set costs 2.4 times and leaks."""
    fonts = FontConfiguration()
    fetcher = OwnFilesOnly()
    styles = tuple(
        CSS(url=_STATIC + name, url_fetcher=fetcher, font_config=fonts)
        for name in STYLESHEETS
    )
    unnumbered = CSS(string="@page { @bottom-right { content: none } }")
    return _Prepared(fonts, styles, unnumbered)


def _write(
    document: Document, identifier: str, created: datetime, variant: str | None
) -> bytes:
    moment = created.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    document.metadata.created = moment
    document.metadata.modified = moment
    key = hashlib.sha256(identifier.encode()).hexdigest()[:32].encode()
    data: bytes = document.write_pdf(pdf_variant=variant, pdf_identifier=key)
    return data


@contextmanager
def _collector_asleep() -> Iterator[None]:
    """Keep the cyclic collector from walking a growing tree: 0.6 of the time.

    What was there before stays frozen while the document is collected: a walk through
    all of Django would cost more than a short quote.
    """
    was_on = gc.isenabled()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.collect()
        gc.unfreeze()
        if was_on:
            gc.enable()


@contextmanager
def _heard_warnings() -> Iterator[list[str]]:
    """Collect what WeasyPrint warns of instead of losing it."""
    heard: list[str] = []

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            heard.append(record.getMessage()[:300])

    source: Any = logging.getLogger("weasyprint")
    ear = Ear(level=logging.WARNING)
    propagated, source.propagate = source.propagate, False
    source.addHandler(ear)
    try:
        yield heard
    finally:
        source.removeHandler(ear)
        source.propagate = propagated
