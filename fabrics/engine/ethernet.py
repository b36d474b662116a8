"""Scale-out on Ethernet: Spectrum-X in planes, small SN3700 fabrics, a direct pair."""

from __future__ import annotations

from decimal import ROUND_CEILING, Decimal

from fabrics.engine.design import Compute
from fabrics.engine.enterprise import PATTERNS, is_converged
from fabrics.engine.infiniband import fat_tree
from fabrics.engine.scaleout import as_compute, links_up
from fabrics.engine.spec import FabricSpec
from fabrics.engine.topology import (
    FatTree,
    ceil_div,
    leaf_pair,
    one_switch,
    two_tier,
)


def spectrum_x(spec: FabricSpec) -> Compute:
    """Size one plane and add up: each GPU has one 400GbE link in every plane.

    >>> spec = FabricSpec.from_sizes(system="dgx-b300", fabric="spectrum-x", gpus=512)
    >>> compute = spectrum_x(spec)
    >>> compute.leaf, compute.spine
    (16, 8)
    """
    profile = spec.profile
    if spec.nodes > profile.pair_nodes:
        return as_compute(spec, fat_tree(spec))
    links = spec.nodes * profile.rails
    pair = leaf_pair(radix=profile.radix, links=links, peer_links=_peer_links(spec))
    converged = is_converged(PATTERNS[profile.pattern], spec.nodes)
    return as_compute(spec, pair, is_converged=converged)


def _peer_links(spec: FabricSpec) -> int:
    """Links that join the two leaves: half the GPU links, fewer when oversubscribed."""
    links = Decimal(spec.nodes * spec.profile.rails) / 2 / spec.oversubscription
    return int(links.to_integral_value(rounding=ROUND_CEILING))


def spectrum_2(spec: FabricSpec) -> Compute:
    """Size a small fabric of SN3700: one switch to 32 ports, else 16 down and 16 up."""
    return as_compute(spec, _small_tree(spec))


def _small_tree(spec: FabricSpec) -> FatTree | None:
    profile = spec.profile
    endpoints = spec.nodes * spec.ports_per_node
    if endpoints <= profile.radix:
        return one_switch(radix=profile.radix, endpoints=endpoints)
    return two_tier(
        leaves=ceil_div(endpoints, profile.down),
        down=profile.down,
        up=links_up(spec),
        radix=profile.radix,
    )


def direct(spec: FabricSpec) -> Compute:
    """One or two stations joined port to port: no switch."""
    return as_compute(spec, None)
