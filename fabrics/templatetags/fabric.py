"""A frozen design inside other pages: quotes, requests, the basket."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe

from fabrics.drawing import topology_svg
from fabrics.figures import DesignView, read_design
from fabrics.services import sized_alike

register = template.Library()


@register.filter
def as_design(result: dict[str, Any]) -> DesignView | None:
    """Read a frozen design; None for one that holds parts alone."""
    return read_design(result) if "compute" in result else None


@register.simple_tag
def topology_of(result: dict[str, Any], prefix: str = "topo") -> SafeString:
    """Draw a frozen design with its units folded.

    Empty when today's engine sizes it otherwise. The SVG is ours: every text in it is
    escaped where it is written.
    """
    design = sized_alike(result["spec"], result) if "compute" in result else None
    return mark_safe(topology_svg(design, prefix=prefix) if design else "")
