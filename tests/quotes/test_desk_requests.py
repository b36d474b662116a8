"""Requests at the desk by the client: read, take, refuse, quote, enter."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from quotes.models import QuoteRequest, Revision
from quotes.services.triage import take_request
from quotes.states import RequestStatus, RevisionStatus
from tests.factories import (
    make_request,
    make_revision,
    make_staff,
)
from tests.quotes.builder_posts import url

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 2, 14, tzinfo=UTC)  # 10:14 in Singapore


def test_an_unknown_request_is_not_found(sam_client):
    basket = make_request(status=RequestStatus.DRAFT)

    assert sam_client.get(url("request", 999)).status_code == 404
    assert sam_client.get(url("request", basket.pk)).status_code == 404


def test_the_request_page_shows_all_that_was_asked_and_done(sam_client, sam):
    request = make_request(message="Before Christmas please", phone="+65 6123 4567")
    line = request.lines.get()
    line.target_price, line.note = 1200, "Need 2 spare"
    line.save()
    take_request(request=request, by=sam)

    page = sam_client.get(url("request", request.pk)).content.decode()

    for words in ("Before Christmas", "S$1,200.00", "Need 2 spare", "Taken by Sam Lim"):
        assert words in page
    assert url("request_take", request.pk) not in page
    assert url("quote_new", request.pk) in page


def test_the_second_to_take_sees_who_was_first(sam_client):
    request = make_request()
    with time_machine.travel(NOW, tick=False):
        raj = make_staff("raj@example.com", name="Raj Nair")
        take_request(request=QuoteRequest.objects.get(pk=request.pk), by=raj)

    response = sam_client.post(url("request_take", request.pk))

    assert response.status_code == 409
    assert b"Raj Nair took this at 10:14." in response.content


def test_declining_without_a_reason_says_so(sam_client):
    request = make_request()

    response = sam_client.post(url("request_decline", request.pk), {"reason": ""})

    assert response.status_code == 409
    assert b"Enter a reason." in response.content
    request.refresh_from_db()
    assert request.status == RequestStatus.SUBMITTED


def test_spam_and_decline_close_a_request(sam_client):
    spam, declined = make_request(), make_request()

    sam_client.post(url("request_spam", spam.pk))
    sam_client.post(url("request_decline", declined.pk), {"reason": "supply"})

    spam.refresh_from_db()
    declined.refresh_from_db()
    assert (spam.status, declined.status) == ("spam", "declined")


def test_building_opens_the_draft(sam_client, sam):
    request = make_request(lines=2)

    response = sam_client.post(url("quote_new", request.pk))

    revision = Revision.objects.get(quote__request=request)
    assert response.url == url("quote", revision.pk)
    again = sam_client.post(url("quote_new", request.pk), follow=True)
    assert again.redirect_chain[-1][0] == url("quote", revision.pk)
    assert b"has a quote already" in again.content


def test_a_request_by_phone_is_entered_and_opened(sam_client):
    response = sam_client.post(
        url("request_new"),
        {
            "name": "Carol Tan",
            "email": "carol@example.com",
            "source": "By phone",
            "asked": "4 x MSN3700-VS2F",
        },
    )

    request = QuoteRequest.objects.get()
    assert response.url == url("request", request.pk)
    assert request.lines.get().quantity == 4


def test_a_request_with_mistakes_comes_back_as_typed(sam_client):
    typed = {"name": "Carol Tan", "email": "not an address", "asked": ""}

    response = sam_client.post(url("request_new"), typed)

    assert response.status_code == 422
    page = response.content.decode()
    assert "<title>Error:" in page
    assert "Enter at least one line." in page
    assert 'value="not an address"' in page
    assert not QuoteRequest.objects.exists()


def test_a_request_marked_as_spam_can_still_be_read(sam_client):
    request = make_request(status=RequestStatus.SPAM)

    assert sam_client.get(url("request", request.pk)).status_code == 200


@pytest.mark.parametrize(
    ("days", "is_asked", "words"),
    [(5, False, "Quoted"), (-1, False, "Expired"), (5, True, "Changes asked")],
)
def test_the_request_says_its_computed_status(sam_client, sam, days, is_asked, words):
    request = make_request(status=RequestStatus.QUOTED)
    revision = make_revision(
        request=request,
        author=sam,
        status=RevisionStatus.SENT,
        valid_until=timezone.localdate() + timedelta(days=days),
    )
    if is_asked:
        revision.change_requests.create(email="c@example.com", text="Cheaper please")

    page = sam_client.get(url("request", request.pk)).content.decode()

    assert f"{words}</span>" in page
    assert ("Cheaper please" in page) is is_asked
