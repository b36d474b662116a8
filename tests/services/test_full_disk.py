"""A worker whose disk is full: nothing is lost, nothing half-written, then it goes on.

The limit is the kernel's own on the size of a file, set on the worker's processes.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.utils import timezone

from quotes.models import Revision
from quotes.services.sending import retry_document
from quotes.states import RevisionStatus
from sourceit.models import Delivery, Document, Event
from tests.services.test_mail import make_deliveries, make_due
from tests.services.test_worker import messages_in, send_some
from tests.services.worker import running, wait_for

pytestmark = [
    pytest.mark.services,
    pytest.mark.django_db(transaction=True, serialized_rollback=True),
]
# Room for the clock's own file and a log, not for a quotation with its fonts.
FULL = 24_000


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*.pdf") if path.is_file()]


def test_a_quotation_that_does_not_fit_fails_whole_and_is_made_later(sam, tmp_path):
    (pk,) = send_some(sam, 1, lines=40)
    with running(tmp_path, largest_file=FULL):
        failed = Document.objects.filter(status=Document.Status.FAILED)
        wait_for(failed.exists)

    revision = Revision.objects.get(pk=pk)
    assert revision.status == RevisionStatus.SENDING
    assert "File too large" in failed.get().error
    assert Event.objects.filter(kind="document_failed").exists()
    assert files_in(tmp_path) == []
    assert not Delivery.objects.exists()

    retry_document(revision=revision, by=sam, now=timezone.now())
    with running(tmp_path):
        wait_for(lambda: bool(messages_in(tmp_path)))
    revision.refresh_from_db()
    assert revision.status == RevisionStatus.SENT
    assert len(files_in(tmp_path)) == len(messages_in(tmp_path)) == 1


def test_a_letter_that_does_not_fit_waits_and_goes_once(sam, tmp_path):
    make_deliveries(sam)
    Delivery.objects.update(body_text="There " * FULL)
    with running(tmp_path, largest_file=FULL):
        wait_for(Delivery.objects.filter(attempts=1, status="queued").exists)

    assert "File too large" in Delivery.objects.get().error
    assert list((tmp_path / "mailbox").iterdir()) == []

    make_due()
    with running(tmp_path):
        wait_for(Delivery.objects.filter(status="sent").exists)
    assert len(messages_in(tmp_path)) == 1
