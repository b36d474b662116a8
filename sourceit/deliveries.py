"""Send what is queued: claimed once, never sent twice silently, its fate on the row.

Who writes down what became of it must still hold the claim (its time and attempt).
"""

from __future__ import annotations

import smtplib
from datetime import datetime, timedelta

from django.contrib.contenttypes.models import ContentType
from django.core.mail import EmailMultiAlternatives, get_connection
from django.db import models, transaction
from django.db.models import Case, F, Q, QuerySet, Value, When

from sourceit.events import record_event
from sourceit.models import Delivery

# With pauses that double from 30 seconds, the last try is an hour after the first:
# longer than a mail server takes to be restarted.
MAX_ATTEMPTS = 8
# Longer than any send can take (EMAIL_TIMEOUT and the task's limit are below it).
STALE_AFTER = timedelta(minutes=5)
NUDGE_AFTER = timedelta(seconds=30)
# The server answered, or was never reached: the message has certainly not gone.
REFUSALS = (
    smtplib.SMTPRecipientsRefused,
    smtplib.SMTPSenderRefused,
    smtplib.SMTPDataError,
    smtplib.SMTPHeloError,
    smtplib.SMTPNotSupportedError,
)

Status = Delivery.Status


def due_deliveries(now: datetime) -> QuerySet[Delivery]:
    """Return queued rows whose time has come and that were not nudged lately."""
    not_lately = Q(nudged_at=None) | Q(nudged_at__lt=now - NUDGE_AFTER)
    due = Delivery.objects.filter(not_lately, status=Status.QUEUED, send_after__lte=now)
    return due.order_by("send_after", "pk")


def claim_delivery(pk: int, now: datetime) -> Delivery | None:
    """Take a queued, due delivery for sending; None if somebody else has it."""
    taken = Delivery.objects.filter(
        pk=pk, status=Status.QUEUED, send_after__lte=now
    ).update(status=Status.CLAIMED, claimed_at=now, attempts=F("attempts") + 1)
    if not taken:
        return None
    return Delivery.objects.select_related("link", "document").get(pk=pk)


def hand_over(
    delivery: Delivery, message: EmailMultiAlternatives, now: datetime
) -> None:
    """Give the message to the mail server and write down what became of it.

    The connection is opened first: what fails before `sending` can be tried again.
    What breaks after it, without an answer from the server, may have gone.
    """
    connection = get_connection()
    try:
        connection.open()
    except (OSError, smtplib.SMTPException) as error:
        retry_or_fail(delivery, error, now)
        return
    if not _held(delivery, Status.CLAIMED).update(status=Status.SENDING):
        connection.close()
        return
    try:
        connection.send_messages([message])
    except REFUSALS as error:
        retry_or_fail(delivery, error, now)
    except (OSError, smtplib.SMTPException) as error:
        _finish(delivery, Status.UNKNOWN, error=_describe(error))
    else:
        _finish(delivery, Status.SENT, sent_at=now)
    finally:
        connection.close()


def retry_or_fail(delivery: Delivery, error: Exception, now: datetime) -> None:
    """Queue again with a growing pause, or fail when it is final or tried enough."""
    if _is_final(error) or delivery.attempts >= MAX_ATTEMPTS:
        _finish(delivery, Status.FAILED, error=_describe(error))
        return
    pause = timedelta(seconds=15 * 2**delivery.attempts)
    _held(delivery).update(
        status=Status.QUEUED, send_after=now + pause, error=_describe(error)
    )


def _is_final(error: Exception) -> bool:
    """True when the server refused this message for good (RFC 5321: a 5xx answer).

    A server that turns every caller away, or a wrong password, is not the message's
    fault and gets mended; so does a 4xx, such as greylisting.
    """
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _words in error.recipients.values())
    if isinstance(error, smtplib.SMTPNotSupportedError):
        return True
    if isinstance(error, smtplib.SMTPSenderRefused | smtplib.SMTPDataError):
        return error.smtp_code >= 500
    return False


def retry_by_hand(delivery: Delivery, now: datetime) -> bool:
    """Queue one that failed, came back or may have gone again: a person decided so."""
    return bool(
        Delivery.objects.filter(pk=delivery.pk, status__in=Delivery.LOST).update(
            status=Status.QUEUED,
            send_after=now,
            nudged_at=None,
            attempts=0,
            error="",
            # A late report about what came back must not mark the new copy. One that
            # may have gone keeps its id, so that a reader's program shows it once.
            message_id=Case(
                When(status=Status.BOUNCED, then=Value("")), default=F("message_id")
            ),
        )
    )


def cancel_queued(subject: models.Model) -> None:
    """Call off the e-mails about `subject` that have not left yet (one update)."""
    Delivery.objects.filter(
        subject_type=ContentType.objects.get_for_model(subject),
        subject_id=subject.pk,
        status=Status.QUEUED,
    ).update(status=Status.CANCELLED)


def release_stale(now: datetime) -> None:
    """Settle what a killed worker left: claimed goes back, sending becomes doubtful."""
    stale = Delivery.objects.filter(claimed_at__lt=now - STALE_AFTER)
    stale.filter(status=Status.CLAIMED).update(status=Status.QUEUED)
    for delivery in stale.filter(status=Status.SENDING):
        error = "The worker stopped while sending. It may have gone: check first."
        _finish(delivery, Status.UNKNOWN, error=error)


@transaction.atomic
def _finish(
    delivery: Delivery, status: str, *, error: str = "", sent_at: datetime | None = None
) -> None:
    if not _held(delivery).update(status=status, error=error, sent_at=sent_at):
        return
    words = {
        Status.SENT: f"E-mail sent to {delivery.recipient}: {delivery.email_subject}",
        Status.FAILED: f"E-mail to {delivery.recipient} failed: {error}",
        Status.UNKNOWN: f"E-mail to {delivery.recipient} may have been sent: {error}",
    }
    kind = f"email_{status}"
    if delivery.subject is not None:
        record_event(
            delivery.subject, kind, words[Status(status)], delivery=delivery.pk
        )


def _held(delivery: Delivery, *statuses: Status) -> QuerySet[Delivery]:
    """Return the row while it is under the very claim that `delivery` was given."""
    return Delivery.objects.filter(
        pk=delivery.pk,
        status__in=statuses or (Status.CLAIMED, Status.SENDING),
        claimed_at=delivery.claimed_at,
        attempts=delivery.attempts,
    )


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:500]
