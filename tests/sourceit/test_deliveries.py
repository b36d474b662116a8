from __future__ import annotations

import smtplib
from datetime import UTC, datetime, timedelta

import pytest
from django.core.mail import EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend

from sourceit.deliveries import (
    MAX_ATTEMPTS,
    NUDGE_AFTER,
    STALE_AFTER,
    claim_delivery,
    due_deliveries,
    hand_over,
    release_stale,
    retry_by_hand,
    retry_or_fail,
)
from sourceit.models import Delivery, Event

NOW = datetime(2026, 12, 1, 2, tzinfo=UTC)
LATER = NOW + STALE_AFTER + timedelta(seconds=1)
Status = Delivery.Status
MESSAGE = EmailMultiAlternatives("Hello", "There", to=["carol@example.com"])

pytestmark = pytest.mark.django_db


class Server(BaseEmailBackend):
    """A mail server that does as `faults` says; keeps what it took."""

    faults: dict[str, Exception]
    taken: list[EmailMultiAlternatives]

    def open(self):
        if "open" in self.faults:
            raise self.faults["open"]

    def send_messages(self, email_messages):
        if "send" in self.faults:
            raise self.faults["send"]
        self.taken.extend(email_messages)
        return len(email_messages)


@pytest.fixture
def server(settings) -> type[Server]:
    settings.EMAIL_BACKEND = f"{__name__}.Server"
    Server.faults, Server.taken = {}, []
    return Server


def make_delivery(subject, **fields) -> Delivery:
    defaults = {
        "kind": "letter",
        "recipient": "carol@example.com",
        "email_subject": "Hello",
        "body_text": "There",
        "send_after": NOW,
    }
    return Delivery.objects.create(subject=subject, **(defaults | fields))


@pytest.fixture
def claimed(sam) -> Delivery:
    delivery = claim_delivery(make_delivery(sam).pk, NOW)
    assert delivery is not None
    return delivery


def now_of(delivery: Delivery) -> Delivery:
    return Delivery.objects.get(pk=delivery.pk)


def refused(*codes: int) -> smtplib.SMTPRecipientsRefused:
    return smtplib.SMTPRecipientsRefused(
        {f"{n}@example.com": (code, b"no") for n, code in enumerate(codes)}
    )


def test_a_delivery_is_claimed_once(sam):
    pk = make_delivery(sam).pk

    first = claim_delivery(pk, NOW)

    assert first is not None
    assert (first.status, first.attempts, first.claimed_at) == ("claimed", 1, NOW)
    assert claim_delivery(pk, NOW) is None


@pytest.mark.parametrize("status", [s for s in Status if s != Status.QUEUED])
def test_only_what_is_queued_can_be_claimed(sam, status):
    delivery = make_delivery(sam, status=status)

    assert claim_delivery(delivery.pk, NOW) is None
    assert now_of(delivery).status == status


def test_what_is_not_due_is_not_claimed(sam):
    pk = make_delivery(sam, send_after=NOW + timedelta(seconds=1)).pk

    assert claim_delivery(pk, NOW) is None
    assert not due_deliveries(NOW).exists()


def test_a_taken_message_is_sent_and_told(server, claimed, sam):
    hand_over(claimed, MESSAGE, NOW)

    row = now_of(claimed)
    assert server.taken == [MESSAGE]
    assert (row.status, row.sent_at, row.error) == (Status.SENT, NOW, "")
    event = Event.objects.get(kind="email_sent")
    assert event.subject == sam
    assert "carol@example.com" in event.text


def test_a_server_that_is_away_is_tried_again_with_growing_pauses(server, sam):
    server.faults["open"] = ConnectionRefusedError(111, "Connection refused")
    now, pauses = NOW, []
    delivery = make_delivery(sam)
    while (claim := claim_delivery(delivery.pk, now)) is not None:
        hand_over(claim, MESSAGE, now)
        pauses.append(now_of(delivery).send_after - now)
        now = max(now, now_of(delivery).send_after)

    row = now_of(delivery)
    assert row.status == Status.FAILED
    assert row.attempts == MAX_ATTEMPTS == len(pauses)
    assert "Connection refused" in row.error
    seconds = [pause.total_seconds() for pause in pauses[:-1]]
    assert seconds == [30 * 2**n for n in range(MAX_ATTEMPTS - 1)]
    assert Event.objects.filter(kind="email_failed").count() == 1


@pytest.mark.parametrize(
    "error",
    [
        refused(550),
        refused(550, 553),
        smtplib.SMTPDataError(554, b"spam"),
        smtplib.SMTPSenderRefused(550, b"who?", "sales@example.com"),
        smtplib.SMTPNotSupportedError("SMTPUTF8"),
    ],
)
def test_a_message_refused_for_good_fails_at_once(server, claimed, error):
    server.faults["send"] = error

    hand_over(claimed, MESSAGE, NOW)

    row = now_of(claimed)
    assert (row.status, row.attempts) == (Status.FAILED, 1)
    assert row.error.startswith(type(error).__name__)


@pytest.mark.parametrize(
    ("step", "error"),
    [
        ("send", refused(450)),
        ("send", refused(550, 451)),
        ("send", smtplib.SMTPDataError(451, b"later")),
        ("send", smtplib.SMTPSenderRefused(421, b"busy", "sales@example.com")),
        ("open", smtplib.SMTPConnectError(554, b"not now")),
        ("open", smtplib.SMTPAuthenticationError(535, b"password")),
        ("open", TimeoutError("timed out")),
    ],
)
def test_what_may_pass_is_tried_again(server, claimed, step, error):
    server.faults[step] = error

    hand_over(claimed, MESSAGE, NOW)

    row = now_of(claimed)
    assert (row.status, row.send_after) == (Status.QUEUED, NOW + timedelta(seconds=30))
    assert claim_delivery(row.pk, row.send_after) is not None


@pytest.mark.parametrize(
    "error", [smtplib.SMTPServerDisconnected("gone"), TimeoutError("timed out")]
)
def test_a_broken_line_while_sending_leaves_a_doubt(server, claimed, error, sam):
    server.faults["send"] = error

    hand_over(claimed, MESSAGE, NOW)

    assert now_of(claimed).status == Status.UNKNOWN
    assert not due_deliveries(LATER).exists()
    assert "may have been sent" in Event.objects.get(kind="email_unknown").text


def test_a_worker_killed_before_it_spoke_to_the_server_loses_nothing(claimed):
    release_stale(NOW + STALE_AFTER)
    assert now_of(claimed).status == Status.CLAIMED

    release_stale(LATER)

    assert [row.pk for row in due_deliveries(LATER)] == [claimed.pk]
    assert claim_delivery(claimed.pk, LATER).attempts == 2


def test_a_worker_killed_while_sending_leaves_a_doubt_and_one_event(claimed):
    Delivery.objects.update(status=Status.SENDING)
    release_stale(NOW + STALE_AFTER)
    assert now_of(claimed).status == Status.SENDING

    release_stale(LATER)
    release_stale(LATER)

    assert now_of(claimed).status == Status.UNKNOWN
    assert "check first" in Event.objects.get().text
    assert claim_delivery(claimed.pk, LATER) is None


def test_who_lost_the_claim_sends_nothing(server, claimed):
    release_stale(LATER)
    second = claim_delivery(claimed.pk, LATER)

    hand_over(claimed, MESSAGE, LATER)
    assert server.taken == []
    retry_or_fail(claimed, OSError("late"), LATER)

    row = now_of(claimed)
    assert (row.status, row.attempts) == (Status.CLAIMED, 2)
    hand_over(second, MESSAGE, LATER)
    assert len(server.taken) == 1


def test_a_cancelled_delivery_stays_so(sam):
    delivery = make_delivery(sam, status=Status.CANCELLED, claimed_at=NOW)

    release_stale(LATER)

    assert not retry_by_hand(delivery, LATER)
    assert not due_deliveries(LATER).exists()
    assert now_of(delivery).status == Status.CANCELLED


@pytest.mark.parametrize("status", Status)
def test_a_person_retries_what_failed_or_is_in_doubt(sam, status):
    delivery = make_delivery(
        sam, status=status, attempts=8, error="no", send_after=LATER, nudged_at=NOW
    )

    done = retry_by_hand(delivery, NOW)

    assert done == (status in Delivery.LOST)
    if done:
        row = claim_delivery(delivery.pk, NOW)
        assert (row.attempts, row.error) == (1, "")


def test_the_sweep_nudges_a_delivery_once_in_a_while(sam):
    first = make_delivery(sam, nudged_at=NOW)
    second = make_delivery(sam, kind="other", send_after=NOW - timedelta(seconds=1))

    assert list(due_deliveries(NOW)) == [second]
    late = NOW + NUDGE_AFTER + timedelta(seconds=1)
    assert list(due_deliveries(late)) == [second, first]
