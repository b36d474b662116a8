"""A request entered at the desk: typed, pasted, or as the customer's own list."""

from __future__ import annotations

import html
import re

import pytest
from django.urls import reverse

from quotes.models import QuoteRequest
from quotes.sheets import SheetRow, read_pasted, write_rows
from tests.factories import make_product
from tests.files import PDF_BYTES, upload, xlsx_bytes, zip_bytes

pytestmark = pytest.mark.django_db
ENTER = reverse("desk:request_new")
WHO = {"name": "Carol Tan", "email": "carol@example.com", "source": "By phone"}
TABLE = [
    ("Item", "MPN", "Qty"),
    ("Switch", "MSN3700-VS2F", 4),
    ("Red fibre", "", "8/16"),
]


def lines_of(request: QuoteRequest) -> list[tuple[str, str, str]]:
    return [(one.mpn, one.description, one.quantities) for one in request.lines.all()]


def text_in(response) -> str:
    page = response.content.decode()
    found = re.search(r'<textarea name="asked".*?>(.*?)</textarea>', page, re.DOTALL)
    return html.unescape(found[1]).strip()


def test_rows_are_entered_as_they_are_typed_or_pasted(sam_client):
    switch = make_product(mpn="MSN3700-VS2F")
    asked = "4 x msn3700-vs2f\r\n2 pcs DGX Station\r\nsome optics\r\nFIBRE-9\t10, 50"

    response = sam_client.post(ENTER, WHO | {"asked": asked})

    request = QuoteRequest.objects.get()
    assert response.url == reverse("desk:request", args=[request.pk])
    assert lines_of(request) == [
        ("MSN3700-VS2F", switch.name, "4"),
        ("", "DGX Station", "2"),
        ("", "some optics", "1"),
        ("FIBRE-9", "FIBRE-9", "10, 50"),
    ]
    assert request.lines.first().product == switch


def test_a_list_is_entered_with_its_columns(sam_client):
    make_product(mpn="MSN3700-VS2F", name="SN3700")
    file = upload("parts.xlsx", xlsx_bytes(TABLE))

    sam_client.post(ENTER, WHO | {"parts_list": file})

    assert lines_of(QuoteRequest.objects.get()) == [
        ("MSN3700-VS2F", "SN3700", "4"),
        ("", "Red fibre", "8, 16"),
    ]


def test_a_lists_rows_come_back_as_text_to_correct(sam_client):
    table = [*TABLE, ("Cable", "C-1", "a few")]

    refused = sam_client.post(
        ENTER, WHO | {"parts_list": upload("parts.xlsx", xlsx_bytes(table))}
    )

    assert refused.status_code == 422
    assert "Row 4: enter a quantity" in html.unescape(refused.content.decode())
    assert not QuoteRequest.objects.exists()
    text = text_in(refused)
    assert text.splitlines()[3].startswith("C-1\ta few\tCable")

    sam_client.post(ENTER, WHO | {"asked": text.replace("a few", "5")})

    assert ("C-1", "Cable", "5") in lines_of(QuoteRequest.objects.get())


def test_a_mistake_elsewhere_does_not_lose_the_list(sam_client):
    file = upload("parts.xlsx", xlsx_bytes(TABLE))

    response = sam_client.post(ENTER, WHO | {"email": "nobody", "parts_list": file})

    assert response.status_code == 422
    assert "MSN3700-VS2F" in text_in(response)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({}, "Enter at least one line"),
        ({"asked": "Part\tQty\n"}, "Enter at least one line"),
        ({"asked": "0 x nothing"}, "Row 1: enter a quantity from 1 to"),
        ({"parts_list": upload("a.xlsx", b"PK\x03\x04 broken")}, "damaged"),
        ({"parts_list": upload("a.pdf", PDF_BYTES)}, "as CSV or Excel"),
        (
            {"asked": "A-1", "parts_list": upload("a.csv", b"A-1,4")},
            "Enter the lines or choose a file, not both.",
        ),
    ],
)
def test_what_cannot_be_taken_is_told(sam_client, typed, words):
    response = sam_client.post(ENTER, WHO | typed)

    assert response.status_code == 422
    assert words in html.unescape(response.content.decode())
    assert not QuoteRequest.objects.exists()


def test_a_workbook_that_is_broken_inside_is_told_and_not_an_error(sam_client):
    broken = zip_bytes(
        {
            "[Content_Types].xml": b"<x/>",
            "xl/workbook.xml": b"<workbook><sheets",
            "xl/worksheets/sheet1.xml": b"<sheetData>",
        }
    )

    response = sam_client.post(ENTER, WHO | {"parts_list": upload("a.xlsx", broken)})

    assert response.status_code == 422
    assert "a.xlsx: This list cannot be read" in response.content.decode()


def test_rows_that_are_written_are_read_back():
    rows = [
        SheetRow(number=2, part="A-1", quantity="4", note="lab 2; urgent, please"),
        SheetRow(number=3, description='Cable, 3 m "red"', quantity="10/50"),
        SheetRow(number=4, part="B", quantity="1", target="26,000"),
    ]

    assert read_pasted(write_rows(rows)) == rows
