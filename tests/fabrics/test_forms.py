from __future__ import annotations

import random
import string
from urllib.parse import parse_qsl

import pytest

from fabrics.choices import networks_of, start_size
from fabrics.engine import SYSTEMS, most_nodes
from fabrics.engine.profiles import PROFILES
from fabrics.forms import FabricForm, spec_fields, spec_query


def page(**asked: str) -> FabricForm:
    form = FabricForm.of_page(asked)
    form.is_valid()
    return form


def test_the_page_starts_on_one_gb300_unit_on_quantum_x800():
    spec = page().spec

    assert (spec.system, spec.fabric, spec.gpus) == ("gb300-nvl72", "quantum-x800", 576)
    assert spec_query(spec) == ""


@pytest.mark.parametrize("typed", ["1152", "1,152", " 1 152 ", "1\u00a0152"])
def test_numbers_are_read_as_people_type_them(typed):
    assert page(size=typed, unit="gpus").spec.count == 1152


def test_signs_beside_a_number_are_read_too():
    spec = page(oversubscription="2:1", cable_metres="40 m", spares_percent="5 %").spec

    assert (spec.oversubscription, spec.cable_metres, spec.spares_percent) == (2, 40, 5)


@pytest.mark.parametrize("profile", PROFILES, ids=lambda p: f"{p.system}-{p.design}")
def test_an_address_brings_back_the_same_design(profile):
    asked = {
        "system": profile.system,
        "fabric": profile.fabric,
        "design": profile.design,
        start_size(profile.system)[0]: "2",
        "oversubscription": "1.5",
        "out_of_band": "no",
    }
    if profile.fabric == "direct":
        del asked["oversubscription"]

    spec = page(**asked).spec

    assert page(**dict(parse_qsl(spec_query(spec)))).spec == spec
    strict = FabricForm(spec_fields(spec))
    assert strict.is_valid()
    assert strict.spec == spec


def test_a_form_without_a_size_is_refused_where_nothing_is_filled_in():
    form = FabricForm({"system": "gb300-nvl72", "fabric": "quantum-x800"})

    assert not form.is_valid()
    assert form.problem == "Enter a size: a whole number."
    assert not FabricForm({}).is_valid()


def test_a_pair_that_does_not_exist_names_the_pairs_that_do():
    form = page(system="dgx-h100", fabric="quantum-x800")

    assert form.problem == "DGX H100 is not sized on Quantum-X800. Choose Quantum-2."
    for _text, query in form.ways_out:
        assert page(**dict(parse_qsl(query))).is_valid()


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_way_out_leads_to_a_design(system):
    ways = page(system=system, size="0", unit="gpus").ways_out

    assert len(ways) == len(networks_of(system))
    for _text, query in ways:
        assert page(**dict(parse_qsl(query))).is_valid()


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"size": "x", "unit": "gpus"}, "size"),
        ({"size": "0", "unit": "gpus"}, "size"),
        ({"size": "99999999", "unit": "gpus"}, "size"),
        ({"size": "4", "unit": "hosts"}, "unit"),
        ({"size": "4", "unit": "pallets"}, "unit"),
        ({"system": "abacus"}, "system"),
        ({"fabric": "string"}, "fabric"),
        (
            {"design": "cathedral", "system": "dgx-b300", "fabric": "spectrum-x"},
            "design",
        ),
        ({"oversubscription": "0.5"}, "oversubscription"),
        ({"cable_metres": "nan"}, "cable_metres"),
        ({"spares_percent": "101"}, "spares_percent"),
        ({"storage_tier": "quick"}, "storage_tier"),
        ({"optics": "string"}, "optics"),
        ({"front_end": "perhaps"}, "front_end"),
        ({"size": "7" * 61, "unit": "gpus"}, "size"),
        ({"size": "5\x007", "unit": "gpus"}, "size"),
    ],
)
def test_an_error_is_one_line_beside_its_field(asked, field):
    form = page(**asked)

    assert list(form.errors) == [field]
    assert "\n" not in form.problem
    assert form.problem[0].isupper()


def test_nonsense_never_breaks_the_form():
    chance = random.Random(72)
    alphabet = string.printable + "½٣一\u202e\u00a0−"
    names = list(FabricForm.base_fields)

    for _ in range(1500):
        asked = {
            name: "".join(chance.choices(alphabet, k=chance.randrange(24)))
            for name in chance.sample(names, 3)
        }
        form = FabricForm.of_page(asked)
        assert form.is_valid() or form.problem


@pytest.mark.parametrize("profile", PROFILES, ids=lambda p: f"{p.system}-{p.design}")
def test_the_largest_size_of_the_hint_is_sized_and_one_more_is_not(profile):
    unit = "hosts" if profile.system == "host-200g" else "nodes"
    if "nvl72" in profile.system:
        unit = "racks"
    most = most_nodes(profile) // (18 if unit == "racks" else 1)
    asked = {"system": profile.system, "fabric": profile.fabric, "unit": unit}

    largest = FabricForm({**asked, "design": profile.design, "size": str(most)})
    beyond = FabricForm({**asked, "design": profile.design, "size": str(most + 1)})

    assert largest.is_valid()
    assert not beyond.is_valid()
