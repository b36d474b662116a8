"""The page of rules, and that every figure and part leads to its rule and document."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from fabrics import chapters as keys
from fabrics.chapters import chapter_of
from fabrics.choices import start_size
from fabrics.engine import FabricSpec, size
from fabrics.engine.parts import PARTS
from fabrics.engine.profiles import PROFILES
from fabrics.figures import read_design
from fabrics.rules import chapters, documents, read_chapters
from fabrics.services import bom_rows

pytestmark = pytest.mark.django_db


def text_of(response) -> str:
    return re.sub(r"\s+", " ", response.content.decode())


def designs():
    for profile in PROFILES:
        unit, count = start_size(profile.system)
        if profile.fabric == "spectrum-2":
            unit, count = "hosts", 40
        spec = FabricSpec.from_sizes(
            system=profile.system,
            fabric=profile.fabric,
            design=profile.design,
            spares_percent=5,
            **{unit: count},
        )
        yield pytest.param(size(spec).to_json(), id=f"{spec.system}-{spec.fabric}")


def test_every_chapter_that_a_figure_leads_to_is_in_the_handbook():
    named = {keys.SIZES, keys.LEAVES, keys.OPTICS, keys.OTHERS, keys.FIGURES}

    assert named <= {chapter.key for chapter in chapters()}


@pytest.mark.parametrize("result", list(designs()))
def test_every_figure_and_part_has_its_working_its_rule_and_its_document(result):
    view = read_design(result)

    for figure in (*view.headline, *view.bandwidth, *view.site):
        assert all((figure.because, figure.rule)), figure.label
    for row in bom_rows(result):
        assert all((row.because, row.rule, row.source)), row.part
    for network in view.networks:
        assert all((network.rule, network.source)), network.name


def workings(fabric: str) -> dict[str, str]:
    spec = FabricSpec.from_sizes(system="gb300-nvl72", fabric=fabric, gpus=576)
    headline = read_design(size(spec).to_json()).headline
    return {figure.label: figure.because for figure in headline}


def test_the_working_of_the_reference_unit_adds_up():
    spec = FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-x800", gpus=576)
    figures = {
        each.label: each.because for each in read_design(size(spec).to_json()).headline
    }

    assert figures["GPUs"] == "144 nodes x 4"
    assert figures["Switches"] == "8 leaf + 4 spine"
    assert figures["Links"] == "576 to nodes + 576 leaf to spine"
    assert figures["Bisection"] == "57.6 TB/s in / 2"


def test_two_planes_are_told_in_the_working():
    spec = FabricSpec.from_sizes(system="gb300-nvl72", fabric="spectrum-x", gpus=576)
    figures = {
        each.label: each.because for each in read_design(size(spec).to_json()).headline
    }

    assert figures["Switches"] == "2 planes x (16 leaf + 6 spine)"


def test_the_page_holds_rules_tables_and_documents(client):
    text = text_of(client.get(reverse("fabrics:rules")))

    for chapter in chapters():
        assert f'<section id="{chapter.key}"' in text
    for profile in PROFILES:
        assert f'id="{profile.system}-{profile.fabric}-{profile.design}"' in text
    for part in PARTS:
        assert f"<code>{part}</code>" in text
    for document in documents():
        assert document.title.replace("'", "&#x27;") in text
        assert document.url in text
    assert "smallest divisor of up" in text
    assert "style=" not in text


def test_the_page_asks_a_few_queries(client, django_assert_max_num_queries):
    with django_assert_max_num_queries(6):
        client.get(reverse("fabrics:rules"))


def test_the_configurator_leads_to_rules_and_documents(client):
    text = text_of(client.get(reverse("fabrics:configure")))

    assert 'href="/fabrics/rules/#sizes"' in text
    assert 'href="/fabrics/rules/#optics-fibres-copper"' in text
    assert 'href="https://docs.nvidia.com/pdf/dgx-spod-gb300-ra.pdf"' in text


def test_a_section_without_a_chapter_leads_nowhere():
    assert chapter_of("Something new") == ""


def test_what_the_handbook_says_is_text_whatever_it_holds():
    (chapter,) = read_chapters(
        "## A <b>\n\n- `x` <i>\n- **y**\n\n| a |\n| --- |\n| 1 |\n"
    )

    bullets, table = chapter.blocks
    assert bullets.items[0] == "<code>x</code> &lt;i&gt;"
    assert bullets.items[1] == "<strong>y</strong>"
    assert (table.headings, table.rows) == (("a",), (("1",),))
