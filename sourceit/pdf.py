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
from collections.abc import Iterator
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
    if len(html) > MAX_HTML_CHARS:
        raise PdfError(f"The document is too long: {len(html):,} characters.")
    fonts, styles = _prepared()
    with _one_at_a_time, _collector_asleep(), _heard_warnings() as warnings:
        text = _UNPRINTABLE.sub("", html)
        page = HTML(string=text, base_url=_STATIC, url_fetcher=OwnFilesOnly())
        document = page.render(
            font_config=fonts, stylesheets=list(styles), pdf_variant=VARIANT
        )
        pdf = _write(document, identifier, created, tuple(warnings))
        del document, page
    for warning in pdf.warnings:
        logger.warning("PDF %s: %s", identifier, warning)
    return pdf


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


@lru_cache(maxsize=1)
def _prepared() -> tuple[FontConfiguration, tuple[CSS, ...]]:
    """Read fonts and styles once a process: a fresh set costs 2.4 times and leaks."""
    fonts = FontConfiguration()
    styles = tuple(
        CSS(url=_STATIC + name, url_fetcher=OwnFilesOnly(), font_config=fonts)
        for name in STYLESHEETS
    )
    return fonts, styles


def _write(
    document: Document, identifier: str, created: datetime, warnings: tuple[str, ...]
) -> Pdf:
    moment = created.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    document.metadata.created = moment
    document.metadata.modified = moment
    key = hashlib.sha256(identifier.encode()).hexdigest()[:32].encode()
    data: bytes = document.write_pdf(pdf_variant=VARIANT, pdf_identifier=key)
    return Pdf(data=data, pages=len(document.pages), warnings=warnings)


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
