from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.core import mail
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from quotes.errors import QuoteError
from quotes.models import Acceptance, AcceptCode, ChangeRequest, Line, Revision
from quotes.services.answers import (
    Signature,
    accept_quote,
    decline_quote,
    send_link_again,
)
from quotes.services.changes import NEW_PRICE, ask_for_change
from quotes.services.requests import cancel_request
from quotes.services.sending import dispatch_revision, send_quote
from quotes.states import RequestStatus, RevisionStatus
from sourceit.clock import end_of_day
from sourceit.codes import code_of
from sourceit.events import events_of
from sourceit.links import find_links, revoke_links, token_of
from sourceit.models import Delivery, Membership, ViewLog
from sourceit.pdf import Pdf
from tests.factories import (
    make_organisation,
    make_request,
    make_revision,
    make_user,
)

pytestmark = pytest.mark.django_db

SIGNATURE = Signature(
    name="Carol Tan",
    job_title="Head of purchasing",
    email="carol@example.com",
    words="I accept.",
    po_number="PO-4711",
    address="192.0.2.7",
    agent="Firefox",
)
TICKED = {"name": "Carol Tan", "job_title": "Head", "agrees": "on"}


@pytest.fixture(autouse=True)
def quick_pdf(monkeypatch):
    pdf = Pdf(data=b"%PDF-1.7 any", pages=1)
    monkeypatch.setattr("quotes.services.sending.render_quote", lambda *_, **__: pdf)


def dispatch(revision: Revision, *, cc: tuple[str, ...] = ()) -> Revision:
    now = timezone.now()
    send_quote(
        revision=revision,
        by=revision.author,
        to_email=revision.to_email,
        to_name=revision.to_name,
        cc=list(cc),
        message="",
        now=now - timedelta(minutes=1),
    )
    assert dispatch_revision(revision.pk, now)
    return Revision.objects.get(pk=revision.pk)


@pytest.fixture
def sent(sam) -> Revision:
    asked = make_request(owner=sam, status=RequestStatus.IN_PROGRESS)
    return dispatch(make_revision(request=asked, author=sam, lines=2))


def address_of(revision: Revision, name: str = "answer", email: str = "") -> str:
    email = email or revision.to_email
    link = find_links([revision], purpose="answer", email=email)[revision.pk]
    return reverse(f"quotes:{name}", args=[token_of(link)])


def accept(revision: Revision, now: datetime | None = None) -> Acceptance:
    now = now or timezone.now()
    return accept_quote(revision=revision, signature=SIGNATURE, now=now)


def with_code(client, revision: Revision, **typed: str) -> dict[str, str]:
    """Fill the form in, with the code that this browser has sent to the recipient."""
    client.post(address_of(revision, "accept_code"))
    return {**TICKED, "code": code_of(AcceptCode.objects.first().pk), **typed}


def decline(revision: Revision) -> None:
    decline_quote(
        revision=revision,
        reason="The price",
        comment="Too dear",
        email="carol@example.com",
        name="Carol Tan",
        user=None,
        now=timezone.now(),
    )


def ask(revision: Revision, text: str = "Six, please") -> ChangeRequest:
    return ask_for_change(
        revision=revision,
        text=text,
        email="carol@example.com",
        name="Carol Tan",
        user=None,
        now=timezone.now(),
    )


# Accepting


def test_an_acceptance_keeps_who_what_and_the_fingerprints(sent) -> None:
    acceptance = accept(sent)

    sent.refresh_from_db()
    assert sent.status == RevisionStatus.ACCEPTED
    assert sent.quote.request.status == RequestStatus.WON
    assert acceptance.gross == sent.gross
    assert acceptance.content_sha256 == sent.content_sha256
    assert acceptance.pdf_sha256 == sent.document.sha256
    assert (acceptance.address, acceptance.po_number) == ("192.0.2.7", "PO-4711")


def test_both_sides_get_a_letter_with_the_other_to_reply_to(sent) -> None:
    accept(sent)

    to_customer = Delivery.objects.get(kind="quote_accepted")
    to_desk = Delivery.objects.get(kind="quote_accepted_desk")
    assert to_customer.recipient == "carol@example.com"
    assert to_customer.reply_to == to_desk.recipient == "sam@example.com"
    assert to_desk.reply_to == "carol@example.com"
    assert to_customer.document == sent.document


def test_twice_is_the_first_result_again(sent) -> None:
    first = accept(sent)
    second = accept(sent)

    assert first.pk == second.pk
    assert Delivery.objects.filter(kind="quote_accepted").count() == 1
    assert events_of(sent).filter(kind="quote_accept").count() == 1


@pytest.mark.parametrize(
    ("moment", "is_in_time"),
    [
        (timedelta(days=-1), True),
        (timedelta(0), True),
        (timedelta(microseconds=1), False),
        (timedelta(days=9), False),
    ],
)
def test_the_last_day_counts_to_its_last_microsecond(sent, moment, is_in_time) -> None:
    now = end_of_day(sent.valid_until) + moment

    if is_in_time:
        assert accept(sent, now).at == now
    else:
        with pytest.raises(QuoteError, match="expired"):
            accept(sent, now)
        assert not Acceptance.objects.exists()


def test_a_date_ends_in_singapore_not_in_utc(sent) -> None:
    Revision.objects.filter(pk=sent.pk).update(valid_until="2027-03-05")
    sent.refresh_from_db()

    with pytest.raises(QuoteError, match="expired"):
        accept(sent, datetime(2027, 3, 5, 16, 0, tzinfo=UTC))

    accept(sent, datetime(2027, 3, 5, 15, 59, 59, 999999, tzinfo=UTC))


@pytest.mark.parametrize(
    "tamper",
    [
        lambda r: Revision.objects.filter(pk=r.pk).update(gross=Decimal("1.00")),
        lambda r: Revision.objects.filter(pk=r.pk).update(net=Decimal("1.00")),
        lambda r: Revision.objects.filter(pk=r.pk).update(content_sha256="0" * 64),
        lambda r: Revision.objects.filter(pk=r.pk).update(document=None),
        lambda r: Revision.objects.filter(pk=r.pk).update(
            content={**r.content, "payment_terms": "never"}
        ),
        lambda r: Line.objects.filter(revision=r).update(unit_price=Decimal("2")),
    ],
)
def test_what_is_not_as_it_was_sent_cannot_be_accepted(sent, tamper) -> None:
    tamper(sent)
    sent.refresh_from_db()

    with pytest.raises(QuoteError, match="Please call us"):
        accept(sent)

    assert not Acceptance.objects.exists()


@pytest.mark.parametrize(
    "status",
    [s for s in RevisionStatus if s != RevisionStatus.SENT],
)
def test_only_the_standing_offer_is_accepted(sent, status) -> None:
    Revision.objects.filter(pk=sent.pk).update(status=status)
    sent.refresh_from_db()

    with pytest.raises(QuoteError):
        accept(sent)


def test_a_replaced_revision_is_not_accepted(sent) -> None:
    newer = dispatch(make_revision(quote=sent.quote, author=sent.author, n=2))
    sent.refresh_from_db()
    assert sent.status == RevisionStatus.SUPERSEDED

    with pytest.raises(QuoteError, match="replaced"):
        accept(sent)

    accept(newer)


def test_a_voided_acceptance_is_no_answer_any_more(sent) -> None:
    accept(sent)
    Revision.objects.filter(pk=sent.pk).update(status=RevisionStatus.WITHDRAWN)
    sent.refresh_from_db()

    with pytest.raises(QuoteError):
        accept(sent)


def test_a_request_that_was_given_up_comes_back_with_the_yes(sent) -> None:
    asked = sent.quote.request
    type(asked).objects.filter(pk=asked.pk).update(status=RequestStatus.LOST)

    accept(sent)

    asked.refresh_from_db()
    assert asked.status == RequestStatus.WON


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_eight_at_once_make_one_acceptance(sent) -> None:
    start, results = threading.Barrier(8), []

    def run() -> None:
        start.wait()
        try:
            results.append(accept(Revision.objects.get(pk=sent.pk)).pk)
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(results) == 8
    assert set(results) == {Acceptance.objects.get().pk}
    assert Delivery.objects.filter(kind="quote_accepted").count() == 1


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_a_yes_and_a_no_at_once_leave_one_of_them(sent) -> None:
    start, told = threading.Barrier(2), []

    def run(answer) -> None:
        start.wait()
        try:
            answer(Revision.objects.get(pk=sent.pk))
            told.append("done")
        except QuoteError:
            told.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[each]) for each in (accept, decline)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    sent.refresh_from_db()
    assert sorted(told) == ["done", "refused"]
    is_accepted = sent.status == RevisionStatus.ACCEPTED
    assert Acceptance.objects.exists() == is_accepted
    expected = RequestStatus.WON if is_accepted else RequestStatus.LOST
    assert type(sent.quote.request).objects.get().status == expected


# Declining and asking


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


# Pages


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
