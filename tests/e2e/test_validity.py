"""A quote's last day is Singapore's, wherever the browser is and the server's clock."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.urls import reverse
from playwright.sync_api import expect

from quotes.models import Revision
from quotes.services.sending import dispatch_revision, send_quote
from quotes.states import RequestStatus
from sourceit.links import find_links, token_of
from sourceit.pdf import Pdf
from tests.factories import make_request, make_revision

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.django_db(transaction=True, serialized_rollback=True),
]
LAST = date(2027, 3, 5)
# The end of 5 March in Singapore, in UTC, to the microsecond.
END = datetime(2027, 3, 5, 15, 59, 59, 999999, tzinfo=UTC)
# It is still the 5th in one and the 6th in the other.
ZONES = ("America/Los_Angeles", "Pacific/Auckland")


@pytest.fixture
def address(sam, live_server, monkeypatch):
    """The secret address of a quote that was sent a week before its last day."""
    pdf = Pdf(data=b"%PDF-1.7 any", pages=1)
    monkeypatch.setattr("quotes.services.sending.render_quote", lambda *_, **__: pdf)
    request = make_request(owner=sam, status=RequestStatus.IN_PROGRESS)
    revision = make_revision(request=request, author=sam, valid_until=LAST)
    with time_machine.travel(END - timedelta(days=7), tick=False):
        send_quote(
            revision=revision,
            by=sam,
            to_email="carol@example.com",
            to_name="Carol Tan",
            cc=[],
            message="",
            now=END - timedelta(days=8),
        )
        assert dispatch_revision(revision.pk, END - timedelta(days=7))
    sent = Revision.objects.get(pk=revision.pk)
    link = find_links([sent], purpose="answer", email="carol@example.com")[sent.pk]
    return live_server.url + reverse("quotes:answer", args=[token_of(link)])


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize(
    ("moment", "is_in_time"), [(END, True), (END + timedelta(microseconds=1), False)]
)
def test_the_page_says_so_in_any_zone(own_browser, address, zone, moment, is_in_time):
    context = own_browser.new_context(timezone_id=zone, locale="en-US")
    page = context.new_page()
    with time_machine.travel(moment, tick=False):
        page.goto(address)
        accept = page.get_by_role("link", name="Accept quotation")
        if is_in_time:
            expect(page.get_by_text("today is the last day")).to_be_visible()
            expect(accept).to_be_visible()
        else:
            expect(page.get_by_text("It ran out on 5 Mar 2027.")).to_be_visible()
            expect(accept).to_have_count(0)
            page.goto(f"{address}accept/")
            expect(page.get_by_role("button", name="Accept quotation")).to_have_count(0)
    context.close()
