"""The drawings that a version keeps, so that no later engine changes or hides them."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.safestring import SafeString, mark_safe

from fabrics.drawing import floor_svg, in_print, nvlink_svg, rack_svg, topology_svg
from fabrics.engine import FabricDesign, rack_count, rack_view

TOPOLOGY = "Topology"
NVLINK = "NVLink domain"
FLOOR = "Floor plan"
RACK = "Rack"
FLOOR = "Floor plan"
# The drawings that can be taken as files.
KEPT_FILES = {"topology.svg": TOPOLOGY, "floor.svg": FLOOR}


def draw_all(design: FabricDesign, prefix: str) -> dict[str, str]:
    """Draw a design once: topology, NVLink, floor, the first rack of each kind.

    `prefix` keeps the drawings' ids apart where a page shows several designs.
    """
    drawn = {TOPOLOGY: topology_svg(design, prefix=f"{prefix}-topology")}
    nvlink = nvlink_svg(design, prefix=f"{prefix}-nvlink")
    if nvlink:
        drawn[NVLINK] = nvlink
    floor = floor_svg(design, prefix=f"{prefix}-floor")
    if floor:
        drawn[FLOOR] = floor
    if design.floor is not None:
        drawn[FLOOR] = floor_svg(design, prefix=f"{prefix}-floor")
    systems, network = rack_count(design)
    for name, count in (("C0001", systems), ("N0001", network)):
        view = rack_view(design, name) if count else None
        if view is not None:
            drawn[f"{RACK} {name}"] = rack_svg(view, prefix=f"{prefix}-{name}")
    return drawn


def shown(svg: str) -> SafeString:
    """A kept drawing for a page. It is ours: its texts were escaped when drawn."""
    return mark_safe(svg)


def printed(drawings: Mapping[str, str]) -> dict[str, SafeString]:
    """The kept drawings in colours of their own, for a file that stands alone."""
    return {name: mark_safe(in_print(svg)) for name, svg in drawings.items()}
