"""The floor plan's picture: bounded, labelled, and said in words as well."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabrics.drawing import PRINT, WEB, floor_svg, floor_text
from fabrics.engine import FabricSpec, size

MOST_ELEMENTS = 1500
SVG = "{http://www.w3.org/2000/svg}"


def design(**options):
    options.setdefault("system", "gb300-nvl72")
    options.setdefault("fabric", "quantum-x800")
    return size(FabricSpec.from_sizes(**options))


def texts(svg):
    return [node.text or "" for node in ET.fromstring(svg).iter(f"{SVG}text")]


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 430), st.integers(1, 100))
def test_no_floor_has_more_elements_than_the_page_may_have(racks, per_row):
    svg = floor_svg(design(racks=racks, racks_per_row=per_row))

    assert 0 < len(list(ET.fromstring(svg).iter())) <= MOST_ELEMENTS


def test_each_rack_is_drawn_and_network_racks_are_marked():
    svg = floor_svg(design(racks=8, racks_per_row=5))
    root = ET.fromstring(svg)

    marked = [
        group.find(f"{SVG}text").text
        for group in root.iter(f"{SVG}g")
        if group.get("class") == "sw"
    ]
    assert marked == ["N0001", "N0002"]
    assert {"C0001", "C0008", "Row 1", "Row 2"} <= set(texts(svg))


def test_the_distances_are_written_on_the_floor():
    said = " ".join(texts(floor_svg(design(racks=8, racks_per_row=5, row_pitch="2.8"))))

    assert "10 racks in 2 rows, 3 m wide and 5.6 m deep" in said
    assert "0.6 m from rack to rack, 2.8 m from row to row" in said
    assert "trays 0.5 m over the racks, slack 2 m a link" in said


def test_many_racks_are_folded_into_spans_and_bands_that_still_name_them():
    said = floor_svg(design(gpus=30_000, racks_per_row=4))

    assert "<title>C0001–C0016</title>" in said
    assert re.search(r"<title>C\d+–[NC]\d+: \d+ network racks</title>", said)


def test_the_words_name_every_row_and_which_racks_are_the_networks():
    head, rows = floor_text(design(racks=8, racks_per_row=5))

    assert head == "10 racks in 2 rows, 3 m wide and 6 m deep"
    assert rows == [
        "Row 1: C0001 to C0004, N0001 (network)",
        "Row 2: N0002 (network), C0005 to C0008",
    ]


@pytest.mark.parametrize("skin", [WEB, PRINT])
def test_neither_skin_has_a_style_attribute(skin):
    assert "style=" not in floor_svg(design(racks=8, racks_per_row=5), skin=skin)


def test_a_design_without_a_floor_has_no_drawing_and_no_words():
    sized = design(racks=8)

    assert floor_svg(sized) == ""
    assert floor_text(sized) == []
