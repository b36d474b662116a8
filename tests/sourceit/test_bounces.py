"""What mail servers send back: read, believed only about e-mails of ours, and told."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from quotes.states import RevisionStatus
from sourceit.bounces import Bounce, read_bounces, take_bounces
from sourceit.deliveries import retry_by_hand
from sourceit.events import events_of
from sourceit.models import Delivery
from tests.factories import make_request, make_revision
from tests.sourceit.test_deliveries import make_delivery

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 4, 0, tzinfo=UTC)
ID = "<quote-1@example.com>"
REASON = "550 5.1.1 <carol@example.com>: user unknown"


def report(
    recipient="carol@example.com",
    action="failed",
    message_id=ID,
    returned="message/rfc822",
) -> bytes:
    """A report as Postfix writes it."""
    return f"""\
From: MAILER-DAEMON@mx.example.net (Mail Delivery System)
To: sales@sourceit.example
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="B"

--B
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--B
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net
Arrival-Date: Tue,  1 Dec 2026 12:00:00 +0800 (SGT)

Final-Recipient: rfc822; {recipient}
Original-Recipient: rfc822;{recipient}
Action: {action}
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 <{recipient}>: user
    unknown

--B
Content-Type: {returned}

Message-ID: {message_id}
Subject: Quotation
From: sales@sourceit.example
To: {recipient}

Dear Carol
--B--
""".replace("\n", "\r\n").encode()


@pytest.fixture
def sent(sam):
    request = make_request(owner=sam, status="quoted")
    revision = make_revision(request=request, author=sam, status=RevisionStatus.SENT)
    return make_delivery(
        revision,
        kind="quote_sent",
        recipient="carol@example.com",
        cc=["boss@example.com"],
        reply_to=sam.email,
        status=Delivery.Status.SENT,
        message_id=ID,
        email_subject="Quotation Q-2026-0001",
    )


@pytest.mark.parametrize("returned", ["message/rfc822", "text/rfc822-headers"])
def test_a_report_is_read(returned) -> None:
    assert read_bounces(report(returned=returned)) == [
        Bounce(message_id=ID, recipient="carol@example.com", reason=REASON)
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\x00 not an e-mail",
        b"Subject: Out of office\r\n\r\nBack on Monday.",
        report(action="delayed"),
        report(message_id=""),
        report().replace(b"message/delivery-status", b"text/plain"),
        report()[:600],
    ],
)
def test_what_is_no_such_report_says_nothing(data) -> None:
    assert read_bounces(data) == []


def test_the_e_mail_is_marked_told_and_among_what_needs_action(
    sam, sam_client, sent
) -> None:
    assert take_bounces(report(), NOW) == [sent]

    sent.refresh_from_db()
    assert sent.status == Delivery.Status.BOUNCED
    assert sent.error == f"E-mail to carol@example.com came back: {REASON}"
    assert events_of(sent.subject).filter(kind="email_bounced").count() == 1
    told = Delivery.objects.get(kind="email_bounced_desk")
    assert told.recipient == sam.email
    assert "user unknown" in told.body_text
    page = sam_client.get(reverse("desk:pipeline"))
    assert sent.subject.quote.request in [
        row.request for row in page.context["page"].rows
    ]
    quote = sam_client.get(reverse("desk:quote", args=[sent.subject_id]))
    assert "Came back" in quote.content.decode()


def test_a_copy_s_recipient_counts_and_a_second_report_is_the_first(sent) -> None:
    assert take_bounces(report("Boss@Example.com"), NOW) == [sent]
    assert take_bounces(report(), NOW) == []
    assert Delivery.objects.filter(kind="email_bounced_desk").count() == 1


def test_a_hostile_reason_is_stored_and_shown_as_text(sam_client, sent) -> None:
    data = report().replace(b"unknown", b"\xff\x00<script>x</script>")

    assert take_bounces(data, NOW) == [sent]

    page = sam_client.get(reverse("desk:quote", args=[sent.subject_id]))
    assert "<script>x" not in page.content.decode()
    assert "<script>x" not in Delivery.objects.get(kind="email_bounced_desk").body_html


@pytest.mark.parametrize(
    "data", [report("stranger@example.com"), report(message_id="<other@example.com>")]
)
def test_a_report_about_nothing_of_ours_changes_nothing(sent, data) -> None:
    assert take_bounces(data, NOW) == []
    sent.refresh_from_db()
    assert sent.status == Delivery.Status.SENT


@pytest.mark.parametrize("status", ["queued", "claimed", "sending", "cancelled"])
def test_what_was_not_handed_over_cannot_come_back(sent, status) -> None:
    Delivery.objects.update(status=status)

    assert take_bounces(report(), NOW) == []


def test_it_is_sent_again_under_another_id(sent) -> None:
    """So that a late report about the first copy does not mark the second."""
    take_bounces(report(), NOW)
    sent.refresh_from_db()

    assert retry_by_hand(sent, timezone.now())

    sent.refresh_from_db()
    assert (sent.status, sent.message_id) == (Delivery.Status.QUEUED, "")


def test_what_may_have_gone_keeps_its_id_when_sent_again(sent) -> None:
    Delivery.objects.update(status=Delivery.Status.UNKNOWN)

    assert retry_by_hand(sent, timezone.now())

    assert Delivery.objects.get(pk=sent.pk).message_id == ID


def test_mail_to_ourselves_that_comes_back_is_not_reported_by_mail(sam, sent) -> None:
    Delivery.objects.update(recipient=sam.email)

    assert take_bounces(report(sam.email), NOW) == [sent]
    assert not Delivery.objects.filter(kind="email_bounced_desk").exists()


def test_a_mail_server_hands_it_over_by_a_command(sent, monkeypatch) -> None:
    said = io.StringIO()
    for data, words in ((report(), "came back"), (b"Hello", "Nothing of ours")):
        stdin = SimpleNamespace(buffer=io.BytesIO(data))
        monkeypatch.setattr("sys.stdin", stdin)
        call_command("take_bounce", stdout=said)
        assert words in said.getvalue()
