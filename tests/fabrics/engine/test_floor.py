"""The floor plan: where racks stand, how long links are, what is bought for them."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabrics.engine import (
    FabricSpec,
    SpecError,
    cabling,
    network_counts,
    optic_names,
    profiles_of,
    size,
)
from fabrics.engine.floor import MOST_RACKS, drop_cm, floor_plan
from fabrics.engine.optics import STOCK_METRES
from fabrics.engine.profiles import PROFILES
from fabrics.engine.row_runs import bought_metres

SECTIONS = {
    "Scale-out": "Optics and cables",
    "Storage": "Front end and storage",
    "Front end": "Front end and storage",
    "Out of band": "Out of band",
}
CABLES = ("MFP", "MFA", "MCA", "MCP", "AOC", "CAT")


def design(system="gb300-nvl72", fabric="quantum-x800", **options):
    return size(FabricSpec.from_sizes(system=system, fabric=fabric, **options))


@st.composite
def floors(draw):
    """A design of any pair that stands in racks, on a floor of any shape."""
    racked = [
        p for p in PROFILES if "station" not in p.system and "host" not in p.system
    ]
    profile = draw(st.sampled_from(racked))
    is_rack = "nvl72" in profile.system
    unit, most = ("racks", 20) if is_rack else ("nodes", 100)
    ratio = draw(st.sampled_from(["1", "1", "2", "3"]))
    spec = FabricSpec.from_sizes(
        system=profile.system,
        fabric=profile.fabric,
        design=profile.design,
        oversubscription=ratio,
        optics=draw(st.sampled_from(optic_names(profile))),
        racks_per_row=draw(st.integers(1, 40)),
        rack_pitch=draw(st.sampled_from(["0.6", "0.8", "3"])),
        row_pitch=draw(st.sampled_from(["2.4", "3", "12.5"])),
        tray_height=draw(st.sampled_from(["0", "0.5", "2"])),
        cable_slack=draw(st.sampled_from(["0", "2", "10"])),
        **{unit: draw(st.integers(1, most))},
    )
    return size(spec)


def listed(sized, section):
    """Cables of a section by part and metres; links of one cable count once."""
    found = {
        (row.part, row.metres, row.label.split("/")[0])
        for network, of in SECTIONS.items()
        if of == section
        for row in cabling(sized, network)
    }
    return Counter((part, metres) for part, metres, _label in found)


def bought(sized, section):
    found = Counter()
    for line in sized.bom:
        if line.section == section and line.part.startswith(CABLES):
            metres = re.search(r", ([0-9.]+) m", line.description)[1]
            found[line.part, metres] += line.quantity
    return found


@settings(max_examples=60, deadline=None)
@given(floors())
def test_cables_listed_are_the_cables_bought_in_every_length(sized):
    for section in set(SECTIONS.values()):
        assert listed(sized, section) == bought(sized, section)


@settings(max_examples=25, deadline=None)
@given(floors())
def test_a_floor_changes_lengths_and_parts_but_no_link_and_no_switch(sized):
    plain = size(
        FabricSpec.from_json(
            {
                name: value
                for name, value in sized.spec.to_json().items()
                if name not in ("racks_per_row", *FLOOR_METRES)
            }
        )
    )

    assert plain.compute == sized.compute
    assert network_counts(plain) == network_counts(sized)
    assert [ends(row) for row in cabling(plain)] == [ends(r) for r in cabling(sized)]


def ends(row):
    """Both ends of a row: racks, devices and ports."""
    return (*row[3:6], *row[7:10])


FLOOR_METRES = ("rack_pitch", "row_pitch", "tray_height", "cable_slack")


@settings(max_examples=25, deadline=None)
@given(floors())
def test_labels_are_unique_and_the_same_floor_gives_the_same_list(sized):
    rows = list(cabling(sized))

    assert len({row.label for row in rows}) == len(rows)
    assert rows == list(cabling(size(FabricSpec.from_json(sized.spec.to_json()))))


@settings(max_examples=25, deadline=None)
@given(floors())
def test_no_scale_out_run_is_over_its_reach_unless_a_stop_says_so(sized):
    if not sized.is_buildable:
        return
    for row in cabling(sized, "Scale-out"):
        lengths = STOCK_METRES.get(row.part, ())
        assert Decimal(row.metres) <= 500
        if not row.part.startswith("MFP"):
            assert row.metres in lengths


def test_racks_stand_in_rows_with_the_network_in_the_middle():
    plan = floor_plan(design(racks=8, racks_per_row=5))

    names = [plan.name(place) for place in range(plan.total)]
    assert names == [
        *("C0001", "C0002", "C0003", "C0004"),
        *("N0001", "N0002"),
        *("C0005", "C0006", "C0007", "C0008"),
    ]
    assert plan.rows == 2
    assert [plan.place(name) for name in names] == list(range(10))
    assert [n for n in names if plan.is_network(plan.place(n))] == ["N0001", "N0002"]


def test_a_run_is_up_along_the_trays_at_right_angles_down_and_slack():
    sized = design(
        racks=8,
        racks_per_row=5,
        rack_pitch="0.6",
        row_pitch="3",
        tray_height="0.5",
        cable_slack="2",
    )
    plan = floor_plan(sized)
    tray, leaf = plan.node(0), plan.switch("leaf", 0, 0)

    # Tray 1 is in U5 and leaf 1 in U1 to U4 of a rack of 48 units of 44.45 mm.
    assert (tray.drop, leaf.drop) == (194, 205)
    assert plan.run(tray, leaf) == 194 + 205 + 4 * 60 + 2 * 50 + 200
    # Rack C0005 is the second of the second row: a row and three racks from N0001.
    assert plan.between(plan.place("C0005"), plan.place("N0001")) == 300 + 3 * 60


def test_a_cable_inside_a_rack_stays_in_it():
    plan = floor_plan(design(racks=8, racks_per_row=10))
    one, other = plan.switch("leaf", 0, 0), plan.switch("leaf", 1, 0)

    assert plan.run(one, other) == abs(one.drop - other.drop) + 200


def test_a_drop_is_from_the_middle_of_a_device_to_the_top_of_its_rack():
    assert drop_cm(48, 1) == 3
    assert drop_cm(1, 48) == 107


def test_runs_are_bought_in_the_next_listed_length_or_in_steps_of_five():
    assert bought_metres("MFP7E30", 501) == "30"
    assert bought_metres("MFP7E30", 5_001) == "55"
    assert bought_metres("CAT5E", 320) == "5"


def test_the_parts_list_has_a_line_for_each_length():
    sized = design(racks=8, racks_per_row=10)

    fibres = [b for b in sized.bom if b.part == "MFP7E30" and "floor" in b.because]
    assert {b.opn for b in fibres} > {"MFP7E30-N005", "MFP7E30-N030"}
    total = sum(b.quantity for b in fibres if b.section == "Optics and cables")
    assert total == 1_152


def test_copper_is_taken_where_it_reaches_and_optics_elsewhere():
    sized = design(racks=8, racks_per_row=10, optics="copper")

    kinds = Counter((r.kind, r.part) for r in cabling(sized, "Scale-out"))
    assert sized.is_buildable
    assert set(kinds) == {
        ("node to leaf", "MFP7E30"),
        ("leaf to spine", "MFP7E30"),
        ("leaf to spine", "MCA4K50"),
    }
    inside = [r for r in cabling(sized, "Scale-out") if r.part == "MCA4K50"]
    assert all(r.a_rack == r.b_rack for r in inside)


def test_multimode_gives_way_to_single_mode_where_it_does_not_reach():
    sized = design("dgx-b200", "quantum-2", nodes=128, racks_per_row=2)

    parts = {(r.kind, r.part) for r in cabling(sized, "Scale-out")}
    assert parts == {("node to leaf", "MFP7E30"), ("leaf to spine", "MFP7E10")}
    assert any("single-mode optics are taken" in c.message for c in sized.checks)


def test_a_run_over_every_reach_is_a_stop():
    sized = design(racks=8, racks_per_row=1, row_pitch="50", rack_pitch="10")
    far = design(racks=32, racks_per_row=1, row_pitch="50")

    assert not any("over the 500 m" in c.message for c in sized.checks)
    assert any("over the 500 m" in c.message for c in far.checks if c.level == "Stop")
    assert not far.is_buildable


def test_a_front_end_run_over_its_reach_is_a_stop():
    sized = design(racks=16, racks_per_row=2, row_pitch="20")

    assert any(
        "Front end: longest run" in c.message for c in sized.checks if c.level == "Stop"
    )


def test_beyond_one_hall_the_one_length_is_taken_and_a_check_says_so():
    sized = design(gpus=100_000, racks_per_row=20, cable_metres=40)

    assert sized.floor is None
    said = [c.message for c in sized.checks if "one hall" in c.message]
    assert f"one hall of {MOST_RACKS} racks" in said[0]
    assert "every run is taken as 40 m" in said[0]
    assert next(cabling(sized)).metres == "50"


def test_stations_on_desks_have_no_floor():
    sized = design("host-200g", "spectrum-2", hosts=40, racks_per_row=4)

    assert sized.floor is None
    assert any("no floor plan" in c.message for c in sized.checks)


def test_the_floor_says_its_size_and_its_longest_runs():
    floor = design(gpus=576, racks_per_row=5).to_json()["floor"]

    assert (floor["racks"], floor["rows"]) == (10, 2)
    assert (floor["width_m"], floor["depth_m"]) == (3.0, 6.0)
    assert set(floor["longest_m"]) == {"Scale-out", "Front end"}
    assert floor["cable_km"] > 5


def test_without_a_floor_nothing_changes():
    sized = design(gpus=576)

    assert sized.to_json()["floor"] is None
    assert "racks_per_row" not in sized.spec.to_json()
    assert {r.metres for r in cabling(sized)} == {"30"}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"racks_per_row": 0}, "racks per row must be a whole number from 1 to 100"),
        ({"racks_per_row": 101}, "racks per row must be"),
        ({"racks_per_row": 8, "row_pitch": "0"}, "row pitch must be a number from 0.5"),
        ({"racks_per_row": 8, "rack_pitch": "x"}, "rack pitch must be a number"),
        ({"rack_pitch": "0.6"}, "racks per row must be given"),
    ],
)
def test_a_floor_that_cannot_be_is_refused_by_name(asked, said):
    with pytest.raises(SpecError, match=said):
        design(gpus=576, **asked)


def test_a_spec_with_a_floor_reads_back():
    spec = design(gpus=576, racks_per_row=7, row_pitch="2.75").spec

    assert FabricSpec.from_json(spec.to_json()) == spec
    assert profiles_of(spec.system, spec.fabric)[0] == spec.profile
