"""Storage, front end, out of band, management: what the documents print."""

from __future__ import annotations

import pytest

from fabrics.engine import FabricSpec, size
from fabrics.engine.enterprise import (
    PATTERNS,
    inter_switch_links,
    is_converged,
    out_of_band_switches,
)
from fabrics.engine.topology import ceil_div


def design(system, fabric, **options):
    return size(FabricSpec.from_sizes(system=system, fabric=fabric, **options))


def quantity(sized, part, section):
    found = [b.quantity for b in sized.bom if (b.part, b.section) == (part, section)]
    return sum(found)


STORAGE_ROWS = [
    ("gb300-nvl72", "quantum-x800", {"racks": 8}, "standard", 90, 45),
    ("gb300-nvl72", "quantum-x800", {"racks": 8}, "enhanced", 280, 140),
    ("gb300-nvl72", "quantum-x800", {"racks": 4}, "standard", 45, 22.5),
    ("gb300-nvl72", "quantum-x800", {"racks": 32}, "standard", 360, 180),
    ("gb200-nvl72", "quantum-2", {"racks": 8}, "standard", 40, 20),
    ("gb200-nvl72", "quantum-2", {"racks": 8}, "enhanced", 125, 62),
    ("gb200-nvl72", "quantum-2", {"racks": 32}, "standard", 160, 80),
    ("gb200-nvl72", "quantum-2", {"racks": 32}, "enhanced", 500, 250),
    ("dgx-h100", "quantum-2", {"nodes": 31}, "good", 15, 7),
    ("dgx-h100", "quantum-2", {"nodes": 31}, "better", 40, 20),
    ("dgx-h100", "quantum-2", {"nodes": 31}, "best", 125, 62),
    ("dgx-h100", "quantum-2", {"nodes": 127}, "good", 60, 30),
    ("dgx-h100", "quantum-2", {"nodes": 127}, "better", 160, 80),
    ("dgx-h100", "quantum-2", {"nodes": 127}, "best", 500, 250),
]


@pytest.mark.parametrize(
    ("system", "fabric", "sizes", "tier", "read", "write"), STORAGE_ROWS
)
def test_a_storage_row_comes_out_of_the_rule(system, fabric, sizes, tier, read, write):
    stored = design(system, fabric, storage_tier=tier, **sizes).storage

    assert (stored.read_gb_per_s, stored.write_gb_per_s) == (read, write)


def test_storage_can_be_left_out():
    sized = design("gb300-nvl72", "quantum-x800", racks=8, storage_tier="none")

    assert sized.storage is None


def test_a_system_without_a_storage_figure_has_none():
    sized = design("dgx-rubin-nvl8", "quantum-x800", nodes=72)

    assert sized.storage is None
    assert any("No storage" in check.message for check in sized.checks)


@pytest.fixture(scope="module")
def h100():
    return design("dgx-h100", "quantum-2", nodes=127)


@pytest.mark.parametrize(
    ("part", "section", "printed"),
    [
        ("MMA4Z00-NS", "Optics and cables", 1536),
        ("MMA4Z00-NS-FLT", "Optics and cables", 508),
        ("MFP7E10", "Optics and cables", 2040),
        ("MMA4Z00-NS400", "Optics and cables", 4),
        ("MFP7E20", "Optics and cables", 2),
        ("QM9700", "Fabric", 48),
        ("QM9700", "Front end and storage", 16),
        ("MMA4Z00-NS", "Front end and storage", 369),
        ("MMA1Z00-NS400", "Front end and storage", 254),
        ("MFP7E10", "Front end and storage", 494),
        ("MMA4Z00-NS400", "Front end and storage", 4),
        ("MFP7E20", "Front end and storage", 2),
        ("MFA7U10", "Front end and storage", 48 + 4),
        ("SN4600C", "Front end and storage", 8),
        ("AOC-200G", "Front end and storage", 254),
        ("AOC-100G", "Front end and storage", 24 + 6 + 8 + 8),
        ("UFM", "Management", 4),
        ("DGX-H100", "Compute", 127),
    ],
)
def test_the_h100_parts_of_four_units_are_those_printed(h100, part, section, printed):
    assert quantity(h100, part, section) == printed


# Units, leaves, spines and uplinks of a leaf; 4 units make the printed 16 switches.
H100_STORAGE = [(1, 4, 2, 16), (2, 6, 2, 20), (3, 9, 4, 20), (4, 12, 4, 20)]


@pytest.mark.parametrize(("units", "leaf", "spine", "up"), H100_STORAGE)
def test_h100_storage_is_sized_by_ports_and_uplinks(units, leaf, spine, up):
    stored = design("dgx-h100", "quantum-2", nodes=32 * units - 1).storage

    assert (stored.leaf, stored.spine) == (leaf, spine)
    assert stored.leaf_spine_links == leaf * up
    # Node positions 4:3 and appliances 1:1, UFM and servers beside them.
    assert leaf * up >= 64 * units * 3 / 4 + 12 * units
    assert leaf * 32 >= 64 * units + 4 + 2 * (12 * units + 4)


def test_a_storage_fabric_has_two_spines_at_least():
    stored = design("dgx-b200", "quantum-2", nodes=32).storage

    assert (stored.leaf, stored.spine, stored.leaf_spine_links) == (2, 2, 64)


def test_the_h100_out_of_band_demand_is_the_sum_printed(h100):
    assert h100.out_of_band.demand_rj45 == 127 + 64 + 8 + 8 + 108
    assert h100.out_of_band.leaf == 7
    assert any("prints 8" in check.message for check in h100.checks)


def test_the_b200_management_racks_of_four_units_are_those_printed():
    sized = design("dgx-b200", "quantum-2", nodes=128)

    assert (sized.storage.leaf, sized.storage.spine) == (8, 4)
    assert (sized.front_end.leaf, sized.front_end.spine) == (2, 2)
    assert quantity(sized, "SN2201", "Front end and storage") == 2
    assert sized.out_of_band.leaf == 16
    assert sized.management.ufm == 4


def test_the_largest_tested_gb300_inventory_comes_out_of_the_rules():
    sized = design("gb300-nvl72", "spectrum-x", racks=8)

    assert (sized.front_end.leaf, sized.front_end.spine) == (7, 4)
    assert sized.out_of_band.leaf == 16


# Pattern, units, whether CPU and GPU share two switches, out-of-band switches.
SINGLE_TIER = [
    ("2-4-3-200", range(1, 5), True, 2),
    ("2-4-3-200", range(5, 7), True, 3),
    ("2-4-3-200", range(7, 9), True, 4),
    ("2-8-5-200", range(1, 5), True, 2),
    ("2-8-5-200", range(5, 6), True, 3),
    ("2-8-5-200", range(6, 7), False, 3),
    ("2-8-5-200", range(7, 9), False, 4),
    ("2-8-9-400", range(1, 3), True, 2),
    ("2-8-9-400", range(3, 4), True, 3),
    ("2-8-9-400", range(4, 5), False, 4),
    ("2-8-9-800", range(1, 5), False, 2),
    ("2-8-9-400-SP", range(1, 5), False, 2),
]


@pytest.mark.parametrize(("key", "units", "converged", "oob"), SINGLE_TIER)
def test_an_enterprise_pattern_splits_where_the_document_does(
    key, units, converged, oob
):
    for unit in units:
        nodes = 4 * unit
        assert is_converged(PATTERNS[key], nodes) is converged
        assert out_of_band_switches(PATTERNS[key], nodes) == oob


# Pattern, nodes, then GPU, CPU and peer links counted in the wiremap.
WIREMAPS = [
    ("2-4-3-200", 32, 64, 64, 32),
    ("2-8-5-200", 20, 80, 40, 40),
    ("2-8-9-400", 12, 96, 24, 48),
]


@pytest.mark.parametrize(("key", "nodes", "gpu", "cpu", "peers"), WIREMAPS)
def test_the_links_of_a_wiremap_come_out_of_the_rules(key, nodes, gpu, cpu, peers):
    pattern = PATTERNS[key]

    assert nodes * pattern.gpu_links == gpu
    assert nodes * pattern.cpu_links == cpu
    assert inter_switch_links(pattern, nodes) == peers


@pytest.mark.parametrize(
    ("key", "ports", "uplinks"), [("2-4-3-200", 212, 10), ("2-8-5-200", 3 * 48, 12)]
)
def test_the_uplinks_of_a_wiremap_follow_its_out_of_band_switches(key, ports, uplinks):
    assert ceil_div(ports, 48) * PATTERNS[key].oob_uplinks == uplinks


@pytest.mark.parametrize(
    ("nodes", "leaves", "converged"), [(12, 2, True), (16, 2, False)]
)
def test_a_small_enterprise_b200_shares_two_switches_until_they_are_full(
    nodes, leaves, converged
):
    sized = design("dgx-b200", "spectrum-x", nodes=nodes)

    assert (sized.compute.leaf, sized.compute.spine) == (leaves, 0)
    assert sized.compute.is_converged is converged
    assert sized.front_end.is_shared is converged
    own = quantity(sized, "SN5600", "Front end and storage")
    assert own == (0 if converged else 2)


def test_infiniband_has_ufm_and_ethernet_has_netq():
    infiniband = design("gb300-nvl72", "quantum-x800", racks=8).management
    ethernet = design("gb300-nvl72", "spectrum-x", racks=8).management

    assert (infiniband.ufm, infiniband.nmx_m, infiniband.netq) == (2, 1, 0)
    assert (ethernet.ufm, ethernet.nmx_m, ethernet.netq) == (0, 1, 1)


def test_front_end_and_out_of_band_can_be_left_out():
    sized = design(
        "gb300-nvl72", "quantum-x800", racks=8, front_end=False, out_of_band=False
    )

    assert (sized.front_end, sized.out_of_band) == (None, None)
    sections = {item.section for item in sized.bom}
    assert not sections & {"Front end and storage", "Out of band"}


def test_a_server_sold_without_nics_lists_them():
    sized = design("sr680a-v3-b200", "spectrum-x", nodes=4)

    assert quantity(sized, "B3140H", "Compute") == 32
    assert quantity(sized, "B3220", "Compute") == 4


def test_runs_longer_than_the_front_end_reaches_are_named():
    sized = design("gb300-nvl72", "quantum-x800", racks=8, cable_metres=300)

    assert sized.is_buildable
    assert any("front end modules reach 100 m" in c.message for c in sized.checks)


GB300 = {"system": "gb300-nvl72", "fabric": "quantum-x800"}


def test_one_rack_and_one_unit_are_told_in_the_singular():
    design = size(FabricSpec.from_sizes(**GB300, racks=8))
    single = size(FabricSpec.from_sizes(**GB300, racks=1))
    workings = " ".join(network.working for network in design.networks())

    assert "1 unit of 576 GPUs" in workings
    assert any("1 rack x" in network.working for network in single.networks())
