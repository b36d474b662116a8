"""Secret links: derived tokens, stored hashes, one answer for everything unknown."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Sequence
from datetime import datetime

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.utils import timezone

from sourceit.http import HttpRequest
from sourceit.models import AccessLink, ViewLog

# Mail scanners and link previews: their visits are logged but do not count as "viewed".
SCANNERS = ("bot", "preview", "scanner", "safelinks", "barracuda", "proofpoint", "curl")


def issue_link(
    subject: models.Model,
    *,
    purpose: str,
    email: str,
    name: str = "",
    expires_at: datetime | None = None,
) -> AccessLink:
    """Return the recipient's link to `subject` for `purpose`, made if there is none."""
    existing = AccessLink.objects.in_force(timezone.now()).filter(
        subject_type=ContentType.objects.get_for_model(subject),
        subject_id=subject.pk,
        purpose=purpose,
        email__iexact=email,
    )
    if (link := existing.first()) is not None:
        return link
    link = AccessLink(
        subject=subject,
        purpose=purpose,
        email=email.lower(),
        name=name,
        expires_at=expires_at,
    )
    link.token_sha256 = hash_token(_derive(link, settings.SECRET_KEY))
    link.save()
    return link


def token_of(link: AccessLink) -> str:
    """Derive the link's token again: 256 bits, 43 characters.

    Raises:
        LookupError: no key at hand made this link (the secret key was replaced and its
            predecessor is not among SECRET_KEY_FALLBACKS).
    """
    for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        token = _derive(link, key)
        if hmac.compare_digest(hash_token(token), link.token_sha256):
            return token
    raise LookupError(f"No secret key at hand made link {link.pk}.")


def find_link(token: str, *, purpose: str) -> AccessLink | None:
    """Return the link of a token, or None: unknown, revoked and expired look alike."""
    links = AccessLink.objects.in_force(timezone.now()).select_related("subject_type")
    return links.filter(token_sha256=hash_token(token), purpose=purpose).first()


def find_links(
    subjects: Sequence[models.Model], *, purpose: str, email: str
) -> dict[int, AccessLink]:
    """Return the recipient's links in force to subjects of one kind, by their ids.

    Makes none: what was revoked stays so (one query).
    """
    if not subjects:
        return {}
    links = AccessLink.objects.in_force(timezone.now()).filter(
        subject_type=ContentType.objects.get_for_model(subjects[0]),
        subject_id__in=[subject.pk for subject in subjects],
        purpose=purpose,
        email__iexact=email,
    )
    return {link.subject_id: link for link in links}


def find_dead_link(token: str, *, purpose: str) -> AccessLink | None:
    """Return a link that was revoked: its page answers 410 rather than 404."""
    dead = AccessLink.objects.exclude(revoked_at=None)
    return dead.filter(token_sha256=hash_token(token), purpose=purpose).first()


def revoke_links(subject: models.Model, *, purpose: str) -> None:
    """End every link to `subject` for `purpose` (one update)."""
    AccessLink.objects.filter(
        subject_type=ContentType.objects.get_for_model(subject),
        subject_id=subject.pk,
        purpose=purpose,
        revoked_at=None,
    ).update(revoked_at=timezone.now())


def log_view(link: AccessLink, request: HttpRequest) -> None:
    """Note that the link was opened; a scanner's visit is marked as one."""
    agent = request.headers.get("User-Agent", "")[:200]
    is_scanner = not agent or any(word in agent.lower() for word in SCANNERS)
    ViewLog.objects.create(link=link, agent=agent, is_scanner=is_scanner)


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _derive(link: AccessLink, key: str) -> str:
    message = f"sourceit.access-link:{link.pk}".encode()
    digest = hmac.new(key.encode(), message, hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")
