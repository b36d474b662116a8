"""Who was screened before a controlled item was offered, and what came of it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from quotes.models.requests import QuoteRequest

# What is screened: another value of any of these opens the question again.
PARTY_FIELDS = (
    "company",
    "end_user",
    "end_use",
    "final_country",
    "delivery_address",
)


class Screening(models.Model):
    """One screening of the parties and items of a request. Rows are never edited."""

    class Result(models.TextChoices):
        CLEAR = "clear", "Clear"
        CONDITIONS = "conditions", "Clear with conditions"
        REFUSED = "refused", "Refused"

    request = models.ForeignKey(
        QuoteRequest, on_delete=models.PROTECT, related_name="screenings"
    )
    # Copies of the request's fields, and the controlled part numbers, as screened.
    parties = models.JSONField()
    items = models.JSONField(default=list)
    result = models.CharField(max_length=12, choices=Result)
    reference = models.CharField("screening reference", max_length=80)
    note = models.CharField(max_length=500, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(result__in=["clear", "conditions", "refused"]),
                name="screening_result_known",
            )
        ]

    def __str__(self) -> str:
        return f"{self.request}: {self.get_result_display().lower()}"
