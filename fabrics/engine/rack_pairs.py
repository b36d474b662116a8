"""Runs between racks, counted by class: racks alike share one sum of their drops.

Two racks need one distance along the trays and, for each two devices, the sum of their
drops. Most racks hold the same devices at the same heights, so there are few sums, and
few distances in a hall of rows: a pair of racks costs one addition, whatever it holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from fabrics.engine.floor import FloorPlan, Site

# The drops of the devices of one rack in cm, in their order; and racks, each once.
Drops = tuple[int, ...]
Racked = tuple[tuple[int, Drops], ...]
# How many pairs of racks of one class are so many cm apart.
Ways = dict[int, int]


def racked(sites: Iterable[Site]) -> Racked:
    """Devices by their racks."""
    racks: dict[int, list[int]] = {}
    for site in sites:
        racks.setdefault(site.rack, []).append(site.drop)
    return tuple((rack, tuple(drops)) for rack, drops in racks.items())


class RackPairs:
    """How many runs of one kind have each length."""

    def __init__(self, plan: FloorPlan) -> None:
        self.plan = plan
        self.apart: dict[tuple[Drops, Drops], Ways] = {}
        self.inside: dict[tuple[Drops, Drops], int] = {}

    def add(self, near: Racked, far: Racked, times: int = 1) -> None:
        """Every device of the near racks meets every one of the far, `times` over."""
        overhead, apart = self.plan.overhead, self.apart
        for rack, drops in near:
            for other, others in far:
                if rack == other:
                    count = self.inside.get((drops, others), 0)
                    self.inside[drops, others] = count + times
                    continue
                ways = apart.setdefault((drops, others), {})
                way = overhead(rack, other)
                ways[way] = ways.get(way, 0) + times

    def runs(self) -> Counter[int]:
        """Runs by length in cm."""
        total: dict[int, int] = {}
        for (drops, others), ways in self.apart.items():
            _spread(total, Counter(a + b for a in drops for b in others), ways)
        for (drops, others), times in self.inside.items():
            sums = Counter(abs(a - b) for a in drops for b in others)
            _spread(total, sums, {self.plan.slack: times})
        return Counter(total)


def _spread(total: dict[int, int], sums: Counter[int], ways: Ways) -> None:
    """Every sum of drops at every distance."""
    for way, count in ways.items():
        for both, pairs in sums.items():
            length = way + both
            total[length] = total.get(length, 0) + count * pairs
