"""Choosing on a phone, by keyboard, with and without JavaScript."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from quotes.models import Acceptance, AcceptCode, Revision
from quotes.services.sending import dispatch_revision, send_quote
from quotes.states import RequestStatus
from sourceit.codes import code_of
from sourceit.links import find_links, token_of
from sourceit.pdf import Pdf
from tests.factories import make_line, make_request, make_revision

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.django_db(transaction=True, serialized_rollback=True),
]
PHONE = {"width": 390, "height": 844}
MAIL = "carol@example.com"


@pytest.fixture
def address(sam, live_server, monkeypatch):
    """The accept page of 4 switches (2 to 8, cheaper from 6), a cable and an option."""
    pdf = Pdf(data=b"%PDF-1.7 any", pages=1)
    monkeypatch.setattr("quotes.services.sending.render_quote", lambda *_, **__: pdf)
    asked = make_request(owner=sam, status=RequestStatus.IN_PROGRESS)
    revision = make_revision(request=asked, author=sam, lines=0)
    cheap = {"unit_cost": Decimal(1)}
    make_line(
        revision,
        description="Switch",
        quantity=Decimal(4),
        unit_price=Decimal(100),
        quantity_min=Decimal(2),
        quantity_max=Decimal(8),
        price_breaks=[{"from": "6", "unit_price": "90.0000"}],
        **cheap,
    )
    for position, kind in ((1, "standard"), (2, "alternative"), (3, "optional")):
        make_line(
            revision,
            description=f"Cable {position}",
            position=position,
            kind=kind,
            choice="" if kind == "optional" else "Cable",
            unit_price=Decimal(10 * position),
            **cheap,
        )
    now = timezone.now()
    send_quote(
        revision=revision,
        by=sam,
        to_email=MAIL,
        to_name="Carol Tan",
        cc=[],
        message="",
        now=now - timedelta(minutes=1),
    )
    assert dispatch_revision(revision.pk, now)
    sent = Revision.objects.get(pk=revision.pk)
    link = find_links([sent], purpose="answer", email=MAIL)[sent.pk]
    return live_server.url + reverse("quotes:accept", args=[token_of(link)])


def total(page):
    return page.locator("#chosen dd.grand")


def test_keys_alone_choose_and_accept_on_a_phone(own_browser, address):
    page = own_browser.new_context(viewport=PHONE).new_page()
    page.goto(address)
    expect(total(page)).to_have_text("S$446.90")

    page.get_by_label("Quantity of line 1").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("6")
    expect(total(page)).to_have_text("S$599.50")
    page.get_by_label("Cable 1").focus()
    page.keyboard.press("ArrowDown")
    expect(total(page)).to_have_text("S$610.40")
    page.get_by_label("Cable 3").focus()
    page.keyboard.press("Space")
    expect(total(page)).to_have_text("S$643.10")
    expect(page.get_by_label("Quantity of line 1")).to_have_value("6")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]

    page.get_by_label("Your job title").fill("Buyer")
    page.get_by_label("I accept this quotation").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="E-mail me a code").press("Enter")
    expect(page.locator("#code-sent")).to_contain_text("We have e-mailed a code")
    code = code_of(AcceptCode.objects.get().pk)
    page.get_by_label("Code from the e-mail").fill(code)
    page.get_by_role("button", name="Accept quotation").press("Enter")

    expect(page.get_by_text("6 instead of 4 × Switch").first).to_be_visible()
    assert Acceptance.objects.get().gross == Decimal("643.10")


def test_a_phone_shows_every_figure_of_a_line(own_browser, address):
    page = own_browser.new_context(viewport=PHONE).new_page()
    page.goto(address.removesuffix("accept/"))

    row = page.get_by_role("row").filter(has_text="Switch").first
    for words in ("4 × S$100.00", "choose 2 to 8", "Lead time: 4 to 6 weeks"):
        expect(row.get_by_text(words).locator("visible=true")).to_have_count(1)
    amount = row.locator("td").last.bounding_box()
    assert amount["x"] + amount["width"] <= PHONE["width"]
    page.get_by_role("link", name="Total and your answer").click()
    expect(page.get_by_role("link", name="Accept quotation")).to_be_in_viewport()


def test_without_javascript_a_button_updates_the_total(own_browser, address):
    context = own_browser.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    page.get_by_label("Quantity of line 1").fill("6")
    page.get_by_label("Your job title").fill("Buyer")

    page.get_by_role("button", name="Update total").click()

    expect(total(page)).to_have_text("S$599.50")
    expect(page.get_by_label("Your job title")).to_have_value("Buyer")
    page.get_by_label("Quantity of line 1").fill("9")
    page.get_by_role("button", name="Update total").click()
    expect(page.locator("#chosen")).to_contain_text("Line 1: choose from 2 to 8.")
    assert not Acceptance.objects.exists()
