"""Racks: nothing overlaps, nothing is left out, any rack of any size at once."""

from __future__ import annotations

from collections import Counter

import pytest

from fabrics.drawing import PRINT, rack_svg, rack_table
from fabrics.engine import (
    FabricSpec,
    cabling,
    rack_count,
    rack_names,
    rack_view,
    size,
)


def design(system="gb300-nvl72", fabric="quantum-x800", **options):
    return size(FabricSpec.from_sizes(system=system, fabric=fabric, **options))


DESIGNS = [
    design(gpus=576),
    design(fabric="spectrum-x", racks=3),
    design("dgx-b300", nodes=70),
    design("dgx-h100", "quantum-2", nodes=127),
    design("dgx-b200", "spectrum-x", nodes=12),
    design("host-200g", "spectrum-2", hosts=40),
]


@pytest.mark.parametrize("sized", DESIGNS)
def test_no_two_devices_share_a_rack_unit(sized):
    for name in rack_names(sized):
        view = rack_view(sized, name)
        taken = Counter(
            unit
            for slot in view.slots
            for unit in range(slot.bottom, slot.bottom + slot.height)
        )
        assert all(times == 1 for times in taken.values())
        assert max(taken) <= view.units


@pytest.mark.parametrize("sized", DESIGNS)
def test_every_switch_of_the_cabling_list_stands_in_the_rack_it_names(sized):
    racks = {
        (slot.device, name)
        for name in rack_names(sized)
        for slot in rack_view(sized, name).slots
    }

    for cable in cabling(sized):
        if cable.b_rack:
            assert (cable.b_device, cable.b_rack) in racks
        if cable.a_rack and "pdu" not in cable.a_device:
            assert (cable.a_device, cable.a_rack) in racks


def test_every_switch_bought_is_racked_once():
    sized = design("dgx-h100", "quantum-2", nodes=127)

    slots = [s for name in rack_names(sized) for s in rack_view(sized, name).slots]
    racked = Counter(slot.part for slot in slots)

    assert racked["QM9700"] == 48 + 16
    assert racked["SN4600C"] == 8
    assert racked["SN2201"] == 7
    assert racked["UFM"] == 4
    assert max(Counter(slot.device for slot in slots).values()) == 1


def test_an_nvl72_rack_holds_its_trays_switches_and_shelves():
    view = rack_view(design(gpus=576), "C0008")

    kinds = Counter(
        slot.device.split("-", 2)[2].rsplit("-", 1)[0] for slot in view.slots
    )
    assert kinds == {"tray": 18, "nvlink-tray": 9, "power-shelf": 8, "sn2201": 2}
    assert view.watts == 142_000


def test_the_last_rack_holds_what_is_left():
    view = rack_view(design("dgx-b300", nodes=70), "C0018")

    assert [slot.device for slot in view.slots] == ["node-00069", "node-00070"]
    assert view.watts == 29_000


@pytest.mark.parametrize(
    "name", ["C0009", "N0003", "C0000", "", "X0001", "C", "C1e3", "C" + "9" * 5000]
)
def test_a_rack_that_does_not_exist_is_none(name):
    assert rack_view(design(gpus=576), name) is None


def test_any_rack_of_the_largest_design_can_be_seen_at_once():
    sized = design(gpus=746_496)
    compute, network = rack_count(sized)

    assert compute == 10_368
    assert rack_view(sized, f"N{network:04d}").slots
    assert rack_view(sized, f"N{network + 1:04d}") is None


@pytest.mark.parametrize("sized", DESIGNS)
def test_a_rack_is_drawn_and_told_with_the_same_devices(sized):
    for name in list(rack_names(sized))[:3]:
        view = rack_view(sized, name)
        svg = rack_svg(view, skin=PRINT)
        rows = rack_table(view)
        assert len(rows) == len(view.slots)
        assert all(slot.label in svg for slot in view.slots)
        assert all(slot.device in svg for slot in view.slots)
        assert " style=" not in svg


def test_a_figure_that_is_not_known_is_said_in_words():
    rows = rack_table(rack_view(design(gpus=576), "N0001"))

    assert {row[5] for row in rows} == {"not stated"}
    assert {row[4] for row in rows} == {"7,000 W"}
