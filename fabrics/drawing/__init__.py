"""Pictures of a design, and the same facts as text. Plain Python: no Django here."""

from __future__ import annotations

from fabrics.drawing.floor import floor_scene, floor_svg, floor_text
from fabrics.drawing.nvlink import nvlink_scene, nvlink_svg
from fabrics.drawing.rack import TABLE_HEADINGS, rack_scene, rack_svg, rack_table
from fabrics.drawing.svg import PRINT, WEB, in_print, write_svg
from fabrics.drawing.topology import (
    topology_scene,
    topology_svg,
    topology_text,
    unit_count,
)

__all__ = [
    "PRINT",
    "TABLE_HEADINGS",
    "WEB",
    "floor_scene",
    "floor_svg",
    "floor_text",
    "in_print",
    "nvlink_scene",
    "nvlink_svg",
    "rack_scene",
    "rack_svg",
    "rack_table",
    "topology_scene",
    "topology_svg",
    "topology_text",
    "unit_count",
    "write_svg",
]
