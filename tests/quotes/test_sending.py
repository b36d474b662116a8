from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.core import mail
from django.core.files.storage import default_storage
from django.db import connection

from quotes.content import hash_content
from quotes.errors import QuoteError
from quotes.models import Quote, Revision
from quotes.services import sending
from quotes.services.sending import (
    dispatch_revision,
    find_due,
    retry_document,
    send_quote,
    undo_send,
)
from quotes.states import RequestStatus, RevisionStatus
from sourceit.documents import STALE_AFTER
from sourceit.links import find_dead_link, find_link, token_of
from sourceit.models import AccessLink, Delivery, Document, Event
from tests.factories import make_request, make_revision

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)
LATER = NOW + timedelta(seconds=31)


@pytest.fixture(autouse=True)
def _own_media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def revision(sam) -> Revision:
    request = make_request(status=RequestStatus.IN_PROGRESS, owner=sam)
    return make_revision(author=sam, request=request, valid_until=NOW.date())


def send(revision: Revision, **fields) -> None:
    given = {
        "by": revision.author,
        "to_email": "carol@example.com",
        "to_name": "Carol Tan",
        "cc": [],
        "message": "As agreed.",
        "now": NOW,
    }
    send_quote(revision=revision, **(given | fields))


def send_and_dispatch(revision: Revision, **fields) -> Revision:
    send(revision, **fields)
    assert dispatch_revision(revision.pk, LATER)
    return Revision.objects.get(pk=revision.pk)


def next_revision(revision: Revision) -> Revision:
    return make_revision(
        quote=Quote.objects.get(pk=revision.quote_id),
        author=revision.author,
        n=revision.n + 1,
        valid_until=NOW.date(),
    )


def document_of(revision: Revision) -> Document:
    return Document.objects.get(subject_id=revision.pk, kind="quotation")


def break_rendering(monkeypatch, error: Exception) -> None:
    def fail(*args, **kwargs):
        raise error

    monkeypatch.setattr(sending, "render_quote", fail)


def test_sending_waits_for_the_time_to_undo(revision):
    send(revision)

    assert not dispatch_revision(revision.pk, NOW + timedelta(seconds=29))
    assert find_due(NOW + timedelta(seconds=29)) == []
    revision.refresh_from_db()
    assert revision.status == RevisionStatus.SENDING
    assert revision.send_after == NOW + timedelta(seconds=30)
    assert Delivery.objects.count() == 0


def test_a_dispatched_revision_is_sent_frozen_and_numbered(revision):
    sent = send_and_dispatch(revision)

    assert sent.status == RevisionStatus.SENT
    assert sent.quote.number == "Q-2026-0001"
    assert sent.content["issued_on"] == "2026-12-01"
    assert sent.content["message"] == "As agreed."
    assert sent.content_sha256 == hash_content(sent.content)
    assert str(sent.gross) == sent.content["totals"]["gross"]
    assert sent.net + sent.gst == sent.gross
    assert sent.sent_at == LATER


def test_the_file_is_stored_once_under_a_random_name(revision):
    sent = send_and_dispatch(revision)

    document = sent.document
    assert document.status == Document.Status.READY
    assert document.name == "SourceIT-Quotation-Q-2026-0001-r1.pdf"
    assert "Q-2026" not in document.file.name
    with document.file.open() as file:
        data = file.read()
    assert data.startswith(b"%PDF-")
    assert len(data) == document.size
    assert document.pages >= 1
    assert files_kept() == 1


def files_kept() -> int:
    def count(folder: str) -> int:
        folders, files = default_storage.listdir(folder)
        return len(files) + sum(count(f"{folder}/{name}") for name in folders)

    return count("documents") if default_storage.exists("documents") else 0


def test_each_recipient_gets_an_e_mail_with_a_link_of_their_own(
    revision, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        send_and_dispatch(revision, cc=["Dan@example.com ", "carol@example.com", ""])

    assert sorted(m.to[0] for m in mail.outbox) == [
        "carol@example.com",
        "dan@example.com",
    ]
    for message in mail.outbox:
        link = AccessLink.objects.get(email=message.to[0], purpose="answer")
        assert f"/q/{token_of(link)}/" in message.body
        assert f"/q/{token_of(link)}/" in message.alternatives[0].content
        assert message.reply_to == ["sam@example.com"]
        name, data, kind = message.attachments[0]
        assert name == "SourceIT-Quotation-Q-2026-0001-r1.pdf"
        assert kind == "application/pdf"
        assert data.startswith(b"%PDF-")


def test_the_e_mail_says_total_and_last_day(
    revision, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        sent = send_and_dispatch(revision)

    body = mail.outbox[0].body
    assert "S$28,523.25" in body
    assert str(sent.gross) == "28523.25"
    assert "1 Dec 2026, end of day, Singapore time (SGT)" in body
    assert "21234" not in body.replace(",", "")


def test_the_request_is_quoted_and_its_first_reply_time_kept(revision):
    send_and_dispatch(revision)
    request = revision.quote.request
    request.refresh_from_db()
    assert request.status == RequestStatus.QUOTED
    assert request.replied_at == LATER

    second = next_revision(revision)
    send(second, now=NOW + timedelta(hours=1))
    assert dispatch_revision(second.pk, NOW + timedelta(hours=2))
    request.refresh_from_db()
    assert request.replied_at == LATER


def test_the_next_revision_keeps_the_number_and_replaces_the_parent(revision):
    first = send_and_dispatch(revision)
    token = token_of(AccessLink.objects.get(purpose="answer"))

    second = send_and_dispatch(next_revision(first))

    first.refresh_from_db()
    assert first.status == RevisionStatus.SUPERSEDED
    assert second.quote.number == first.quote.number
    assert second.document.name.endswith("-r2.pdf")
    assert find_link(token, purpose="answer") is None
    assert find_dead_link(token, purpose="answer") is not None


def test_an_e_mail_of_the_parent_that_has_not_left_is_called_off(revision):
    first = send_and_dispatch(revision)

    send_and_dispatch(next_revision(first))

    states = Delivery.objects.order_by("pk").values_list("status", flat=True)
    assert list(states) == [Delivery.Status.CANCELLED, Delivery.Status.QUEUED]


def test_the_parent_stays_live_until_the_next_one_is_out(revision, monkeypatch):
    first = send_and_dispatch(revision)
    second = next_revision(first)
    break_rendering(monkeypatch, RuntimeError("no fonts"))
    send(second)

    assert not dispatch_revision(second.pk, LATER)

    first.refresh_from_db()
    second.refresh_from_db()
    assert first.status == RevisionStatus.SENT
    assert second.status == RevisionStatus.SENDING
    token = token_of(AccessLink.objects.get(purpose="answer"))
    assert find_link(token, purpose="answer") is not None


@pytest.mark.parametrize(
    "error",
    [RuntimeError("no fonts"), OSError(28, "No space left"), SoftTimeLimitExceeded()],
)
def test_a_failed_render_is_a_state_of_the_document(revision, monkeypatch, error):
    break_rendering(monkeypatch, error)
    send(revision)

    assert not dispatch_revision(revision.pk, LATER)

    document = document_of(revision)
    assert document.status == Document.Status.FAILED
    assert document.error
    revision.refresh_from_db()
    assert revision.status == RevisionStatus.SENDING
    assert Event.objects.filter(kind="document_failed", is_internal=True).exists()
    assert find_due(LATER) == []


def test_a_failed_document_can_be_made_again(revision, monkeypatch, sam):
    with monkeypatch.context() as broken:
        break_rendering(broken, RuntimeError("no fonts"))
        send(revision)
        dispatch_revision(revision.pk, LATER)

    retry_document(revision=revision, by=sam, now=LATER)

    assert find_due(LATER) == [revision.pk]
    assert dispatch_revision(revision.pk, LATER)
    revision.refresh_from_db()
    assert revision.status == RevisionStatus.SENT
    assert revision.quote.number == "Q-2026-0001"


def test_only_a_failed_document_is_made_again(revision, sam):
    send_and_dispatch(revision)

    with pytest.raises(QuoteError, match="no failed document"):
        retry_document(revision=revision, by=sam, now=LATER)


def test_a_full_disk_leaves_nothing_half_done(revision, monkeypatch):
    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sending, "store_file", full)
    send(revision)

    assert not dispatch_revision(revision.pk, LATER)

    assert "No space left" in document_of(revision).error
    assert Delivery.objects.count() == 0
    assert AccessLink.objects.count() == 0


def test_a_failure_after_the_file_was_written_deletes_it(revision, monkeypatch):
    def fail(*args, **kwargs):
        raise RuntimeError("mail templates are broken")

    monkeypatch.setattr(sending, "_queue_emails", fail)
    send(revision)

    assert not dispatch_revision(revision.pk, LATER)

    assert files_kept() == 0
    revision.refresh_from_db()
    assert revision.status == RevisionStatus.SENDING
    assert revision.content is None


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


def in_threads(*jobs) -> list[bool]:
    def run(job) -> bool:
        try:
            return job()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return [done.result() for done in [pool.submit(run, job) for job in jobs]]
