"""The floor plan on the configurator: asked for, drawn, kept in the address."""

from __future__ import annotations

import io
import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.urls import reverse
from pypdf import PdfReader

from fabrics.engine import FabricSpec, size
from fabrics.forms import FabricForm, spec_query
from fabrics.frozen import draw_all
from fabrics.report import again_url, render_report
from fabrics.services import save_design

SWAP = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "result"}
PLAIN = {"system": "gb300-nvl72", "fabric": "quantum-x800", "gpus": 576}

pytestmark = pytest.mark.django_db


def get(client, query: str = "", **headers: str):
    return client.get(f"{reverse('fabrics:configure')}?{query}", **headers)


def text_of(response) -> str:
    return re.sub(r"\s+", " ", response.content.decode())


def test_the_page_starts_without_a_floor_plan_and_offers_one(client):
    text = text_of(get(client))

    assert "<summary>Floor plan</summary>" in text
    assert 'id="floor"' not in text
    assert 'name="rack_pitch" type="text"' in text


def test_racks_a_row_draw_the_floor_and_name_the_longest_runs(client):
    text = text_of(get(client, "racks_per_row=10"))

    assert 'id="floor"' in text
    assert "10 racks in 1 row, 6 m wide and 3 m deep" in text
    assert '<td class="n">9.4</td>' in text
    assert "126 of 1,152 run to at most 5 m on the floor" in text
    assert "MFP7E30-N005" in text


def test_the_distances_that_are_given_alone_ask_for_no_floor(client):
    response = get(client, "rack_pitch=0.6&row_pitch=3&racks_per_row=", **SWAP)

    assert response.status_code == 200
    assert response["HX-Replace-Url"] == reverse("fabrics:configure")


def test_the_address_holds_the_floor_and_leaves_out_what_the_page_starts_on():
    spec = FabricSpec.from_sizes(
        system="gb300-nvl72",
        fabric="quantum-x800",
        gpus=576,
        racks_per_row=8,
        row_pitch="2.40",
    )

    assert spec_query(spec) == "racks_per_row=8&row_pitch=2.4"


def test_an_address_with_a_floor_reads_back():
    form = FabricForm.of_page({"racks_per_row": "8", "row_pitch": "2.4 m"})

    assert form.is_valid()
    assert spec_query(form.spec) == "racks_per_row=8&row_pitch=2.4"
    assert form.floor_is_open


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("racks_per_row=0", "racks_per_row"),
        ("racks_per_row=many", "racks_per_row"),
        ("racks_per_row=8&rack_pitch=0", "rack_pitch"),
        ("racks_per_row=8&row_pitch=x", "row_pitch"),
        ("racks_per_row=8&tray_height=-1", "tray_height"),
        ("racks_per_row=8&cable_slack=99", "cable_slack"),
    ],
)
def test_a_floor_that_cannot_be_is_said_beside_its_field(client, query, field):
    pairs = dict(part.split("=") for part in query.split("&"))
    form = FabricForm.of_page(pairs)

    assert not form.is_valid()
    assert list(form.errors) == [field]
    assert get(client, query).status_code == 422


def test_the_cabling_file_has_the_lengths_of_the_floor(client):
    response = client.get(
        reverse("fabrics:export", args=["cabling.csv"]) + "?racks_per_row=10"
    )

    rows = b"".join(response).decode("utf-8-sig").splitlines()
    assert rows[1].endswith(",30,MFP7E30")
    assert sum(row.endswith(",5,MFP7E30") for row in rows) > 100


def test_the_floor_can_be_taken_as_a_drawing_that_stands_alone(client):
    url = reverse("fabrics:export", args=["floor.svg"])

    response = client.get(f"{url}?racks_per_row=10")

    assert response["Content-Type"] == "image/svg+xml"
    assert b"var(" not in response.content
    assert b"N0002" in response.content
    assert "floor.svg" in text_of(get(client, "racks_per_row=10"))


def test_a_design_without_a_floor_has_no_such_file(client):
    response = client.get(reverse("fabrics:export", args=["floor.svg"]))

    assert response.status_code == 422
    assert "no floor plan" in response.content.decode()
    assert "floor.svg" not in text_of(get(client))


def test_a_version_keeps_the_drawing_of_its_floor():
    form = FabricForm.of_page({"racks_per_row": "10"})
    assert form.is_valid()

    drawn = draw_all(form.engine_design, prefix="v1")
    assert "10 racks in 1 row, 6 m wide and 3 m deep" in drawn["Floor plan"]
    assert "Floor plan" not in draw_all(size(FabricSpec.from_sizes(**PLAIN)), "v1")


def test_the_printed_report_draws_the_floor_and_leads_back_to_it():
    form = FabricForm.of_page({"racks_per_row": "5", "row_pitch": "2.5"})
    assert form.is_valid()
    version = save_design(spec=form.spec, owner=None)

    pages = PdfReader(io.BytesIO(render_report(version).data)).pages

    text = " ".join(page.extract_text() for page in pages)
    assert "Floor plan" in text
    assert "10 racks in 2 rows, 3 m wide and 5 m deep" in text
    again = FabricForm.of_page(dict(parse_qsl(urlsplit(again_url(version)).query)))
    assert again.is_valid()
    assert again.spec.floor == form.spec.floor


def test_a_hall_too_small_says_so_and_takes_one_length(client):
    text = text_of(get(client, "gpus=100000&racks_per_row=20"))

    assert 'id="floor"' not in text
    assert "A floor plan holds one hall of 600 racks and this has 1,785" in text


def test_a_design_with_a_floor_is_saved_with_it(client):
    spec = size(FabricSpec.from_sizes(**PLAIN, racks_per_row=10)).spec
    form = FabricForm.of_page({"racks_per_row": "10"})
    assert form.is_valid()

    assert FabricSpec.from_json(form.spec.to_json()) == spec
