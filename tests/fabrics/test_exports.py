from __future__ import annotations

import csv
import io
import json
from decimal import Decimal
from xml.etree import ElementTree

import pytest
from django.urls import reverse
from python_calamine import CalamineWorkbook

from fabrics.engine import FabricSpec, cable_count, network_counts, size
from fabrics.services import save_design
from sourceit.cells import safe_cell
from tests.factories import make_product

SPEC = FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-x800", gpus=576)

pytestmark = pytest.mark.django_db


def take(client, name: str, query: str = ""):
    return client.get(f"{reverse('fabrics:export', args=[name])}?{query}")


def csv_rows(response) -> list[list[str]]:
    content = b"".join(response) if response.streaming else response.content
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))


def sheet_rows(content: bytes, name: str) -> list[list[object]]:
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    return book.get_sheet_by_name(name).to_python()


def test_the_parts_file_has_every_line_of_the_design(client):
    response = take(client, "parts.csv")

    heading, *rows = csv_rows(response)
    assert heading[5] == "Quantity"
    assert len(rows) == len(size(SPEC).bom)
    assert [rows[1][0], rows[1][1], rows[1][5]] == ["Fabric", "Q3400-RD", "12"]
    assert (
        'filename="576-gpus-gb300-nvl72-on-quantum-x800-parts.csv"'
        in (response["Content-Disposition"])
    )


def test_a_price_on_request_is_an_empty_cell_and_a_listed_one_a_number(client):
    make_product(mpn="MSN3700-VS2F", price=Decimal("28523.25"))

    _heading, *rows = csv_rows(take(client, "parts.csv", "system=host-200g&hosts=12"))

    prices = {row[1]: row[-1] for row in rows}
    assert prices.pop("SN3700") == "28523.25"
    assert set(prices.values()) == {""}


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "\rx"])
def test_a_text_that_a_spreadsheet_would_run_is_quoted(text):
    assert safe_cell(text) == f"'{text}"
    assert safe_cell(f"x{text}") == f"x{text}"
    assert safe_cell(-1) == -1


def test_a_saved_text_that_looks_like_a_formula_stays_text(client):
    saved = save_design(spec=SPEC, owner=None)
    saved.result["bom"][0]["description"] = '=HYPERLINK("http://x")'
    saved.save()

    def file(name):
        return client.get(reverse("fabrics:file", args=[saved.design_id, 1, name]))

    assert csv_rows(file("parts.csv"))[1][4].startswith("'=HYPERLINK")
    # A formula would read as its value; a text reads as it is.
    cell = sheet_rows(file("parts.xlsx").content, "Parts")[1][4]
    assert cell == '=HYPERLINK("http://x")'


def test_the_workbook_holds_parts_figures_checks_and_sources(client):
    response = take(client, "parts.xlsx", "gpus=1152")

    parts = sheet_rows(response.content, "Parts")
    assert (parts[2][1], parts[2][5]) == ("Q3400-RD", 24)
    for name in ("Figures", "Checks", "Sources"):
        assert len(sheet_rows(response.content, name)) > 1


def test_the_json_is_the_engines_own(client):
    response = take(client, "design.json")

    assert json.loads(response.content) == size(SPEC).to_json()


def test_the_drawing_stands_alone_with_colours_of_its_own(client):
    response = take(client, "topology.svg", "gpus=9216")

    assert response["Content-Type"] == "image/svg+xml"
    root = ElementTree.fromstring(response.content)
    assert root.tag.endswith("svg")
    assert b"var(" not in response.content
    assert b"href" not in response.content


def test_the_cabling_list_is_streamed_with_a_row_for_every_link(client):
    response = take(client, "cabling.csv")

    assert response.streaming
    heading, *rows = csv_rows(response)
    assert heading[:2] == ["Network", "Label"]
    assert len(rows) == cable_count(size(SPEC)) == 1152 + 512 + 32
    assert len({row[1] for row in rows}) == len(rows)


@pytest.mark.parametrize(
    ("network", "name"),
    [
        ("scale-out", "Scale-out"),
        ("front-end", "Front end"),
        ("out-of-band", "Out of band"),
    ],
)
def test_the_cabling_of_one_network_can_be_taken_alone(client, network, name):
    response = take(client, "cabling.csv", f"network={network}")

    _heading, *rows = csv_rows(response)
    assert {row[0] for row in rows} == {name}
    assert len(rows) == network_counts(size(SPEC))[name]
    assert f"{network}-cabling.csv" in response["Content-Disposition"]


def test_the_cabling_of_a_network_that_does_not_exist_is_not_found(client):
    assert take(client, "cabling.csv", "network=nvlink").status_code == 404


def test_the_cabling_workbook_has_a_sheet_for_each_network(client):
    content = b"".join(take(client, "cabling.xlsx", "gpus=72"))

    spec = FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-x800", gpus=72)
    for name, count in network_counts(size(spec)).items():
        assert len(sheet_rows(content, name)) == 1 + count


def test_a_worksheet_too_long_is_refused_in_words(client):
    response = take(client, "cabling.xlsx", "gpus=746496")

    assert response.status_code == 422
    assert "Take the CSV instead." in response.content.decode()


def test_a_saved_design_gives_its_frozen_parts_and_drawing_and_no_new_cabling(client):
    saved = save_design(spec=SPEC, owner=None)
    saved.result["bom"][1]["quantity"] = 13
    saved.save()

    def file(name):
        return client.get(reverse("fabrics:file", args=[saved.design_id, 1, name]))

    assert csv_rows(file("parts.csv"))[2][5] == "13"
    assert json.loads(file("design.json").content)["bom"][1]["quantity"] == 13
    assert b"Q3400-RD" in file("topology.svg").content
    assert file("cabling.csv").status_code == 404


@pytest.mark.parametrize("name", ["parts.pdf", "..", "settings.py", "parts.csv/"])
def test_a_file_that_is_not_made_is_not_found(client, name):
    assert client.get(f"/fabrics/export/{name}").status_code == 404


def test_a_file_of_an_impossible_design_says_why(client):
    response = take(client, "parts.csv", "gpus=0")

    assert response.status_code == 422
    assert "must be a whole number" in response.content.decode()
