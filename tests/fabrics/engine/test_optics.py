"""Modules, fibres and copper: how many, which, and how far."""

from __future__ import annotations

import pytest

from fabrics.engine import STOP, FabricSpec, size

OPTICS = "Optics and cables"


def design(system="gb300-nvl72", fabric="quantum-x800", **options):
    return size(FabricSpec.from_sizes(system=system, fabric=fabric, **options))


def quantities(sized, section=OPTICS):
    return {b.part: b.quantity for b in sized.bom if b.section == section}


def stops(sized):
    return [check.message for check in sized.checks if check.level == STOP]


def test_an_xdr_unit_has_a_twin_for_two_links_and_one_module_for_each_gpu():
    assert quantities(design(gpus=576)) == {
        "MMS4A00": 288 + 576,
        "MMS4A20": 576,
        "MFP7E30": 1152,
    }


def test_part_of_a_unit_fills_its_leaf_cages_but_only_its_own_nodes():
    sized = design("dgx-b300", nodes=40)

    assert quantities(sized) == {
        "MMS4A00": 288 + 576,
        "MMS4A20": 320,
        "MFP7E30": 320 + 576,
    }


def test_an_enterprise_design_buys_the_modules_it_uses():
    sized = design(fabric="spectrum-x", racks=1)

    used = 2 * 4 * 9
    between = 2 * 4 * 36
    assert quantities(sized) == {
        "MMS4X00-NM": used + between,
        "MMS4X00-NM-FLT": 72,
        "MFP7E30": 144 + between,
    }


def test_two_planes_share_one_twin_module_in_each_node_cage():
    sized = design("dgx-b300", "spectrum-x", nodes=64)

    assert quantities(sized)["MMS4X00-NM-FLT"] == 512
    assert quantities(sized)["MFP7E30"] == 2048


def test_a_server_with_a_cage_for_each_nic_takes_a_module_for_each():
    sized = design("sr680a-v3-b200", "quantum-2", nodes=32)

    assert quantities(sized)["MMA4Z00-NS400"] == 256


@pytest.mark.parametrize(
    ("pair", "metres", "is_over"),
    [
        (("gb300-nvl72", "quantum-x800", {"racks": 8}), 500, False),
        (("gb300-nvl72", "quantum-x800", {"racks": 8}), 501, True),
        (("dgx-h100", "quantum-2", {"nodes": 31}), 50, False),
        (("dgx-h100", "quantum-2", {"nodes": 31}), 51, True),
        (("gb300-nvl72", "spectrum-x", {"racks": 8}), 100, False),
        (("gb300-nvl72", "spectrum-x", {"racks": 8}), 101, True),
        (("dgx-station-gb300", "direct", {"nodes": 2}), 51, True),
    ],
)
def test_a_run_over_the_reach_of_its_modules_is_a_stop(pair, metres, is_over):
    system, fabric, sizes = pair

    sized = design(system, fabric, cable_metres=metres, **sizes)

    assert bool(stops(sized)) is is_over
    assert sized.is_buildable is not is_over


def test_only_the_end_that_is_out_of_reach_is_named():
    sized = design(fabric="spectrum-x", racks=8, cable_metres=200)

    assert len(stops(sized)) == 1
    assert "100 m reach of MMS4X00-NM to MMS4X00-NM-FLT" in stops(sized)[0]


def test_single_mode_ndr_reaches_further_than_multimode():
    sized = design(
        "dgx-h100", "quantum-2", nodes=31, cable_metres=90, optics="single-mode"
    )

    assert not stops(sized)
    parts = quantities(sized)
    assert "MMS4X00-NM" in parts
    assert "MFP7E30" in parts
    assert not any(part.startswith("MMA4Z00") for part in parts)


@pytest.mark.parametrize("system", ["dgx-h100", "dgx-b200", "sr680a-v3-b200"])
@pytest.mark.parametrize("optics", ["fibre", "single-mode"])
def test_multimode_fibre_never_meets_single_mode_modules(system, optics):
    sized = design(system, "quantum-2", nodes=31, optics=optics)

    parts = set(quantities(sized))
    multimode = {p for p in parts if p.startswith(("MMA", "MFP7E10", "MFP7E20"))}
    single = {p for p in parts if p.startswith(("MMS", "MFP7E30", "MFP7E40"))}
    assert not (multimode and single)


def test_copper_replaces_modules_and_fibre():
    sized = design(gpus=576, optics="copper", cable_metres=2)

    assert quantities(sized) == {"MCA7K10": 288, "MCA4K50": 8 * 4 * 9}
    assert not stops(sized)


def test_copper_too_long_is_a_stop_for_each_cable():
    assert len(stops(design(gpus=576, optics="copper", cable_metres=4))) == 2
    assert len(stops(design(gpus=576, optics="copper", cable_metres=3))) == 1


def test_a_longer_copper_between_switches_is_taken_before_it_is_refused():
    sized = design(
        "sr680a-v3-b200", "quantum-2", nodes=32, optics="copper", cable_metres=3
    )

    assert "MCA4J80" in quantities(sized)
    assert not stops(sized)


@pytest.mark.parametrize(
    ("metres", "shown", "opn"),
    [
        (2, ", 3 m", "MFP7E30-N003"),
        (30, ", 30 m", "MFP7E30-N030"),
        (31, ", 50 m", "MFP7E30-N050"),
        (120, ", 120 m, made to order", "MFP7E30"),
    ],
)
def test_fibre_is_bought_in_the_next_listed_length(metres, shown, opn):
    sized = design(gpus=576, cable_metres=metres)

    fibre = next(b for b in sized.bom if b.part == "MFP7E30" and b.section == OPTICS)
    assert fibre.description.endswith(shown)
    assert fibre.opn == opn


def test_spares_are_rounded_up_for_each_module_and_cable():
    sized = design(gpus=576, spares_percent=5, front_end=False, out_of_band=False)

    assert quantities(sized, "Spares") == {"MMS4A00": 44, "MMS4A20": 29, "MFP7E30": 58}


def test_each_network_keeps_spares_of_its_own():
    sized = design(gpus=576, spares_percent=5)

    spares = [b.because for b in sized.bom if b.section == "Spares"]
    assert "5% of 1,152, optics and cables" in spares
    assert "5% of 512, front end and storage" in spares


def test_two_stations_are_joined_by_two_links_and_no_nvlink():
    sized = design("dgx-station-gb300", "direct", nodes=2)

    assert quantities(sized) == {"MMA1Z00-NS400": 4, "MFP7E10": 2}
    assert sized.scale_up is None
    assert sized.bandwidth.nvlink_gb_per_s_per_gpu is None
    assert any("no NVLink between" in c.message for c in sized.checks)
