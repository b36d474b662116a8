"""Lengths of the cables beside scale-out on a floor, counted without listing rows.

Nodes are counted one by one, switches by pairs of racks. The out-of-band network is
read from its rows: its devices stand everywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from fabrics.engine.bom import FRONT_END, OUT_OF_BAND
from fabrics.engine.cable import NETWORKS, STORAGE
from fabrics.engine.cable import OUT_OF_BAND as OOB
from fabrics.engine.cabling_networks import network_lister, network_rows
from fabrics.engine.cabling_others import SPLITTER, UFM_FIBRE, UFM_MODULE, Lister
from fabrics.engine.compatibility import pair_reach
from fabrics.engine.design import FabricDesign
from fabrics.engine.floor import FloorPlan, Site
from fabrics.engine.optics import STOCK_METRES
from fabrics.engine.parts import PARTS
from fabrics.engine.row_runs import RowRuns
from fabrics.engine.runs import meet
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
            _add_out_of_band(found, design, rows)
            continue
        lister = network_lister(design, name)
        if lister is None:
            continue
        counter = _Links(lister=lister, plan=plan, ufm=rows.ufm.get(name, 0))
        for ends, (part, runs) in counter.kinds():
            _add(found, FRONT_END, part, runs, rows)
            found.spans.append(_span(name, part, max(runs), ends))
    return found


def _add(
    found: Measured, section: str, part: str, runs: Counter[int], rows: RowRuns
) -> None:
    lengths = found.lengths.setdefault(section, Counter())
    for length, count in runs.items():
        lengths[part, rows.bought(part, length)] += count
        found.total_cm += length * count


def _add_out_of_band(found: Measured, design: FabricDesign, rows: RowRuns) -> None:
    lengths = found.lengths.setdefault(OUT_OF_BAND, Counter())
    longest: dict[str, int] = {}
    for row in network_rows(design, OOB):
        length = rows.cm(row)
        lengths[row.part, rows.bought(row.part, length)] += 1
        found.total_cm += length or 0
        longest[row.part] = max(longest.get(row.part, 0), length or 0)
    found.spans += [_span(OOB, part, length, None) for part, length in longest.items()]


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
        """A splitter is counted once, by its first tail."""
        deal, plan, runs = self.lister.deal, self.plan, Counter[int]()
        leaves = [self._site(leaf) for leaf in range(deal.leaves)]
        deepest, share = max(plan.drops), deal.share
        unit_nodes, per_side = deal.unit_nodes, deal.per_side
        for node in range(deal.nodes):
            unit, place = divmod(node, unit_nodes)
            site = plan.node(node)
            if share > 1:
                site = Site(site.rack, deepest)
            slots = range(place * per_side, (place + 1) * per_side)
            cables = sum(slot % share == 0 for slot in slots)
            if not cables:
                continue
            for side in range(2):
                leaf = leaves[(2 * unit + side) % deal.leaves]
                runs[plan.run(site, leaf)] += cables
        return runs

    def _between(self) -> Counter[int]:
        """Leaves of a block meet its spines; peers join a pair of switches."""
        network, runs = self.lister.network, Counter[int]()
        if network.spine:
            per_block = network.block_leaves or network.leaf
            up = network.leaf_spine_links // network.leaf
            for block in range(network.blocks):
                last = min(network.leaf, (block + 1) * per_block)
                leaves = [self._site(n) for n in range(block * per_block, last)]
                places = self.lister.block_spines(block)
                spines = [self._site(network.leaf + n) for n in places]
                here: Counter[int] = Counter()
                meet(self.plan, leaves, spines, here)
                each = up // len(spines)
                runs.update({length: n * each for length, n in here.items()})
        for (one, other), links in self.lister.peer_pairs():
            runs[self.plan.run(self._site(one), self._site(other))] += links
        return runs
