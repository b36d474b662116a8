"""Which quotes somebody else must look at first, and what they said."""

from __future__ import annotations

from decimal import Decimal

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

from quotes.approval_rules import WITHOUT_THRESHOLD, RuleKind
from quotes.models.quotes import Revision


class ApprovalRule(models.Model):
    """One limit; a quote beyond it is sent only after an approver has agreed.

    `threshold` is in the unit of its kind: percent, SGD before GST, or days.
    """

    kind = models.CharField(max_length=20, choices=RuleKind, unique=True)
    threshold = models.DecimalField(
        max_digits=15,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(0))],
    )
    is_active = models.BooleanField("in force", default=True)
    # Why the rule is there, shown to author and approver.
    words = models.CharField(max_length=200, blank=True)
    # Counts edits; an edit made on an older rule is a conflict, not an overwrite.
    row_version = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=RuleKind.values), name="rule_kind_known"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=sorted(WITHOUT_THRESHOLD), threshold=None)
                | ~Q(kind__in=sorted(WITHOUT_THRESHOLD)) & Q(threshold__gte=Decimal(0)),
                name="rule_threshold_where_needed",
            ),
        ]

    def __str__(self) -> str:
        return self.get_kind_display()


class Approval(models.Model):
    """One look at a revision: what was asked, what was decided, and on which edit.

    `row_version` and `content_sha256` say what was looked at: any edit afterwards
    voids it. `content` is what the customer would see, for the next look's comparison.
    """

    class Outcome(models.TextChoices):
        PENDING = "pending", "Waiting"
        APPROVED = "approved", "Approved"
        REJECTED = "rejected", "Not approved"
        VOIDED = "voided", "Void"

    revision = models.ForeignKey(
        Revision, on_delete=models.CASCADE, related_name="approvals"
    )
    row_version = models.PositiveIntegerField()
    content = models.JSONField()
    content_sha256 = models.CharField(max_length=64)
    # The reasons as they were shown: [{"kind": "margin_under", "words": "..."}]
    reasons = models.JSONField(default=list)
    note = models.CharField("note to the approver", max_length=500, blank=True)
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    submitted_at = models.DateTimeField(default=timezone.now)
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.PENDING)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    comment = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(outcome__in=["pending", "approved", "rejected", "voided"]),
                name="approval_outcome_known",
            ),
            models.UniqueConstraint(
                fields=["revision"],
                condition=Q(outcome__in=["pending", "approved"]),
                name="approval_one_standing",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.revision}: {self.get_outcome_display().lower()}"


class CheckOverride(models.Model):
    """A reason for sending in spite of a check; it ends when what is wrong changes.

    `code` names the very thing ("lead-17"); `words` are the check's own at the time.
    """

    revision = models.ForeignKey(
        Revision, on_delete=models.CASCADE, related_name="overrides"
    )
    code = models.CharField(max_length=200)
    words = models.CharField(max_length=500)
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["revision", "code"], name="override_once")
        ]

    def __str__(self) -> str:
        return f"{self.words} ({self.reason})"
