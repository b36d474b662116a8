"""Fat-tree arithmetic for one plane: how many leaves, spines and cores, and the links.

Nothing here knows a product. A plane is described by ports down and up per leaf and
by the switch radix; the answer is counts, so its cost does not grow with the cluster.
"""

from __future__ import annotations

from dataclasses import dataclass


def ceil_div(amount: int, size: int) -> int:
    """How many boxes of `size` hold `amount`.

    >>> ceil_div(576, 72), ceil_div(577, 72)
    (8, 9)
    """
    return -(-amount // size)


def divisors(number: int) -> list[int]:
    """Every divisor, smallest first.

    >>> divisors(36)
    [1, 2, 3, 4, 6, 9, 12, 18, 36]
    """
    return [n for n in range(1, number + 1) if number % n == 0]


def even_split(need: int, up: int) -> int | None:
    """The smallest divisor of `up` that is at least `need`, or None.

    A leaf shares its `up` links equally over the spines only when their number
    divides `up`; this is why 4 units of XDR take 18 spines and not 16.

    >>> even_split(16, 72), even_split(5, 36), even_split(73, 72)
    (18, 6, None)
    """
    return next((n for n in divisors(up) if n >= need), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class FatTree:
    """One plane. Counts are switches and links of the link speed.

    In three tiers the leaves stand in `pods`; a leaf reaches the spines of its own
    pod only, and the spines of the pods meet in `core_groups`.
    """

    tiers: int
    radix: int
    down: int
    up: int
    leaves: int
    spines: int = 0
    cores: int = 0
    pods: int = 1
    leaves_per_pod: int = 0
    spines_per_pod: int = 0
    spine_up: int = 0
    core_groups: int = 0
    peer_links: int = 0

    @property
    def links_per_pair(self) -> int:
        """Links between one leaf and one spine it reaches."""
        return self.up // self.spines_per_pod if self.spines_per_pod else 0

    @property
    def leaf_spine_links(self) -> int:
        return self.leaves * self.up if self.spines else 0

    @property
    def spine_core_links(self) -> int:
        return self.spines * self.spine_up if self.cores else 0

    @property
    def cores_per_group(self) -> int:
        return self.cores // self.core_groups if self.core_groups else 0

    @property
    def spreads_evenly(self) -> bool:
        """Whether every spine gives every core of its group the same links."""
        return not self.cores or self.spine_up % self.cores_per_group == 0

    @property
    def reaches_all(self) -> bool:
        """Whether a pod has a link for every core of each group."""
        if not self.cores:
            return True
        spines = self.spines_per_pod // self.core_groups
        return spines * self.spine_up >= self.cores_per_group


def one_switch(*, radix: int, endpoints: int) -> FatTree:
    """Everything on one switch: no spine."""
    return FatTree(tiers=1, radix=radix, down=endpoints, up=0, leaves=1)


def leaf_pair(*, radix: int, links: int, peer_links: int) -> FatTree:
    """Two leaves joined to each other by `peer_links`, no spine.

    Half of the `links` land on each leaf.

    >>> leaf_pair(radix=128, links=128, peer_links=64).down
    64
    """
    return FatTree(
        tiers=1,
        radix=radix,
        down=ceil_div(links, 2),
        up=0,
        leaves=2,
        peer_links=peer_links,
    )


def two_tier(
    *, leaves: int, down: int, up: int, radix: int, least_spines: int = 1
) -> FatTree | None:
    """Leaves under one layer of spines, or None when the spines cannot reach them.

    >>> tree = two_tier(leaves=8, down=72, up=72, radix=144)
    >>> tree.spines, tree.links_per_pair, tree.leaf_spine_links
    (4, 18, 576)
    >>> two_tier(leaves=32, down=72, up=72, radix=144).spines
    18
    >>> two_tier(leaves=145, down=72, up=72, radix=144) is None
    True
    """
    need = max(ceil_div(leaves * up, radix), least_spines)
    spines = even_split(need, up)
    if spines is None or leaves > radix:
        return None
    return FatTree(
        tiers=2,
        radix=radix,
        down=down,
        up=up,
        leaves=leaves,
        spines=spines,
        leaves_per_pod=leaves,
        spines_per_pod=spines,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PodShape:
    """How one pod of a three-tier plane is built."""

    units: int
    leaves: int
    spines: int


def pod_shapes(*, unit_leaves: int, up: int, spine_down: int) -> list[PodShape]:
    """The pods whose spines can be filled evenly, smallest first.

    A pod of whole units is taken when its spines divide a leaf's uplinks and its
    leaves fill the spines' down ports exactly.

    >>> [s.units for s in pod_shapes(unit_leaves=8, up=72, spine_down=72)]
    [1, 3, 9]
    """
    shapes = []
    for units in range(1, spine_down // unit_leaves + 1):
        leaves = unit_leaves * units
        spines, rest = divmod(leaves * up, spine_down)
        if rest == 0 and up % spines == 0 and leaves * (up // spines) <= spine_down:
            shapes.append(PodShape(units=units, leaves=leaves, spines=spines))
    return shapes or [_loose_pod(unit_leaves=unit_leaves, up=up, spine_down=spine_down)]


def _loose_pod(*, unit_leaves: int, up: int, spine_down: int) -> PodShape:
    """The largest pod that spreads evenly without filling every spine port."""
    for units in range(spine_down // unit_leaves, 0, -1):
        leaves = unit_leaves * units
        spines = even_split(ceil_div(leaves * up, spine_down), up)
        if spines is not None:
            return PodShape(units=units, leaves=leaves, spines=spines)
    return PodShape(units=1, leaves=unit_leaves, spines=up)


def three_tier(
    *,
    units: int,
    unit_leaves: int,
    down: int,
    up: int,
    radix: int,
    spine_down: int,
) -> FatTree | None:
    """Pods of leaves and spines under a layer of cores, or None beyond the limit.

    A core has one port for each pod, so there are at most `radix` pods.

    >>> tree = three_tier(
    ...     units=16, unit_leaves=8, down=32, up=32, radix=64, spine_down=32
    ... )
    >>> tree.leaves, tree.spines, tree.cores, tree.spine_core_links
    (128, 128, 64, 4096)
    """
    shapes = pod_shapes(unit_leaves=unit_leaves, up=up, spine_down=spine_down)
    shape = next((s for s in shapes if ceil_div(units, s.units) <= radix), None)
    if shape is None:
        return None
    pods, spine_up = ceil_div(units, shape.units), radix - spine_down
    groups = _core_groups(pods, shape.spines, spine_up, radix)
    per_group = ceil_div(pods * (shape.spines // groups) * spine_up, radix)
    return FatTree(
        tiers=3,
        radix=radix,
        down=down,
        up=up,
        leaves=units * unit_leaves,
        spines=pods * shape.spines,
        cores=groups * per_group,
        pods=pods,
        leaves_per_pod=shape.leaves,
        spines_per_pod=shape.spines,
        spine_up=spine_up,
        core_groups=groups,
    )


def _core_groups(pods: int, spines: int, spine_up: int, radix: int) -> int:
    """The most groups the cores can stand in with every core filled."""
    for groups in reversed(divisors(spines)):
        if pods * (spines // groups) * spine_up % radix == 0:
            return groups
    return 1


def grouped_core(
    *,
    units: int,
    rails: int,
    leaves_per_rail: int,
    down: int,
    up: int,
    radix: int,
    spine_down: int,
) -> FatTree:
    """Three tiers with one pod per unit and rail, and a core group per spine place.

    This is the GB200 SuperPOD: 8 leaves of a rail on 6 spines with 24 ports each way.

    >>> tree = grouped_core(
    ...     units=2, rails=4, leaves_per_rail=8, down=18, up=18, radix=64, spine_down=24
    ... )
    >>> tree.leaves, tree.spines, tree.cores
    (64, 48, 18)
    """
    spines = even_split(ceil_div(leaves_per_rail * up, spine_down), up) or up
    pods = units * rails
    per_group = ceil_div(pods * spine_down, radix)
    return FatTree(
        tiers=3,
        radix=radix,
        down=down,
        up=up,
        leaves=pods * leaves_per_rail,
        spines=pods * spines,
        cores=spines * per_group,
        pods=pods,
        leaves_per_pod=leaves_per_rail,
        spines_per_pod=spines,
        spine_up=spine_down,
        core_groups=spines,
    )


def three_tier_limit(*, unit_leaves: int, down: int, up: int, radix: int) -> int:
    """The most endpoints three tiers of a plane hold.

    >>> three_tier_limit(unit_leaves=8, down=72, up=72, radix=144)
    746496
    """
    shapes = pod_shapes(unit_leaves=unit_leaves, up=up, spine_down=radix // 2)
    return max(shape.leaves for shape in shapes) * radix * down
