"""Fat-tree arithmetic: what must hold for any plane, and where each profile ends."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabrics.engine import FabricSpec, SpecError, most_nodes, size
from fabrics.engine.profiles import PROFILES
from fabrics.engine.topology import even_split, three_tier_limit, two_tier

UNITS = {"gb300-nvl72": "racks", "gb200-nvl72": "racks", "host-200g": "hosts"}
IDS = [f"{p.system}-{p.fabric}-{p.design}" for p in PROFILES]


def sized(profile, nodes, **options):
    unit = UNITS.get(profile.system, "nodes")
    count = max(1, nodes // 18) if unit == "racks" else nodes
    return size(
        FabricSpec.from_sizes(
            system=profile.system,
            fabric=profile.fabric,
            design=profile.design,
            **{unit: count},
            **options,
        )
    )


@given(st.integers(1, 300), st.integers(1, 144))
def test_spines_divide_the_uplinks_and_no_smaller_number_does(need, up):
    spines = even_split(need, up)

    if spines is None:
        assert need > up
        return
    assert up % spines == 0
    assert spines >= need
    assert not any(up % fewer == 0 for fewer in range(need, spines))


@given(st.integers(1, 144), st.sampled_from([(72, 144), (36, 128), (18, 64), (16, 32)]))
def test_two_tiers_never_use_a_port_that_is_not_there(leaves, shape):
    up, radix = shape

    tree = two_tier(leaves=leaves, down=radix - up, up=up, radix=radix)

    if tree is None:
        assert leaves > radix
        return
    assert leaves * tree.links_per_pair <= radix
    assert tree.links_per_pair * tree.spines == up


@pytest.mark.parametrize(
    ("down", "up", "radix", "limit"),
    [(72, 72, 144, 746_496), (64, 64, 128, 524_288), (32, 32, 64, 65_536)],
)
def test_three_tiers_hold_a_quarter_of_the_radix_cubed(down, up, radix, limit):
    found = three_tier_limit(unit_leaves=8, down=down, up=up, radix=radix)

    assert found == limit == radix**3 // 4


@pytest.mark.parametrize(
    ("system", "fabric", "last"),
    [
        ("dgx-b300", "quantum-x800", 1296),
        ("dgx-b200", "quantum-2", 256),
        ("dgx-b300", "spectrum-x", 1024),
    ],
)
def test_the_third_tier_begins_where_two_tiers_end(system, fabric, last):
    def tiers(nodes):
        spec = FabricSpec.from_sizes(system=system, fabric=fabric, nodes=nodes)
        return size(spec).compute.tiers

    assert (tiers(last), tiers(last + 1)) == (2, 3)


@pytest.mark.parametrize("profile", PROFILES, ids=IDS)
def test_the_largest_size_can_be_sized_and_one_more_is_refused(profile):
    most = most_nodes(profile)
    step = 18 if UNITS.get(profile.system) == "racks" else 1

    assert sized(profile, most).compute.nodes == most // step * step
    with pytest.raises(SpecError, match="from 1 to"):
        sized(profile, most + step)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(PROFILES),
    st.floats(0, 1),
    st.sampled_from(["1", "1.2", "1.5", "2", "3", "5", "9", "16"]),
)
def test_any_size_keeps_its_switches_within_their_ports(profile, share, ratio):
    if profile.fabric == "direct":
        return
    tree = sized(
        profile, max(1, int(most_nodes(profile) ** share)), oversubscription=ratio
    ).compute.tree

    if tree.spines:
        assert tree.down + tree.up <= tree.radix
        assert tree.up % tree.spines_per_pod == 0
        spine_down = tree.leaves_per_pod * tree.links_per_pair
        assert spine_down + tree.spine_up <= tree.radix
    if tree.cores:
        per_group = tree.spines // tree.core_groups * tree.spine_up
        assert per_group <= tree.cores_per_group * tree.radix


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PROFILES), st.floats(0, 1))
def test_the_same_question_has_the_same_answer_in_plain_json(profile, share):
    nodes = max(1, int(most_nodes(profile) ** share))

    first, second = (json.dumps(sized(profile, nodes).to_json()) for _ in range(2))

    assert first == second
    again = FabricSpec.from_json(json.loads(first)["spec"])
    assert json.dumps(size(again).to_json()) == first


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40))
def test_more_racks_never_need_fewer_switches(racks, more):
    profile = PROFILES[0]
    small = sized(profile, 18 * racks).compute
    large = sized(profile, 18 * (racks + more)).compute

    assert large.leaf >= small.leaf
    assert large.spine >= small.spine
    assert large.node_links > small.node_links
