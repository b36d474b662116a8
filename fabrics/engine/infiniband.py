"""Scale-out on InfiniBand: Quantum-X800 (XDR) and Quantum-2 (NDR)."""

from __future__ import annotations

from fabrics.engine.design import Compute
from fabrics.engine.reading import SpecError
from fabrics.engine.scaleout import (
    as_compute,
    leaf_count,
    leaf_nodes,
    links_up,
    scalable_units,
)
from fabrics.engine.spec import FabricSpec
from fabrics.engine.topology import FatTree, ceil_div, grouped_core, three_tier
from fabrics.engine.topology import two_tier as _two_tier


def infiniband(spec: FabricSpec) -> Compute:
    """Size a SuperPOD on InfiniBand.

    >>> spec = FabricSpec.from_sizes(
    ...     system="gb300-nvl72", fabric="quantum-x800", gpus=576
    ... )
    >>> compute = infiniband(spec)
    >>> compute.leaf, compute.spine, compute.leaf_spine_links
    (8, 4, 576)
    """
    tree = _grouped(spec) if spec.profile.rail_pods else fat_tree(spec)
    return as_compute(spec, tree)


def fat_tree(spec: FabricSpec) -> FatTree:
    """Two tiers while the spines reach every leaf, else three."""
    profile = spec.profile
    leaves = leaf_count(spec)
    up = links_up(spec)
    tree = _two_tier(
        leaves=leaves,
        down=profile.down,
        up=up,
        radix=profile.radix,
        least_spines=profile.least_spines,
    )
    if tree is not None:
        return tree
    unit = max(profile.su_nodes, profile.down)
    tree = three_tier(
        units=ceil_div(leaf_nodes(spec), unit),
        unit_leaves=profile.rails * ceil_div(unit, profile.down),
        down=profile.down,
        up=up,
        radix=profile.radix,
        spine_down=profile.pod_spine_down,
    )
    if tree is None:
        raise SpecError(
            f"{spec.count:,} {spec.unit} need a fourth tier at "
            f"{spec.oversubscription}:1: three tiers of {profile.switch} hold fewer"
        )
    return tree


def _grouped(spec: FabricSpec) -> FatTree:
    """GB200: one unit stands on its own two tiers; from two, cores join them."""
    profile = spec.profile
    units = scalable_units(spec)
    up = links_up(spec)
    if units <= profile.two_tier_units:
        tree = _two_tier(
            leaves=leaf_count(spec), down=profile.down, up=up, radix=profile.radix
        )
        if tree is not None:
            return tree
    return grouped_core(
        units=units,
        rails=profile.rails,
        leaves_per_rail=profile.su_nodes // profile.down,
        down=profile.down,
        up=up,
        radix=profile.radix,
        spine_down=profile.spine_down,
    )
