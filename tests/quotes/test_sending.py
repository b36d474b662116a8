"""from __future__ import annotations"""

from __future__ import annotations

from datetime import timedelta

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.core import mail

from quotes.content import hash_content
from quotes.errors import QuoteError
from quotes.services import sending
from quotes.services.sending import (
    dispatch_revision,
    find_due,
    retry_document,
)
from quotes.states import RequestStatus, RevisionStatus
from sourceit.links import find_dead_link, find_link, token_of
from sourceit.models import AccessLink, Delivery, Document, Event
from tests.quotes.sending import (
    LATER,
    NOW,
    break_rendering,
    document_of,
    files_kept,
    next_revision,
    send,
    send_and_dispatch,
)
from tests.quotes.sending import _own_media as _own_media
from tests.quotes.sending import revision as revision

pytestmark = pytest.mark.django_db


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
