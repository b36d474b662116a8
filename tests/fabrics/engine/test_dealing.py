"""The networks beside scale-out fit their switches at any size, by arithmetic."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fabrics.engine import FabricSpec, SpecError, cabling, most_nodes, size
from fabrics.engine.dealing import Dealing
from fabrics.engine.ports import dealing
from fabrics.engine.profiles import PROFILES


@st.composite
def designs_of_any_size(draw):
    """Any size up to the tiers' limit: nothing here is listed."""
    profile = draw(st.sampled_from([p for p in PROFILES if p.front_end]))
    is_rack = "nvl72" in profile.system
    most = most_nodes(profile) // (18 if is_rack else 1)
    unit = "racks" if is_rack else "nodes"
    count = draw(st.integers(1, most) | st.integers(1, min(most, 600)))
    try:
        return size(
            FabricSpec.from_sizes(
                system=profile.system,
                fabric=profile.fabric,
                design=profile.design,
                **{unit: count},
            )
        )
    except SpecError:
        return None


@settings(max_examples=400, deadline=None)
@given(designs_of_any_size())
def test_every_leaf_and_spine_has_a_port_for_each_link_at_any_size(sized):
    for network in sized.networks() if sized else ():
        if not network.radix or network.is_shared:
            continue
        deal = dealing(network)
        up = network.leaf_spine_links // network.leaf
        peers = 0 if network.spine else network.peer_links
        ufm = 2 * network.ufm_links
        used = deal.per_cage * deal.leaf_cages + up + peers + ufm
        assert used <= network.radix, network
        if network.spine:
            check_blocks(network, up)


def check_blocks(network, up):
    per_block = network.block_leaves or network.leaf
    full = network.block_spines or network.spine
    blocks, rest = divmod(network.leaf, per_block)
    cores = 6 if network.peer_links else 0
    sizes = [(per_block, full)] * (blocks > 0)
    sizes += [(rest, network.spine - blocks * full)] * (rest > 0)
    for leaves, spines in sizes:
        assert spines > 0
        assert up % spines == 0
        assert leaves * (up // spines) + cores <= network.radix, network


@settings(max_examples=200, deadline=None)
@given(
    st.integers(1, 200),
    st.sampled_from([2, 4]),
    st.integers(1, 12),
    st.sampled_from([1, 2]),
    st.sampled_from([1, 2]),
)
def test_a_dealing_counts_the_cages_and_splitters_it_uses(
    nodes, ports, leaves, share, per_cage
):
    assume(ports // 2 <= per_cage * share)
    deal = Dealing(
        nodes=nodes, ports=ports, leaves=leaves, share=share, per_cage=per_cage
    )
    ends = [deal.end(node, port) for node in range(nodes) for port in range(ports)]

    assert len(set(ends)) == len(ends)
    assert len({(end.leaf, end.port // per_cage) for end in ends}) == deal.cages
    assert len({(end.leaf, end.port) for end in ends}) == deal.splitters
    assert max(end.port for end in ends) < per_cage * deal.leaf_cages


@pytest.mark.parametrize(
    ("system", "fabric", "nodes"),
    [
        ("dgx-b200", "quantum-2", 1_300),
        ("dgx-h100", "quantum-2", 1_500),
        ("dgx-b300", "spectrum-x", 2_000),
    ],
)
def test_networks_in_blocks_use_no_port_twice(system, fabric, nodes):
    sized = size(FabricSpec.from_sizes(system=system, fabric=fabric, nodes=nodes))
    ends = [
        end
        for name in ("Storage", "Front end")
        for c in cabling(sized, name)
        for end in ((c.a_device, c.a_port), (c.b_device, c.b_port))
    ]

    assert len(ends) == len(set(ends))


def test_a_front_end_or_storage_in_blocks_says_so():
    sized = size(
        FabricSpec.from_sizes(system="dgx-h100", fabric="quantum-2", nodes=1_500)
    )

    said = " ".join(check.message for check in sized.checks)
    assert "storage fabric is in blocks of 64 leaves" in said
    assert "front end is in blocks of 29 leaves" in said
