"""The code that shows that who accepts by a link reads the link's mailbox."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from quotes.models import Acceptance, AcceptCode, Revision
from quotes.services.codes import CODE_LIFE, MAX_TRIES, send_code, use_code
from quotes.states import RequestStatus
from sourceit.codes import code_of
from sourceit.links import issue_link
from sourceit.models import Delivery, Membership
from tests.factories import (
    make_organisation,
    make_request,
    make_revision,
    make_user,
)
from tests.quotes.answering import (
    TICKED,
    address_of,
    dispatch,
    quick_pdf,  # noqa: F401  # a fixture that this file uses by name
    with_code,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(sam) -> Revision:
    asked = make_request(owner=sam, status=RequestStatus.IN_PROGRESS)
    return dispatch(make_revision(request=asked, author=sam))


@pytest.fixture
def link(sent):
    return issue_link(sent, purpose="answer", email=sent.to_email)


def test_the_code_comes_by_e_mail_and_opens_once(
    client, sent, django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        page = client.post(address_of(sent, "accept_code"), TICKED)
    [letter] = mail.outbox
    code = re.search(r"\b(\d{6})\b", letter.body)[1]

    assert "c•••@example.com" in page.content.decode()
    assert 'value="Head"' in page.content.decode(), "what was typed is kept"
    assert letter.to == ["carol@example.com"]
    assert code in letter.alternatives[0][0]
    done = client.post(address_of(sent, "accept"), {**TICKED, "code": f" {code}"})
    assert done.status_code == 302
    assert Acceptance.objects.get().email == "carol@example.com"


def test_no_table_holds_the_code(sent, link) -> None:
    row = send_code(revision=sent, link=link, session="s", now=timezone.now())
    delivery = Delivery.objects.get(kind="accept_code")
    code = code_of(row.pk)

    assert len(code) == 6
    assert code not in delivery.body_text + delivery.body_html
    assert code not in f"{row.code_hash} {row.session_hash}"


def test_pressing_accept_without_a_code_sends_one(client, sent) -> None:
    page = client.post(address_of(sent, "accept"), TICKED)
    again = client.post(address_of(sent, "accept"), TICKED)

    assert page.status_code == again.status_code == 422
    assert "We have e-mailed a code to" in page.content.decode()
    assert "Enter the code" in again.content.decode()
    assert AcceptCode.objects.count() == 1


def test_a_wrong_code_costs_a_try_and_five_end_it(client, sent) -> None:
    right = with_code(client, sent)
    wrong = {**right, "code": "000000" if right["code"] != "000000" else "000001"}

    for _ in range(MAX_TRIES):
        page = client.post(address_of(sent, "accept"), wrong)
        assert "The code is not right" in page.content.decode()
    refused = client.post(address_of(sent, "accept"), right)

    assert refused.status_code == 422
    assert "tried too often" in refused.content.decode()
    assert not Acceptance.objects.exists()


@pytest.mark.parametrize("age", [CODE_LIFE, CODE_LIFE + timedelta(hours=1)])
def test_an_old_code_is_worth_nothing(sent, link, age) -> None:
    now = timezone.now()
    row = send_code(revision=sent, link=link, session="s", now=now - age)

    wrong = use_code(link=link, session="s", typed=code_of(row.pk), now=now)

    assert "no code that still works" in wrong


def test_a_code_works_once(sent, link) -> None:
    now = timezone.now()
    row = send_code(revision=sent, link=link, session="s", now=now)
    use = {"link": link, "session": "s", "typed": code_of(row.pk), "now": now}

    assert use_code(**use) == ""
    assert "used" in use_code(**use)


def test_a_code_is_bound_to_its_browser_and_its_link(sent, link) -> None:
    now = timezone.now()
    row = send_code(revision=sent, link=link, session="s", now=now)
    other = issue_link(sent, purpose="answer", email="boss@example.com")
    typed = code_of(row.pk)

    assert use_code(link=link, session="t", typed=typed, now=now)
    assert use_code(link=other, session="s", typed=typed, now=now)
    assert use_code(link=link, session="s", typed=typed, now=now) == ""


def test_a_new_code_ends_the_one_before(sent, link) -> None:
    now = timezone.now()
    first = send_code(revision=sent, link=link, session="s", now=now)
    send_code(revision=sent, link=link, session="s", now=now)

    assert use_code(link=link, session="s", typed=code_of(first.pk), now=now)


def test_whoever_the_link_was_forwarded_to_needs_the_mailbox(client, sent) -> None:
    ticked = with_code(client, sent)
    other = Client()
    page = other.post(address_of(sent, "accept"), ticked)

    assert page.status_code == 422
    assert not Acceptance.objects.exists()


def test_codes_are_sent_so_many_times_an_hour(client, sent) -> None:
    for _ in range(8):
        page = client.post(address_of(sent, "accept_code"))

    assert Delivery.objects.filter(kind="accept_code").count() == 6
    assert "Please wait a minute" in page.content.decode()


def test_a_browser_that_was_asked_is_not_asked_again_that_day(client, sent) -> None:
    other = dispatch(make_revision(request=sent.quote.request, author=sent.author))
    client.post(address_of(sent, "accept"), with_code(client, sent))

    page = client.get(address_of(other, "accept")).content.decode()

    assert "E-mail me a code" not in page


@pytest.mark.parametrize(
    ("role", "needs_code"), [("buyer", False), ("viewer", True), ("", True)]
)
def test_a_buyers_account_stands_for_the_code(client, sam, role, needs_code) -> None:
    organisation, user = make_organisation(), make_user()
    if role:
        Membership.objects.create(user=user, organisation=organisation, role=role)
    asked = make_request(
        owner=sam, status=RequestStatus.IN_PROGRESS, organisation=organisation
    )
    sent = dispatch(make_revision(request=asked, author=sam))
    client.force_login(user)

    page = client.get(address_of(sent, "accept")).content.decode()

    assert ("E-mail me a code" in page) == needs_code


def test_opening_the_page_sends_nothing(client, sent) -> None:
    client.get(address_of(sent, "accept"))
    client.head(address_of(sent, "accept"))

    assert client.get(address_of(sent, "accept_code")).status_code == 405
    assert not AcceptCode.objects.exists()


def test_an_answered_quote_sends_no_code(client, sent) -> None:
    client.post(address_of(sent, "accept"), with_code(client, sent))

    other = Client()
    assert other.post(address_of(sent, "accept_code")).status_code == 404
