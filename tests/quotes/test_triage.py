from __future__ import annotations

from datetime import UTC, datetime

import pytest
import time_machine

from quotes.errors import QuoteError
from quotes.models import QuoteRequest
from quotes.services.imports import judge_rows
from quotes.services.triage import (
    decline_request,
    enter_request,
    lose_request,
    mark_spam,
    take_request,
)
from quotes.sheets import read_pasted
from quotes.states import RequestStatus, RevisionStatus
from sourceit.events import events_of
from sourceit.models import Event
from tests.factories import make_product, make_request, make_revision, make_staff

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 2, 14, tzinfo=UTC)  # 10:14 in Singapore


def test_taking_makes_the_owner_and_leaves_an_event(sam):
    request = make_request()

    take_request(request=request, by=sam)

    request.refresh_from_db()
    assert (request.status, request.owner) == (RequestStatus.IN_PROGRESS, sam)
    event = events_of(request).get()
    assert (event.kind, event.by, event.after) == ("request_take", sam, "in_progress")


def test_the_second_to_take_learns_who_was_first(sam):
    raj = make_staff("raj@example.com", name="Raj Nair")
    request = make_request()
    seen_by_sam = QuoteRequest.objects.get(pk=request.pk)
    with time_machine.travel(NOW, tick=False):
        take_request(request=request, by=raj)

    with pytest.raises(QuoteError, match=r"Raj Nair took this at 10:14\."):
        take_request(request=seen_by_sam, by=sam)

    request.refresh_from_db()
    assert request.owner == raj


def test_taking_a_closed_request_says_that_it_is_closed(sam):
    request = make_request(status=RequestStatus.CANCELLED)

    with pytest.raises(QuoteError, match="is cancelled"):
        take_request(request=request, by=sam)


def test_declining_needs_a_reason_and_keeps_it_at_the_desk(sam):
    request = make_request()
    with pytest.raises(QuoteError, match="Enter a reason"):
        decline_request(request=request, by=sam, reason="  ", now=NOW)

    decline_request(request=request, by=sam, reason="Out of stock for good", now=NOW)

    request.refresh_from_db()
    assert request.status == RequestStatus.DECLINED
    assert (request.close_reason, request.closed_at) == ("Out of stock for good", NOW)
    assert events_of(request).get().is_internal


def test_spam_leaves_every_list_and_writes_to_nobody(sam, mailoutbox):
    request = make_request()

    mark_spam(request=request, by=sam, now=NOW)

    assert request not in QuoteRequest.objects.sent()
    assert not mailoutbox


def test_a_request_with_a_live_quote_is_not_lost(sam):
    request = make_request(status=RequestStatus.QUOTED)
    make_revision(request=request, status=RevisionStatus.SENT)

    with pytest.raises(QuoteError, match="Withdraw it first"):
        lose_request(request=request, by=sam, reason="Price", now=NOW)


@pytest.mark.parametrize("status", [RevisionStatus.WITHDRAWN, RevisionStatus.DECLINED])
def test_a_request_whose_quotes_are_over_can_be_closed_as_lost(sam, status):
    request = make_request(status=RequestStatus.QUOTED)
    make_revision(request=request, status=status)

    lose_request(request=request, by=sam, reason="Bought elsewhere", now=NOW)

    request.refresh_from_db()
    assert request.status == RequestStatus.LOST


def test_a_request_by_phone_gets_a_number_an_owner_and_matched_products(sam):
    switch = make_product(mpn="MSN3700-VS2F")

    request = enter_request(
        contact={"name": "Carol Tan", "email": "carol@example.com"},
        rows=judge_rows(read_pasted("4 x msn3700-vs2f\nsome optics")),
        source="By phone",
        by=sam,
        now=NOW,
    )

    request.refresh_from_db()
    assert request.number == "RFQ-2026-0001"
    assert (request.status, request.owner) == (RequestStatus.IN_PROGRESS, sam)
    first, second = request.lines.all()
    assert (first.product, first.quantity, first.description) == (
        switch,
        4,
        switch.name,
    )
    assert (second.product, second.description) == (None, "some optics")
    assert Event.objects.filter(text__startswith="By phone, entered by").exists()
