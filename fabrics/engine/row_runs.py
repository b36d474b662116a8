"""The length of any row of the cabling list on a floor."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from functools import cache

from fabrics.engine.cable import NODE_LEAF, UFM_LEAF, Cable
from fabrics.engine.cabling_others import SPLITTER
from fabrics.engine.design import FabricDesign
from fabrics.engine.elevation import rack_view
from fabrics.engine.floor import FloorPlan, Site, drop_cm
from fabrics.engine.optics import STOCK_METRES
from fabrics.engine.topology import ceil_div

# Beyond its listed lengths a cable is made to order, in steps of so many metres.
STEP_M = 5


def bought_metres(part: str, length: int) -> str:
    """The metres in which a part is bought for a run in cm.

    >>> bought_metres("MFP7E30", 620), bought_metres("MFP7E30", 6_120)
    ('30', '65')
    """
    limits, names = _stock(part)
    place = bisect_left(limits, length)
    if place < len(names):
        return names[place]
    return str(ceil_div(length, 100 * STEP_M) * STEP_M)


def bought_lengths(
    part: str, runs: Mapping[int, int], share: int = 1
) -> Counter[tuple[str, str]]:
    """Cables of a part by the metres they are bought in; `share` links on a cable."""
    limits, names = _stock(part)
    listed = [0] * len(names)
    to_order: dict[int, int] = {}
    for length, links in runs.items():
        count = -(-links // share)
        place = bisect_left(limits, length)
        if place < len(names):
            listed[place] += count
        else:
            steps = -(-length // (100 * STEP_M))
            to_order[steps] = to_order.get(steps, 0) + count
    found = {(part, name): n for name, n in zip(names, listed, strict=True) if n}
    found |= {(part, str(steps * STEP_M)): n for steps, n in to_order.items()}
    return Counter(found)


@cache
def _stock(part: str) -> tuple[list[int], tuple[str, ...]]:
    """The listed lengths of a part in whole cm, and as they are written."""
    names = STOCK_METRES.get(part, ())
    return [int(100 * Decimal(name)) for name in names], names


class RowRuns:
    """Runs of rows in cm; what has been looked up is kept, a device once.

    UFM's cables carry two links each and are all as long as the longest. A splitter is
    as long as the run to the lowest node of a rack.
    """

    def __init__(
        self, design: FabricDesign, plan: FloorPlan, ufm: dict[str, int]
    ) -> None:
        self.design = design
        self.plan = plan
        self.ufm = ufm
        self.sites: dict[tuple[str, str], Site | None] = {}
        self.metres: dict[tuple[str, int], str] = {}

    def cm(self, row: Cable) -> int | None:
        """The run; None where an end is not on the floor."""
        if row.kind == UFM_LEAF and row.network in self.ufm:
            return self.ufm[row.network]
        far = self.site(row.b_rack, row.b_device) if row.b_rack else None
        near = self.site(row.a_rack, row.a_device) if far and row.a_rack else None
        if near is None or far is None:
            return None
        if row.part == SPLITTER and row.kind == NODE_LEAF:
            near = Site(near.rack, max(self.plan.drops))
        return self.plan.run(near, far)

    def bought(self, part: str, length: int | None) -> str:
        """The metres a part is bought in; the one length of the spec where unknown."""
        if length is None:
            length = int(self.design.spec.cable_metres * 100)
        key = (part, length)
        if key not in self.metres:
            self.metres[key] = bought_metres(part, length)
        return self.metres[key]

    def site(self, rack: str, device: str) -> Site | None:
        key = (rack, device)
        if key not in self.sites:
            self._look_up(rack)
        if key not in self.sites:
            place = self.plan.place(rack)
            # In the rack but in none of its units: taken at the bottom.
            self.sites[key] = None if place is None else Site(place, drop_cm(1, 1))
        return self.sites[key]

    def _look_up(self, rack: str) -> None:
        """Keep every device of a rack."""
        place = self.plan.place(rack)
        view = rack_view(self.design, rack) if place is not None else None
        for slot in view.slots if view else ():
            site = Site(place or 0, drop_cm(slot.bottom, slot.height))
            self.sites.setdefault((rack, slot.device), site)
