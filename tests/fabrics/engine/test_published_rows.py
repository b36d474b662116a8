"""Every published row of a compute fabric, reproduced by the rules."""

from __future__ import annotations

import pytest

from fabrics.engine import FabricSpec, size

# system, fabric, design, size, then what the document prints for it.
ROWS = [
    ("dgx-b300", "quantum-x800", None, {"nodes": 72}, (576, 8, 4, 0, 576, 576, 0)),
    ("dgx-b300", "quantum-x800", None, {"nodes": 144}, (1152, 16, 8, 0, 1152, 1152, 0)),
    (
        "dgx-b300",
        "quantum-x800",
        None,
        {"nodes": 288},
        (2304, 32, 18, 0, 2304, 2304, 0),
    ),
    ("dgx-b300", "spectrum-x", None, {"nodes": 64}, (512, 16, 8, 0, 512, 512, 0)),
    ("dgx-b300", "spectrum-x", None, {"nodes": 128}, (1024, 32, 16, 0, 1024, 1024, 0)),
    ("dgx-b300", "spectrum-x", None, {"nodes": 512}, (4096, 128, 64, 0, 4096, 4096, 0)),
    ("gb300-nvl72", "quantum-x800", None, {"racks": 8}, (576, 8, 4, 0, 576, 576, 0)),
    (
        "gb300-nvl72",
        "quantum-x800",
        None,
        {"racks": 16},
        (1152, 16, 8, 0, 1152, 1152, 0),
    ),
    (
        "gb300-nvl72",
        "quantum-x800",
        None,
        {"racks": 32},
        (2304, 32, 18, 0, 2304, 2304, 0),
    ),
    ("gb200-nvl72", "quantum-2", None, {"racks": 8}, (576, 32, 9, 0, 576, 576, 0)),
    (
        "gb200-nvl72",
        "quantum-2",
        None,
        {"racks": 16},
        (1152, 64, 48, 18, 1152, 1152, 1152),
    ),
    (
        "gb200-nvl72",
        "quantum-2",
        None,
        {"racks": 32},
        (2304, 128, 96, 36, 2304, 2304, 2304),
    ),
    (
        "gb200-nvl72",
        "quantum-2",
        None,
        {"racks": 128},
        (9216, 512, 384, 144, 9216, 9216, 9216),
    ),
    (
        "gb200-nvl72",
        "quantum-2",
        None,
        {"racks": 64},
        (4608, 256, 192, 72, 4608, 4608, 4608),
    ),
    ("dgx-b200", "quantum-2", None, {"nodes": 64}, (512, 16, 8, 0, 512, 512, 0)),
    ("dgx-b200", "quantum-2", None, {"nodes": 128}, (1024, 32, 16, 0, 1024, 1024, 0)),
    (
        "dgx-b200",
        "quantum-2",
        None,
        {"nodes": 512},
        (4096, 128, 128, 64, 4096, 4096, 4096),
    ),
    (
        "dgx-b200",
        "quantum-2",
        None,
        {"nodes": 2048},
        (16384, 512, 512, 256, 16384, 16384, 16384),
    ),
    ("dgx-b200", "quantum-2", None, {"nodes": 256}, (2048, 64, 32, 0, 2048, 2048, 0)),
    (
        "dgx-b200",
        "quantum-2",
        None,
        {"nodes": 1024},
        (8192, 256, 256, 128, 8192, 8192, 8192),
    ),
    (
        "dgx-b300",
        "quantum-x800",
        None,
        {"nodes": 576},
        (4608, 64, 36, 0, 4608, 4608, 0),
    ),
    # The document prints 9,216 GPUs here, and 10,368 links to 1,296 nodes.
    (
        "dgx-b300",
        "quantum-x800",
        None,
        {"nodes": 1296},
        (10368, 144, 72, 0, 10368, 10368, 0),
    ),
    ("dgx-b300", "spectrum-x", None, {"nodes": 256}, (2048, 64, 32, 0, 2048, 2048, 0)),
    (
        "dgx-b300",
        "spectrum-x",
        None,
        {"nodes": 1024},
        (8192, 256, 128, 0, 8192, 8192, 0),
    ),
    ("dgx-h100", "quantum-2", None, {"nodes": 95}, (760, 24, 16, 0, 764, 768, 0)),
    ("dgx-h100", "quantum-2", None, {"nodes": 31}, (248, 8, 4, 0, 252, 256, 0)),
    ("dgx-h100", "quantum-2", None, {"nodes": 63}, (504, 16, 8, 0, 508, 512, 0)),
    ("dgx-h100", "quantum-2", None, {"nodes": 127}, (1016, 32, 16, 0, 1020, 1024, 0)),
    # The H200 follows the H100 document.
    ("dgx-h200", "quantum-2", None, {"nodes": 31}, (248, 8, 4, 0, 252, 256, 0)),
    ("dgx-h200", "quantum-2", None, {"nodes": 63}, (504, 16, 8, 0, 508, 512, 0)),
    ("dgx-h200", "quantum-2", None, {"nodes": 127}, (1016, 32, 16, 0, 1020, 1024, 0)),
    ("gb300-nvl72", "spectrum-x", None, {"racks": 8}, (576, 32, 12, 0, 576, 576, 0)),
]
COLUMNS = (
    "gpus",
    "leaf",
    "spine",
    "core",
    "node_leaf_cables",
    "leaf_spine_cables",
    "spine_core_cables",
)


@pytest.mark.parametrize(("system", "fabric", "design", "sizes", "printed"), ROWS)
def test_a_published_row_comes_out_of_the_rules(system, fabric, design, sizes, printed):
    spec = FabricSpec.from_sizes(system=system, fabric=fabric, design=design, **sizes)

    compute = size(spec).to_json()["compute"]

    assert tuple(compute[column] for column in COLUMNS) == printed


@pytest.mark.parametrize(
    ("gpus", "published"), [(1152, True), (2304, True), (576, False), (1728, False)]
)
def test_a_design_says_whether_a_document_prints_its_size(gpus, published):
    spec = FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-x800", gpus=gpus)

    design = size(spec)

    assert design.compute.published is published
    says = any("No published row on file" in check.message for check in design.checks)
    assert says is not published


def test_an_oversubscribed_size_is_never_called_published():
    spec = FabricSpec.from_sizes(
        system="gb300-nvl72", fabric="quantum-x800", gpus=1152, oversubscription=2
    )

    assert not size(spec).compute.published


def test_one_gb300_rack_on_spectrum_x_has_four_leaves_and_two_spines_a_plane():
    spec = FabricSpec.from_sizes(system="gb300-nvl72", fabric="spectrum-x", racks=1)

    compute = size(spec).compute

    assert (compute.leaf_per_plane, compute.spine_per_plane) == (4, 2)


def test_the_gb200_unit_of_one_has_two_links_from_each_leaf_to_each_spine():
    spec = FabricSpec.from_sizes(system="gb200-nvl72", fabric="quantum-2", racks=8)

    tree = size(spec).compute.tree

    assert (tree.tiers, tree.down, tree.up, tree.links_per_pair) == (2, 18, 18, 2)
    assert tree.radix - tree.down - tree.up == 28


@pytest.mark.parametrize("nodes", [32, 40])
def test_part_of_a_b300_unit_buys_the_switches_of_the_whole_unit(nodes):
    spec = FabricSpec.from_sizes(system="dgx-b300", fabric="quantum-x800", nodes=nodes)

    design = size(spec)
    compute = design.compute

    assert (compute.leaf, compute.spine) == (8, 4)
    assert (compute.node_links, compute.leaf_spine_links) == (nodes * 8, 576)
    assert any("whole unit" in check.message for check in design.checks)


def test_dual_plane_differs_from_single_plane_by_24_switches_at_128_nodes():
    """The largest tested enterprise sizes: 220 and 196 machines of the twin."""
    spec = FabricSpec.from_sizes(
        system="dgx-b300", fabric="spectrum-x", design="enterprise", nodes=128
    )

    compute = size(spec).compute

    assert compute.leaf_per_plane + compute.spine_per_plane == 220 - 196
