"""What the engine accepts and how it refuses the rest: one line, with the bound."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from fabrics.engine import FabricSpec, SpecError, pairs, profiles_of


def gb300(**options):
    options.setdefault("gpus", 576)
    return FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-x800", **options)


@pytest.mark.parametrize(
    "bad",
    [
        0,
        -5,
        "many",
        1e12,
        1.5,
        "1.5",
        "1e12",
        True,
        "9" * 6000,
        "x" * 100_000,
        "١٢",
        "5\n6",
        float("nan"),
        float("inf"),
        "1,15,2",
        [],
        {},
        746_497,
    ],
)
def test_a_nonsense_size_is_refused_in_one_line_that_names_the_bound(bad):
    with pytest.raises(SpecError) as refused:
        gb300(gpus=bad)

    message = str(refused.value)
    assert "from 1 to 746,496" in message
    assert "\n" not in message
    assert len(message) < 160


@pytest.mark.parametrize("missing", [None, ""])
def test_a_missing_size_says_which_sizes_there_are(missing):
    with pytest.raises(SpecError, match="racks or gpus"):
        gb300(gpus=missing)


def test_two_sizes_at_once_are_refused():
    with pytest.raises(SpecError, match="one size"):
        gb300(gpus=576, racks=8)


def test_a_system_is_sized_by_its_own_units():
    with pytest.raises(SpecError, match="not by nodes"):
        gb300(gpus=None, nodes=5)


@pytest.mark.parametrize("text", ["576", " 576 ", 576, 576.0])
def test_a_number_may_be_typed(text):
    assert gb300(gpus=text).count == 576


def test_a_number_may_have_commas_between_thousands():
    assert gb300(gpus="1,152").count == 1152


@pytest.mark.parametrize(
    "bad", ["NaN", "Infinity", float("nan"), 0, 0.99, -1, "two", 73, "1" * 400]
)
def test_a_nonsense_oversubscription_names_the_bound(bad):
    with pytest.raises(SpecError, match="from 1 to 72") as refused:
        gb300(oversubscription=bad)

    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("option", "bad"),
    [
        ("cable_metres", 0),
        ("cable_metres", "far"),
        ("spares_percent", -1),
        ("spares_percent", 101),
        ("storage_tier", "fast"),
        ("optics", "string"),
        ("ports_per_host", 3),
        ("most_tiers", 4),
        ("front_end", "perhaps"),
    ],
)
def test_a_nonsense_option_is_refused_in_one_line(option, bad):
    with pytest.raises(SpecError) as refused:
        gb300(**{option: bad})

    assert "\n" not in str(refused.value)


def test_an_unknown_option_is_refused_by_name():
    with pytest.raises(SpecError, match="colour"):
        gb300(colour="red")


def test_a_pair_that_does_not_exist_lists_those_that_do():
    with pytest.raises(SpecError) as refused:
        FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-2", gpus=72)

    assert all(pair in str(refused.value) for pair in pairs())


@pytest.mark.parametrize("word", ["", None, "GB300-NVL72", "x" * 9999, 5])
def test_an_unknown_system_lists_the_systems(word):
    with pytest.raises(SpecError, match="dgx-b300"):
        FabricSpec.from_sizes(system=word, fabric="quantum-x800", gpus=72)


def test_the_first_design_of_a_pair_is_the_default():
    spec = FabricSpec.from_sizes(system="dgx-b300", fabric="spectrum-x", nodes=4)

    assert spec.design == "superpod"
    designs = [p.design for p in profiles_of("dgx-b300", "spectrum-x")]
    assert designs == ["superpod", "enterprise"]


def test_a_design_of_another_pair_is_refused_by_name():
    with pytest.raises(SpecError, match="superpod"):
        gb300(design="enterprise")


def test_gpus_that_do_not_fill_racks_or_nodes_round_up():
    assert gb300(gpus=577).racks == 9
    assert gb300(gpus=577).gpus == 648
    nodes = FabricSpec.from_sizes(system="dgx-b300", fabric="quantum-x800", gpus=577)
    assert (nodes.nodes, nodes.gpus) == (73, 584)


def test_a_spec_survives_json():
    spec = gb300(oversubscription="1.5", cable_metres="2.5", spares_percent=5)

    again = FabricSpec.from_json(json.loads(json.dumps(spec.to_json())))

    assert again == spec
    assert again.oversubscription == Decimal("1.5")


@pytest.mark.parametrize(
    "broken", [{"count": 0}, {"unit": "cabbages"}, {"fabric": "x"}, {"extra": 1}]
)
def test_a_broken_json_spec_is_refused(broken):
    with pytest.raises(SpecError):
        FabricSpec.from_json({**gb300().to_json(), **broken})
