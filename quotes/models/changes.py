"""What customers would like changed in a quote, line by line."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from quotes.models.quotes import Revision


class ChangeRequest(models.Model):
    """What the customer would like changed in a sent revision.

    `lines` says it of single lines, named as the customer saw them:
    [{"number": 1, "line": "4 × SN3700", "text": "Six, please"}]; `text` of the whole.
    """

    revision = models.ForeignKey(
        Revision, on_delete=models.PROTECT, related_name="change_requests"
    )
    name = models.CharField(max_length=120, blank=True)
    email = models.EmailField()
    text = models.TextField(max_length=4000, blank=True)
    lines = models.JSONField(default=list, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["at"]

    def __str__(self) -> str:
        return f"Change asked of {self.revision}"

    @property
    def words(self) -> str:
        """All of it in one text: the words for the whole, then line by line."""
        parts = [f"Line {one['number']}: {one['text']}" for one in self.lines]
        return "; ".join(part for part in (self.text, *parts) if part)
