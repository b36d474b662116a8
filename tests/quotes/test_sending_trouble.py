"""Undo, killed and late workers, what is refused, and races between them."""

from __future__ import annotations

from datetime import timedelta
from threading import Barrier

import pytest
from django.core import mail

from quotes.errors import QuoteError
from quotes.models import Revision
from quotes.services import sending
from quotes.services.sending import (
    dispatch_revision,
    find_due,
    undo_send,
)
from quotes.states import RevisionStatus
from sourceit.documents import STALE_AFTER
from sourceit.models import Delivery, Document, Event
from tests.factories import make_revision
from tests.quotes.sending import (
    LATER,
    NOW,
    break_rendering,
    document_of,
    files_kept,
    in_threads,
    next_revision,
    send,
    send_and_dispatch,
)
from tests.quotes.sending import _own_media as _own_media
from tests.quotes.sending import revision as revision

pytestmark = pytest.mark.django_db


def test_undo_takes_it_back_to_draft(revision, sam):
    send(revision)

    undo_send(revision=revision, by=sam, now=NOW)

    revision.refresh_from_db()
    assert revision.status == RevisionStatus.DRAFT
    assert revision.send_after is None
    assert not dispatch_revision(revision.pk, LATER)
    assert Document.objects.count() == 0


def test_undo_is_too_late_once_a_worker_has_it(revision, sam):
    send(revision)
    sending.claim_document(revision, "quotation", LATER)

    with pytest.raises(QuoteError, match="too late"):
        undo_send(revision=revision, by=sam, now=LATER)

    revision.refresh_from_db()
    assert revision.status == RevisionStatus.SENDING


def test_undo_is_refused_after_sending(revision, sam):
    sent = send_and_dispatch(revision)

    with pytest.raises(QuoteError, match="too late"):
        undo_send(revision=sent, by=sam, now=LATER)


def test_a_failed_one_can_be_taken_back_and_sent_again(revision, monkeypatch, sam):
    with monkeypatch.context() as broken:
        break_rendering(broken, RuntimeError("no fonts"))
        send(revision)
        dispatch_revision(revision.pk, LATER)

    undo_send(revision=revision, by=sam, now=LATER)

    assert send_and_dispatch(revision).quote.number == "Q-2026-0001"


def test_a_task_delivered_twice_sends_once(
    revision, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        send_and_dispatch(revision)
        assert not dispatch_revision(revision.pk, LATER)

    assert len(mail.outbox) == 1
    assert files_kept() == 1
    assert Event.objects.filter(kind="quote_dispatch").count() == 1


def test_a_dead_workers_claim_is_taken_over(revision):
    send(revision)
    sending.claim_document(revision, "quotation", LATER)
    long_after = LATER + STALE_AFTER + timedelta(seconds=1)
    assert find_due(LATER + STALE_AFTER / 2) == []

    assert find_due(long_after) == [revision.pk]
    assert dispatch_revision(revision.pk, long_after)


def test_a_document_that_kills_its_worker_fails_in_the_end(revision):
    send(revision)
    at = LATER
    for _try in range(3):
        sending.claim_document(revision, "quotation", at)
        at += STALE_AFTER + timedelta(seconds=1)
        find_due(at)

    assert document_of(revision).status == Document.Status.FAILED
    assert find_due(at) == []


def test_a_worker_that_lost_its_claim_keeps_nothing(revision, monkeypatch):
    send(revision)
    draw = sending.render_quote

    def slow(*args, **kwargs):
        long_after = LATER + STALE_AFTER + timedelta(seconds=1)
        monkeypatch.setattr(sending, "render_quote", draw)
        find_due(long_after)
        assert dispatch_revision(revision.pk, long_after)
        return draw(*args, **kwargs)

    monkeypatch.setattr(sending, "render_quote", slow)

    assert not dispatch_revision(revision.pk, LATER)

    assert document_of(revision).status == Document.Status.READY
    assert files_kept() == 1
    assert Delivery.objects.count() == 1


def test_the_sweep_does_not_pile_up_messages(revision):
    send(revision)

    assert find_due(LATER) == [revision.pk]
    assert find_due(LATER + timedelta(seconds=2)) == []
    assert find_due(LATER + timedelta(seconds=40)) == [revision.pk]


def test_an_accepted_parent_is_not_replaced(revision):
    first = send_and_dispatch(revision)
    second = next_revision(first)
    send(second)
    Revision.objects.filter(pk=first.pk).update(status=RevisionStatus.ACCEPTED)

    assert not dispatch_revision(second.pk, LATER)

    second.refresh_from_db()
    assert second.status == RevisionStatus.SENDING
    assert "accepted" in document_of(second).error


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"to_email": "nobody"}, "not an e-mail"),
        ({"to_email": ""}, "not an e-mail"),
        ({"cc": ["a@b"]}, "not an e-mail"),
        ({"cc": [f"p{n}@example.com" for n in range(11)]}, "At most 10"),
        ({"now": NOW + timedelta(days=3)}, "validity ended"),
    ],
)
def test_what_cannot_be_sent_is_refused(revision, fields, words):
    with pytest.raises(QuoteError, match=words):
        send(revision, **fields)

    revision.refresh_from_db()
    assert revision.status == RevisionStatus.DRAFT
    assert Document.objects.count() == 0


def test_a_line_without_a_price_is_refused(revision):
    revision.lines.update(unit_price=None)

    with pytest.raises(QuoteError):
        send(revision)


@pytest.mark.parametrize("status", RevisionStatus.values)
def test_only_a_draft_or_an_approved_one_is_sent(sam, status):
    revision = make_revision(
        author=sam, status=status, valid_until=NOW.date(), message="As agreed."
    )
    if status in (RevisionStatus.DRAFT, RevisionStatus.APPROVED):
        send(revision)
        assert revision.status == RevisionStatus.SENDING
        return
    with pytest.raises(QuoteError):
        send(revision)


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
@pytest.mark.parametrize("nth", range(5))
def test_of_undo_and_dispatch_exactly_one_wins(revision, sam, nth):
    send(revision)
    start = Barrier(2)

    def undo() -> bool:
        start.wait()
        try:
            undo_send(revision=Revision.objects.get(pk=revision.pk), by=sam, now=LATER)
        except QuoteError:
            return False
        return True

    def dispatch() -> bool:
        start.wait()
        return dispatch_revision(revision.pk, LATER)

    undone, sent = in_threads(undo, dispatch)

    assert undone != sent
    revision.refresh_from_db()
    expected = RevisionStatus.DRAFT if undone else RevisionStatus.SENT
    assert revision.status == expected
    assert Delivery.objects.count() == int(sent)


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_of_many_workers_exactly_one_sends(revision):
    send(revision)
    start = Barrier(4)

    def dispatch() -> bool:
        start.wait()
        return dispatch_revision(revision.pk, LATER)

    assert sum(in_threads(*[dispatch] * 4)) == 1
    assert Delivery.objects.count() == 1
    assert files_kept() == 1
