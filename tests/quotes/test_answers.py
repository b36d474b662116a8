"""A yes: what is kept of it, who may give it, until when, and only once."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.db import connection

from quotes.errors import QuoteError
from quotes.models import Acceptance, Line, Revision
from quotes.states import RequestStatus, RevisionStatus
from sourceit.clock import end_of_day
from sourceit.events import events_of
from sourceit.models import Delivery
from tests.factories import (
    make_revision,
)
from tests.quotes.answering import (
    accept,
    decline,
    dispatch,
)
from tests.quotes.answering import quick_pdf as quick_pdf
from tests.quotes.answering import sent as sent

pytestmark = pytest.mark.django_db


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
