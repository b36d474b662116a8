"""What the documents print beside their compute tables.

A figure that differs on purpose has its reason in `docs/fabric-rules.md`, under
"Printed figures that differ".
"""

from __future__ import annotations

from collections import Counter

import pytest

from fabrics.engine import FabricSpec, cabling, size
from fabrics.engine.elevation import rack_view
from fabrics.engine.enterprise import PATTERNS
from fabrics.engine.out_of_band import pdus, servers
from fabrics.engine.parts import PARTS


def design(system, fabric, **options):
    return size(FabricSpec.from_sizes(system=system, fabric=fabric, **options))


@pytest.fixture(scope="module")
def gb300():
    return design("gb300-nvl72", "quantum-x800", racks=8)


@pytest.fixture(scope="module")
def gb200():
    return design("gb200-nvl72", "quantum-2", racks=8)


@pytest.fixture(scope="module")
def b300():
    return design("dgx-b300", "quantum-x800", nodes=72)


@pytest.fixture(scope="module")
def b200():
    return design("dgx-b200", "quantum-2", nodes=128)


@pytest.fixture(scope="module")
def h100():
    return design("dgx-h100", "quantum-2", nodes=127)


def test_a_gb300_unit_is_as_its_document_says(gb300):
    compute = gb300.compute

    assert (compute.scalable_units, compute.racks, compute.nodes) == (1, 8, 144)
    assert (compute.gpus, compute.leaf, compute.rails) == (576, 8, 4)
    assert compute.leaf / compute.rails == 2
    assert (gb300.front_end.switch, gb300.out_of_band.switch) == ("SN5600D", "SN2201")
    platform = gb300.spec.platform
    assert (platform.front_end_ports, platform.front_end_gbps) == (2, 400)
    assert (gb300.management.ufm, gb300.management.nmx_m) == (2, 1)
    assert platform.is_liquid_cooled


@pytest.mark.parametrize("system", ["gb300", "gb200"])
def test_a_rack_holds_what_the_documents_count(request, system):
    view = rack_view(request.getfixturevalue(system), "C0001")
    held = Counter(slot.description for slot in view.slots)

    assert held == {
        "Compute tray, 4 GPUs": 18,
        "NVLink switch tray, 2 chips": 9,
        "Power shelf, 33 kW": 8,
        "Out-of-band switch, SN2201": 2,
    }


@pytest.mark.parametrize(("system", "most"), [("gb300", 0.03), ("gb200", 0.06)])
def test_a_units_power_is_near_the_1_2_mw_printed(request, system, most):
    facility = request.getfixturevalue(system).facility

    assert facility.power_kw == pytest.approx(1200, rel=most)


def test_a_gb200_unit_is_as_its_document_says(gb200):
    """32 leaves, 9 spines, and Ethernet of 16 x 800G to storage and 5:3 to trays."""
    tree, front = gb200.compute.tree, gb200.front_end

    assert (tree.leaves, tree.spines, gb200.compute.rails) == (32, 9, 4)
    assert tree.leaves / gb200.compute.rails == 8
    assert (gb200.spec.platform.front_end_ports, front.link_gbps) == (4, 200)
    assert front.appliance_links * 400 == 16 * 800
    assert front.leaf_spine_links / front.leaf == 48
    assert "80 down and 48 up" in front.working


def test_a_b300_unit_is_as_its_document_says(b300):
    compute = b300.compute

    assert (compute.nodes, compute.racks) == (72, 18)
    assert b300.spec.platform.rack_pdus == 3
    # 2 cluster managers, 3 for Kubernetes, 2 for Slurm, and the UFM of the picture.
    assert servers(b300.spec, ufm=0) == 2 + 3 + 2
    assert b300.management.ufm == 2
    assert b300.out_of_band.switch == "SN2201"
    # The document has 56 kW; here four nodes at the maximum of their guide.
    assert 4 * PARTS["DGX-B300"].watts == 58_000


def test_b200_racks_and_units_draw_what_the_document_says(b200):
    unit = design("dgx-b200", "quantum-2", nodes=32)

    assert 2 * PARTS["DGX-B200"].watts == 28_600
    assert unit.compute.racks == 16
    assert round(unit.facility.compute_kw) == 458
    assert b200.spec.platform.rack_pdus == 3


def test_b200_storage_ports_carry_the_40_gb_a_second_of_a_node(b200):
    links = b200.storage.node_links / b200.compute.nodes

    assert links * b200.storage.link_gbps / 8 >= 40


def test_b200_management_racks_hold_the_printed_switches(b200):
    assert (b200.compute.leaf, b200.compute.spine) == (32, 16)
    assert (b200.storage.switch, b200.storage.leaf, b200.storage.spine) == (
        *("QM9700", 8, 4),
    )
    assert (b200.front_end.switch, b200.front_end.leaf, b200.front_end.spine) == (
        *("SN5600", 2, 2),
    )


@pytest.mark.parametrize(
    ("tier", "read", "write"), [("good", 4, 2), ("better", 8, 4), ("best", 40, 20)]
)
def test_the_storage_of_one_h100_node_is_told_as_printed(tier, read, write):
    sized = design("dgx-h100", "quantum-2", nodes=1, storage_tier=tier)
    said = f"One node alone is to read {read} GB/s and write {write}"

    assert any(said in check.message for check in sized.checks)


def test_h100_racks_and_pdus_are_those_of_table_7(h100):
    assert h100.compute.racks == 38 - 6
    assert pdus(h100.spec) == (96, 12)
    assert h100.management.ufm == 4


# Kind of link, and what table 8 counts for 127 nodes. A cable of 2 x 200G is two rows.
H100_LINKS = {
    ("Front end", "node to leaf"): 254,
    ("Front end", "server to leaf"): 8,
    ("Front end", "appliance to leaf"): 8,
    ("Front end", "leaf to spine"): 24,
    ("Front end", "spine to spine"): 6,
    ("Scale-out", "node to leaf"): 127 * 8,
    ("Scale-out", "leaf to spine"): 1024,
    ("Scale-out", "UFM to leaf"): 4,
    ("Storage", "node to leaf"): 254,
    ("Storage", "leaf to spine"): 494 - 254,
    ("Storage", "appliance to leaf"): 2 * 48,
    ("Storage", "server to leaf"): 2 * 4,
    ("Storage", "UFM to leaf"): 4,
    ("Out of band", "management port"): 127 + 64 + 8 + 8 + 108,
    # Printed: 16, for 8 switches.
    ("Out of band", "uplink"): 2 * 7,
}


def test_the_h100_cabling_list_has_the_links_of_table_8(h100):
    assert Counter((row.network, row.kind) for row in cabling(h100)) == H100_LINKS


def test_the_h100_ports_out_of_band_are_the_rows_of_table_8(h100):
    working = h100.out_of_band.working

    assert "127 nodes + 72 switches + 8 servers + 108 PDUs = 315" in working
    infiniband = h100.compute.switches + h100.storage.leaf + h100.storage.spine
    assert (infiniband, h100.front_end.leaf + h100.front_end.spine) == (64, 8)


# Units with GPU leaves of their own: two a plane, none above them.
@pytest.mark.parametrize("units", [1, 2, 3, 4])
def test_dual_plane_enterprise_has_two_leaves_a_plane(units):
    sized = design("dgx-b300", "spectrum-x", design="enterprise", nodes=4 * units)
    compute = sized.compute

    assert (compute.planes, compute.leaf_per_plane, compute.spine) == (2, 2, 0)
    assert sized.front_end.leaf == 2
    assert not compute.is_converged


@pytest.mark.parametrize(("units", "leaves"), [(1, 0), (2, 0), (3, 0), (4, 2)])
def test_2_8_9_400_gets_gpu_leaves_where_the_document_splits(units, leaves):
    sized = design("dgx-b200", "spectrum-x", nodes=4 * units)
    own_gpu_leaves = 0 if sized.compute.is_converged else sized.compute.leaf

    assert (own_gpu_leaves, sized.compute.spine) == (leaves, 0)
    assert sized.front_end.leaf == 2


def test_the_links_of_the_2_8_9_400_wiremap_are_all_in_the_cabling_list():
    sized = design("dgx-b200", "spectrum-x", nodes=12)
    found = Counter((row.network, row.kind) for row in cabling(sized))

    assert found["Scale-out", "node to leaf"] == 96
    assert found["Scale-out", "leaf to leaf"] == 48
    assert found["Front end", "node to leaf"] == 24
    assert sized.out_of_band.uplinks_100g == 12


@pytest.mark.parametrize(
    ("key", "nodes", "core", "switches", "planned", "cabled"),
    [("2-4-3-200", 32, 2, 4, 6, 6), ("2-8-5-200", 20, 2, 3, 6, 4)],
)
def test_a_wiremap_is_cabled_within_the_planning_ports(
    key, nodes, core, switches, planned, cabled
):
    """Planning ports of a node: what the scaling table needs, not what is cabled."""
    pattern = PATTERNS[key]

    assert pattern.oob_planning_ports == planned >= cabled
    assert -(-nodes * planned // 48) == switches
    # GPU and CPU links end on the two core switches.
    assert core == 2
    assert not pattern.has_own_gpu_leaves
