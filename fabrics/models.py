"""A saved design: what was asked, the result as sized, and by which engine."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from sourceit.models import User


class DesignQuerySet(models.QuerySet["Design"]):
    def latest_of(self, user: User, most: int = 5) -> DesignQuerySet:
        """The designs a person saved last, without their heavy results."""
        return self.filter(owner=user).defer("spec", "result")[:most]


class Design(models.Model):
    """One sized fabric, frozen: a later engine never changes an old design.

    The id is random and is the guest's secret link.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=120)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    # The engine's own JSON: `spec` as asked, `result` as `FabricDesign.to_json()`.
    spec = models.JSONField()
    result = models.JSONField()
    engine_version = models.CharField(max_length=20)
    created_at = models.DateTimeField(default=timezone.now)

    objects = DesignQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("fabrics:detail", args=[self.pk])
