"""What shows that a yes was the customer's own."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from sourceit.models import AccessLink


class AcceptCode(models.Model):
    """A one-time code that a link's recipient was e-mailed, for one browser.

    The code is derived from the row's id under the secret key (`sourceit.codes`); the
    row holds only its keyed hash, bound to the link and the browser's session.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    link = models.ForeignKey(AccessLink, on_delete=models.CASCADE, related_name="codes")
    session_hash = models.CharField(max_length=64)
    code_hash = models.CharField(max_length=64)
    tries = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["link", "session_hash", "created_at"])]

    def __str__(self) -> str:
        return f"Code for {self.link}"
