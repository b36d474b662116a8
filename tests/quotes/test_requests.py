from __future__ import annotations

import threading
from uuid import uuid4

import pytest
from django.core import mail
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from fabrics.engine import FabricSpec
from fabrics.services import save_design
from quotes.errors import QuoteError
from quotes.models import QuoteRequest
from quotes.services import baskets
from quotes.services.messages import add_message
from quotes.services.requests import (
    cancel_request,
    confirmation_link,
    is_controlled,
    submit_request,
    tracking_link,
)
from quotes.states import RequestStatus
from sourceit.events import events_of
from sourceit.links import token_of
from sourceit.models import Delivery, Membership
from tests.factories import (
    make_organisation,
    make_product,
    make_request,
    make_revision,
    make_user,
)

pytestmark = pytest.mark.django_db

DETAILS = {
    "name": "Carol Tan",
    "email": "Carol@Example.com",
    "company": "Example Research Pte Ltd",
}


def fill_basket(user=None) -> QuoteRequest:
    basket = baskets.make_basket(user=user)
    baskets.add_text(basket=basket, description="Red fibre", quantity=4)
    return basket


def submit(basket: QuoteRequest, key=None, user=None, **details) -> QuoteRequest:
    return submit_request(
        basket=basket,
        details={**DETAILS, **details},
        key=key or uuid4(),
        user=user,
        now=timezone.now(),
    )


# Sending


def test_sending_freezes_numbers_and_tells_both_sides() -> None:
    asked = submit(fill_basket())

    assert asked.number == f"RFQ-{timezone.localdate().year}-0001"
    assert asked.status == RequestStatus.SUBMITTED
    assert asked.consent_at is not None
    assert asked.email == "carol@example.com"
    assert [e.kind for e in events_of(asked)] == ["request_submit"]
    kinds = set(Delivery.objects.values_list("kind", "recipient", "reply_to"))
    assert kinds == {
        ("request_received", "carol@example.com", "sales@sourceit.com.sg"),
        ("request_new", "sales@sourceit.com.sg", "carol@example.com"),
    }


def test_an_empty_basket_is_not_sent_and_takes_no_number() -> None:
    basket = fill_basket()
    baskets.remove_line(line=basket.lines.get(), now=timezone.now())
    with pytest.raises(QuoteError, match="empty"):
        submit(basket)

    assert submit(fill_basket()).number.endswith("-0001")


def test_a_removed_line_does_not_go_with_the_request() -> None:
    basket = fill_basket()
    line = baskets.add_text(basket=basket, description="A mistake", quantity=1)
    baskets.remove_line(line=line, now=timezone.now())

    assert [line.description for line in submit(basket).lines.all()] == ["Red fibre"]


def test_the_same_key_is_the_same_request() -> None:
    basket, key = fill_basket(), uuid4()

    first = submit(basket, key)
    second = submit(basket, key)

    assert first.pk == second.pk
    assert Delivery.objects.count() == 2


def test_a_sent_basket_is_not_sent_again_with_another_key() -> None:
    basket = fill_basket()
    stale = QuoteRequest.objects.get(pk=basket.pk)
    submit(basket)

    with pytest.raises(QuoteError):
        submit(stale)


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_six_clicks_at_once_are_one_request() -> None:
    basket, key = fill_basket(), uuid4()
    start, results = threading.Barrier(6), []

    def run() -> None:
        start.wait()
        try:
            results.append(submit(QuoteRequest.objects.get(pk=basket.pk), key).number)
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert results == [QuoteRequest.objects.get().number] * 6
    assert Delivery.objects.filter(kind="request_received").count() == 1


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_requests_at_once_get_numbers_without_gaps_or_repeats() -> None:
    pks = [fill_basket().pk for _ in range(8)]
    start, numbers = threading.Barrier(8), []

    def run(pk: int) -> None:
        start.wait()
        try:
            numbers.append(submit(QuoteRequest.objects.get(pk=pk)).number)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[pk]) for pk in pks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(number[-4:] for number in numbers) == [f"{n:04}" for n in range(1, 9)]


@pytest.mark.parametrize(
    ("memberships", "is_filed"), [(0, False), (1, True), (2, False)]
)
def test_a_members_request_is_filed_with_their_one_organisation(
    memberships, is_filed
) -> None:
    person = make_user()
    for number in range(memberships):
        organisation = make_organisation(f"Company {number}")
        Membership.objects.create(user=person, organisation=organisation)

    asked = submit(fill_basket(person), user=person)

    assert asked.user == person
    assert (asked.organisation is not None) == is_filed


@pytest.mark.parametrize(
    "name", ["Eve\r\nBcc: all@example.com", "<b>Eve</b>", "🚀", "ايف"]
)
def test_no_name_reaches_a_letters_head(
    name, django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        submit(fill_basket(), name=name, company=name)

    assert len(mail.outbox) == 2
    for letter in mail.outbox:
        head = letter.message().as_string().split("\n\n")[0]
        assert "Bcc" not in head
        assert "<b>" not in letter.alternatives[0][0].split("<body", 1)[1].replace(
            "<body", ""
        )


def test_a_design_with_controlled_parts_asks_for_the_end_use(client) -> None:
    make_product(mpn="GB300-NVL72", is_controlled=True)
    spec = FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-x800", gpus=576)
    basket = fill_basket()
    assert not is_controlled(basket)

    baskets.add_design(basket=basket, design=save_design(spec=spec, owner=None))

    assert is_controlled(basket)


# Following


@pytest.mark.parametrize(
    ("status", "is_told"),
    [("submitted", True), ("in_progress", True), ("quoted", False), ("won", False)],
)
def test_the_page_says_when_we_reply(client, status, is_told) -> None:
    asked = make_request(status=status)
    session = client.session
    session["just_sent"] = asked.pk
    session.save()

    page = client.get(reverse("quotes:track", args=[token_of(tracking_link(asked))]))

    assert (page.context["reply_by"] is not None) == is_told
    assert ("This request is closed" in page.content.decode()) == (status == "won")


def test_a_guests_own_browser_gets_a_link_that_opens_no_quote(client, sam) -> None:
    asked = submit(fill_basket())

    browser, mailed = confirmation_link(asked, None), tracking_link(asked)

    assert browser.pk != mailed.pk
    assert browser.email == ""
    assert confirmation_link(asked, None).pk == browser.pk
    assert confirmation_link(asked, make_user("carol@example.com")).pk == mailed.pk


def test_the_tracking_page_opens_quotes_for_their_recipient_alone(
    client, sam, monkeypatch
) -> None:
    from sourceit.links import issue_link
    from sourceit.models import AccessLink

    asked = make_request(owner=sam, status=RequestStatus.QUOTED)
    make_revision(request=asked, author=sam, status="draft")
    other = make_revision(request=asked, author=sam, status="sent", gross=100)
    type(other.quote).objects.filter(pk=other.quote_id).update(number="Q-2026-0007")
    link = issue_link(other, purpose="answer", email=asked.email)
    count = AccessLink.objects.count()
    track = reverse("quotes:track", args=[token_of(tracking_link(asked))])
    browser = reverse("quotes:track", args=[token_of(confirmation_link(asked, None))])

    mine = client.get(track).content.decode()
    guest = client.get(browser).content.decode()

    assert token_of(link) in mine
    assert "S$100.00" in mine
    assert token_of(link) not in guest
    assert "S$100.00" not in guest
    assert reverse("quotes:quote_door", args=["Q-2026-0007"]) in guest
    assert "Draft quote" not in mine + guest
    assert AccessLink.objects.count() == count + 2, "the two track links, no other"


def test_internal_events_stay_at_the_desk(client, sam) -> None:
    from sourceit.events import record_event

    asked = make_request()
    record_event(asked, "note", "He always haggles", internal=True)
    record_event(asked, "note", "We asked the maker", internal=False)

    path = reverse("quotes:track", args=[token_of(tracking_link(asked))])
    page = client.get(path).content.decode()

    assert "We asked the maker" in page
    assert "haggles" not in page


def test_a_message_is_kept_once_and_told_to_the_owner(sam) -> None:
    asked = make_request(owner=sam, status=RequestStatus.IN_PROGRESS)

    for _ in range(2):
        add_message(request=asked, text="Also by sea?", by=None, now=timezone.now())

    assert [e.text for e in events_of(asked)] == ["Sent a message"]
    assert [m.text for m in asked.messages.all()] == ["Also by sea?"]
    letter = Delivery.objects.get(kind="request_message_desk")
    assert (letter.recipient, letter.reply_to) == ("sam@example.com", asked.email)
    assert "Also by sea?" in letter.body_text


def test_a_message_answers_our_question() -> None:
    asked = make_request(status=RequestStatus.AWAITING)

    add_message(request=asked, text="Two racks", by=None, now=timezone.now())

    asked.refresh_from_db()
    assert asked.status == RequestStatus.IN_PROGRESS


def test_a_closed_request_takes_no_message(client) -> None:
    asked = make_request(status=RequestStatus.CANCELLED)
    path = reverse("quotes:track_message", args=[token_of(tracking_link(asked))])

    response = client.post(path, {"text": "Hello?"})

    assert response.status_code == 422
    assert "Hello?" in response.content.decode()
    assert "This request is closed" in response.content.decode()


@pytest.mark.parametrize("status", RequestStatus)
def test_only_an_open_request_is_cancelled(status) -> None:
    asked = make_request(status=status)
    is_open = status in (
        RequestStatus.SUBMITTED,
        RequestStatus.IN_PROGRESS,
        RequestStatus.AWAITING,
        RequestStatus.QUOTED,
    )

    if is_open:
        cancel_request(request=asked, by=None, now=timezone.now())
        assert asked.status == RequestStatus.CANCELLED
        assert Delivery.objects.get().recipient == "sales@sourceit.com.sg"
    else:
        with pytest.raises(QuoteError):
            cancel_request(request=asked, by=None, now=timezone.now())
        assert not Delivery.objects.exists()


def test_colleagues_see_each_others_requests_and_nobody_elses(client, carol) -> None:
    organisation = make_organisation()
    colleague = make_user()
    for person in (carol, colleague):
        Membership.objects.create(user=person, organisation=organisation)
    ours = make_request(user=colleague, organisation=organisation)
    theirs = make_request(user=make_user(), organisation=make_organisation("Other"))
    client.force_login(carol)

    page = client.get(reverse("quotes:my_requests")).content.decode()

    assert ours.number in page
    assert theirs.number not in page


@pytest.mark.parametrize("rows", [2, 20])
def test_the_list_takes_as_many_queries_for_many_requests(
    carol, carol_client, rows, django_assert_max_num_queries
) -> None:
    for _ in range(rows):
        make_request(user=carol, lines=5)
    carol_client.get("/")

    with django_assert_max_num_queries(8):
        page = carol_client.get(reverse("quotes:my_requests")).content.decode()
    assert "and more" in page


@pytest.mark.parametrize("rows", [1, 6])
def test_the_tracking_page_takes_as_many_queries_for_many_quotes(
    client, sam, rows, django_assert_max_num_queries
) -> None:
    asked = make_request(owner=sam, status=RequestStatus.QUOTED, lines=rows * 3)
    for number in range(rows):
        sent = make_revision(request=asked, author=sam, status="sent", gross=100)
        quotes = type(sent.quote).objects.filter(pk=sent.quote_id)
        quotes.update(number=f"Q-2026-{number:04}")
    path = reverse("quotes:track", args=[token_of(tracking_link(asked))])

    with django_assert_max_num_queries(11):
        client.get(path)
