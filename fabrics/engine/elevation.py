"""What stands in a rack, unit by unit. U1 is at the bottom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fabrics.engine.bom import OUT_OF_BAND
from fabrics.engine.design import FabricDesign
from fabrics.engine.parts import PARTS, SWITCHES
from fabrics.engine.placing import USABLE_UNITS, Placing, placing

RACK_UNITS = 48


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """Devices of one kind, racked one after another."""

    name: str
    part: str
    count: int


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


def rack_count(design: FabricDesign) -> tuple[int, int]:
    """Racks of systems (C) and of network devices (N)."""
    segments = list(_segments(design))
    last = segments[-1] if segments else None
    network = last.rack + last.racks if last else 0
    return placing(design).compute_racks, network


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Segment:
    """Part of a run: the same number of devices in each of `racks` racks."""

    run: _Run
    rack: int
    racks: int
    per_rack: int
    first: int
    start: int


def _runs(design: FabricDesign) -> Iterator[_Run]:
    """Network devices in the order they are racked, the scale-out switches first."""
    compute = design.compute
    if compute.switches:
        yield _Run(name="", part=compute.switch, count=compute.switches)
    for network in design.networks():
        if network.is_shared or not network.switch:
            continue
        if network.name == "out_of_band" and design.spec.platform.is_rack:
            continue
        name = network.name.replace("_", "-")
        count = network.leaf + network.spine
        yield _Run(name=name, part=network.switch, count=count)
    for item in design.bom:
        if item.part.startswith("UFM") and item.section != OUT_OF_BAND:
            yield _Run(name="ufm", part=item.part, count=item.quantity)


def _segments(design: FabricDesign) -> Iterator[_Segment]:
    """Where each run stands: it fills the rack before it, then racks of its own.

    Arithmetic on whole racks, so the largest design has no more segments than a
    small one. Devices of unknown height are not placed.
    """
    rack, used = 0, 0
    for run in _runs(design):
        height = PARTS[run.part].rack_units
        if not height:
            continue
        here = min(run.count, (USABLE_UNITS - used) // height)
        if here:
            yield _Segment(
                run=run, rack=rack, racks=1, per_rack=here, first=0, start=used
            )
            used += here * height
        left = run.count - here
        per_rack = USABLE_UNITS // height
        whole, rest = divmod(left, per_rack)
        if whole:
            yield _Segment(
                run=run,
                rack=rack + 1,
                racks=whole,
                per_rack=per_rack,
                first=here,
                start=0,
            )
            rack, used = rack + whole, per_rack * height
        if rest:
            rack, used = rack + 1, rest * height
            yield _Segment(
                run=run,
                rack=rack,
                racks=1,
                per_rack=rest,
                first=here + whole * per_rack,
                start=0,
            )


def _network_rack(design: FabricDesign, name: str, number: int) -> RackView:
    where = placing(design)
    slots: list[Slot] = []
    for segment in _segments(design):
        if segment.rack <= number < segment.rack + segment.racks:
            slots.extend(_placed(segment, number, where))
    return _view(name, f"Rack {name}: network", slots, _NETWORK_NOTE)


def _placed(segment: _Segment, rack: int, where: Placing) -> Iterator[Slot]:
    part = PARTS[segment.run.part]
    height = part.rack_units or 1
    first = segment.first + (rack - segment.rack) * segment.per_rack
    for place in range(segment.per_rack):
        index = first + place
        name = segment.run.name
        device = f"{name}-{index + 1:04d}" if name else where.switch_at(index)
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
