"""The builder in a real browser: what typing, keys and pasting do to a row."""

from __future__ import annotations

import os
from decimal import Decimal

import pytest
from playwright.sync_api import expect, sync_playwright

from quotes.models import Line, Revision
from tests.factories import make_line, make_revision

# The GST rates come from a migration: each test gets them back after the flush.
pytestmark = [
    pytest.mark.e2e,
    pytest.mark.django_db(transaction=True, serialized_rollback=True),
]
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture
def lines(sam):
    revision = make_revision(author=sam, lines=0)
    return [
        make_line(
            revision,
            position=position,
            unit_cost=Decimal(80),
            unit_price=Decimal(100),
        )
        for position in range(3)
    ]


@pytest.fixture
def page(live_server, sam_client, lines, monkeypatch):
    # Playwright runs an event loop in this thread; Django would refuse the database.
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
        session = sam_client.cookies["sessionid"].value
        context.add_cookies(
            [{"name": "sessionid", "value": session, "url": live_server.url}]
        )
        page = context.new_page()
        faults = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(f"{live_server.url}/desk/quotes/{lines[0].revision_id}/")
        yield page
        browser.close()
    assert faults == []


def cell(page, line, field):
    return page.locator(f'[name="{line.pk}-{field}"]')


def test_amounts_and_totals_follow_while_typing(page, lines):
    cell(page, lines[0], "quantity").fill("1152")

    expect(page.locator(f"#amount-{lines[0].pk}")).to_have_text("S$115,200.00")
    expect(page.locator("#totals")).to_contain_text("S$125,786.00")
    expect(page.locator("#saved")).to_contain_text("Saved")


def test_a_margin_sets_the_price_and_enter_moves_down(page, lines):
    margin = cell(page, lines[0], "margin_percent")
    margin.fill("50")
    margin.press("Enter")

    expect(cell(page, lines[0], "unit_price")).to_have_value("160.00")
    expect(cell(page, lines[1], "margin_percent")).to_be_focused()
    expect(page.locator(f"#line-{lines[0].pk}")).to_have_attribute(
        "data-lead", "margin"
    )


def test_fast_typing_over_several_cells_loses_nothing(page, lines):
    for field, text in (("quantity", "12"), ("unit_cost", "70"), ("unit_price", "99")):
        cell(page, lines[0], field).click()
        page.keyboard.press("Control+a")
        page.keyboard.type(text, delay=20)
    page.keyboard.press("Tab")

    expect(page.locator(f"#amount-{lines[0].pk}")).to_have_text("S$1,188.00")
    expect(cell(page, lines[0], "margin_percent")).to_have_value("29.29")
    line = Line.objects.get(pk=lines[0].pk)
    assert (line.quantity, line.unit_cost, line.unit_price) == (12, 70, 99)


def test_a_mistake_is_named_beside_its_cell_and_what_was_typed_stays(page, lines):
    quantity = cell(page, lines[1], "quantity")
    quantity.fill("four")
    quantity.press("Tab")

    message = page.locator(f"#error-{lines[1].pk}-quantity")
    expect(message).to_have_text("Line 2: enter a quantity in figures")
    expect(quantity).to_have_value("four")
    expect(quantity).to_have_attribute("aria-invalid", "true")
    quantity.fill("4")
    quantity.press("Tab")
    expect(message).to_have_count(0)


def test_escape_takes_back_what_was_typed(page, lines):
    quantity = cell(page, lines[0], "quantity")
    quantity.fill("x")
    quantity.press("Escape")

    expect(quantity).to_have_value("1")


def test_a_block_spreads_and_what_is_beyond_becomes_lines(page, lines):
    page.evaluate("navigator.clipboard.writeText('5\\t70\\n6\\t60\\n7\\t50')")
    cell(page, lines[1], "quantity").focus()
    page.keyboard.press("Control+v")

    expect(page.locator("tr[id^=line-]")).to_have_count(4)
    saved = [
        (line.quantity, line.unit_cost)
        for line in Revision.objects.get().lines_in_order()
    ]
    assert saved == [(1, 80), (5, 70), (6, 60), (7, 50)]


def test_control_enter_saves_the_cell_and_adds_a_line(page, lines):
    quantity = cell(page, lines[2], "quantity")
    quantity.fill("9")
    quantity.press("Control+Enter")

    expect(page.locator("tr[id^=line-]")).to_have_count(4)
    expect(quantity).to_have_value("9")
    new = Line.objects.latest("pk")
    expect(cell(page, new, "mpn")).to_be_focused()


def test_a_conflict_offers_their_version(page, lines):
    Line.objects.filter(pk=lines[0].pk).update(quantity=7, row_version=2)
    price = cell(page, lines[0], "unit_price")
    price.fill("150")
    price.press("Tab")

    expect(page.locator(".conflict")).to_contain_text("changed line 1")
    page.get_by_role("button", name="Use their version").click()

    expect(price).to_have_value("100.00")
    expect(cell(page, lines[0], "quantity")).to_have_value("7")


def test_keeping_mine_overwrites_knowingly(page, lines):
    Line.objects.filter(pk=lines[0].pk).update(quantity=7, row_version=2)
    price = cell(page, lines[0], "unit_price")
    price.fill("150")
    price.press("Tab")
    page.get_by_role("button", name="Keep mine").click()

    expect(page.locator(f"#amount-{lines[0].pk}")).to_have_text("S$1,050.00")


def test_leaving_waits_until_everything_is_saved(page, lines):
    cell(page, lines[0], "unit_price").fill("123")
    page.get_by_role("link", name="Review and send").click()

    page.wait_for_url("**/send/")
    assert Line.objects.get(pk=lines[0].pk).unit_price == 123
