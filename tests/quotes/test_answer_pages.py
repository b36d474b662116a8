"""The pages behind a secret link and an account, and the printed address."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from quotes.models import Acceptance, ChangeRequest, Line, Revision
from quotes.services.answers import (
    send_link_again,
)
from quotes.services.changes import NEW_PRICE
from quotes.states import RequestStatus
from sourceit.links import revoke_links
from sourceit.models import Delivery, Membership, ViewLog
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
    with_code,
)
from tests.quotes.answering import quick_pdf as quick_pdf
from tests.quotes.answering import sent as sent

pytestmark = pytest.mark.django_db


def test_the_page_reads_the_frozen_content_alone(client, sent) -> None:
    Line.objects.filter(revision=sent).update(description="Altered afterwards")
    Revision.objects.filter(pk=sent.pk).update(payment_terms="Altered afterwards")

    page = client.get(address_of(sent)).content.decode()

    assert "NVIDIA Spectrum-2 SN3700" in page
    assert "Altered afterwards" not in page
    assert "S$57,046.50" in page
    assert "14 days left" in page


def test_no_page_tells_cost_margin_or_notes(client, sent) -> None:
    Revision.objects.filter(pk=sent.pk).update(internal_note="Squeeze them")

    for name in ("answer", "accept", "decline", "change"):
        page = client.get(address_of(sent, name)).content.decode()
        assert "21,234.56" not in page
        assert "21234.56" not in page
        assert "Squeeze" not in page
        assert "margin" not in page.lower()


def test_accepting_through_the_page(client, sent, django_capture_on_commit_callbacks):
    accept_page = address_of(sent, "accept")
    asked = client.post(accept_page, {})
    assert asked.status_code == 422
    assert "Tick the box to accept." in asked.content.decode()

    with django_capture_on_commit_callbacks(execute=True):
        client.post(accept_page, with_code(client, sent, po_number="PO-1"))
        again = client.post(accept_page, {**TICKED, "po_number": "PO-2"})

    acceptance = Acceptance.objects.get()
    assert acceptance.po_number == "PO-1"
    assert "I may commit my company to this" in acceptance.words
    assert again["Location"] == address_of(sent)
    page = client.get(again["Location"]).content.decode()
    assert acceptance.pdf_sha256 in page
    assert [m.subject for m in mail.outbox if m.to == ["carol@example.com"]] == [
        f"Your code to accept {sent.quote.number}",
        f"You accepted {sent.quote.number} revision 1",
    ]


def test_the_makers_clause_is_ticked_apart(client, sam) -> None:
    asked = make_request(owner=sam, status=RequestStatus.IN_PROGRESS)
    draft = make_revision(request=asked, author=sam)
    draft.lines.update(may_be_repriced=True)
    sent = dispatch(draft)

    refused = client.post(address_of(sent, "accept"), TICKED)
    ticked = with_code(client, sent, agrees_to_repricing="on")
    client.post(address_of(sent, "accept"), ticked)

    assert "Tick the box about the maker" in refused.content.decode()
    assert "the maker may change the price" in Acceptance.objects.get().words


@pytest.mark.parametrize(
    "page", ["answer", "answer_pdf", "accept", "decline", "change"]
)
def test_a_replaced_link_is_gone_with_all_below_it(client, sent, page) -> None:
    paths = [address_of(sent, page)]
    newer = dispatch(make_revision(quote=sent.quote, author=sent.author, n=2))
    new_token = address_of(newer).split("/")[2]

    for path in paths:
        for response in (client.get(path), client.post(path, TICKED)):
            assert response.status_code in (410, 405)
            assert new_token not in response.content.decode()
            assert "revision 2" not in response.content.decode().lower()


@pytest.mark.parametrize(
    "page", ["answer", "answer_pdf", "accept", "decline", "change"]
)
def test_a_link_revoked_by_hand_is_not_found(client, sent, page) -> None:
    path = address_of(sent, page)
    revoke_links(sent, purpose="answer")

    assert client.get(path).status_code == 404


def test_only_a_person_who_opens_the_page_is_logged(client, sent) -> None:
    path = address_of(sent)
    client.head(path, HTTP_USER_AGENT="Firefox")
    client.get(path, HTTP_USER_AGENT="Outlook-SafeLinks scanner")
    client.get(path, HTTP_USER_AGENT="Firefox")

    assert list(ViewLog.objects.values_list("is_scanner", flat=True)) == [True, False]


def test_the_pdf_is_the_stored_file(client, sent) -> None:
    response = client.get(address_of(sent, "answer_pdf"))

    assert b"".join(response.streaming_content) == b"%PDF-1.7 any"
    assert response["Content-Type"] == "application/pdf"
    assert sent.document.name in response["Content-Disposition"]
    assert response["X-Content-Type-Options"] == "nosniff"
    assert "no-store" in response["Cache-Control"]


def test_a_wish_is_kept_line_by_line(client, sam_client, sent) -> None:
    path = address_of(sent, "change")

    empty = client.post(path, {"text": " ", "line-1": ""})
    client.post(path, {"line-2": "Six, please", "line-9": "Not a line"})

    assert empty.status_code == 422
    change = ChangeRequest.objects.get()
    name = "1 × NVIDIA Spectrum-2 SN3700"
    assert change.lines == [{"number": 2, "line": name, "text": "Six, please"}]
    assert change.words == "Line 2: Six, please"
    desk = sam_client.get(sent.get_absolute_url()).content.decode()
    assert "<dt>Line 2<br>" in desk
    assert "Change asked: Line 2: Six, please" in desk


def test_the_same_wish_of_a_line_is_one_and_another_is_two(client, sent) -> None:
    path = address_of(sent, "change")

    for text in ("Six", "Six", "Seven"):
        client.post(path, {"text": "", "line-1": text})

    assert ChangeRequest.objects.count() == 2


def test_a_new_price_is_asked_for_with_one_button(client, sent) -> None:
    past = timezone.localdate() - timedelta(days=1)
    Revision.objects.filter(pk=sent.pk).update(valid_until=past)
    page = client.get(address_of(sent)).content.decode()
    assert f'action="{address_of(sent, "change")}"' in page
    assert f'name="text" value="{NEW_PRICE}"' in page

    for _click in range(2):
        client.post(address_of(sent, "change"), {"text": NEW_PRICE})

    assert ChangeRequest.objects.get().text == NEW_PRICE
    assert "We have your wish for a new price" in (
        client.get(address_of(sent)).content.decode()
    )


@pytest.mark.parametrize("lines", [2, 20])
def test_the_page_takes_as_many_queries_for_many_lines(
    client, sam, lines, django_assert_max_num_queries
) -> None:
    asked = make_request(owner=sam, status=RequestStatus.IN_PROGRESS)
    sent = dispatch(make_revision(request=asked, author=sam, lines=lines))
    path = address_of(sent)

    with django_assert_max_num_queries(10):
        client.get(path)


# The printed address


def test_the_door_mails_a_recipients_own_link(
    client, sent, django_capture_on_commit_callbacks
) -> None:
    door = reverse("quotes:quote_door", args=[sent.quote.number.lower()])

    with django_capture_on_commit_callbacks(execute=True):
        known = client.post(door, {"email": "CAROL@example.com"})
        unknown = client.post(door, {"email": "mallory@example.com"})

    assert known.content.count(b"its link is on its way") == 1
    assert unknown.content.count(b"its link is on its way") == 1
    [letter] = mail.outbox
    assert letter.to == ["carol@example.com"]
    assert address_of(sent) in letter.body


def test_the_door_knows_those_in_copy_too(sam) -> None:
    asked = make_request(owner=sam, status=RequestStatus.IN_PROGRESS)
    draft = make_revision(request=asked, author=sam)
    sent = dispatch(draft, cc=("boss@example.com",))

    number, now = sent.quote.number, timezone.now()
    assert send_link_again(number=number, email="boss@example.com", now=now)
    letter = Delivery.objects.get(kind="link_again")
    assert letter.link.email == "boss@example.com"


def test_the_door_gives_no_revoked_link_back(sent) -> None:
    revoke_links(sent, purpose="answer")

    number, now = sent.quote.number, timezone.now()
    assert not send_link_again(number=number, email="carol@example.com", now=now)
    assert not Delivery.objects.filter(kind="link_again").exists()


def test_the_door_is_slow_to_those_who_guess(client, sent) -> None:
    door = reverse("quotes:quote_door", args=[sent.quote.number])

    statuses = [
        client.post(door, {"email": f"guess{n}@example.com"}).status_code
        for n in range(12)
    ]

    assert statuses == [200] * 10 + [429] * 2


# By account


@pytest.fixture
def member_quote(sam):
    """A sent quote of an organisation, and its two members."""
    organisation = make_organisation()
    people = {}
    for role in Membership.Role.values:
        people[role] = make_user(f"{role}@example.com", name=role.capitalize())
        Membership.objects.create(
            user=people[role], organisation=organisation, role=role
        )
    asked = make_request(
        owner=sam, status=RequestStatus.IN_PROGRESS, organisation=organisation
    )
    return dispatch(make_revision(request=asked, author=sam)), people


def test_a_buyer_accepts_by_account(client, member_quote) -> None:
    sent, people = member_quote
    client.force_login(people["buyer"])

    response = client.post(reverse("quotes:my_quote_accept", args=[sent.pk]), TICKED)

    acceptance = Acceptance.objects.get()
    assert response["Location"] == reverse("quotes:my_quote", args=[sent.pk])
    assert acceptance.email == "buyer@example.com"


def test_a_viewer_reads_and_no_more(client, member_quote) -> None:
    sent, people = member_quote
    client.force_login(people["viewer"])

    page = client.get(reverse("quotes:my_quote", args=[sent.pk]))

    assert page.status_code == 200
    assert "Accept quotation" not in page.content.decode()
    for name in ("accept", "decline", "change"):
        path = reverse(f"quotes:my_quote_{name}", args=[sent.pk])
        assert client.get(path).status_code == 404
        assert client.post(path, TICKED).status_code == 404
    request_pk = sent.quote.request_id
    cancel = reverse("quotes:request_cancel", args=[request_pk])
    assert client.post(cancel).status_code == 404
    assert not Acceptance.objects.exists()


def test_staff_read_but_do_not_answer_for_the_customer(sam_client, sent) -> None:
    path = reverse("quotes:my_quote_accept", args=[sent.pk])

    assert sam_client.post(path, TICKED).status_code == 404


def test_members_still_read_a_replaced_revision(client, member_quote) -> None:
    sent, people = member_quote
    dispatch(make_revision(quote=sent.quote, author=sent.author, n=2))
    client.force_login(people["buyer"])

    page = client.get(reverse("quotes:my_quote", args=[sent.pk])).content.decode()

    assert "Replaced" in page
    assert "Accept quotation" not in page
    tracked = client.get(reverse("quotes:request", args=[sent.quote.request_id]))
    assert reverse("quotes:my_quote", args=[sent.pk]) in tracked.content.decode()
