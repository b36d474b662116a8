"""The notices that stand on every page."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from catalog.models import Notice


def notices(request: HttpRequest) -> dict[str, Any]:
    """Site-wide notices in force, top priority first; read only when shown."""

    def load() -> list[Notice]:
        in_force = Notice.objects.in_force(timezone.now())
        return [notice for notice in in_force if notice.is_site_wide]

    return {"site_notices": load}
