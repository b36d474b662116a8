"""E-mails that come back: read the report (RFC 3464), mark the e-mail, tell the desk.

A report is believed where it names the Message-ID of an e-mail of ours and one of its
recipients; whoever got the e-mail could write such a report about their own copy only.
"""

from __future__ import annotations

import email
import email.policy
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage, Message

from django.conf import settings
from django.db import models, transaction

from sourceit.events import record_event
from sourceit.mail import queue_email
from sourceit.models import Delivery, User

REPORT = "message/delivery-status"
RETURNED = ("message/rfc822", "text/rfc822-headers", "message/global")
# Only what was handed over can come back.
GONE = (Delivery.Status.SENT, Delivery.Status.UNKNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounce:
    """A recipient whom an e-mail of ours did not reach for good, and why."""

    message_id: str
    recipient: str
    reason: str


def read_bounces(data: bytes) -> list[Bounce]:
    """Return what a report says failed; empty for anything else, such as a delay."""
    message = email.message_from_bytes(data, policy=email.policy.default)
    message_id = _original_id(message)
    if not message_id:
        return []
    return [
        Bounce(message_id=message_id, recipient=recipient, reason=reason)
        for recipient, reason in _failures(message)
    ]


def _original_id(message: EmailMessage) -> str:
    """Return the Message-ID of the e-mail that is sent back with the report."""
    for part in message.walk():
        if part.get_content_type() not in RETURNED:
            continue
        inner = part.get_payload()
        whole = inner[0] if isinstance(inner, list) and inner else inner
        if not isinstance(whole, Message):
            whole = email.message_from_string(str(whole))
        if whole.get("Message-ID"):
            return str(whole["Message-ID"]).strip()
    return ""


def _failures(message: EmailMessage) -> Iterator[tuple[str, str]]:
    for part in message.walk():
        if part.get_content_type() != REPORT:
            continue
        fields = part.get_payload()
        for one in fields if isinstance(fields, list) else []:
            if isinstance(one, Message) and _says(one, "Action").lower() == "failed":
                yield _address(one), _reason(one)


def _says(fields: Message, name: str) -> str:
    """Return a field on one line, of characters that can be stored."""
    text = str(fields.get(name, "")).encode("utf-8", "replace").decode()
    return " ".join(text.replace("\0", "").split())


def _address(fields: Message) -> str:
    """`rfc822; carol@example.com` is carol@example.com."""
    said = _says(fields, "Original-Recipient") or _says(fields, "Final-Recipient")
    return said.rpartition(";")[2].strip().strip("<>").lower()


def _reason(fields: Message) -> str:
    said = _says(fields, "Diagnostic-Code").rpartition("smtp;")[2].strip()
    return (said or f"status {_says(fields, 'Status')}")[:400]


def take_bounces(data: bytes, now: datetime) -> list[Delivery]:
    """Mark the e-mails that a report says did not arrive; return those that changed."""
    found = []
    for bounce in read_bounces(data):
        delivery = _mark(bounce, now)
        if delivery is not None:
            found.append(delivery)
    return found


@transaction.atomic
def _mark(bounce: Bounce, now: datetime) -> Delivery | None:
    rows = Delivery.objects.select_for_update().filter(message_id=bounce.message_id)
    delivery = rows.filter(status__in=GONE).first()
    if delivery is None or not (
        delivery.recipient.lower() == bounce.recipient
        or bounce.recipient in [address.lower() for address in delivery.cc]
    ):
        return None
    text = f"E-mail to {bounce.recipient} came back: {bounce.reason}"
    delivery.status, delivery.error = Delivery.Status.BOUNCED, text[:500]
    delivery.save(update_fields=["status", "error"])
    if delivery.subject is not None:
        record_event(delivery.subject, "email_bounced", text, delivery=delivery.pk)
        _tell_owner(delivery.subject, delivery, bounce)
    return delivery


def _tell_owner(subject: models.Model, delivery: Delivery, bounce: Bounce) -> None:
    """Write to whom replies go, where that is one of us; else to the sales address.

    What was written to ourselves is not reported by e-mail: it would come back too.
    """
    staff = User.objects.filter(is_staff=True, is_active=True)
    if staff.filter(email__iexact=delivery.recipient).exists():
        return
    owner = staff.filter(email__iexact=delivery.reply_to).first()
    queue_email(
        subject,
        "email_bounced_desk",
        to=owner.email if owner else settings.SALES_EMAIL,
        occasion=f"bounce-{delivery.pk}-{delivery.attempts}",
        context={"delivery": delivery, "bounce": bounce},
    )
