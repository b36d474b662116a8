"""The customer's purchase order held against what was accepted."""

from __future__ import annotations

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from xlsxwriter import Workbook

from quotes.models import PoCheck
from quotes.po import find_differences, read_rows
from quotes.sheets import split_pasted
from sourceit.events import events_of
from tests.factories import make_bought
from tests.files import PDF_BYTES
from tests.quotes.answering import quick_pdf as quick_pdf


def entry(number: int, mpn: str = "SN3700", **fields: str) -> dict:
    line = {
        "number": number,
        "kind": "standard",
        "mpn": mpn,
        "description": f"Thing {number}",
        "quantity": "4",
        "unit_price": "26168.1193",
        "discount_percent": "0",
        "net": "104672.48",
    }
    return line | fields


def differences(bought: list[dict], text: str) -> list[str]:
    lines, faults = read_rows(split_pasted(text))
    assert faults == []
    return find_differences(bought, lines, "SGD")


@pytest.mark.parametrize(
    "text",
    [
        "SN3700\t4\t26168.12\t104672.48",
        "sn-3700, 4, 26168.1193, 104672.48",
        'Part number;Qty;Price\nSN 3700;4;"S$26,168.12"',
        "Description,Part,Qty,Line total\nSwitch,SN3700,4 pcs,104672.48",
        "SN3700\tA switch\t4\tS$26,168.12\tS$104,672.48",
        "Thing 1\t4",
        "SN3700\t4\n\t\t\t104672.48",
    ],
)
def test_an_order_as_accepted_has_no_difference(text) -> None:
    assert differences([entry(1)], text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("SN3700\t5", "Line 1 (SN3700): quantity 5 instead of 4."),
        (
            "SN3700\t4\t26000",
            "Line 1 (SN3700): unit price S$26,000.00 instead of S$26,168.1193.",
        ),
        (
            "SN3700\t4\t26168.12\t104672.47",
            "Line 1 (SN3700): amount S$104,672.47 instead of S$104,672.48.",
        ),
        ("SN3700", "Line 1 (SN3700): the purchase order gives no quantity."),
    ],
)
def test_what_differs_is_said_in_words(text, words) -> None:
    assert differences([entry(1)], text) == [words]


def test_what_only_one_side_has_is_named() -> None:
    found = differences([entry(1), entry(2, "SR680")], "SN3700\t4\nXYZ\t1")

    assert found == [
        "XYZ is not on the accepted quotation.",
        "Line 2 (SR680) is not on the purchase order.",
    ]


def test_two_lines_of_one_part_stay_two() -> None:
    bought = [entry(1, quantity="4"), entry(2, quantity="6", net="157008.72")]

    assert differences(bought, "SN3700\t6\nSN3700\t4") == []
    assert differences(bought, "SN3700\t10") == [
        "Line 1 (SN3700): quantity 10 instead of 4.",
        "Line 2 (SN3700) is not on the purchase order.",
    ]


def test_a_discounted_price_may_be_given_either_way() -> None:
    bought = [entry(1, unit_price="100.0000", discount_percent="10", net="360.00")]

    assert differences(bought, "SN3700\t4\t100") == []
    assert differences(bought, "SN3700\t4\t90") == []
    assert len(differences(bought, "SN3700\t4\t95")) == 1


def test_headings_and_roundings_are_not_ordered() -> None:
    bought = [
        entry(1),
        entry(2, kind="text", net=""),
        entry(3, kind="rounding", net="0.01"),
    ]

    assert differences(bought, "SN3700\t4") == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "There are no rows."),
        ("SN3700\tfour", "Row 1: the quantity “four” is not a number."),
        ("SN3700\t4\tNaN", "Row 1: the unit price “NaN” is not a number."),
        ("SN3700\t1e99", "Row 1: the quantity “1e99” is not a number."),
        ("A\t1\n" * 1_001, "Give at most 1,000 rows."),
    ],
)
def test_what_cannot_be_read_is_named_by_row(text, words) -> None:
    assert read_rows(split_pasted(text))[1] == [words]


# At the desk


@pytest.fixture
def acceptance(sam, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return make_bought(sam, lines=1).acceptances.get()


def url(acceptance) -> str:
    return reverse("desk:po_check", args=[acceptance.pk])


@pytest.mark.django_db
def test_the_desk_sees_and_keeps_what_differs(sam_client, acceptance, sam) -> None:
    page = sam_client.post(url(acceptance), {"text": "MSN3700-VS2F\t3"}, follow=True)

    assert "quantity 3 instead of 1" in page.content.decode()
    check = PoCheck.objects.get()
    assert (check.by, len(check.differences)) == (sam, 1)
    assert check.lines[0]["part"] == "MSN3700-VS2F"
    quote = reverse("desk:quote", args=[acceptance.revision_id])
    assert "1 difference" in sam_client.get(quote).content.decode()
    event = events_of(acceptance.revision).get(kind="po_checked")
    assert event.is_internal


@pytest.mark.django_db
def test_the_newest_check_counts(sam_client, acceptance) -> None:
    sam_client.post(url(acceptance), {"text": "MSN3700-VS2F\t3"})
    page = sam_client.post(url(acceptance), {"text": "MSN3700-VS2F\t1"}, follow=True)

    assert "As accepted" in page.content.decode()
    assert PoCheck.objects.count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_file_is_read_too(sam_client, acceptance, kind) -> None:
    rows = [["Part", "Qty", "Unit price"], ["MSN3700-VS2F", 1, 26168.12]]
    data = io.BytesIO()
    if kind == "xlsx":
        book = Workbook(data)
        sheet = book.add_worksheet()
        for n, row in enumerate(rows):
            sheet.write_row(n, 0, row)
        book.close()
    else:
        text = "\n".join(",".join(map(str, row)) for row in rows)
        data.write(b"\xef\xbb\xbf" + text.encode())
    file = SimpleUploadedFile(f"po.{kind}", data.getvalue())

    page = sam_client.post(url(acceptance), {"file": file}, follow=True)

    assert "As accepted" in page.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("po.xlsx", b"PK\x03\x04 not a workbook", "This workbook is damaged"),
        ("po.pdf", PDF_BYTES, "Send the list as CSV or Excel"),
        ("po.csv", b"x" * (10 * 1024 * 1024 + 1), "The limit is 10 MB"),
    ],
)
def test_a_file_that_is_none_is_refused(
    sam_client, acceptance, name, data, words
) -> None:
    page = sam_client.post(url(acceptance), {"file": SimpleUploadedFile(name, data)})

    assert page.status_code == 422
    assert words in page.content.decode()
    assert not PoCheck.objects.exists()


@pytest.mark.django_db
def test_nothing_to_check_is_said(sam_client, acceptance) -> None:
    page = sam_client.post(url(acceptance), {})

    assert "Paste the lines, or choose a file." in page.content.decode()
    assert not PoCheck.objects.exists()
