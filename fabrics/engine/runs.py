"""Lengths of the scale-out links, counted by pairs of racks and not link by link.

Devices of one rack differ only in their drops, so two racks need one distance and the
sums of their drops. The answer is, for each kind of link, how many runs have each
length in whole centimetres.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
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
from fabrics.engine.topology import ceil_div
from fabrics.engine.wiring import Wiring, wiring

Runs = dict[str, Counter[int]]
# Racks and the drops of their devices, the same devices in the same order.
Racked = dict[int, tuple[int, ...]]


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


def meet(
    plan: FloorPlan, near: Iterable[Site], far: Iterable[Site], runs: Counter[int]
) -> None:
    """Add one run for every two devices of the near and the far ones, by rack pairs."""
    sums: dict[tuple[tuple[int, ...], tuple[int, ...]], Counter[int]] = {}
    far_racks = _racked(far)
    for rack, drops in _racked(near).items():
        for other, others in far_racks.items():
            if rack == other:
                runs.update(abs(a - b) + plan.slack for a in drops for b in others)
                continue
            if (drops, others) not in sums:
                sums[drops, others] = Counter(a + b for a in drops for b in others)
            base = plan.overhead(rack, other)
            for both, count in sums[drops, others].items():
                runs[base + both] += count


def _racked(sites: Iterable[Site]) -> Racked:
    racks: dict[int, list[int]] = {}
    for site in sites:
        racks.setdefault(site.rack, []).append(site.drop)
    return {rack: tuple(drops) for rack, drops in racks.items()}


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
        found = (self.plan.switch(kind, n, self.plane) for n in range(count))
        return [site for site in found if site is not None]

    @cached_property
    def leaves(self) -> list[Site]:
        return self._sites("leaf", self.wires.tree.leaves)

    @cached_property
    def spines(self) -> list[Site]:
        return self._sites("spine", self.wires.tree.spines)

    def node_runs(self) -> Counter[int]:
        """Nodes of a rack that go to the same leaf share everything but their drops."""
        plan, wires, runs = self.plan, self.wires, Counter[int]()
        if wires.tree.peer_links or wires.rails == 1 or wires.tree.leaves == 1:
            for node in range(wires.nodes):
                for port in range(wires.ports):
                    leaf = self.leaves[wires.leaf_of(node, port)]
                    runs[plan.run(plan.node(node), leaf)] += 1
            return runs
        bases: Counter[tuple[int, int, int]] = Counter()
        for first, last in self._node_groups():
            rack = plan.node(first).rack
            start = first % plan.where.nodes_per_rack
            for port in range(wires.ports):
                leaf = self.leaves[wires.leaf_of(first, port)]
                base = leaf.drop + plan.overhead(rack, leaf.rack)
                bases[base, start, start + last - first] += 1
        for (base, start, end), count in bases.items():
            for place in range(start, end):
                runs[base + plan.drops[place]] += count
        return runs

    def _node_groups(self) -> Iterator[tuple[int, int]]:
        """Nodes of one rack and one leaf group: first, and the one after the last."""
        per_rack, down = self.plan.where.nodes_per_rack, self.wires.tree.down
        node = 0
        while node < self.wires.nodes:
            rack_end = (node // per_rack + 1) * per_rack
            group_end = (node // down + 1) * down
            last = min(rack_end, group_end, self.wires.nodes)
            yield node, last
            node = last

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
        wires, runs = self.wires, Counter[int]()
        pods: dict[int, list[Site]] = {}
        reached: dict[int, range] = {}
        for number, leaf in enumerate(self.leaves):
            spines = wires.spines_of(number)
            pods.setdefault(spines.start, []).append(leaf)
            reached[spines.start] = spines
        for start, leaves in pods.items():
            far = [self.spines[number] for number in reached[start]]
            meet(self.plan, leaves, far, runs)
        each = wires.tree.links_per_pair
        return Counter({length: count * each for length, count in runs.items()})

    def core_runs(self) -> Counter[int]:
        """A spine deals its uplinks in turn to the cores of its group."""
        tree, runs = self.wires.tree, Counter[int]()
        cores = self._sites("core", tree.cores)
        in_group = tree.spines_per_pod // tree.core_groups
        per_group = tree.cores_per_group
        whole, rest = divmod(tree.spine_up, per_group)
        for number, spine in enumerate(self.spines):
            pod, place = divmod(number, tree.spines_per_pod)
            group, order = divmod(place, in_group)
            turn = (pod * in_group + order) * tree.spine_up % per_group
            for core in range(per_group):
                links = whole + ((core - turn) % per_group < rest)
                if links:
                    far = cores[group * per_group + core]
                    runs[self.plan.run(spine, far)] += links
        return runs


def longest_m(runs: Counter[int]) -> int:
    """The longest run in whole metres, rounded up."""
    return ceil_div(max(runs, default=0), 100)
