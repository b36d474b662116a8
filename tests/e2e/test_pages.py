"""Every page of ours: no axe finding, nothing to scroll sideways, in all sizes."""

from __future__ import annotations

import pytest

from tests.e2e.conftest import check_page, sign_in

pytestmark = pytest.mark.e2e

PUBLIC = (
    "/",
    "/products/",
    "/products/?q=nothing-like-it",
    "/collections/switches/",
    "/products/nvidia-spectrum-2-sn3700/",
    "/products/nvidia-gb300-nvl72-rack/",
    "/compare/?p=nvidia-spectrum-2-sn3700",
    "/basket/",
    "/contact/",
    "/privacy/",
    "/fabrics/",
    "/fabrics/?racks_per_row=5",
    "/fabrics/compare/",
    "/fabrics/racks/",
    "/fabrics/guide/",
    "/fabrics/rules/",
    "/fabrics/model/",
    "/q/Q-2026-0001/",
    "/accounts/login/",
    "/accounts/signup/",
    "/no-such-page/",
)
DESK = (
    "/desk/",
    "/desk/?view=open&status=in_progress",
    "/desk/templates/",
    "/desk/mailbox/",
    "/desk/rates/",
    "/desk/inquiries/",
    "/desk/bids/",
    "/desk/bids/new/",
    "/styleguide/",
)
# Below a draft's address.
DRAFT = ("reprice/", "copy/", "compare/")
SIZES = (("light", 1280), ("dark", 1280), ("light", 320), ("dark", 320))


@pytest.mark.parametrize(("theme", "width"), SIZES)
def test_public_pages(page, theme, width) -> None:
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    for path in PUBLIC:
        page.goto(path)
        check_page(page)


@pytest.mark.parametrize(("theme", "width"), SIZES)
def test_desk_pages(page, theme, width) -> None:
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    sign_in(page, "mei@demo.example")
    for path in DESK:
        page.goto(path)
        check_page(page)
    page.goto("/desk/?view=open")
    links = [
        link.get_attribute("href")
        for link in page.locator("main table a[href*='/desk/requests/']").all()
    ]
    assert links
    for path in links[:6]:
        page.goto(path)
        check_page(page)
        quotes = page.locator("main a[href*='/desk/quotes/']")
        if quotes.count():
            quotes.first.click()
            check_below(page)


def check_below(page) -> None:
    """Check a quote's page and, of a draft, the pages to build it with."""
    address = page.url
    is_draft = page.locator("[data-builder]").count() > 0
    prices = page.locator("a[href$='/prices/']")
    check_page(page)
    if not is_draft:
        return
    more = [prices.first.get_attribute("href")] if prices.count() else []
    for path in [*(address + below for below in DRAFT), *more]:
        page.goto(path)
        check_page(page)
