"""Saved designs: a name and an owner, and under them frozen versions."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property

from fabrics.engine import ENGINE_VERSION
from fabrics.frozen import TOPOLOGY
from sourceit.models import User


class DesignQuerySet(models.QuerySet["Design"]):
    def kept(self) -> DesignQuerySet:
        return self.filter(removed_at=None)

    def owned_by(self, user: User) -> DesignQuerySet:
        return self.filter(owner=user)

    def visible_to(self, user: User | None) -> DesignQuerySet:
        """Guests' designs, which their link opens, and the person's own.

        Colleagues read each other's; the desk reads all.
        """
        by_link = Q(owner=None)
        if user is None:
            return self.filter(by_link)
        if user.is_staff and user.has_perm("quotes.use_desk"):
            return self
        colleagues = User.objects.filter(
            memberships__organisation__in=user.memberships.values("organisation")
        )
        return self.filter(by_link | Q(owner=user) | Q(owner__in=colleagues))


class Design(models.Model):
    """What somebody designs over time. The id is random and is a guest's secret link.

    What was sized is in its versions; a design has at least one.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=120)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    created_at = models.DateTimeField(default=timezone.now)
    # Taken away but still there to put back (undo).
    removed_at = models.DateTimeField(null=True, blank=True)

    objects = DesignQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("fabrics:detail", args=[self.pk])

    def is_changeable_by(self, user: User | None) -> bool:
        """One's own designs; a guest's belong to whoever has the link.

        Staff get guests' links from requests: they look and change nothing.
        """
        if self.owner_id is None:
            return user is None or not user.is_staff
        return user is not None and user.pk == self.owner_id

    def latest(self) -> DesignVersion:
        """The version saved last (one query)."""
        return self.versions.latest("n")


class DesignVersionQuerySet(models.QuerySet["DesignVersion"]):
    def light(self) -> DesignVersionQuerySet:
        """Without the heavy fields, for lists."""
        return self.defer("spec", "result", "drawings")


class DesignVersion(models.Model):
    """One sized fabric, frozen with its drawings: no later engine changes or hides it.

    Requests and quotes point at a version, never at the design.
    """

    design = models.ForeignKey(
        Design, on_delete=models.CASCADE, related_name="versions"
    )
    n = models.PositiveSmallIntegerField("version", default=1)
    # The design's name then: renaming the design changes no request or quote.
    name = models.CharField(max_length=120)
    note = models.CharField("what is new", max_length=120, blank=True)
    # The engine's own JSON: `spec` as asked, `result` as `FabricDesign.to_json()`.
    spec = models.JSONField()
    result = models.JSONField()
    # SVG by name (`fabrics.frozen`), in the skin of the page.
    drawings = models.JSONField(default=dict)
    engine_version = models.CharField(max_length=20)
    created_at = models.DateTimeField(default=timezone.now)

    objects = DesignVersionQuerySet.as_manager()

    class Meta:
        ordering = ["design", "n"]
        constraints = [
            models.UniqueConstraint(fields=["design", "n"], name="design_version_once")
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("fabrics:version", args=[self.design_id, self.n])

    @property
    def title(self) -> str:
        """The version's own name: "Version 2: single-mode optics"."""
        return f"Version {self.n}: {self.note}" if self.note else f"Version {self.n}"

    @property
    def is_of_this_engine(self) -> bool:
        return self.engine_version == ENGINE_VERSION

    @property
    def topology(self) -> str:
        """The kept drawing as SVG: ours, its texts escaped when it was drawn."""
        return str(self.drawings.get(TOPOLOGY, ""))

    @property
    def other_drawings(self) -> list[tuple[str, str]]:
        """The kept drawings beside the topology: name and SVG."""
        return [each for each in self.drawings.items() if each[0] != TOPOLOGY]

    @cached_property
    def parts(self) -> list[dict[str, Any]]:
        """The frozen parts list, line by line."""
        return list(self.result.get("bom", []))
