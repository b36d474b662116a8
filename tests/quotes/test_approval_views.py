"""The pages of approval: what the author and the approver see and do."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from quotes.errors import QuoteError
from quotes.models import Approval, Revision
from quotes.services.orders import convert_quote
from quotes.states import RequestStatus, RevisionStatus
from tests.factories import (
    make_approver,
    make_line,
    make_product,
    make_request,
    make_revision,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def raj():
    return make_approver("raj@example.com", name="Raj Nair")


@pytest.fixture
def raj_client(raj):
    client = Client()
    client.force_login(raj)
    return client


@pytest.fixture
def thin(sam, raj):
    asked = make_request(status=RequestStatus.IN_PROGRESS, owner=sam)
    revision = make_revision(author=sam, request=asked, lines=0)
    make_line(revision, unit_price=Decimal(100), unit_cost=Decimal(97))
    return revision


def url(name, revision):
    return reverse(f"desk:{name}", args=[revision.pk])


def post(client, name, revision, **posted):
    version = Revision.objects.get(pk=revision.pk).row_version
    return client.post(url(name, revision), {"version": version} | posted)


def status(revision):
    return Revision.objects.get(pk=revision.pk).status


def page_of(client, revision, name="quote"):
    return client.get(url(name, revision)).content.decode()


def test_the_builder_says_why_approval_is_needed_while_building(sam_client, thin):
    page = page_of(sam_client, thin)

    assert "Needs approval" in page
    assert "The margin is 3.0%, under 8%." in page


def test_the_review_offers_to_ask_instead_of_to_send(sam_client, thin):
    page = page_of(sam_client, thin, "quote_send")

    assert "Ask for approval" in page
    assert "Send quote" not in page


def test_sending_by_hand_is_refused_with_the_rule(sam_client, thin):
    response = post(sam_client, "quote_send", thin)

    assert response.status_code == 409
    assert "It needs approval first." in response.content.decode()
    assert status(thin) == RevisionStatus.DRAFT


def test_from_asking_to_sending(sam_client, raj_client, thin):
    post(sam_client, "quote_submit", thin, note="Please")
    page = page_of(raj_client, thin)
    for words in ("Please", "under 8%", "S$97.00", "S$3.00 (3.0%)", "Do not approve"):
        assert words in page

    post(raj_client, "quote_approve", thin, comment="Fine")

    assert status(thin) == RevisionStatus.APPROVED
    page = page_of(sam_client, thin, "quote_send")
    assert "Approved" in page
    assert "Raj Nair" in page
    post(sam_client, "quote_send", thin)
    assert status(thin) == RevisionStatus.SENDING


def test_the_approver_sees_the_margin_after_a_discount_on_the_whole(
    sam_client, raj_client, thin
):
    Revision.objects.update(discount_percent=Decimal(1))
    post(sam_client, "quote_submit", thin)

    assert "S$2.00 (2.0%)" in page_of(raj_client, thin)


def test_the_author_sees_it_wait_and_takes_it_back(sam_client, thin):
    post(sam_client, "quote_submit", thin)
    page = page_of(sam_client, thin)
    assert "Take it back to edit" in page
    assert "Do not approve" not in page

    post(sam_client, "quote_recall", thin)

    assert status(thin) == RevisionStatus.DRAFT
    assert "data-builder" in page_of(sam_client, thin)


def test_an_approver_who_wrote_it_is_told_why_they_cannot(raj, raj_client):
    make_approver("boss@example.com")
    revision = make_revision(author=raj, lines=0)
    make_line(revision, unit_price=Decimal(100), unit_cost=Decimal(97))
    post(raj_client, "quote_submit", revision)

    page = page_of(raj_client, revision)
    response = post(raj_client, "quote_approve", revision)

    assert "You worked on this quote" in page
    assert response.status_code == 422
    assert status(revision) == RevisionStatus.PENDING_APPROVAL


def test_no_without_a_word_is_refused_and_with_one_reaches_the_author(
    sam_client, raj_client, thin
):
    post(sam_client, "quote_submit", thin)

    response = post(raj_client, "quote_reject", thin, comment="")
    assert "Say what is to be changed." in response.content.decode()
    post(raj_client, "quote_reject", thin, comment="Ask for more")

    assert status(thin) == RevisionStatus.DRAFT
    page = page_of(sam_client, thin)
    assert "Not approved" in page
    assert "Ask for more" in page


def test_the_second_look_shows_what_changed_since_the_first(
    sam_client, raj_client, thin
):
    post(sam_client, "quote_submit", thin)
    post(raj_client, "quote_reject", thin, comment="Ask for more")
    thin.lines.update(unit_price=Decimal(102))
    post(sam_client, "quote_submit", thin)

    page = page_of(raj_client, thin)

    assert "Changed since the last look" in page
    assert "S$102.00" in page


def test_a_page_of_an_older_edit_decides_nothing(sam_client, raj_client, thin):
    post(sam_client, "quote_submit", thin)

    response = raj_client.post(url("quote_approve", thin), {"version": "0"})

    assert response.status_code == 422
    assert status(thin) == RevisionStatus.PENDING_APPROVAL


def test_sales_cannot_approve(sam_client, thin):
    post(sam_client, "quote_submit", thin)

    assert post(sam_client, "quote_approve", thin).status_code == 404
    assert Approval.objects.get().outcome == "pending"


def test_the_pipeline_lists_what_waits_with_its_count(sam_client, raj_client, thin):
    make_request()
    post(sam_client, "quote_submit", thin)

    page = raj_client.get(reverse("desk:pipeline"), {"view": "approval"})

    assert "To approve (1)" in page.content.decode()
    (row,) = page.context["page"].rows
    assert row.request == thin.quote.request
    assert row.next == "Waiting for approval"


def test_a_destination_that_changed_after_the_yes_holds_the_order(sam, monkeypatch):
    make_product(mpn="HGX-1", is_controlled=True)
    revision = make_revision(author=sam, status=RevisionStatus.ACCEPTED, lines=0)
    make_line(revision, mpn="HGX-1")
    monkeypatch.setattr("quotes.services.orders.acceptance_of", lambda _one: object())

    with pytest.raises(QuoteError, match="have not been screened"):
        convert_quote(revision=revision, by=sam, now=revision.created_at)
