"""Which network device stands where: racks filled one after another, as arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fabrics.engine.bom import OUT_OF_BAND
from fabrics.engine.design import FabricDesign
from fabrics.engine.names import device_name
from fabrics.engine.parts import PARTS
from fabrics.engine.placing import USABLE_UNITS, Placing, placing

RACK_UNITS = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Devices of one kind, racked one after another. `name` "" is the scale-out's.

    The first `leaves` of a network are its leaves, the rest its spines; a network of
    one kind has none.
    """

    name: str
    part: str
    count: int
    leaves: int = 0

    def device(self, index: int, where: Placing) -> str:
        """The name of the device at `index` of this run."""
        if not self.name:
            return where.switch_at(index)
        if not self.leaves:
            return device_name(self.name, index)
        if index < self.leaves:
            return device_name(f"{self.name}-leaf", index)
        return device_name(f"{self.name}-spine", index - self.leaves)


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """Part of a run: the same number of devices in each of `racks` racks."""

    run: Run
    rack: int
    racks: int
    per_rack: int
    first: int
    start: int

    @property
    def count(self) -> int:
        return self.racks * self.per_rack


def runs(design: FabricDesign) -> Iterator[Run]:
    """Network devices in the order they are racked, the scale-out switches first."""
    compute = design.compute
    if compute.switches:
        yield Run(name="", part=compute.switch, count=compute.switches)
    for network in design.networks():
        if network.is_shared or not network.switch:
            continue
        if network.name == "out_of_band" and design.spec.platform.is_rack:
            continue
        name = network.name.replace("_", "-")
        count = network.leaf + network.spine
        leaves = network.leaf if network.spine else 0
        yield Run(name=name, part=network.switch, count=count, leaves=leaves)
    for item in design.bom:
        if item.part.startswith("UFM") and item.section != OUT_OF_BAND:
            yield Run(name="ufm", part=item.part, count=item.quantity)


def segments(design: FabricDesign) -> Iterator[Segment]:
    """Where each run stands: it fills the rack before it, then racks of its own.

    Arithmetic on whole racks, so the largest design has no more segments than a
    small one. Devices of unknown height are not placed.
    """
    rack, used = 0, 0
    for run in runs(design):
        height = PARTS[run.part].rack_units
        if not height:
            continue
        here = min(run.count, (USABLE_UNITS - used) // height)
        if here:
            yield Segment(
                run=run, rack=rack, racks=1, per_rack=here, first=0, start=used
            )
            used += here * height
        left = run.count - here
        per_rack = USABLE_UNITS // height
        whole, rest = divmod(left, per_rack)
        if whole:
            yield Segment(
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
            yield Segment(
                run=run,
                rack=rack,
                racks=1,
                per_rack=rest,
                first=here + whole * per_rack,
                start=0,
            )


def rack_count(design: FabricDesign) -> tuple[int, int]:
    """Racks of systems (C) and of network devices (N)."""
    last = max((each.rack + each.racks for each in segments(design)), default=0)
    return placing(design).compute_racks, last


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where a device stands: its rack's number from 0 and its lowest unit, from 1."""

    rack: int
    bottom: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Racking:
    """The network racks of a design, asked by run and place."""

    segments: tuple[Segment, ...]
    where: Placing

    def spot(self, name: str, index: int) -> Spot | None:
        """Where device `index` of a run stands; None for one that is not racked."""
        for each in self.segments:
            if each.run.name == name and 0 <= index - each.first < each.count:
                rack, place = divmod(index - each.first, each.per_rack)
                height = PARTS[each.run.part].rack_units or 1
                bottom = each.start + 1 + place * height
                return Spot(rack=each.rack + rack, bottom=bottom, height=height)
        return None

    def place(self, name: str, index: int) -> tuple[str, str]:
        """Rack and name of device `index` of a run; "" for a rack not known."""
        spot = self.spot(name, index)
        run = next((s.run for s in self.segments if s.run.name == name), None)
        device = run.device(index, self.where) if run else device_name(name, index)
        return (f"N{spot.rack + 1:04d}" if spot else ""), device


def racking(design: FabricDesign) -> Racking:
    """How the network devices of a design are racked."""
    return Racking(segments=tuple(segments(design)), where=placing(design))
