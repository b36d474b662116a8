"""What the desk keeps for itself: a person's views, and the days it works."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone


class SavedView(models.Model):
    """A person's own view of the pipeline: a name for a choice of filters."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="saved_views"
    )
    name = models.CharField(max_length=40)
    # The query of the page's address, as `PipelineFilters.query` writes it.
    query = models.CharField(max_length=400)
    created_at = models.DateTimeField(default=timezone.now)
    # Taken away but still there to put back (undo).
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["user", "name"],
                condition=models.Q(removed_at=None),
                name="saved_view_name_once",
            )
        ]

    def __str__(self) -> str:
        return self.name


class DeskDay(models.Model):
    """A day on which the desk works or rests against the calendar of Singapore."""

    day = models.DateField(unique=True)
    is_working = models.BooleanField(default=False)
    note = models.CharField(max_length=80, blank=True)

    class Meta:
        ordering = ["day"]

    def __str__(self) -> str:
        return f"{self.day:%-d %b %Y}: {'open' if self.is_working else 'closed'}"
