"""A no, a wish, and a request that ends with its quotes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from quotes.errors import QuoteError
from quotes.models import ChangeRequest, Revision
from quotes.services.requests import cancel_request
from quotes.states import RequestStatus, RevisionStatus
from sourceit.models import Delivery
from tests.factories import (
    make_revision,
)
from tests.quotes.answering import (
    TICKED,
    accept,
    address_of,
    ask,
    decline,
    dispatch,
)
from tests.quotes.answering import quick_pdf as quick_pdf
from tests.quotes.answering import sent as sent

pytestmark = pytest.mark.django_db


def test_a_no_closes_the_request_once(sent) -> None:
    decline(sent)
    decline(sent)

    sent.refresh_from_db()
    assert sent.status == RevisionStatus.DECLINED
    assert sent.closed_reason == "The price: Too dear"
    assert sent.quote.request.status == RequestStatus.LOST
    assert Delivery.objects.filter(kind="quote_declined_desk").count() == 1


def test_a_no_to_one_of_two_quotes_keeps_the_request_open(sent) -> None:
    other = dispatch(make_revision(request=sent.quote.request, author=sent.author))

    decline(sent)
    other.quote.request.refresh_from_db()
    assert other.quote.request.status == RequestStatus.QUOTED

    decline(other)
    other.quote.request.refresh_from_db()
    assert other.quote.request.status == RequestStatus.LOST


def test_a_wish_leaves_the_quote_acceptable(sent) -> None:
    change = ask(sent)
    assert ask(sent).pk == change.pk, "a second click is the same wish"

    accept(sent)

    assert ChangeRequest.objects.count() == 1
    assert Delivery.objects.filter(kind="change_asked").count() == 1


def test_an_expired_quote_can_be_asked_for_again(client, sent) -> None:
    past = timezone.localdate() - timedelta(days=1)
    Revision.objects.filter(pk=sent.pk).update(valid_until=past)

    page = client.get(address_of(sent)).content.decode()
    refused = client.post(address_of(sent, "accept"), TICKED)
    asked = client.post(address_of(sent, "change"), {"text": "Still interested"})

    assert "Ask for a new price" in page
    assert "Accept quotation" not in page
    assert refused.status_code == 422
    assert asked.status_code == 302
    assert ChangeRequest.objects.get().text == "Still interested"


def test_cancelling_the_request_ends_its_quotes(sent) -> None:
    cancel_request(request=sent.quote.request, by=None, now=timezone.now())

    sent.refresh_from_db()
    assert sent.status == RevisionStatus.WITHDRAWN
    with pytest.raises(QuoteError):
        accept(sent)
    assert Delivery.objects.filter(kind="request_cancelled_desk").exists()
