"""A running shop for the browser tests: web, worker and clock as in `make run`."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text()
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@dataclass(frozen=True)
class Shop:
    """Where the running shop is."""

    url: str
    var: Path


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def shop(tmp_path_factory) -> Iterator[Shop]:
    """Start the demo in a folder of its own; stop every process of it at the end."""
    var = tmp_path_factory.mktemp("shop")
    port = _free_port()
    url = f"http://localhost:{port}"
    env = {
        **os.environ,
        "VAR_DIR": str(var),
        "PORT": str(port),
        "SITE_URL": url,
        "SECRET_KEY": "browser tests",
        "SELLER_IS_SAMPLE": "true",
        "STAFF_MFA_REQUIRED": "false",
        "SEND_UNDO_SECONDS": "3",
        "STATIC_ROOT": str(var / "static"),
        "LOG_LEVEL": "WARNING",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    for name in ("DATABASE_URL", "REDIS_URL", "EMAIL_URL", "DJANGO_SETTINGS_MODULE"):
        env.pop(name, None)
    for folder in ("broker/queue", "broker/control", "mailbox"):
        (var / folder).mkdir(parents=True, exist_ok=True)
    for command in ("migrate", "createcachetable", "load_catalogue", "seed"):
        _manage(env, command)
    _manage(env, "collectstatic", "--noinput")
    log = (var / "log").open("wb")
    server = subprocess.Popen(
        [sys.executable, "-m", "honcho", "start", "-f", "deploy/Procfile"],
        cwd=ROOT,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        _wait_for(f"{url}/healthz/", var / "log")
        yield Shop(url, var)
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        try:
            server.wait(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
        log.close()


def _manage(env: dict[str, str], *words: str) -> None:
    command = [sys.executable, "manage.py", *words, "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=env, check=True, timeout=180)


def _wait_for(url: str, log: Path) -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(url, timeout=2).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise AssertionError(f"The shop did not start:\n{log.read_text()[-3000:]}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=ARGUMENTS, timeout=60_000
        )
        yield browser
        browser.close()


@pytest.fixture
def own_browser(live_server, monkeypatch) -> Iterator[Browser]:
    """A browser for one test that writes to the test's own database.

    While a browser is driven from this thread, Django opens the database anew there:
    the test's rows must be in place before, so this one starts after them.
    """
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=ARGUMENTS, timeout=60_000
        )
        yield browser
        browser.close()


@pytest.fixture
def page(browser, shop) -> Iterator[Page]:
    """A visitor's page at 1280 px; console errors (the policy's, too) fail the test."""
    context = browser.new_context(
        base_url=shop.url,
        viewport={"width": 1280, "height": 900},
        locale="en-SG",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.set_default_timeout(15_000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if _is_bad(said) else None)
    yield page
    context.close()
    assert errors == []


def _is_bad(said) -> bool:
    """The browser reports our own refusals (409, 422) as errors: those are fine."""
    return said.type == "error" and "status of 4" not in said.text


def sign_in(page: Page, email: str) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("E-mail").or_(page.get_by_label("Email")).first.fill(email)
    page.get_by_label("Password").first.fill("demo-desk-2026")
    page.locator("main").get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(lambda url: "/login" not in url)


def check_everywhere(page: Page) -> None:
    """Check the page as it stands in both themes, at 1280 and 320 px."""
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        for width in (320, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            check_page(page)


def check_page(page: Page) -> None:
    """No accessibility finding, and nothing to scroll sideways.

    A change of theme may fade: what is measured is where it ends.
    """
    page.evaluate("document.getAnimations().forEach(animation => animation.cancel())")
    page.evaluate(AXE)
    found = page.evaluate(
        "tags => axe.run(document, {runOnly: tags}).then(result => "
        "result.violations.map(v => [v.id, v.nodes.map(n => n.html).slice(0, 3)]))",
        STANDARDS,
    )
    assert found == [], f"{page.url}: {found}"
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"], f"{page.url} is {width} px wide"
