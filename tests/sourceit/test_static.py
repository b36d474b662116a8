"""What a page makes a browser fetch stays small, counted as it is sent: gzipped."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

KB = 1024
STATIC = Path(settings.BASE_DIR) / "static"
TEMPLATES = Path(settings.BASE_DIR) / "templates"


@pytest.fixture(scope="module")
def collected(tmp_path_factory) -> Path:
    """Everything collectstatic would put beside the server."""
    folder = tmp_path_factory.mktemp("static")
    with override_settings(STATIC_ROOT=folder):
        call_command("collectstatic", interactive=False, verbosity=0)
    return folder


def sent(folder: Path, *names: str) -> int:
    """The bytes of these files, gzipped one by one."""
    return sum(len(gzip.compress((folder / name).read_bytes())) for name in names)


def htmx(folder: Path) -> str:
    (found,) = folder.glob("django_htmx/htmx*2*.min.js")
    return str(found.relative_to(folder))


COMMON_CSS = ("css/tokens.css", "css/site.css")
# The catalogue's, the fabrics' and the desk's pages each add one sheet.
SHEETS = ("css/drawings.css", "css/fabric.css", "css/desk.css")


@pytest.mark.parametrize("sheet", SHEETS)
def test_style_sheets_of_a_page(collected, sheet) -> None:
    assert sent(collected, *COMMON_CSS, sheet) <= 10 * KB


def test_our_script(collected) -> None:
    assert sent(collected, "js/app.js") <= 4 * KB


def test_a_public_page_in_all(collected) -> None:
    files = (*COMMON_CSS, "css/fabric.css", "js/app.js", "js/fabric.js")
    assert sent(collected, htmx(collected), *files) <= 30 * KB


def test_a_page_of_the_desk_in_all(collected) -> None:
    files = (*COMMON_CSS, "css/desk.css", "js/app.js", "js/builder.js")
    assert sent(collected, htmx(collected), *files) <= 36 * KB


def test_the_font_and_the_icons(collected) -> None:
    assert (collected / "fonts/inter.woff2").stat().st_size <= 32 * KB
    assert sent(collected, "img/icons.svg") <= 4 * KB


def test_tokens_hold_nothing_but_values() -> None:
    """The PDF reads them too, so no rule of a page may stand there."""
    text = re.sub(r"/\*.*?\*/", "", (STATIC / "css/tokens.css").read_text(), flags=re.S)
    selectors = [each.strip() for each in re.findall(r"([^{}]+){", text)]
    assert set(selectors) == {":root", "[data-theme=light]", "[data-theme=dark]"}
    names = re.findall(r"^\s*([\w-]+):", text, flags=re.M)
    assert {name for name in names if not name.startswith("--")} == {"color-scheme"}


def test_style_sheets_name_only_tokens_that_exist() -> None:
    texts = [path.read_text() for path in (STATIC / "css").glob("*.css")]
    defined = {name for text in texts for name in re.findall(r"(--[\w-]+):", text)}
    used = {name for text in texts for name in re.findall(r"var\((--[\w-]+)", text)}
    assert used - defined == set()


def test_no_template_styles_or_scripts_inline() -> None:
    """The policy would refuse it in the browser; this names the line sooner."""
    found = [
        f"{path.name}:{number}"
        for path in TEMPLATES.rglob("*.html")
        if path.relative_to(TEMPLATES).parts[0] not in {"emails", "pdf"}
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if re.search(r"\sstyle=|\son\w+=\"|<style|<script>", line)
    ]
    assert found == []


def test_templates_keep_to_their_length() -> None:
    long = {
        path.name: lines
        for path in TEMPLATES.rglob("*.html")
        if (lines := len(path.read_text().splitlines())) > 150
    }
    assert long == {}
