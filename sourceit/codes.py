"""One-time codes for e-mails: derived from a row's id, so that no table holds one.

An e-mail is frozen in the database when it is queued. It holds a placeholder, and the
code is written in only while the message is sent, as the tokens of links are.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from uuid import UUID

from django.conf import settings

DIGITS = 6
_PLACEHOLDER = re.compile(r"--code:([0-9a-f]{32})--")


def code_of(pk: UUID) -> str:
    """Derive the code of a row again: six digits, under the secret key."""
    message = f"sourceit.one-time-code:{pk}".encode()
    digest = hmac.new(settings.SECRET_KEY.encode(), message, hashlib.sha256).digest()
    return f"{int.from_bytes(digest[:8]) % 10**DIGITS:0{DIGITS}d}"


def code_placeholder(pk: UUID) -> str:
    """Return what stands in a queued e-mail until it is sent."""
    return f"--code:{pk.hex}--"


def write_codes(text: str) -> str:
    """Put the codes in place of their placeholders; an id is 122 random bits."""
    return _PLACEHOLDER.sub(lambda match: code_of(UUID(match.group(1))), text)
