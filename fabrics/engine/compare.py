"""Two designs side by side, what changes in the parts list, and the next size up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from fabrics.engine.design import BomLine, FabricDesign
from fabrics.engine.reading import SpecError
from fabrics.engine.scaleout import scalable_units
from fabrics.engine.sizing import size
from fabrics.engine.spec import FabricSpec, most_nodes


@dataclass(frozen=True, slots=True, kw_only=True)
class BomChange:
    """One part whose total quantity differs, over all sections but spares apart."""

    part: str
    opn: str
    description: str
    before: int
    after: int

    @property
    def change(self) -> int:
        return self.after - self.before


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRow:
    """One fact of both designs. None is not known or does not apply."""

    label: str
    unit: str
    left: float | str | None
    right: float | str | None

    @property
    def differs(self) -> bool:
        return self.left != self.right


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    rows: tuple[ComparedRow, ...]
    changes: tuple[BomChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """The next whole unit up: what must be bought, and what must be moved.

    `recables` is true when a leaf gives each spine another number of links then, so
    that links already laid move to other ports.
    """

    design: FabricDesign
    changes: tuple[BomChange, ...]
    recables: bool


def bom_difference(
    before: Iterable[BomLine], after: Iterable[BomLine]
) -> tuple[BomChange, ...]:
    """Parts whose totals differ, in the order they first appear."""
    old, new = _totals(before), _totals(after)
    changes = []
    for key in dict.fromkeys((*old, *new)):
        was, now = old.get(key), new.get(key)
        line = now or was
        if line is None:
            continue
        change = BomChange(
            part=line.part,
            opn=line.opn,
            description=line.description,
            before=was.quantity if was else 0,
            after=now.quantity if now else 0,
        )
        if change.change:
            changes.append(change)
    return tuple(changes)


def _totals(lines: Iterable[BomLine]) -> dict[tuple[str, str], BomLine]:
    """Lines by part and ordering number, their quantities added up."""
    totals: dict[tuple[str, str], BomLine] = {}
    for item in lines:
        key = (item.part, item.opn)
        seen = totals.get(key)
        more = seen.quantity if seen else 0
        totals[key] = replace(item, quantity=item.quantity + more)
    return totals


def compare(left: FabricDesign, right: FabricDesign) -> Comparison:
    """Every headline figure of both, and the difference of their parts lists."""
    pairs = zip(_figures(left), _figures(right), strict=True)
    rows = tuple(
        ComparedRow(label=label, unit=unit, left=one, right=other)
        for (label, unit, one), (_, _, other) in pairs
    )
    return Comparison(rows=rows, changes=bom_difference(left.bom, right.bom))


def _figures(design: FabricDesign) -> list[tuple[str, str, float | str | None]]:
    compute, band, place = design.compute, design.bandwidth, design.facility
    stored = design.storage
    cables = compute.leaf_spine_links + compute.spine_core_links + compute.peer_links
    return [
        ("System", "", design.spec.platform.name),
        ("Fabric", "", design.spec.fabric),
        ("Design", "", design.spec.design),
        ("GPUs", "", compute.gpus),
        ("Nodes", "", compute.nodes),
        ("Racks of systems", "", compute.racks),
        ("Scale-out switch", "", compute.switch or None),
        ("Tiers", "", compute.tiers),
        ("Planes", "", compute.planes),
        ("Leaf switches", "", compute.leaf),
        ("Spine switches", "", compute.spine),
        ("Core switches", "", compute.core),
        ("Link speed", "Gb/s", compute.link_gbps),
        ("Node links", "", compute.node_links),
        ("Links between switches", "", cables),
        ("NVLink a GPU, each way", "GB/s", band.nvlink_gb_per_s_per_gpu),
        ("Scale-out a GPU, each way", "GB/s", band.scale_out_gb_per_s_per_gpu),
        ("Injection, each way", "TB/s", band.injection_tb_per_s),
        ("Bisection, each way", "TB/s", band.bisection_tb_per_s),
        ("Storage read", "GB/s", stored.read_gb_per_s if stored else None),
        ("Storage write", "GB/s", stored.write_gb_per_s if stored else None),
        ("Power, known part", "kW", place.power_kw),
        ("Network power, known part", "kW", place.network_kw),
        ("Rack units, known part", "U", place.rack_units),
    ]


def next_size(spec: FabricSpec) -> FabricSpec | None:
    """The spec of one more whole unit, or None when the switches can take no more."""
    profile, platform = spec.profile, spec.platform
    units = scalable_units(spec)
    nodes = (units + 1) * profile.su_nodes - profile.ufm_positions
    if not profile.buys_full_su:
        nodes = spec.nodes + profile.su_nodes
    if nodes > most_nodes(profile, spec.ports_per_host):
        return None
    unit = platform.sized_by[0]
    count = nodes // platform.nodes_per_rack if unit == "racks" else nodes
    return replace(spec, unit=unit, count=count)


def growth(design: FabricDesign) -> Growth | None:
    """What one more unit takes, or None at the limit.

    Another rack moves the network racks on the floor, so both are compared with one
    length for all.
    """
    spec = next_size(design.spec)
    if spec is None:
        return None
    try:
        grown = replace(size(replace(spec, floor=None)), spec=spec)
    except SpecError:
        return None
    if design.spec.floor:
        design = size(replace(design.spec, floor=None))
    now, then = design.compute.tree, grown.compute.tree
    links_now = now.links_per_pair if now else 0
    links_then = then.links_per_pair if then else 0
    return Growth(
        design=grown,
        changes=bom_difference(design.bom, grown.bom),
        recables=bool(links_now) and links_now != links_then,
    )
