"""What a buyer is told: Stop, Check and Note, each with a source."""

from __future__ import annotations

import pytest

from fabrics.engine import CHECK, NOTE, STOP, FabricSpec, pairs, profiles_of, size
from fabrics.engine.parts import PARTS
from fabrics.engine.profiles import PROFILES, CableSet


def design(system="gb300-nvl72", fabric="quantum-x800", **options):
    return size(FabricSpec.from_sizes(system=system, fabric=fabric, **options))


def told(sized, level, words):
    return any(words in c.message for c in sized.checks if c.level == level)


def test_gpus_between_two_whole_sizes_name_both():
    assert told(design(gpus=1000), CHECK, "936 or 1,008 GPUs")
    nodes = design("dgx-b300", gpus=100)
    assert told(nodes, CHECK, "96 or 104 GPUs")


def test_fewer_gpus_than_the_smallest_size_name_one():
    assert told(design(gpus=5), CHECK, "around it are 72 GPUs")


def test_a_size_that_fills_says_nothing_of_rounding():
    assert not told(design(gpus=576), CHECK, "do not fill")


def test_a_third_tier_that_was_not_wanted_is_a_stop():
    assert told(design(gpus=10_944, most_tiers=2), STOP, "need 3 tiers")
    assert design(gpus=10_368, most_tiers=2).is_buildable


def test_a_third_tier_that_no_document_prints_is_an_assumption():
    assert told(design(gpus=10_944), CHECK, "assumption")
    printed = design("dgx-b200", "quantum-2", nodes=512)
    assert not told(printed, CHECK, "assumption")


def test_gb200_cannot_be_built_beyond_sixteen_units():
    assert design("gb200-nvl72", "quantum-2", racks=128).is_buildable
    over = design("gb200-nvl72", "quantum-2", racks=136)
    assert told(over, STOP, "fourth tier")


def test_uplinks_that_do_not_divide_over_the_cores_are_named():
    assert told(design("dgx-b200", "quantum-2", nodes=288), CHECK, "do not divide")
    assert not told(design("dgx-b200", "quantum-2", nodes=512), CHECK, "do not divide")


def test_more_links_than_the_document_scales_to_are_named():
    assert not told(design(fabric="spectrum-x", racks=14), CHECK, "1,024")
    assert told(design(fabric="spectrum-x", racks=15), CHECK, "1,024")


def test_one_spine_and_one_switch_are_named():
    assert told(design("dgx-b300", nodes=72, oversubscription=9), CHECK, "One spine")
    single = design("host-200g", "spectrum-2", hosts=8)
    assert told(single, NOTE, "one switch")


def test_the_site_is_to_be_confirmed_with_its_own_figure():
    assert told(design(gpus=576), CHECK, "142 kW a rack of systems, liquid")
    assert told(design("dgx-b300", nodes=72), CHECK, "58 kW a rack of systems, air")


def test_two_planes_explain_why_not_one_port_of_800gbe():
    assert told(design(fabric="spectrum-x", racks=8), NOTE, "never 800GbE")


@pytest.mark.parametrize(
    ("system", "sizes", "words"),
    [
        ("dgx-b300", {"nodes": 18 * 72}, "18 x 576 is 10,368"),
        ("dgx-rubin-nvl8", {"nodes": 72}, "single-mode fibre is used here"),
    ],
)
def test_an_error_of_a_document_is_told_and_not_copied(system, sizes, words):
    assert told(design(system, **sizes), NOTE, words)


def test_secondary_figures_are_marked():
    assert told(design(gpus=576), CHECK, "secondary source")


def test_what_is_not_known_is_named_and_not_counted():
    rubin = design("dgx-rubin-nvl8", nodes=72)

    assert any("DGX-Rubin-NVL8: power" in text for text in rubin.facility.not_known)
    assert rubin.facility.compute_kw == 0


def test_the_gravest_checks_come_first():
    sized = design(gpus=1000, cable_metres=600)

    levels = [check.level for check in sized.checks]
    assert levels == sorted(levels, key=[STOP, CHECK, NOTE].index)
    assert levels[0] == STOP


@pytest.mark.parametrize("pair", pairs())
def test_every_line_and_check_of_every_pair_has_its_source(pair):
    system, fabric = pair.split("/")
    unit = {"gb300-nvl72": "racks", "gb200-nvl72": "racks", "host-200g": "hosts"}
    for profile in profiles_of(system, fabric):
        sizes = {unit.get(system, "nodes"): 2}
        sized = design(system, fabric, design=profile.design, **sizes)
        for told_by in (*sized.bom, *sized.checks):
            assert told_by.source.title
            assert told_by.source.date
        for item in sized.bom:
            assert item.quantity > 0
            assert item.because
            assert item.description


def test_every_part_a_profile_names_is_on_file():
    for profile in PROFILES:
        parts = [profile.switch] if profile.switch else []
        for optics in profile.optics:
            if isinstance(optics, CableSet):
                parts += [optics.node_cable, *optics.switch_cables]
            else:
                parts += [optics.nic_module, optics.fibre]
                parts += [p for p in (optics.switch_module, optics.ufm_module) if p]
        assert all(part in PARTS for part in parts)
