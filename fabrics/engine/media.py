"""Which modules and cables each scale-out link takes, by the length of its run.

A twin module and a twin cable carry two links, so the two must be alike. Where a leaf
has an even number of links to each spine, a pair of switches fills whole cages and
chooses for itself; every other kind of link chooses once, by its longest run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fabrics.engine.cable import (
    LEAF_LEAF,
    LEAF_SPINE,
    NODE_LEAF,
    SPINE_CORE,
    UFM_LEAF,
)
from fabrics.engine.compatibility import pair_reach
from fabrics.engine.design import FabricDesign
from fabrics.engine.optics import STOCK_METRES
from fabrics.engine.parts import PARTS
from fabrics.engine.profiles import CableSet, OpticSet
from fabrics.engine.runs import Runs
from fabrics.engine.spec import FabricSpec

Medium = OpticSet | CableSet
KINDS = (NODE_LEAF, UFM_LEAF, LEAF_LEAF, LEAF_SPINE, SPINE_CORE)


def reach_cm(medium: Medium, kind: str) -> int:
    """How far a kind of link reaches on a medium, in whole cm."""
    if isinstance(medium, CableSet):
        names = [medium.node_cable]
        if kind not in (NODE_LEAF, UFM_LEAF):
            names = list(medium.switch_cables)
        return max(_cable_reach(name) for name in names)
    near, fibre = medium.switch_module or medium.nic_module, medium.fibre
    far = near
    if kind == NODE_LEAF:
        far = medium.nic_module
    if kind == UFM_LEAF:
        far, fibre = medium.ufm_module, medium.ufm_fibre
    return int(100 * pair_reach(near, far, fibre))


def _cable_reach(name: str) -> int:
    reach = PARTS[name].reach_m
    longest = float(STOCK_METRES[name][-1])
    return int(100 * min(longest, longest if reach is None else reach))


def allowed(spec: FabricSpec) -> list[Medium]:
    """What was asked for first, then what reaches further. Copper only if asked."""
    options = spec.profile.optics
    chosen = next(o for o in options if o.name == spec.optics)
    optics = [o for o in options if isinstance(o, OpticSet)]
    if isinstance(chosen, CableSet):
        return [chosen, *optics]
    return list(optics[optics.index(chosen) :])


@dataclass(frozen=True, slots=True, kw_only=True)
class Media:
    """The choice for every link of a design on a floor. Lengths in cm."""

    by_kind: dict[str, list[tuple[int, Medium]]]
    longest: dict[str, int]
    pairs_choose: bool

    def of(self, kind: str, length: int) -> Medium:
        """What a link of a kind and length takes; the last when none reaches."""
        if kind == UFM_LEAF:
            # UFM hangs on the nodes' side of a leaf and takes its modules.
            kind = NODE_LEAF
        if not (kind == LEAF_SPINE and self.pairs_choose):
            length = self.longest.get(kind, length)
        for reach, medium in self.by_kind[kind]:
            if length <= reach:
                return medium
        return self.by_kind[kind][-1][1]

    def split(
        self, kind: str, runs: Mapping[int, int]
    ) -> Iterator[tuple[Medium, Mapping[int, int]]]:
        """Runs of a kind by the medium they take, shorter reaches first."""
        if not runs:
            return
        longest = max(runs)
        near = self.of(kind, min(runs))
        if near is self.of(kind, longest):
            yield near, runs
            return
        parts: dict[str, tuple[Medium, dict[int, int]]] = {}
        for length in sorted(runs):
            medium = self.of(kind, length)
            parts.setdefault(medium.name, (medium, {}))[1][length] = runs[length]
        yield from parts.values()


def _fits(medium: Medium, kind: str, *, is_even: bool) -> bool:
    """Twin copper needs whole cages at both ends."""
    if isinstance(medium, OpticSet) or medium.links == 1:
        return True
    return kind in (NODE_LEAF, LEAF_LEAF) or (kind == LEAF_SPINE and is_even)


def media(design: FabricDesign, runs: Runs) -> Media:
    """The choices of a design whose scale-out runs are counted."""
    tree = design.compute.tree
    is_even = bool(tree and tree.links_per_pair % 2 == 0)
    longest = {kind: max(lengths) for kind, lengths in runs.items()}
    if UFM_LEAF in longest:
        longest[NODE_LEAF] = max(longest[NODE_LEAF], longest[UFM_LEAF])
    options = allowed(design.spec)
    by_kind = {
        kind: [
            (reach_cm(medium, kind), medium)
            for medium in options
            if _fits(medium, kind, is_even=is_even)
        ]
        for kind in KINDS
        if kind != UFM_LEAF
    }
    return Media(
        by_kind=by_kind,
        longest=longest,
        pairs_choose=is_even,
    )
