"""What tests of sending share: a draft, its send, and threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.storage import default_storage
from django.db import connection

from quotes.models import Quote, Revision
from quotes.services import sending
from quotes.services.sending import (
    dispatch_revision,
    send_quote,
)
from quotes.states import RequestStatus
from sourceit.models import Document
from tests.factories import make_request, make_revision

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


def files_kept() -> int:
    def count(folder: str) -> int:
        folders, files = default_storage.listdir(folder)
        return len(files) + sum(count(f"{folder}/{name}") for name in folders)

    return count("documents") if default_storage.exists("documents") else 0


def in_threads(*jobs) -> list[bool]:
    def run(job) -> bool:
        try:
            return job()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return [done.result() for done in [pool.submit(run, job) for job in jobs]]
