"""What shows that a yes was the customer's own."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from quotes.models.quotes import Revision
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


class Acceptance(models.Model):
    """The customer's yes. One that stands a revision: the database refuses a second.

    A voided one stays as history. `entered_by` is who at the desk wrote down a yes that
    came on paper or by e-mail; None when the customer gave it here.
    """

    revision = models.ForeignKey(
        Revision, on_delete=models.PROTECT, related_name="acceptances"
    )
    name = models.CharField(max_length=120)
    job_title = models.CharField(max_length=120)
    email = models.EmailField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    po_number = models.CharField("purchase order number", max_length=80, blank=True)
    words = models.TextField("words ticked")
    gross = models.DecimalField(max_digits=15, decimal_places=2)
    currency = models.CharField(max_length=3)
    content_sha256 = models.CharField(max_length=64)
    pdf_sha256 = models.CharField(max_length=64)
    address = models.CharField("IP address", max_length=45, blank=True)
    agent = models.CharField("browser", max_length=200, blank=True)
    at = models.DateTimeField(default=timezone.now)

    # What was chosen of the content, in its place: see `quotes.chosen`.
    chosen = models.JSONField(null=True, blank=True)
    # The record that both sides can download, frozen with the yes: see `manifests`.
    manifest = models.JSONField(null=True, blank=True)
    manifest_sha256 = models.CharField(max_length=64, blank=True, db_index=True)

    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    # Why the desk entered it, and why late: for the desk alone.
    entered_reason = models.CharField(max_length=500, blank=True)
    voided_at = models.DateTimeField(null=True, blank=True)
    voided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    void_reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["-at"]
        constraints = [
            models.UniqueConstraint(
                fields=["revision"],
                condition=Q(voided_at=None),
                name="acceptance_one_that_stands",
            )
        ]

    def __str__(self) -> str:
        return f"{self.revision} accepted by {self.name}"

    @property
    def choice_words(self) -> list[str]:
        """How it differs from what was quoted; empty where it was taken as quoted."""
        return list((self.chosen or {}).get("words", []))


class PurchaseOrder(models.Model):
    """The order's number or file, sent after the yes; the newest one counts.

    What came with the yes stays on the acceptance, where its record has it.
    """

    acceptance = models.ForeignKey(
        Acceptance, on_delete=models.CASCADE, related_name="purchase_orders"
    )
    number = models.CharField("purchase order number", max_length=80, blank=True)
    file = models.ForeignKey(
        "sourceit.Upload",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    by_name = models.CharField(max_length=120)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"Purchase order {self.number}".strip()


class PoCheck(models.Model):
    """A purchase order held against what was accepted; the newest one counts."""

    acceptance = models.ForeignKey(
        Acceptance, on_delete=models.CASCADE, related_name="po_checks"
    )
    # As read: [{"row": "2", "part": "MSN3700-VS2F", "quantity": "4", ...}]
    lines = models.JSONField()
    # In words; none means that it is as accepted.
    differences = models.JSONField(default=list)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"Purchase order of {self.acceptance}"
