"""What app.js does, tried on the style guide, and the pages that few people see."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import check_page, sign_in

pytestmark = pytest.mark.e2e

SIZES = (("light", 1280), ("dark", 1280), ("light", 320), ("dark", 320))
ACCOUNT = (
    "/accounts/login/code/",
    "/accounts/password/reset/",
    "/accounts/password/reset/done/",
)
SIGNED_IN = (
    "/accounts/2fa/",
    "/accounts/2fa/totp/activate/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/logout/",
)


@pytest.fixture
def guide(page):
    sign_in(page, "mei@demo.example")
    page.goto("/styleguide/")
    return page


@pytest.mark.parametrize(("theme", "width"), SIZES)
def test_account_pages(page, theme, width) -> None:
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    for path in ACCOUNT:
        page.goto(path)
        check_page(page)
    sign_in(page, "mei@demo.example")
    for path in SIGNED_IN:
        page.goto(path)
        check_page(page)


def test_a_failed_sign_in_says_so_first(page) -> None:
    page.goto("/accounts/login/")
    page.locator("main").get_by_role("button", name="Sign in", exact=True).click()

    summary = page.locator("[data-error-summary]")
    expect(summary).to_be_focused()
    expect(page).to_have_title("Error: Sign in | SourceIT")
    summary.get_by_role("link").first.click()
    expect(page.get_by_label("E-mail", exact=True)).to_be_focused()
    check_page(page)


def test_the_guide_in_forced_colours(guide) -> None:
    guide.emulate_media(forced_colors="active")
    check_page(guide)
    tag = guide.locator(".tag").first
    expect(tag).to_have_css("border-top-width", "1px")


def test_the_theme_is_kept_by_a_cookie_and_nothing_flashes(guide) -> None:
    guide.get_by_role("button", name="Dark").click()

    expect(guide.get_by_role("button", name="Dark")).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(guide.locator("#live")).to_have_text("Colours: Dark")
    source = guide.goto("/styleguide/").text()
    assert 'data-theme="dark"' in source
    guide.get_by_role("button", name="Auto").click()
    assert "data-theme=" not in guide.goto("/styleguide/").text().split("<head>")[0]


def test_the_theme_works_without_scripts(browser, shop) -> None:
    context = browser.new_context(base_url=shop.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/products/?q=gb300")
    page.get_by_role("button", name="Dark").click()

    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.url.endswith("/products/?q=gb300")
    context.close()


def test_the_stepper_stays_within_its_bounds(guide) -> None:
    quantity = guide.locator("#guide-qty")
    more = guide.get_by_role("button", name="One more")
    more.click()
    expect(quantity).to_have_value("5")
    quantity.fill("64")
    more.click()
    expect(quantity).to_have_value("64")
    quantity.fill("none")
    guide.get_by_role("button", name="One fewer").click()
    expect(quantity).to_have_value("1")


def test_a_dialog_gives_the_focus_back(guide) -> None:
    opener = guide.get_by_role("button", name="Open a dialog")
    opener.click()
    expect(guide.get_by_role("dialog")).to_be_visible()
    guide.keyboard.press("Escape")
    expect(guide.get_by_role("dialog")).to_be_hidden()
    expect(opener).to_be_focused()


def test_copying_is_told_to_eyes_and_ears(guide) -> None:
    guide.context.grant_permissions(["clipboard-read", "clipboard-write"])
    guide.get_by_role("button", name="Copy the part number").click()

    expect(guide.locator(".toast")).to_have_text("Copied")
    expect(guide.locator("#live")).to_have_text("Copied")
    assert guide.evaluate("navigator.clipboard.readText()") == "MSN3700-VS2F"


def test_the_menu_closes_on_escape(guide) -> None:
    menu = guide.locator(".menu")
    menu.locator("summary").click()
    expect(menu.get_by_role("link", name="Two-step sign-in")).to_be_visible()
    guide.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    expect(menu.locator("summary")).to_be_focused()


def test_the_skip_link_comes_first_and_is_seen(guide) -> None:
    guide.keyboard.press("Tab")
    skip = guide.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    assert skip.bounding_box()["y"] >= 0


def test_a_failure_keeps_what_was_typed_and_offers_another_try(browser, shop) -> None:
    # A context of its own: here the console is expected to complain.
    context = browser.new_context(base_url=shop.url)
    page = context.new_page()
    page.goto("/fabrics/")
    size = page.locator("[name=size]")
    page.route("**/fabrics/?*", lambda route: route.abort())
    size.fill("1,152")

    toast = page.locator(".toast")
    expect(toast).to_contain_text("offline")
    expect(size).to_have_value("1,152")
    page.unroute("**/fabrics/?*")
    toast.get_by_role("button", name="Try again").click()
    expect(page.locator("#status")).to_contain_text("1,152 GPUs")
    expect(toast).to_have_count(0)
    context.close()
