"""No design of any size holds a number that cannot be built."""

from __future__ import annotations

import pytest

from fabrics.engine import FabricSpec, SpecError, size
from fabrics.engine.ports import dealing
from fabrics.engine.profiles import PROFILES
from fabrics.engine.topology import ceil_div

UNITS = {"gb300-nvl72": "racks", "gb200-nvl72": "racks", "host-200g": "hosts"}
# Around the edges of leaves, units, tiers and blocks.
COUNTS = (
    *(1, 2, 3, 5, 8, 9, 16, 17, 31, 32, 33, 40, 63, 64, 65, 72, 73, 127, 128, 129),
    *(256, 257, 319, 512, 513, 1_024, 1_025, 1_296, 2_048, 4_096, 9_000),
)


def designs(profile):
    """Every count that is not refused by name, at three oversubscriptions."""
    unit = UNITS.get(profile.system, "nodes")
    for ratio in ("1", "1.5", "3"):
        for count in COUNTS:
            asked = {unit: count, "oversubscription": ratio, "design": profile.design}
            try:
                yield size(
                    FabricSpec.from_sizes(
                        system=profile.system, fabric=profile.fabric, **asked
                    )
                )
            except SpecError:
                continue


def name(profile):
    return f"{profile.system} {profile.fabric} {profile.design}"


@pytest.mark.parametrize("profile", PROFILES, ids=name)
def test_every_size_fits_the_ports_of_its_switches(profile):
    found = list(designs(profile))
    assert found
    for sized in found:
        assert all(item.quantity > 0 for item in sized.bom), sized.spec
        if sized.compute.tree:
            check_tree(sized.compute.tree)
        for network in (sized.storage, sized.front_end):
            if network and network.spine:
                check_leaves(network)
        oob = sized.out_of_band
        assert oob is None or (oob.demand_rj45 or 0) <= 48 * oob.leaf


def check_tree(tree):
    if tree.leaves > 1:
        assert tree.down + max(tree.up, tree.peer_links) <= tree.radix
    if tree.spines:
        down = ceil_div(tree.leaf_spine_links, tree.spines)
        assert down + (tree.spine_up if tree.cores else 0) <= tree.radix
    if tree.cores:
        assert tree.spine_core_links <= tree.cores * tree.radix


def check_leaves(network):
    """Nodes, UFM, storage, servers and uplinks share the ports of a leaf."""
    up, uneven = divmod(network.leaf_spine_links, network.leaf)
    assert not uneven
    assert network.leaf_spine_links <= network.spine * network.radix
    deal = dealing(network)
    if deal.per_cage == 1:
        beside = ceil_div(network.beside_links, network.leaf)
        assert ceil_div(deal.cages, deal.leaves) + up + beside <= network.radix
        return
    cages = deal.cages + network.split_cables
    cages += ceil_div(network.ufm_links, 2) + ceil_div(network.beside_links, 2)
    assert 2 * ceil_div(cages, deal.leaves) + up <= network.radix
