"""The conditions of sale, by version."""

from __future__ import annotations

from datetime import date

from django.db import models


class TermsQuerySet(models.QuerySet["Terms"]):
    def in_force(self, on: date) -> TermsQuerySet:
        """Versions whose day has come, the newest first."""
        return self.filter(valid_from__lte=on).order_by("-valid_from", "-pk")


class Terms(models.Model):
    """The conditions of sale, by version. A sent quote holds its own copy."""

    version = models.CharField(max_length=20, unique=True)
    # [{"title": "Payment", "text": "30 days from invoice."}]
    clauses = models.JSONField(default=list)
    valid_from = models.DateField()
    # Sample wording is printed as such; production refuses to send with it.
    is_sample = models.BooleanField(default=False)

    objects = TermsQuerySet.as_manager()

    class Meta:
        ordering = ["-valid_from"]
        verbose_name_plural = "terms"

    def __str__(self) -> str:
        return f"Terms {self.version}"
