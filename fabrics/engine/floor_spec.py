"""The floor a cluster stands on: as it was asked for, and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from decimal import Decimal

from fabrics.engine.reading import SpecError, number, plain_number, whole_number

MOST_PER_ROW = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorSpec:
    """Distances in metres. `rack_pitch` is from one rack to the next in a row,
    `row_pitch` from one row to the next, aisle included; `tray_height` is above the
    top of a rack and `cable_slack` is for both ends of a link together.
    """

    racks_per_row: int
    rack_pitch: Decimal = Decimal("0.6")
    row_pitch: Decimal = Decimal("3")
    tray_height: Decimal = Decimal("0.5")
    cable_slack: Decimal = Decimal("2")

    def to_json(self) -> dict[str, object]:
        return {
            "racks_per_row": self.racks_per_row,
            "rack_pitch": plain_number(self.rack_pitch),
            "row_pitch": plain_number(self.row_pitch),
            "tray_height": plain_number(self.tray_height),
            "cable_slack": plain_number(self.cable_slack),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """The hall a design is laid out in. `longest_m` is of each network, in metres."""

    racks: int
    racks_per_row: int
    rows: int
    width_m: float
    depth_m: float
    longest_m: dict[str, float]
    cable_km: float

    def to_json(self) -> dict[str, object]:
        return {
            "racks": self.racks,
            "racks_per_row": self.racks_per_row,
            "rows": self.rows,
            "width_m": self.width_m,
            "depth_m": self.depth_m,
            "longest_m": dict(self.longest_m),
            "cable_km": self.cable_km,
        }


FLOOR_OPTIONS = tuple(field.name for field in fields(FloorSpec))
_BOUNDS = {
    "rack_pitch": ("0.3", 10),
    "row_pitch": ("0.5", 50),
    "tray_height": ("0", 20),
    "cable_slack": ("0", 50),
}


def read_floor(asked: Mapping[str, object]) -> FloorSpec | None:
    """The floor of a form or a command line; None unless racks a row are given.

    Raises SpecError, in one line that names the bound.
    """
    if "racks_per_row" not in asked:
        given = next((name for name in FLOOR_OPTIONS if name in asked), "")
        if given:
            raise SpecError("racks per row must be given for a floor plan")
        return None
    metres = {
        name: number(name.replace("_", " "), asked[name], *bounds)
        for name, bounds in _BOUNDS.items()
        if name in asked
    }
    return FloorSpec(
        racks_per_row=whole_number(
            "racks per row", asked["racks_per_row"], 1, MOST_PER_ROW, ""
        ),
        **metres,
    )
