"""The mailbox for when there is no mail server: one file a message, read in the app."""

from __future__ import annotations

import os
import re
import smtplib
from collections.abc import Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage as ParsedMessage
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone

# No slash, no leading dot: a name that cannot lead out of the folder.
NAME = re.compile(r"[A-Za-z0-9][\w-]{0,80}\.eml", re.ASCII)


class MailboxBackend(BaseEmailBackend):
    """Writes each message as `<time>-<random>.eml`, complete or not at all."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        folder = Path(settings.MAILBOX_DIR)
        folder.mkdir(parents=True, exist_ok=True)
        for message in email_messages:
            _write(folder, message.message().as_bytes())
        return len(email_messages)


def _write(folder: Path, message: bytes) -> None:
    name = f"{timezone.now():%Y%m%dT%H%M%S%f}-{uuid4().hex[:8]}.eml"
    draft = folder / f".{name}"
    try:
        draft.write_bytes(message)
        os.replace(draft, folder / name)
    except OSError as error:  # a full disk
        draft.unlink(missing_ok=True)
        # It has certainly not gone, and may go later (RFC 5321: insufficient storage).
        raise smtplib.SMTPDataError(452, str(error)) from error


def list_messages(limit: int = 200) -> list[tuple[str, ParsedMessage]]:
    """Return (name, message) of the newest messages, newest first."""
    folder = Path(settings.MAILBOX_DIR)
    names = sorted((p.name for p in folder.glob("[!.]*.eml")), reverse=True)
    read = ((name, read_message(name)) for name in names[:limit])
    return [(name, message) for name, message in read if message is not None]


def read_message(name: str) -> ParsedMessage | None:
    """Return one message, or None for a name that is not in the mailbox."""
    if not NAME.fullmatch(name):
        return None
    try:
        return _read(Path(settings.MAILBOX_DIR) / name)
    except OSError:  # not there, removed by now, or not readable
        return None


def _read(path: Path) -> ParsedMessage:
    message = message_from_bytes(path.read_bytes(), policy=policy.default)
    assert isinstance(message, ParsedMessage)
    return message
