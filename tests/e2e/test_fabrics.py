"""The configurator in a real browser: outputs follow the typing, inputs stay put."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import check_page

pytestmark = pytest.mark.e2e


def type_size(page: Page, text: str) -> None:
    page.get_by_label("Size", exact=True).fill("")
    page.get_by_label("Size", exact=True).press_sequentially(text, delay=90)


def test_outputs_and_address_follow_what_is_typed(page) -> None:
    page.goto("/fabrics/")

    type_size(page, "1,152")

    expect(page.locator("#status")).to_have_text("1,152 GPUs, 24 switches.")
    expect(page.locator("#live")).to_have_text("Updated. 1,152 GPUs, 24 switches.")
    expect(page).to_have_url("/fabrics/?gpus=1152")
    expect(page.get_by_label("Size", exact=True)).to_have_value("1,152")
    expect(page.get_by_label("Size", exact=True)).to_be_focused()


def test_nonsense_greys_the_last_design_and_a_good_size_brings_it_back(page) -> None:
    page.goto("/fabrics/")

    type_size(page, "many")
    expect(page.locator("#problem")).to_contain_text("must be a whole number")
    expect(page.locator("#result")).to_have_css("filter", "grayscale(1)")
    expect(page.locator("#result")).to_contain_text("8 leaf + 4 spine")

    type_size(page, "72")
    expect(page.locator("#status")).to_have_text("72 GPUs, 12 switches.")
    expect(page.locator("#problem")).to_be_empty()


def test_a_slow_answer_says_what_is_being_worked_out(page) -> None:
    page.goto("/fabrics/")
    held = []
    page.route("**/fabrics/?*", lambda route: held.append(route))

    type_size(page, "1,152")
    expect(page.locator("#status")).to_have_text("Working out 1,152 GPUs")
    expect(page.locator("#result")).to_have_attribute("aria-busy", "true")

    held.pop().continue_()
    expect(page.locator("#status")).to_have_text("1,152 GPUs, 24 switches.")


def test_an_empty_answer_keeps_the_design_and_what_was_typed(page) -> None:
    page.goto("/fabrics/")
    before = page.locator("#status").text_content()
    held = []
    page.route("**/fabrics/?*", lambda route: held.append(route))

    type_size(page, "1,152")
    expect(page.locator("#status")).to_have_text("Working out 1,152 GPUs")
    held.pop().fulfill(status=204)

    expect(page.locator("#status")).to_have_text(before)
    expect(page.locator("#result")).to_contain_text("8 leaf + 4 spine")
    expect(page.get_by_label("Size", exact=True)).to_have_value("1,152")


def test_another_system_leaves_only_the_choices_it_has(page) -> None:
    page.goto("/fabrics/")

    page.get_by_label("System").select_option("dgx-h100")
    expect(page).to_have_url("/fabrics/?system=dgx-h100")
    expect(page.locator("#inputs [name=fabric]:visible")).to_have_count(1)

    page.get_by_label("System").select_option("dgx-b300")
    page.get_by_label("Spectrum-X").check()
    page.get_by_label("Enterprise").check()
    expect(page).to_have_url(
        "/fabrics/?system=dgx-b300&fabric=spectrum-x&design=enterprise"
    )

    page.get_by_label("System").select_option("host-200g")
    expect(page.locator("#status")).to_have_text("32 hosts, 1 switch.")


def test_a_unit_opens_in_place_by_keyboard(page) -> None:
    page.goto("/fabrics/?gpus=9216")
    page.evaluate("window.untouched = true")

    page.locator("#unit-3").focus()
    page.keyboard.press("Enter")

    expect(page.locator("#topology")).to_contain_text("Unit 3 of 16")
    expect(page).to_have_url("/fabrics/?gpus=9216&open=3#topology")
    assert page.evaluate("window.untouched")
    page.get_by_role("link", name="All units").first.click()
    expect(page.locator("#topology")).not_to_contain_text("Unit 3 of 16")


def test_a_guest_saves_a_design_and_asks_for_a_quote(page) -> None:
    page.goto("/fabrics/?system=host-200g&hosts=40")

    page.get_by_text("Save this design").click()
    page.get_by_role("button", name="Save design").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "40 hosts with 200GbE on Spectrum-2"
    )

    page.get_by_role("button", name="Request a quote for this design").click()
    page.goto("/basket/")
    expect(page.locator("main")).to_contain_text("40 hosts with 200GbE on Spectrum-2")


def test_the_calculator_follows_the_readers_numbers(page) -> None:
    page.goto("/fabrics/guide/")
    before = page.locator("#estimate dd").first.inner_text()

    page.get_by_label("NVLink, GB/s each way").fill("160")

    expect(page.locator("#estimate dd").first).not_to_have_text(before)
    check_page(page)


@pytest.mark.parametrize("path", ["/fabrics/?gpus=x", "/fabrics/?gpus=9216&open=2"])
@pytest.mark.parametrize("width", [1280, 320])
def test_states_of_the_page_pass_the_checks(page, path, width) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(path)

    check_page(page)


def test_the_page_works_without_scripts(browser, shop) -> None:
    context = browser.new_context(base_url=shop.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/fabrics/")

    page.get_by_label("Size", exact=True).fill("1 152")
    page.get_by_role("button", name="Update").click()

    expect(page).to_have_url("/fabrics/?gpus=1152")
    expect(page.locator("#status")).to_have_text("1,152 GPUs, 24 switches.")
    context.close()


def test_a_guest_saves_changes_and_compares_a_design(page) -> None:
    page.goto("/fabrics/")
    page.get_by_text("Save this design").click()
    page.get_by_role("button", name="Save design").click()
    expect(page.locator("h1")).to_contain_text("576 GPUs")

    page.get_by_role("link", name="Change it in the configurator").click()
    type_size(page, "1,152")
    expect(page.locator("#result")).to_contain_text("8 more leaf switches")
    page.get_by_label("What is new (optional)").fill("Twice the racks")
    page.get_by_role("button", name="Save as version 2").click()

    expect(page.get_by_role("link", name="Version 2: Twice the racks")).to_be_visible()
    page.get_by_role("button", name="Show differences").click()
    expect(page.locator("main")).to_contain_text("The second has 576 more GPUs")
