"""What the desk keeps to build quotes from."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone


class QuoteTemplate(models.Model):
    """Lines under their sections, kept to be put into other quotes. All is copies."""

    name = models.CharField(max_length=80)
    note = models.CharField(max_length=200, blank=True)
    # {"sections": ["Compute"], "lines": [{…as `describe_line`, "section": 0 or null}]}
    content = models.JSONField(default=dict)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    saved_at = models.DateTimeField(default=timezone.now)
    # Taken away but still there to put back (undo).
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["name"],
                condition=models.Q(removed_at=None),
                name="quote_template_name_once",
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def line_count(self) -> int:
        return len(self.content["lines"])
