"""What the pages show of a design's floor plan."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

from fabrics.drawing import floor_svg, floor_text
from fabrics.engine import FabricDesign


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorView:
    """The drawing, the same facts as a nested list, and the longest runs in metres."""

    drawing: SafeString
    text: list[object]
    longest: list[tuple[str, str]]
    cable_km: str


def floor_view(design: FabricDesign) -> FloorView | None:
    """The floor of a design; None for one without a floor plan."""
    floor = design.floor
    if floor is None:
        return None
    return FloorView(
        # Our own SVG: every text in it was escaped where it was written.
        drawing=mark_safe(floor_svg(design)),
        text=floor_text(design),
        longest=[(name, f"{m:,.1f}") for name, m in floor.longest_m.items()],
        cable_km=f"{floor.cable_km:,.1f}",
    )
