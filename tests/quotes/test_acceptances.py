"""A yes that came on paper, and a yes that is taken back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from quotes.errors import QuoteError
from quotes.models import Acceptance, QuoteRequest, Revision
from quotes.reasons import DECLINED, DECLINED_TOLD, LOST
from quotes.services.acceptances import accept_on_behalf, void_acceptance
from quotes.states import RequestStatus, RevisionStatus
from sourceit.events import events_of
from sourceit.models import Delivery
from tests.factories import make_approver, make_request, make_revision
from tests.quotes.answering import accept, address_of, decline, dispatch
from tests.quotes.answering import quick_pdf as quick_pdf

pytestmark = pytest.mark.django_db

TYPED = {
    "how": "po",
    "name": "Carol Tan",
    "job_title": "Head of purchasing",
    "email": "Carol@example.com",
    "po_number": "PO-9",
}


@pytest.fixture
def sent(sam) -> Revision:
    asked = make_request(owner=sam, status=RequestStatus.IN_PROGRESS)
    return dispatch(make_revision(request=asked, author=sam))


@pytest.fixture
def raj(db):
    return make_approver("raj@example.com", name="Raj Nair")


def let_expire(revision: Revision) -> None:
    past = timezone.localdate() - timedelta(days=1)
    Revision.objects.filter(pk=revision.pk).update(valid_until=past)
    revision.refresh_from_db()


def enter(revision, by, **fields) -> Acceptance:
    typed = {
        "name": "Carol Tan",
        "job_title": "Head of purchasing",
        "email": "carol@example.com",
        "po_number": "PO-9",
        "reason": "They sent a purchase order",
        "late_reason": "",
    }
    now = timezone.now()
    return accept_on_behalf(revision=revision, by=by, now=now, **(typed | fields))


def void(revision, by, reason="The wrong company") -> None:
    void_acceptance(revision=revision, by=by, reason=reason, now=timezone.now())


# On the customer's behalf


def test_the_desk_enters_a_yes_that_came_on_paper(sam_client, sam, sent) -> None:
    path = reverse("desk:quote_accept", args=[sent.pk])

    page = sam_client.get(path).content.decode()
    done = sam_client.post(path, TYPED, follow=True).content.decode()

    assert 'value="Carol Tan"' in page
    assert "both sides are told" in done
    acceptance = Acceptance.objects.get()
    assert (acceptance.entered_by, acceptance.po_number) == (sam, "PO-9")
    assert acceptance.email == "carol@example.com"
    assert "on the customer&#x27;s behalf" in done
    sent.refresh_from_db()
    assert sent.quote.request.status == RequestStatus.WON


def test_both_sides_are_told_who_entered_it(sent, sam) -> None:
    enter(sent, sam)

    to_customer = Delivery.objects.get(kind="quote_accepted")
    assert "Sam Lim of SourceIT entered it for you" in to_customer.body_text
    assert (
        "Entered by Sam Lim"
        in Delivery.objects.get(kind="quote_accepted_desk").body_text
    )
    event = events_of(sent).get(kind="quote_accept")
    assert (event.by, event.is_internal) == (sam, False)
    assert "entered by Sam Lim" in event.text


def test_evidence_is_asked_for(sent, sam) -> None:
    with pytest.raises(QuoteError, match="attach its file"):
        enter(sent, sam, po_number=" ")

    assert not Acceptance.objects.exists()


def test_after_its_date_the_desk_gives_a_reason(sam_client, sent) -> None:
    let_expire(sent)
    path = reverse("desk:quote_accept", args=[sent.pk])

    refused = sam_client.post(path, TYPED)
    sam_client.post(path, {**TYPED, "late_reason": "Ordered on the last day"})

    assert "Say why it is accepted after its date." in refused.content.decode()
    acceptance = Acceptance.objects.get()
    assert acceptance.entered_reason.endswith("Ordered on the last day")


def test_the_customer_is_not_told_the_desks_reasons(client, sent, sam) -> None:
    let_expire(sent)
    enter(sent, sam, reason="They phoned", late_reason="A favour to them")

    page = client.get(address_of(sent)).content.decode()
    letter = Delivery.objects.get(kind="quote_accepted").body_text

    assert "entered by Sam Lim" in page
    for words in ("A favour", "favour to them"):
        assert words not in page + letter


@pytest.mark.parametrize("status", [s for s in RevisionStatus if s != "sent"])
def test_the_desk_enters_no_yes_to_what_does_not_stand(sent, sam, status) -> None:
    Revision.objects.filter(pk=sent.pk).update(status=status)
    sent.refresh_from_db()

    with pytest.raises(QuoteError):
        enter(sent, sam)


def test_a_yes_that_stands_is_not_entered_again(sent, sam) -> None:
    accept(sent)

    with pytest.raises(QuoteError, match="accepted already"):
        enter(sent, sam)


# Voiding


def test_a_voided_offer_stands_again_and_the_history_stays(sent, raj) -> None:
    first = accept(sent)
    void(sent, raj)

    sent.refresh_from_db()
    first.refresh_from_db()
    assert sent.status == RevisionStatus.SENT
    assert sent.quote.request.status == RequestStatus.QUOTED
    assert (first.voided_by, first.void_reason) == (raj, "The wrong company")
    second = accept(sent)
    assert second.pk != first.pk
    assert Delivery.objects.filter(kind="quote_accepted").count() == 2


def test_an_offer_whose_date_is_over_is_withdrawn(sent, raj) -> None:
    accept(sent)
    let_expire(sent)
    void(sent, raj)

    sent.refresh_from_db()
    assert sent.status == RevisionStatus.WITHDRAWN
    assert "is withdrawn" in Delivery.objects.get(kind="acceptance_voided").body_text


def test_both_sides_are_told_of_a_void_and_why(sent, raj, client) -> None:
    accept(sent)
    void(sent, raj)

    for kind in ("acceptance_voided", "acceptance_voided_desk"):
        assert "The wrong company" in Delivery.objects.get(kind=kind).body_text
    page = client.get(address_of(sent)).content.decode()
    assert "The wrong company" in page
    assert "Accept quotation" in page


def test_only_an_approver_voids(sent, sam_client, raj) -> None:
    accept(sent)
    path = reverse("desk:quote_void", args=[sent.pk])
    desk = Client()
    desk.force_login(raj)

    assert sam_client.post(path, {"reason": "A mistake"}).status_code == 404
    assert (
        "Void acceptance"
        not in sam_client.get(reverse("desk:quote", args=[sent.pk])).content.decode()
    )
    assert desk.post(path, {"reason": " "}).status_code == 422
    assert (
        "Acceptance voided"
        in desk.post(path, {"reason": "A mistake"}, follow=True).content.decode()
    )


@pytest.mark.parametrize("status", [s for s in RevisionStatus if s != "accepted"])
def test_only_what_is_accepted_is_voided(sent, raj, status) -> None:
    accept(sent)
    Revision.objects.filter(pk=sent.pk).update(status=status)

    with pytest.raises(QuoteError):
        void(Revision.objects.get(pk=sent.pk), raj)


def test_another_quote_that_was_bought_keeps_the_request_won(sent, raj, sam) -> None:
    other = dispatch(make_revision(request=sent.quote.request, author=sam))
    accept(sent)
    accept(other)
    void(sent, raj)

    assert QuoteRequest.objects.get().status == RequestStatus.WON


# Reasons


@pytest.mark.parametrize("key", [key for key, _words in DECLINED])
def test_a_declined_request_gets_a_polite_letter(sam_client, key) -> None:
    asked = make_request()
    path = reverse("desk:request_decline", args=[asked.pk])

    sam_client.post(path, {"reason": key, "note": "they never pay"})

    letter = Delivery.objects.get(kind="request_declined")
    assert letter.recipient == asked.email
    assert DECLINED_TOLD[key] in letter.body_text
    assert "Thank you for asking us" in letter.body_text
    assert "never pay" not in letter.body_text + letter.body_html
    asked.refresh_from_db()
    assert asked.close_reason == f"{dict(DECLINED)[key]}: they never pay"


def test_spam_gets_no_letter(sam_client) -> None:
    asked = make_request()

    sam_client.post(reverse("desk:request_spam", args=[asked.pk]))

    assert not Delivery.objects.exists()


def test_a_reason_of_ones_own_is_not_taken(sam_client) -> None:
    asked = make_request()
    path = reverse("desk:request_decline", args=[asked.pk])

    response = sam_client.post(path, {"reason": "because"})

    assert response.status_code == 409
    assert not Delivery.objects.exists()


def test_a_lost_request_keeps_its_reason(sam_client, sam, sent) -> None:
    other = dispatch(make_revision(request=sent.quote.request, author=sam))
    decline(other)
    let_expire(sent)
    path = reverse("desk:request_lose", args=[sent.quote.request_id])

    sam_client.post(path, {"reason": "silent", "note": "three calls"})

    asked = QuoteRequest.objects.get()
    assert asked.status == RequestStatus.LOST
    assert asked.close_reason == f"{dict(LOST)['silent']}: three calls"
