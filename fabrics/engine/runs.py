"""Lengths of the scale-out links, counted by pairs of racks and not link by link.

Devices of one rack differ only in their drops, so two racks need one distance and the
sums of their drops. The answer is, for each kind of link, how many runs have each
length in whole centimetres.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from fabrics.engine.cable import (
    LEAF_LEAF,
    LEAF_SPINE,
    NODE_LEAF,
    SPINE_CORE,
    UFM_LEAF,
)
from fabrics.engine.design import FabricDesign
from fabrics.engine.floor import FloorPlan, Site
from fabrics.engine.rack_pairs import RackPairs, racked
from fabrics.engine.topology import ceil_div
from fabrics.engine.wiring import Wiring, wiring

Runs = dict[str, Counter[int]]


def scaleout_runs(design: FabricDesign, plan: FloorPlan) -> Runs:
    """How many scale-out links of each kind have each length in cm."""
    wires = wiring(design)
    found: Runs = {}
    for plane in range(design.compute.planes if wires else 0):
        assert wires is not None
        counter = _Plane(design=design, plan=plan, wires=wires, plane=plane)
        for kind, runs in counter.kinds():
            found.setdefault(kind, Counter()).update(runs)
    return {kind: runs for kind, runs in found.items() if runs}


@dataclass(frozen=True, kw_only=True)
class _Plane:
    """The links of one plane."""

    design: FabricDesign
    plan: FloorPlan
    wires: Wiring
    plane: int

    def kinds(self) -> Iterator[tuple[str, Counter[int]]]:
        yield NODE_LEAF, self.node_runs()
        if self.plane == 0:
            yield UFM_LEAF, self.ufm_runs()
        tree = self.wires.tree
        if tree.peer_links:
            yield (
                LEAF_LEAF,
                Counter(
                    {self.plan.run(self.leaves[0], self.leaves[1]): tree.peer_links}
                ),
            )
        if tree.spines:
            yield LEAF_SPINE, self.leaf_runs()
        if tree.cores:
            yield SPINE_CORE, self.core_runs()

    def _sites(self, kind: str, count: int) -> list[Site]:
        first = self.plan.where.switch_place(kind, 0, self.plane)
        return self.plan.devices[""][first : first + count]

    @cached_property
    def leaves(self) -> list[Site]:
        return self._sites("leaf", self.wires.tree.leaves)

    @cached_property
    def spines(self) -> list[Site]:
        return self._sites("spine", self.wires.tree.spines)

    def node_runs(self) -> Counter[int]:
        """Rail-optimised, a rack's nodes meet every leaf of their group."""
        wires = self.wires
        if wires.tree.peer_links or wires.rails == 1 or wires.tree.leaves == 1:
            return self._dealt_runs()
        pairs = RackPairs(self.plan)
        per_rack, down = self.plan.where.nodes_per_rack, wires.tree.down
        for group in range(ceil_div(wires.nodes, down)):
            first = group * wires.rails
            leaves = racked(self.leaves[first : first + wires.ports])
            start, end = group * down, min((group + 1) * down, wires.nodes)
            while start < end:
                rack, place = divmod(start, per_rack)
                last = min(end, (rack + 1) * per_rack)
                drops = self.plan.drops[place : place + last - start]
                pairs.add(((self.plan.system_rack(rack), drops),), leaves)
                start = last
        return pairs.runs()

    def _dealt_runs(self) -> Counter[int]:
        """Ports dealt to leaves in turn: node by node, for such designs are small."""
        plan, wires, runs = self.plan, self.wires, Counter[int]()
        for node in range(wires.nodes):
            for port in range(wires.ports):
                leaf = self.leaves[wires.leaf_of(node, port)]
                runs[plan.run(plan.node(node), leaf)] += 1
        return runs

    def ufm_runs(self) -> Counter[int]:
        """UFM's cables carry two links each, and all are as long as the longest."""
        links = self.design.compute.ufm_links
        longest = 0
        for link in range(links):
            ufm = self.plan.device("ufm", link // 2)
            leaf = self.leaves[self.wires.leaf_of(self.wires.nodes, link)]
            longest = max(longest, self.plan.run(ufm, leaf) if ufm else 0)
        return Counter({longest: links} if links else {})

    def leaf_runs(self) -> Counter[int]:
        """Every leaf of a pod meets every spine of it."""
        wires, pairs = self.wires, RackPairs(self.plan)
        pods: dict[int, list[Site]] = {}
        reached: dict[int, range] = {}
        for number, leaf in enumerate(self.leaves):
            spines = wires.spines_of(number)
            pods.setdefault(spines.start, []).append(leaf)
            reached[spines.start] = spines
        for start, leaves in pods.items():
            far = self.spines[start : reached[start].stop]
            pairs.add(racked(leaves), racked(far), wires.tree.links_per_pair)
        return pairs.runs()

    def core_runs(self) -> Counter[int]:
        """A spine deals its uplinks in turn to the cores of its group."""
        tree, pairs = self.wires.tree, RackPairs(self.plan)
        in_group = tree.spines_per_pod // tree.core_groups
        per_group = tree.cores_per_group
        whole, rest = divmod(tree.spine_up, per_group)
        cores = self._sites("core", tree.cores)
        for group in range(tree.core_groups):
            far = cores[group * per_group : (group + 1) * per_group]
            spines = self._group_spines(group, in_group)
            if whole:
                pairs.add(racked(spines), racked(far), whole)
            turns: dict[int, list[Site]] = {}
            for order, spine in enumerate(spines if rest else ()):
                turn = order * tree.spine_up % per_group
                turns.setdefault(turn, []).append(spine)
            for turn, some in turns.items():
                pairs.add(racked(some), racked((far + far)[turn : turn + rest]))
        return pairs.runs()

    def _group_spines(self, group: int, in_group: int) -> list[Site]:
        """The spines of one core group, pod by pod in the order they deal."""
        per_pod = self.wires.tree.spines_per_pod
        return [
            self.spines[first + place]
            for first in range(group * in_group, len(self.spines), per_pod)
            for place in range(in_group)
        ]


def longest_m(runs: Counter[int]) -> int:
    """The longest run in whole metres, rounded up."""
    return ceil_div(max(runs, default=0), 100)
