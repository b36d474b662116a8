"""What a person of the desk keeps for themselves."""

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
