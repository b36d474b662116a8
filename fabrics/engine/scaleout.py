"""What both scale-out fabrics share: units, the leaf split, and the compute result."""

from __future__ import annotations

from decimal import ROUND_CEILING

from fabrics.engine.design import Compute
from fabrics.engine.published import published_source
from fabrics.engine.spec import FabricSpec
from fabrics.engine.topology import FatTree, ceil_div


def scalable_units(spec: FabricSpec) -> int:
    """Whole units that hold the nodes, with the position UFM takes from them.

    An H100 SuperPOD of 127 nodes is 4 units: 4 x 32 - 1.
    """
    profile = spec.profile
    return ceil_div(spec.nodes + profile.ufm_positions, profile.su_nodes)


def links_up(spec: FabricSpec) -> int:
    """Uplinks of a leaf: as many as down, or ceil(down / r) at r:1."""
    exact = spec.profile.up / spec.oversubscription
    return int(exact.to_integral_value(rounding=ROUND_CEILING))


def leaf_nodes(spec: FabricSpec) -> int:
    """Nodes the leaves are bought for: whole units in a SuperPOD, else what is used."""
    if spec.profile.buys_full_su:
        return scalable_units(spec) * spec.profile.su_nodes
    return spec.nodes


def leaf_count(spec: FabricSpec) -> int:
    """Rail-optimised leaves of a plane: node n, rail r goes to leaf r of its group."""
    profile = spec.profile
    return profile.rails * ceil_div(leaf_nodes(spec), profile.down)


def as_compute(
    spec: FabricSpec, tree: FatTree | None, *, is_converged: bool = False
) -> Compute:
    """The compute network of a spec whose plane is `tree`."""
    profile = spec.profile
    found = published_source(spec)
    return Compute(
        switch=profile.switch,
        tree=tree,
        planes=profile.planes,
        rails=profile.rails,
        link_gbps=profile.link_gbps,
        scalable_units=scalable_units(spec),
        nodes=spec.nodes,
        racks=spec.racks,
        gpus=spec.gpus,
        ports_per_node=spec.ports_per_node,
        ufm_links=profile.ufm_links,
        is_converged=is_converged,
        published=found is not None,
        source=found or profile.source,
    )
