"""E-mails: rendered when queued, frozen on a Delivery row, built while sending."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.mail import EmailMultiAlternatives
from django.core.mail.message import make_msgid
from django.db import models
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from sourceit.codes import write_codes
from sourceit.links import token_of
from sourceit.models import AccessLink, Delivery, Document
from sourceit.queue import run_after_commit
from sourceit.tasks import send_delivery


def queue_email(
    subject: models.Model,
    kind: str,
    *,
    to: str,
    context: dict[str, Any],
    cc: list[str] | None = None,
    reply_to: str = "",
    link: AccessLink | None = None,
    document: Document | None = None,
    send_after: datetime | None = None,
    occasion: str = "",
) -> Delivery:
    """Render `templates/emails/<kind>/` and queue it, in the transaction of its cause.

    The same (subject, recipient, kind, occasion) is queued once: a second call returns
    the first row. With a `link`, the templates have `link_url`, whose token is written
    in only while sending.
    """
    folder = f"emails/{kind}"
    context = {**context, "site_url": settings.SITE_URL, "link_url": _link_url(link)}
    context |= {
        "phone": settings.SALES_PHONE,
        "sales_email": settings.SALES_EMAIL,
        "reply_within": settings.REPLY_WITHIN,
    }
    first_line = render_to_string(f"{folder}/subject.txt", context)
    delivery, created = Delivery.objects.get_or_create(
        subject_type=_type_of(subject),
        subject_id=subject.pk,
        recipient=to.lower(),
        kind=kind,
        occasion=occasion,
        defaults={
            "cc": cc or [],
            "reply_to": reply_to,
            "email_subject": " ".join(first_line.split())[:200],
            "body_text": render_to_string(f"{folder}/body.txt", context),
            "body_html": render_to_string(f"{folder}/body.html", context),
            "link": link,
            "document": document,
            "send_after": send_after or timezone.now(),
        },
    )
    if created and send_after is None:
        run_after_commit(send_delivery, delivery.pk)
    return delivery


def build_message(delivery: Delivery) -> EmailMultiAlternatives:
    """Build the message of a delivery: link's token, one-time code and document."""
    message = EmailMultiAlternatives(
        subject=delivery.email_subject,
        body=_write_secrets(delivery.body_text, delivery.link),
        to=[delivery.recipient],
        cc=delivery.cc,
        reply_to=[delivery.reply_to] if delivery.reply_to else None,
        headers={"Message-ID": delivery.message_id, "Auto-Submitted": "auto-generated"},
    )
    if delivery.body_html:
        html = _write_secrets(delivery.body_html, delivery.link)
        message.attach_alternative(html, "text/html")
    if delivery.document:
        with delivery.document.file.open("rb") as file:
            message.attach(delivery.document.name, file.read(), "application/pdf")
    return message


def new_message_id() -> str:
    return make_msgid(domain=settings.SALES_EMAIL.rpartition("@")[2])


def _link_url(link: AccessLink | None) -> str:
    if link is None:
        return ""
    path = reverse(f"quotes:{link.purpose}", args=[_placeholder(link)])
    return settings.SITE_URL + path


def _placeholder(link: AccessLink) -> str:
    return f"--{link.pk.hex}--"


def _write_secrets(text: str, link: AccessLink | None) -> str:
    text = write_codes(text)
    return text.replace(_placeholder(link), token_of(link)) if link else text


def _type_of(subject: models.Model) -> ContentType:
    return ContentType.objects.get_for_model(subject)
