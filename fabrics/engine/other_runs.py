"""Lengths of the cables beside scale-out on a floor, counted without listing rows.

Nodes and managed devices are counted one by one, switches by pairs of racks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from fabrics.engine.bom import FRONT_END, OUT_OF_BAND
from fabrics.engine.cable import NETWORKS, STORAGE
from fabrics.engine.cable import OUT_OF_BAND as OOB
from fabrics.engine.cabling_networks import network_lister
from fabrics.engine.cabling_oob import PATCH, UPLINK_PART
from fabrics.engine.cabling_others import SPLITTER, UFM_FIBRE, UFM_MODULE, Lister
from fabrics.engine.compatibility import pair_reach
from fabrics.engine.design import FabricDesign
from fabrics.engine.floor import FloorPlan, Site
from fabrics.engine.oob_runs import management_runs
from fabrics.engine.optics import STOCK_METRES
from fabrics.engine.parts import PARTS
from fabrics.engine.ports import SPLIT_CABLE
from fabrics.engine.rack_pairs import RackPairs, racked
from fabrics.engine.row_runs import RowRuns, bought_lengths
from fabrics.engine.topology import ceil_div

# Part, and how many of its cables have each length in cm.
Counted = tuple[str, Counter[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The longest run of one part between two ends, and how far they reach in m."""

    network: str
    part: str
    longest: int
    reach_m: float
    is_limit: bool


@dataclass(slots=True, kw_only=True)
class Measured:
    """Cables by section, part and bought length; the longest runs; their sum in cm."""

    lengths: dict[str, Counter[tuple[str, str]]] = field(default_factory=dict)
    spans: list[Span] = field(default_factory=list)
    total_cm: int = 0


def measure(design: FabricDesign, plan: FloorPlan, rows: RowRuns) -> Measured:
    """What the networks beside scale-out come to."""
    found = Measured()
    for name in NETWORKS[1:]:
        if name == OOB:
            _add_out_of_band(found, design, plan, rows)
            continue
        lister = network_lister(design, name)
        if lister is None:
            continue
        counter = _Links(lister=lister, plan=plan, ufm=rows.ufm.get(name, 0))
        for ends, (part, runs) in counter.kinds():
            _add(found, FRONT_END, part, runs)
            found.spans.append(_span(name, part, max(runs), ends))
        _add_beside(found, lister, rows)
    return found


def _add(found: Measured, section: str, part: str, runs: Counter[int]) -> None:
    found.lengths.setdefault(section, Counter()).update(bought_lengths(part, runs))
    found.total_cm += sum(length * count for length, count in runs.items())


def _add_beside(found: Measured, lister: Lister, rows: RowRuns) -> None:
    """Appliances and servers stand where their owner puts them."""
    network = lister.network
    lengths = found.lengths.setdefault(FRONT_END, Counter())
    for part, count in (
        (SPLIT_CABLE, network.split_cables),
        (lister.kit.switch_part, network.beside_links),
    ):
        if count:
            lengths[part, rows.bought(part, None)] += count


def _add_out_of_band(
    found: Measured, design: FabricDesign, plan: FloorPlan, rows: RowRuns
) -> None:
    """Patch cables by their runs; uplinks end on a core that is not on the floor."""
    network = design.out_of_band
    if network is None:
        return
    runs, unknown = management_runs(design, network, plan)
    if runs:
        _add(found, OUT_OF_BAND, PATCH, runs)
    lengths = found.lengths.setdefault(OUT_OF_BAND, Counter())
    for part, count in ((PATCH, unknown), (UPLINK_PART, network.uplinks_100g)):
        if count:
            lengths[part, rows.bought(part, None)] += count
    for part, longest in ((PATCH, max(runs, default=0)), (UPLINK_PART, 0)):
        found.spans.append(_span(OOB, part, longest, None))


def _span(network: str, part: str, longest: int, ends: tuple[str, str] | None) -> Span:
    """Reach is a limit where it is known, else the longest length on file."""
    reach, is_limit = PARTS[part].reach_m, True
    if ends and all(ends):
        reach = pair_reach(*ends, part)
    if reach is None:
        reach, is_limit = float(STOCK_METRES[part][-1]), False
    return Span(
        network=network, part=part, longest=longest, reach_m=reach, is_limit=is_limit
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Links:
    """The links of storage or front end."""

    lister: Lister
    plan: FloorPlan
    ufm: int

    def kinds(self) -> Iterator[tuple[tuple[str, str], Counted]]:
        """The modules of both ends, the part, and its lengths; empty ones left out."""
        kit, network = self.lister.kit, self.lister.network
        part = SPLITTER if self.lister.deal.share > 1 else kit.node_part
        near, twin = kit.node_module, kit.switch_module
        if network.node_links:
            yield (near, twin), (part, self._nodes())
        if network.name == STORAGE.lower() and network.ufm_links:
            count = ceil_div(network.ufm_links, 2)
            yield (UFM_MODULE, twin), (UFM_FIBRE, Counter({self.ufm: count}))
        between = self._between()
        if between:
            yield (twin, twin), (kit.switch_part, between)

    def _site(self, index: int) -> Site:
        site = self.plan.device(self.lister.run_name, index)
        assert site is not None, "every switch of these networks has a height"
        return site

    def _nodes(self) -> Counter[int]:
        """A splitter is counted once, by its first tail, to the lowest of its rack.

        Node by node, for a rack's nodes end on leaves of several racks; the way to
        each of those racks is worked out once.
        """
        deal, plan = self.lister.deal, self.plan
        leaves = [self._site(leaf) for leaf in range(deal.leaves)]
        drops = plan.drops if deal.share == 1 else (max(plan.drops),) * len(plan.drops)
        unit_nodes = deal.unit_nodes
        each = [deal.cables(place) for place in range(unit_nodes)]
        runs: dict[int, int] = {}
        for rack in range(ceil_div(deal.nodes, len(drops))):
            first = rack * len(drops)
            ways = _Ways(plan, plan.system_rack(rack))
            for node, drop in zip(range(first, deal.nodes), drops, strict=False):
                unit, place = divmod(node, unit_nodes)
                for cage in (2 * unit, 2 * unit + 1):
                    far, down = leaves[cage % len(leaves)]
                    length = ways[far] + down + drop
                    runs[length] = runs.get(length, 0) + each[place]
        return Counter({length: count for length, count in runs.items() if count})

    def _between(self) -> Counter[int]:
        """Leaves of a block meet its spines; peers join a pair of switches."""
        network, pairs = self.lister.network, RackPairs(self.plan)
        if network.spine:
            per_block = network.block_leaves or network.leaf
            up = network.leaf_spine_links // network.leaf
            for block in range(network.blocks):
                last = min(network.leaf, (block + 1) * per_block)
                leaves = [self._site(n) for n in range(block * per_block, last)]
                places = self.lister.block_spines(block)
                spines = [self._site(network.leaf + n) for n in places]
                pairs.add(racked(leaves), racked(spines), up // len(spines))
        for (one, other), links in self.lister.peer_pairs():
            pairs.add(racked([self._site(one)]), racked([self._site(other)]), links)
        return pairs.runs()


class _Ways(dict[int, int]):
    """The ways from one rack to others, each worked out once."""

    def __init__(self, plan: FloorPlan, rack: int) -> None:
        super().__init__()
        self.plan = plan
        self.rack = rack

    def __missing__(self, other: int) -> int:
        self[other] = way = self.plan.overhead(self.rack, other)
        return way
