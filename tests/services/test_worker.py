"""Sending with a real worker and clock in processes of their own."""

from __future__ import annotations

from datetime import timedelta
from email import message_from_bytes
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone

from quotes.models import Revision
from quotes.services.sending import send_quote
from quotes.states import RevisionStatus
from sourceit.documents import STALE_AFTER
from sourceit.models import Delivery, Document
from tests.factories import make_line, make_revision
from tests.services.worker import running, wait_for

pytestmark = [
    pytest.mark.services,
    pytest.mark.django_db(transaction=True, serialized_rollback=True),
]


def send_some(by, count: int, lines: int = 1) -> list[int]:
    revisions = [make_revision(author=by, lines=0) for _n in range(count)]
    for revision in revisions:
        for position in range(lines):
            # Below the total that asks for an approval, however many lines.
            make_line(revision, position=position, unit_cost=80, unit_price=100)
        send_quote(
            revision=revision,
            by=by,
            to_email="carol@example.com",
            to_name="Carol Tan",
            cc=[],
            message="",
            now=timezone.now() - timedelta(seconds=settings.SEND_UNDO_SECONDS),
        )
    return [revision.pk for revision in revisions]


def messages_in(folder: Path) -> list[str]:
    files = sorted((folder / "mailbox").glob("[!.]*.eml"))
    return [str(message_from_bytes(path.read_bytes())["Subject"]) for path in files]


def test_a_quote_is_in_the_mailbox_seconds_after_the_time_to_undo(sam, tmp_path):
    with running(tmp_path):
        (pk,) = send_some(sam, 1)
        wait_for(lambda: bool(messages_in(tmp_path)))

    revision = Revision.objects.get(pk=pk)
    assert revision.status == RevisionStatus.SENT
    assert revision.quote.number in messages_in(tmp_path)[0]


def test_a_killed_worker_loses_nothing_and_nothing_goes_twice(sam, tmp_path):
    pks = send_some(sam, 6, lines=60)
    with running(tmp_path):
        rendering = Document.objects.filter(status=Document.Status.RENDERING)
        wait_for(rendering.exists)
    # What the dead worker held is let go of in time; the test cannot wait that long.
    past = timezone.now() - STALE_AFTER
    Document.objects.exclude(status=Document.Status.READY).update(claimed_at=past)
    Delivery.objects.filter(status=Delivery.Status.CLAIMED).update(claimed_at=past)

    with running(tmp_path):
        sent = Delivery.objects.filter(status=Delivery.Status.SENT)
        wait_for(lambda: sent.count() == len(pks))

    subjects = messages_in(tmp_path)
    assert len(subjects) == len(set(subjects)) == len(pks)
    done = Revision.objects.filter(pk__in=pks, status=RevisionStatus.SENT)
    assert done.count() == len(pks)
