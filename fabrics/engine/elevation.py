"""What stands in a rack, unit by unit. U1 is at the bottom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fabrics.engine.design import FabricDesign
from fabrics.engine.parts import PARTS, SWITCHES
from fabrics.engine.placing import USABLE_UNITS, Placing, placing
from fabrics.engine.racking import RACK_UNITS, Segment, rack_count, segments


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One device. Figures of None are not known, or belong to the rack as a whole."""

    bottom: int
    height: int
    device: str
    label: str
    part: str
    description: str
    is_switch: bool = False
    watts: int | None = None
    weight_kg: float | None = None

    @property
    def units(self) -> str:
        top = self.bottom + self.height - 1
        return f"U{self.bottom}" if self.height == 1 else f"U{self.bottom}–U{top}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RackView:
    """One rack. `watts` and `weight_kg` are of what is known in it."""

    name: str
    title: str
    slots: tuple[Slot, ...]
    watts: int
    weight_kg: float
    note: str
    units: int = RACK_UNITS


# Power shelves, trays and NVLink switches of an NVL72 rack, from the bottom up.
_NVL72 = (
    ("power-shelf", "Power shelf", "33 kW", 4, 1),
    ("tray", "Compute tray", "4 GPUs", 8, 1),
    ("nvlink-tray", "NVLink switch tray", "2 chips", 9, 1),
    ("tray", "Compute tray", "4 GPUs", 10, 9),
    ("power-shelf", "Power shelf", "33 kW", 4, 5),
    ("sn2201", "Out-of-band switch", "SN2201", 2, 1),
)
_NVL72_NOTE = (
    "The order is typical and the positions are ours: the maker's drawing decides."
)
_NETWORK_NOTE = (
    f"Network racks are filled to {USABLE_UNITS} of {RACK_UNITS} units; cooling and "
    "power a rack are to be agreed."
)


def tray_bottoms() -> tuple[int, ...]:
    """The unit of each compute tray of an NVL72 rack, in the order of trays.

    >>> tray_bottoms()[:9]
    (5, 6, 7, 8, 9, 10, 11, 12, 22)
    """
    found: list[int] = []
    bottom = 1
    for word, _name, _what, count, _first in _NVL72:
        if word == "tray":
            found += range(bottom, bottom + count)
        bottom += count
    return tuple(found)


def rack_names(design: FabricDesign) -> Iterator[str]:
    """The name of every rack, systems first; made lazily."""
    compute, network = rack_count(design)
    yield from (f"C{number + 1:04d}" for number in range(compute))
    yield from (f"N{number + 1:04d}" for number in range(network))


def rack_view(design: FabricDesign, name: str) -> RackView | None:
    """A rack by its name, or None when the design has no such rack."""
    kind, digits = name[:1], name[1:]
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 7):
        return None
    number = int(digits) - 1
    compute, network = rack_count(design)
    if kind == "C" and 0 <= number < compute:
        where = placing(design)
        if where.is_nvl72:
            return _nvl72_rack(design, name, number)
        return _node_rack(design, name, number, where)
    if kind == "N" and 0 <= number < network:
        return _network_rack(design, name, number)
    return None


def _nvl72_rack(design: FabricDesign, name: str, number: int) -> RackView:
    part = PARTS[design.spec.platform.part]
    slots = []
    bottom = 1
    for word, name_of, what, count, first in _NVL72:
        for place in range(first, first + count):
            slots.append(
                Slot(
                    bottom=bottom,
                    height=1,
                    device=f"rack-{number + 1:04d}-{word}-{place:02d}",
                    label=f"{name_of} {place}, {what}",
                    part=part.key,
                    description=f"{name_of}, {what}",
                    is_switch=word in ("nvlink-tray", "sn2201"),
                )
            )
            bottom += 1
    return RackView(
        name=name,
        title=f"Rack {name}: {part.key}",
        slots=tuple(slots),
        watts=part.watts or 0,
        weight_kg=part.weight_kg or 0,
        note=_NVL72_NOTE,
    )


def _node_rack(
    design: FabricDesign, name: str, number: int, where: Placing
) -> RackView:
    part = PARTS[design.spec.platform.part]
    first = number * where.nodes_per_rack
    last = min(first + where.nodes_per_rack, design.compute.nodes)
    height = part.rack_units
    slots = [
        Slot(
            bottom=1 + (node - first) * height,
            height=height,
            device=where.node_name(node),
            label=f"{where.node_name(node)}, {part.key}",
            part=part.key,
            description=part.description,
            watts=part.watts,
            weight_kg=part.weight_kg,
        )
        for node in (range(first, last) if height else ())
        if height
    ]
    note = "" if height else f"{last - first} nodes: their height is not known."
    return _view(name, f"Rack {name}: {part.key}", slots, note)


def _view(name: str, title: str, slots: list[Slot], note: str) -> RackView:
    return RackView(
        name=name,
        title=title,
        slots=tuple(slots),
        watts=sum(slot.watts or 0 for slot in slots),
        weight_kg=round(sum(slot.weight_kg or 0 for slot in slots), 1),
        note=note,
    )


def _network_rack(design: FabricDesign, name: str, number: int) -> RackView:
    where = placing(design)
    slots: list[Slot] = []
    for segment in segments(design):
        if segment.rack <= number < segment.rack + segment.racks:
            slots.extend(_placed(segment, number, where))
    return _view(name, f"Rack {name}: network", slots, _NETWORK_NOTE)


def _placed(segment: Segment, rack: int, where: Placing) -> Iterator[Slot]:
    part = PARTS[segment.run.part]
    height = part.rack_units or 1
    first = segment.first + (rack - segment.rack) * segment.per_rack
    for place in range(segment.per_rack):
        device = segment.run.device(first + place, where)
        yield Slot(
            bottom=segment.start + 1 + place * height,
            height=height,
            device=device,
            label=f"{device}, {part.key}",
            part=part.key,
            description=part.description,
            is_switch=part.key in SWITCHES,
            watts=part.watts,
            weight_kg=part.weight_kg,
        )
