"""The mailbox for when there is no mail server: one file a message, read in the app."""

from __future__ import annotations

import os
from collections.abc import Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage as ParsedMessage
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone


class MailboxBackend(BaseEmailBackend):
    """Writes each message as `<time>-<random>.eml`, complete or not at all."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        folder = Path(settings.MAILBOX_DIR)
        folder.mkdir(parents=True, exist_ok=True)
        for message in email_messages:
            name = f"{timezone.now():%Y%m%dT%H%M%S%f}-{uuid4().hex[:8]}.eml"
            draft = folder / f".{name}"
            draft.write_bytes(message.message().as_bytes())
            os.replace(draft, folder / name)
        return len(email_messages)


def list_messages(limit: int = 200) -> list[tuple[str, ParsedMessage]]:
    """Return (name, message) of the newest messages, newest first."""
    folder = Path(settings.MAILBOX_DIR)
    names = sorted((p.name for p in folder.glob("[!.]*.eml")), reverse=True)
    return [(name, _read(folder / name)) for name in names[:limit]]


def read_message(name: str) -> ParsedMessage | None:
    """Return one message, or None for a name that is not in the mailbox."""
    path = Path(settings.MAILBOX_DIR) / Path(name).name
    if path.suffix != ".eml" or path.name.startswith(".") or not path.is_file():
        return None
    return _read(path)


def _read(path: Path) -> ParsedMessage:
    message = message_from_bytes(path.read_bytes(), policy=policy.default)
    assert isinstance(message, ParsedMessage)
    return message
