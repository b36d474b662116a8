from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from quotes.models import Revision
from quotes.services.sending import send_quote
from quotes.states import RevisionStatus
from quotes.tasks import dispatch, sweep_sending
from tests.factories import make_revision

pytestmark = pytest.mark.django_db


@pytest.fixture
def sending(sam, settings, tmp_path) -> Revision:
    settings.MEDIA_ROOT = tmp_path
    revision = make_revision(author=sam)
    send_quote(
        revision=revision,
        by=sam,
        to_email="carol@example.com",
        to_name="Carol Tan",
        cc=[],
        message="",
        now=timezone.now() - timedelta(minutes=1),
    )
    return revision


def test_the_sweep_sends_what_is_due(sending, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        sweep_sending()

    sending.refresh_from_db()
    assert sending.status == RevisionStatus.SENT
    assert [message.to for message in mail.outbox] == [["carol@example.com"]]


def test_the_sweep_leaves_alone_what_can_still_be_undone(sending):
    soon = timezone.now() + timedelta(seconds=5)
    Revision.objects.update(send_after=soon)

    sweep_sending()
    dispatch(sending.pk)

    sending.refresh_from_db()
    assert sending.status == RevisionStatus.SENDING


def test_a_task_for_something_gone_does_nothing(db):
    dispatch(987654)
