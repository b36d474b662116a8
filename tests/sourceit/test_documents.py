from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from sourceit.documents import (
    NUDGE_AFTER,
    STALE_AFTER,
    await_document,
    claim_document,
    drop_file,
    fail_document,
    finish_document,
    nudge_due,
    release_stale,
    retry_document,
    store_file,
    take_back_document,
)
from sourceit.models import Document, Event, User

NOW = datetime(2026, 12, 1, 2, tzinfo=UTC)
Status = Document.Status

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(sam, settings, tmp_path) -> Document:
    settings.MEDIA_ROOT = tmp_path
    return await_document(sam, "letter", "Letter")


def status_of(document: Document) -> str:
    return Document.objects.get(pk=document.pk).status


def test_one_claim_is_given(sam, waiting):
    claimed = claim_document(sam, "letter", NOW)

    assert claimed is not None
    assert claimed.status == Status.RENDERING
    assert claim_document(sam, "letter", NOW) is None


def test_a_finished_file_is_final(sam, waiting):
    claimed = claim_document(sam, "letter", NOW)
    store_file(claimed, b"%PDF-1.7", "Letter.pdf")
    assert status_of(claimed) == Status.RENDERING

    assert finish_document(claimed, pages=1)

    kept = Document.objects.get(pk=claimed.pk)
    assert (kept.status, kept.size, kept.pages) == (Status.READY, 8, 1)
    assert claim_document(sam, "letter", NOW) is None
    assert not take_back_document(sam, "letter", NOW)
    assert not retry_document(kept)
    assert not fail_document(claimed, "too late")


def test_a_lost_claim_cannot_finish_or_fail(sam, waiting):
    first = claim_document(sam, "letter", NOW)
    later = NOW + STALE_AFTER + timedelta(seconds=1)
    release_stale("letter", later)
    second = claim_document(sam, "letter", later)

    assert not finish_document(first, pages=1)
    assert not fail_document(first, "late")
    assert status_of(second) == Status.RENDERING


def test_a_failure_is_told_and_can_be_retried(sam, waiting):
    claimed = claim_document(sam, "letter", NOW)

    assert fail_document(claimed, OSError(28, "No space left"))

    assert "No space left" in Event.objects.get(kind="document_failed").text
    assert retry_document(claimed)
    assert claim_document(sam, "letter", NOW) is not None


def test_an_error_without_words_is_told_by_its_name(sam, waiting):
    fail_document(claim_document(sam, "letter", NOW), MemoryError())

    assert Document.objects.get().error == "MemoryError"


def test_what_was_called_off_is_gone(sam, waiting):
    assert take_back_document(sam, "letter", NOW)

    assert claim_document(sam, "letter", NOW) is None
    assert not take_back_document(sam, "letter", NOW)


def test_dropping_a_file_deletes_it(sam, waiting):
    claimed = claim_document(sam, "letter", NOW)
    store_file(claimed, b"x", "Letter.pdf")
    storage, name = claimed.file.storage, claimed.file.name

    drop_file(claimed)

    assert not storage.exists(name)


def test_a_subject_is_nudged_once_in_a_while(sam, waiting):
    everybody = User.objects.all()

    assert nudge_due("letter", everybody, NOW) == [sam.pk]
    assert nudge_due("letter", everybody, NOW + timedelta(seconds=2)) == []
    assert nudge_due("other", everybody, NOW) == []
    late = NOW + NUDGE_AFTER + timedelta(seconds=1)
    assert nudge_due("letter", everybody, late) == [sam.pk]
