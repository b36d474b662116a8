"""Where racks stand in the hall, and how long a cable between two devices is.

The racks stand in one order: the first half of the systems, the network racks, the
other half of the systems; rows are filled in that order, each from the same side. So
the network racks are in the middle. A cable goes up from its device to the tray, along
trays across and between rows at right angles, and down; inside a rack it stays there.
All lengths are whole centimetres, so that the same floor gives the same list.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from typing import NamedTuple

from fabrics.engine.design import FabricDesign
from fabrics.engine.elevation import tray_bottoms
from fabrics.engine.parts import PARTS
from fabrics.engine.placing import Placing, placing
from fabrics.engine.racking import RACK_UNITS, rack_count, segments
from fabrics.engine.topology import ceil_div

# One hall. Beyond it a plan would have to know halls, and lists would take too long.
MOST_RACKS = 600
# A rack unit is 44.45 mm (EIA-310).
_UNIT_MM_100 = 4445


def drop_cm(bottom: int, height: int) -> int:
    """From the middle of a device down from the top of its rack, rounded up.

    >>> drop_cm(47, 2), drop_cm(1, 1)
    (5, 212)
    """
    half_units = 2 * (RACK_UNITS - bottom + 1) - height
    return ceil_div(half_units * _UNIT_MM_100, 2000)


def _cm(metres: Decimal) -> int:
    return int((metres * 100).to_integral_value(rounding=ROUND_CEILING))


class Site(NamedTuple):
    """A device on the floor: its rack's place in the order, and its drop in cm."""

    rack: int
    drop: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorPlan:
    """Racks of systems and of network devices in rows. Distances are in cm."""

    per_row: int
    rack_pitch: int
    row_pitch: int
    tray: int
    slack: int
    compute: int
    network: int
    where: Placing
    drops: tuple[int, ...]
    # Where each rack of the order stands, along its row and by its row.
    spots: tuple[tuple[int, int], ...]
    # The network devices of each run of racked devices, in their order.
    devices: dict[str, list[Site]]

    @property
    def total(self) -> int:
        return self.compute + self.network

    @property
    def rows(self) -> int:
        return ceil_div(self.total, self.per_row)

    @property
    def width(self) -> int:
        return min(self.total, self.per_row) * self.rack_pitch

    @property
    def depth(self) -> int:
        return self.rows * self.row_pitch

    @property
    def first_half(self) -> int:
        """Racks of systems before the network racks."""
        return ceil_div(self.compute, 2)

    def system_rack(self, number: int) -> int:
        """The place of a rack of systems in the order of all racks."""
        return number if number < self.first_half else number + self.network

    def network_rack(self, number: int) -> int:
        return self.first_half + number

    def name(self, place: int) -> str:
        """The name of the rack at a place of the order."""
        if place < self.first_half:
            return f"C{place + 1:04d}"
        if place < self.first_half + self.network:
            return f"N{place - self.first_half + 1:04d}"
        return f"C{place - self.network + 1:04d}"

    def is_network(self, place: int) -> bool:
        return 0 <= place - self.first_half < self.network

    def place(self, name: str) -> int | None:
        """The place of a rack by its name; None for one that is not on the floor."""
        if not name:
            return None
        number = int(name[1:]) - 1
        if name[0] == "C":
            return self.system_rack(number)
        return self.network_rack(number)

    def between(self, one: int, other: int) -> int:
        """Along the trays from rack to rack, in cm."""
        along, row = self.spots[one]
        other_along, other_row = self.spots[other]
        return abs(along - other_along) + abs(row - other_row)

    def overhead(self, one: int, other: int) -> int:
        """What two racks' cables have in common beside the drops, in cm."""
        return self.between(one, other) + 2 * self.tray + self.slack

    def run(self, one: Site, other: Site) -> int:
        """The length of a cable between two devices, in cm."""
        if one.rack == other.rack:
            return abs(one.drop - other.drop) + self.slack
        return one.drop + other.drop + self.overhead(one.rack, other.rack)

    def node(self, node: int) -> Site:
        """Where a node stands."""
        rack, place = divmod(node, self.where.nodes_per_rack)
        return Site(self.system_rack(rack), self.drops[place])

    def switch(self, kind: str, number: int, plane: int) -> Site | None:
        return self.device("", self.where.switch_place(kind, number, plane))

    def device(self, run: str, index: int) -> Site | None:
        """A network device by its run; None for one whose height is not known."""
        devices = self.devices.get(run, ())
        return devices[index] if index < len(devices) else None


def floor_plan(design: FabricDesign) -> FloorPlan | None:
    """The floor that was asked for; None without one, or beyond one hall."""
    floor = design.spec.floor
    compute, network = rack_count(design)
    if floor is None or not compute or compute + network > MOST_RACKS:
        return None
    where = placing(design)
    rack_pitch, row_pitch = _cm(floor.rack_pitch), _cm(floor.row_pitch)
    return FloorPlan(
        per_row=floor.racks_per_row,
        rack_pitch=rack_pitch,
        row_pitch=row_pitch,
        tray=_cm(floor.tray_height),
        slack=_cm(floor.cable_slack),
        compute=compute,
        network=network,
        where=where,
        drops=_node_drops(design, where),
        spots=tuple(
            (place % floor.racks_per_row * rack_pitch, row * row_pitch)
            for place in range(compute + network)
            for row in (place // floor.racks_per_row,)
        ),
        devices=_network_sites(design, ceil_div(compute, 2)),
    )


def _network_sites(design: FabricDesign, first_rack: int) -> dict[str, list[Site]]:
    """Network devices by their run; those of unknown height are not placed."""
    found: dict[str, list[Site]] = {}
    for each in segments(design):
        height = PARTS[each.run.part].rack_units or 1
        bottoms = (each.start + 1 + n * height for n in range(each.per_rack))
        drops = [drop_cm(bottom, height) for bottom in bottoms]
        racks = range(first_rack + each.rack, first_rack + each.rack + each.racks)
        sites = [Site(rack, drop) for rack in racks for drop in drops]
        found.setdefault(each.run.name, []).extend(sites)
    return found


def _node_drops(design: FabricDesign, where: Placing) -> tuple[int, ...]:
    """The drop of each node of a full rack, the lowest unit known first.

    A system of unknown height is taken at the bottom of its rack.
    """
    if where.is_nvl72:
        return tuple(drop_cm(bottom, 1) for bottom in tray_bottoms())
    height = PARTS[design.spec.platform.part].rack_units
    return tuple(
        drop_cm(1 + place * height, height) if height else drop_cm(1, 1)
        for place in range(where.nodes_per_rack)
    )
