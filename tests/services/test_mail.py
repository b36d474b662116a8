"""E-mails through a real worker: to a real mail server, and past killed workers."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections import Counter
from email import message_from_bytes
from pathlib import Path

import pytest
from django.utils import timezone

from sourceit.deliveries import STALE_AFTER
from sourceit.models import Delivery, Event
from tests.services.mail_server import mail_server
from tests.services.worker import running, wait_for

pytestmark = [
    pytest.mark.services,
    pytest.mark.django_db(transaction=True, serialized_rollback=True),
]
Status = Delivery.Status


@pytest.fixture
def server():
    with mail_server() as server:
        yield server


def make_deliveries(subject, count: int = 1) -> None:
    Delivery.objects.bulk_create(
        Delivery(
            subject=subject,
            kind="letter",
            recipient="carol@example.com",
            occasion=str(n),
            email_subject=f"Letter {n}",
            body_text="There",
        )
        for n in range(count)
    )


def is_now(status: str) -> bool:
    return Delivery.objects.get().status == status


def make_due() -> None:
    """Let the pause before the next try be over."""
    Delivery.objects.update(send_after=timezone.now(), nudged_at=None)


def age_claims() -> None:
    """Let the time pass after which a silent worker counts as dead."""
    Delivery.objects.update(claimed_at=timezone.now() - STALE_AFTER, nudged_at=None)


def ids_in(folder: Path) -> Counter[str]:
    files = (folder / "mailbox").glob("[!.]*.eml")
    return Counter(message_from_bytes(f.read_bytes())["Message-ID"] for f in files)


def test_a_mail_server_takes_a_letter_and_the_row_says_so(sam, server, tmp_path):
    make_deliveries(sam)
    with running(tmp_path, email_url=server.url):
        wait_for(lambda: is_now(Status.SENT))

    (message,) = server.messages
    row = Delivery.objects.get()
    assert message["Message-ID"] == row.message_id
    assert message["Subject"] == "Letter 0"
    assert row.sent_at is not None
    assert Event.objects.get().kind == "email_sent"


def test_a_refusal_for_good_is_a_failure_told_at_once(sam, server, tmp_path):
    server.answers["RCPT"] = "550 no such person"
    make_deliveries(sam)
    with running(tmp_path, email_url=server.url):
        wait_for(lambda: is_now(Status.FAILED))

    assert "no such person" in Delivery.objects.get().error
    assert server.messages == []


def test_a_server_that_is_busy_gets_it_later_and_once(sam, server, tmp_path):
    server.answers["taken"] = "451 try again later"
    make_deliveries(sam)
    with running(tmp_path, email_url=server.url):
        wait_for(lambda: "try again later" in Delivery.objects.get().error)
        assert is_now(Status.QUEUED)
        del server.answers["taken"]
        make_due()
        wait_for(lambda: is_now(Status.SENT))

    # It saw two tries of one message, and took the second.
    assert len(server.messages) == 2
    assert len({message["Message-ID"] for message in server.messages}) == 1


def test_a_server_that_is_away_is_tried_again(sam, tmp_path):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and does not listen
        url = f"smtp://127.0.0.1:{nobody.getsockname()[1]}"
        make_deliveries(sam)
        with running(tmp_path, email_url=url):
            wait_for(lambda: "refused" in Delivery.objects.get().error)

    row = Delivery.objects.get()
    assert (row.status, row.attempts) == (Status.QUEUED, 1)
    assert row.send_after > timezone.now()


def test_a_worker_killed_before_the_servers_answer_leaves_a_doubt_and_no_copy(
    sam, server, tmp_path
):
    server.answers["taken"] = ""
    make_deliveries(sam)
    with running(tmp_path, email_url=server.url):
        wait_for(lambda: bool(server.messages))
        assert is_now(Status.SENDING)
    del server.answers["taken"]
    age_claims()

    with running(tmp_path, email_url=server.url):
        wait_for(lambda: is_now(Status.UNKNOWN))
        time.sleep(6)  # three sweeps more

    assert is_now(Status.UNKNOWN)
    assert len(server.messages) == 1
    assert "check first" in Event.objects.get().text


def test_of_two_workers_one_is_killed_and_no_letter_is_lost_or_doubled(sam, tmp_path):
    make_deliveries(sam, 200)
    sent = Delivery.objects.filter(status=Status.SENT)
    with running(tmp_path):
        with running(tmp_path) as victim:
            wait_for(lambda: sent.count() >= 60)
            os.killpg(victim.pid, signal.SIGKILL)
        held = [Status.CLAIMED, Status.SENDING]
        past = timezone.now() - STALE_AFTER
        Delivery.objects.filter(status__in=held).update(claimed_at=past)
        open_rows = Delivery.objects.exclude(status__in=[Status.SENT, Status.UNKNOWN])
        Delivery.objects.filter(status=Status.QUEUED).update(nudged_at=None)
        wait_for(lambda: not open_rows.exists(), seconds=150)

    written = ids_in(tmp_path)
    assert set(written.values()) == {1}
    for row in Delivery.objects.all():
        assert row.status == Status.UNKNOWN or written[row.message_id] == 1
