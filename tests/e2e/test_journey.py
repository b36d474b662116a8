"""The whole walk, with a real worker, a real PDF and real letters.

Browse, size, request, build, send, read the letter, open the PDF, accept.
"""

from __future__ import annotations

import io
import re
import time
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from tests.e2e.conftest import Shop, check_everywhere, sign_in

pytestmark = pytest.mark.e2e


def read_letter(shop: Shop, to: str, subject: str):
    """Wait for a letter in the mailbox; the worker sends it."""
    for _ in range(150):
        for path in sorted(Path(shop.var / "mailbox").glob("[!.]*.eml"), reverse=True):
            letter = message_from_bytes(path.read_bytes(), policy=policy.default)
            if to in letter["To"] and subject in letter["Subject"]:
                return letter
        time.sleep(0.2)
    raise AssertionError(f"No letter “{subject}” to {to}")


def link_in(letter) -> str:
    text = letter.get_body(("plain",)).get_content()
    return re.search(r"http://localhost:\d+/[qr]/[\w-]{43}/", text)[0]


def code_in(letter) -> str:
    text = letter.get_body(("plain",)).get_content()
    return re.search(r"\b\d{6}\b", text)[0]


def ask_for_a_switch_and_a_fabric(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="NVIDIA Spectrum-2 SN3700", exact=True).click()
    page.get_by_label("Quantity").fill("4")
    page.get_by_role("button", name="Request for Quotation").first.click()
    expect(page.locator("#basket-count")).to_have_text("(1)")
    page.goto("/fabrics/")
    page.get_by_role("button", name="Request a quote for this design").first.click()
    expect(page.locator("#basket-count")).to_have_text("(2)")
    page.goto("/basket/")
    page.get_by_label("What is it?").fill("Cabling labour, two days")
    page.get_by_role("button", name="Add to request").click()
    expect(page.locator("#basket-count")).to_have_text("(3)")


def send_the_request(page: Page) -> str:
    page.goto("/basket/")
    check_everywhere(page)
    page.get_by_role("link", name="Request for Quotation").click()
    check_everywhere(page)
    page.get_by_label("Your name").fill("Grace Ong")
    page.get_by_label("Work e-mail").fill("grace@buyer.example")
    page.get_by_label("Company", exact=True).fill("Buyer Pte Ltd")
    for label in ("End user", "What it is for"):
        page.get_by_label(label).first.fill("Buyer Pte Ltd, research")
    page.get_by_label("Country of final use").fill("Singapore")
    page.get_by_label("SourceIT may use").check()
    page.wait_for_timeout(2200)
    page.get_by_role("button", name="Check your request").click()
    check_everywhere(page)
    page.get_by_role("button", name="Send request").click()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_contain_text("received")
    check_everywhere(page)
    return re.search(r"RFQ-\d{4}-\d{4}", heading.inner_text())[0]


def screen(page: Page) -> None:
    """The design's chips are controlled: nothing is sent before they are screened."""
    screening = page.locator("#screening")
    screening.get_by_label("Result").select_option("clear")
    screening.get_by_label("Reference").fill("SCR-1")
    screening.get_by_role("button", name="Record screening").click()
    expect(page.locator("#screening .tag")).to_contain_text("Clear")


def price_and_send(page: Page, number: str) -> None:
    page.goto("/desk/")
    page.get_by_role("link", name=number).first.click()
    page.get_by_role("button", name=re.compile("^Take")).first.click()
    page.get_by_role("button", name=re.compile("^Build quote")).first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Draft")
    page.get_by_text("Fill in what is missing").click()
    page.get_by_label("Lead time from, weeks", exact=True).fill("4")
    page.get_by_label("Warranty and support", exact=True).fill("3 years")
    page.get_by_role("button", name="Fill in lines without one").click()
    # Within every approval rule: the sum is small and the margin is known.
    for name, value in (("unit_cost", "8"), ("unit_price", "10")):
        cells = page.locator(f"input[name$={name}]")
        for index in range(cells.count()):
            if not cells.nth(index).input_value():
                cells.nth(index).fill(value)
                cells.nth(index).press("Tab")
    expect(page.get_by_text("enter a price")).to_have_count(0)
    expect(page.get_by_text("enter a lead time")).to_have_count(0)
    screen(page)
    page.get_by_role(
        "link", name=re.compile("Review and send|Send quote")
    ).first.click()
    page.get_by_role("button", name=re.compile("^Send")).first.click()


def test_from_the_shop_window_to_an_accepted_quotation(page, browser, shop) -> None:
    ask_for_a_switch_and_a_fabric(page)
    number = send_the_request(page)
    received = read_letter(shop, "grace@buyer.example", f"Request {number} received")
    assert "/r/" in link_in(received)

    desk = browser.new_context(base_url=shop.url).new_page()
    sign_in(desk, "mei@demo.example")
    price_and_send(desk, number)

    letter = read_letter(shop, "grace@buyer.example", "Quotation Q-")
    [attached] = letter.iter_attachments()
    pdf = PdfReader(io.BytesIO(attached.get_content()))
    text = "\n".join(sheet.extract_text() for sheet in pdf.pages)
    assert "NVIDIA Spectrum-2 SN3700" in text
    assert "Q3400" in text
    assert "Cabling labour, two days" in text

    page.goto(link_in(letter))
    check_everywhere(page)
    total = page.locator(".totals .grand").last.inner_text()
    assert total.removeprefix("S$") in text
    with page.expect_download() as download:
        page.get_by_role("link", name="Download PDF").click()
    assert Path(download.value.path()).read_bytes() == attached.get_content()

    page.get_by_role("link", name="Accept quotation").click()
    check_everywhere(page)
    page.get_by_label("Your name").fill("Grace Ong")
    page.get_by_label("Your job title").fill("Head of purchasing")
    page.get_by_label("Purchase order number").fill("PO-4711")
    page.get_by_label("I accept this quotation").check()
    page.get_by_role("button", name="E-mail me a code").click()
    expect(page.locator("#code-sent")).to_contain_text("g•••@buyer.example")
    code = read_letter(shop, "grace@buyer.example", "Your code to accept Q-")
    page.get_by_label("Code from the e-mail").fill(code_in(code))
    expect(page.get_by_label("Purchase order number")).to_have_value("PO-4711")
    page.get_by_role("button", name="Accept quotation").click()
    expect(page.get_by_text("purchase order PO-4711").first).to_be_visible()

    read_letter(shop, "grace@buyer.example", "You accepted Q-")
    read_letter(shop, "mei@demo.example", "Accepted: Q-")
    desk.goto("/desk/?view=won")
    expect(desk.get_by_text(number).first).to_be_visible()
    desk.context.close()
