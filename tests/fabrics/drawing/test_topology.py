"""The topology picture: its size, its links, its two skins and its text twin."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabrics.drawing import PRINT, WEB, topology_svg, topology_text, unit_count
from fabrics.engine import FabricSpec, most_nodes, pairs, profiles_of, size

MOST_ELEMENTS = 1500
SVG = "{http://www.w3.org/2000/svg}"


def design(system="gb300-nvl72", fabric="quantum-x800", **options):
    return size(FabricSpec.from_sizes(system=system, fabric=fabric, **options))


def href(unit):
    return "?#topology" if unit is None else f"?open={unit}#topology"


def elements(svg):
    return list(ET.fromstring(svg).iter())


def link_counts(svg, between):
    """Links named in the tooltips of the bundles whose title has `between`."""
    titles = [title.text for title in ET.fromstring(svg).iter(f"{SVG}title")]
    found = [
        re.search(r"([\d,]+) links of", text) for text in titles if between in text
    ]
    return sum(int(match[1].replace(",", "")) for match in found if match)


@pytest.mark.parametrize("gpus", [72, 576, 2304, 9216, 10_368, 10_944, 746_496])
@pytest.mark.parametrize("opened", [None, 1, 12])
def test_no_picture_grows_past_the_cap(gpus, opened):
    svg = topology_svg(design(gpus=gpus), open_unit=opened, unit_href=href)

    assert len(elements(svg)) <= MOST_ELEMENTS


@pytest.mark.parametrize("pair", pairs())
def test_every_pair_can_be_drawn_in_both_skins(pair):
    system, fabric = pair.split("/")
    for profile in profiles_of(system, fabric):
        unit = FabricSpec.from_sizes
        options = {
            "gb300-nvl72": {"racks": 3},
            "gb200-nvl72": {"racks": 9},
            "host-200g": {"hosts": 40},
        }.get(system, {"nodes": 2 if fabric == "direct" else 20})
        spec = unit(system=system, fabric=fabric, design=profile.design, **options)
        for skin in (WEB, PRINT):
            svg = topology_svg(size(spec), skin=skin)
            assert ET.fromstring(svg).tag == f"{SVG}svg"


def test_a_unit_of_576_gpus_is_drawn_whole():
    svg = topology_svg(design(gpus=576))

    texts = [text.text for text in ET.fromstring(svg).iter(f"{SVG}text")]
    for label in ("Spine 4", "Leaf 8", "Rack 8", "18 × 800G"):
        assert label in texts
    assert "Spine 5" not in texts


@pytest.mark.parametrize(
    "options",
    [
        {"gpus": 576},
        {"gpus": 504},
        {"system": "dgx-b300", "fabric": "quantum-x800", "nodes": 72},
        {"system": "gb200-nvl72", "fabric": "quantum-2", "racks": 8},
        {"system": "host-200g", "fabric": "spectrum-2", "hosts": 100},
        {
            "system": "host-200g",
            "fabric": "spectrum-2",
            "hosts": 37,
            "ports_per_host": 2,
        },
    ],
)
def test_the_bundles_of_a_whole_picture_add_up_to_the_links_sized(options):
    sized = design(**options)

    svg = topology_svg(sized)

    assert link_counts(svg, "to spine") == sized.compute.leaf_spine_links
    assert link_counts(svg, "to leaf") == sized.compute.node_links


def test_two_planes_are_drawn_with_all_their_links():
    sized = design("dgx-b300", "spectrum-x", nodes=64)

    svg = topology_svg(sized)

    assert link_counts(svg, "to spine") == sized.compute.leaf_spine_links
    assert link_counts(svg, "to leaf") == sized.compute.node_links


def test_opening_every_unit_shows_every_leaf_spine_link_once():
    sized = design(gpus=2304)

    drawn = sum(
        link_counts(topology_svg(sized, open_unit=unit), "to spine")
        for unit in range(1, unit_count(sized) + 1)
    )

    assert drawn == sized.compute.leaf_spine_links


def test_folded_units_are_plain_links():
    svg = topology_svg(design(gpus=2304), unit_href=href)

    links = [link.get("href") for link in ET.fromstring(svg).iter(f"{SVG}a")]
    assert links == [href(unit) for unit in (1, 2, 3, 4)]


def test_an_open_unit_links_to_the_others_and_to_all():
    svg = topology_svg(design(gpus=2304), open_unit=3, unit_href=href)

    links = list(ET.fromstring(svg).iter(f"{SVG}a"))
    assert links[0].get("href") == href(None)
    current = [link.get("href") for link in links if link.get("aria-current")]
    assert current == [href(3)]


@pytest.mark.parametrize("opened", [0, -1, 5, 10**9])
def test_a_unit_that_does_not_exist_shows_them_folded(opened):
    sized = design(gpus=2304)

    assert topology_svg(sized, open_unit=opened) == topology_svg(sized)


def test_a_picture_has_a_title_a_description_and_a_role():
    root = ET.fromstring(topology_svg(design(gpus=576), prefix="x"))

    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "x-title x-desc"
    assert "576 GPUs" in root.find(f"{SVG}title").text
    assert "8 leaf, 4 spine" in root.find(f"{SVG}desc").text


def test_a_picture_with_links_is_a_group_so_that_they_can_be_reached():
    root = ET.fromstring(topology_svg(design(gpus=2304), unit_href=href))

    assert root.get("role") == "group"


@pytest.mark.parametrize("skin", [WEB, PRINT])
def test_no_skin_uses_what_the_policy_forbids(skin):
    svg = topology_svg(design(gpus=2304), skin=skin, unit_href=href)

    assert " style=" not in svg
    assert " on" not in re.sub(r">[^<]*<", "><", svg)
    assert "<script" not in svg


def test_only_print_brings_its_own_colours():
    sized = design(gpus=576)

    assert "<style>" not in topology_svg(sized, skin=WEB)
    printed = topology_svg(sized, skin=PRINT)
    assert "var(" not in printed
    assert "#0a55a4" in printed


def test_an_unknown_skin_is_refused():
    with pytest.raises(ValueError, match="web, print"):
        topology_svg(design(gpus=576), skin="glass")


def test_a_hostile_link_is_escaped():
    svg = topology_svg(
        design(gpus=2304), unit_href=lambda unit: f'"><script>{unit}</script>'
    )

    assert "<script" not in svg
    ET.fromstring(svg)


def test_the_text_twin_tells_the_same_counts():
    text = str(topology_text(design(gpus=2304)))

    assert "32 leaf, 18 spine switches" in text
    assert "576 GPUs" in text


def test_the_text_twin_is_a_list_that_django_can_show():
    from django.template.defaultfilters import unordered_list
    from django.utils.html import conditional_escape

    shown = unordered_list(topology_text(design(gpus=576)), autoescape=True)

    assert "<ul>" in shown
    assert conditional_escape("Leaves: 4 rails") in shown


def test_the_same_design_is_drawn_the_same_way():
    sized = design(gpus=9216)

    assert topology_svg(sized) == topology_svg(sized)


@pytest.mark.parametrize(("nodes", "unit"), [(127, 4), (31, 1), (32, 2)])
def test_ufm_stands_where_a_node_was_given_up(nodes, unit):
    sized = design("dgx-h100", "quantum-2", nodes=nodes)

    svg = topology_svg(sized, open_unit=unit)

    assert "UFM appliances: 4 links" in svg
    assert svg.count("UFM to leaf") == 4
    assert link_counts(svg, "UFM to") == 0


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([p for pair in pairs() for p in profiles_of(*pair.split("/"))]),
    st.floats(0, 1),
    st.sampled_from(["1", "1.3", "2", "7"]),
    st.integers(1, 2000),
)
def test_any_size_can_be_drawn_within_the_cap(profile, share, ratio, opened):
    unit = {"gb300-nvl72": "racks", "gb200-nvl72": "racks", "host-200g": "hosts"}
    unit = unit.get(profile.system, "nodes")
    most = most_nodes(profile) // (18 if unit == "racks" else 1)
    spec = FabricSpec.from_sizes(
        system=profile.system,
        fabric=profile.fabric,
        design=profile.design,
        oversubscription=ratio if profile.fabric != "direct" else 1,
        **{unit: max(1, int(most**share))},
    )

    svg = topology_svg(size(spec), open_unit=opened, unit_href=href)

    assert len(elements(svg)) <= MOST_ELEMENTS
