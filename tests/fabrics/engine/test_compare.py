"""Two designs side by side, the difference of their parts, and the next size up."""

from __future__ import annotations

import pytest

from fabrics.engine import (
    FabricSpec,
    bom_difference,
    compare,
    growth,
    next_size,
    pairs,
    size,
)


def design(system="gb300-nvl72", fabric="quantum-x800", **options):
    return size(FabricSpec.from_sizes(system=system, fabric=fabric, **options))


def test_a_design_does_not_differ_from_itself():
    compared = compare(design(gpus=576), design(gpus=576))

    assert compared.changes == ()
    assert not any(row.differs for row in compared.rows)


def test_infiniband_and_ethernet_are_compared_row_by_row():
    compared = compare(design(racks=8), design(fabric="spectrum-x", racks=8))

    rows = {row.label: row for row in compared.rows}
    assert (rows["Leaf switches"].left, rows["Leaf switches"].right) == (8, 32)
    assert not rows["Injection, each way"].differs
    parts = {change.part: change.change for change in compared.changes}
    assert parts["Q3400-RD"] == -12
    assert parts["SN5600"] == 44 + 11


def test_the_difference_of_two_parts_lists_adds_sections_up():
    small, large = design(gpus=576), design(gpus=1152)

    changes = {c.part: c for c in bom_difference(small.bom, large.bom)}

    assert (changes["Q3400-RD"].before, changes["Q3400-RD"].after) == (12, 24)
    assert changes["GB300-NVL72"].change == 8
    assert "UFM-XDR" not in changes


def test_a_difference_turned_round_changes_its_signs():
    small, large = design(gpus=576), design(gpus=1152)

    there = {c.part: c.change for c in bom_difference(small.bom, large.bom)}
    back = {c.part: c.change for c in bom_difference(large.bom, small.bom)}

    assert back == {part: -change for part, change in there.items()}


@pytest.mark.parametrize(
    ("system", "fabric", "now", "then"),
    [
        ("gb300-nvl72", "quantum-x800", {"gpus": 500}, 16),
        ("gb300-nvl72", "quantum-x800", {"racks": 8}, 16),
        ("gb300-nvl72", "spectrum-x", {"racks": 3}, 4),
        ("dgx-h100", "quantum-2", {"nodes": 31}, 63),
        ("dgx-b300", "spectrum-x", {"nodes": 10}, 128),
    ],
)
def test_the_next_size_is_one_whole_unit_more(system, fabric, now, then):
    spec = FabricSpec.from_sizes(system=system, fabric=fabric, **now)

    assert next_size(spec).count == then


def test_growth_says_when_links_already_laid_must_move():
    """From 2 to 3 units a leaf gives each spine 6 links in place of 9."""
    grown = growth(design(gpus=1152))

    assert grown.design.compute.spine == 12
    assert grown.recables


def test_growth_that_keeps_its_spines_moves_nothing():
    grown = growth(design("dgx-h100", "quantum-2", nodes=191))

    assert grown.design.compute.spine == 32
    assert not grown.recables


@pytest.mark.parametrize(
    ("pair", "sizes"),
    [
        ("gb300-nvl72/quantum-x800", {"gpus": 746_496}),
        ("dgx-station-gb300/direct", {"nodes": 2}),
        ("host-200g/spectrum-2", {"hosts": 512}),
    ],
)
def test_nothing_grows_past_its_limit(pair, sizes):
    system, fabric = pair.split("/")

    assert growth(design(system, fabric, **sizes)) is None


@pytest.mark.parametrize("pair", pairs())
def test_every_pair_grows_from_its_smallest_size(pair):
    system, fabric = pair.split("/")
    unit = {"gb300-nvl72": "racks", "gb200-nvl72": "racks", "host-200g": "hosts"}
    sized = design(system, fabric, **{unit.get(system, "nodes"): 1})

    grown = growth(sized)

    if fabric != "direct":
        assert grown.design.compute.nodes > sized.compute.nodes


def test_growth_is_told_with_one_length_and_leads_to_the_same_floor():
    spec = FabricSpec.from_sizes(
        system="gb300-nvl72", fabric="quantum-x800", gpus=576, racks_per_row=10
    )
    plain = FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-x800", gpus=576)

    grown = growth(size(spec))

    assert grown.changes == growth(size(plain)).changes
    assert grown.design.spec.floor == spec.floor
