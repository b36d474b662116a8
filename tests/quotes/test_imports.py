"""Lists into the basket: seen row by row, added at once, taken out at once."""

from __future__ import annotations

import html
import re

import pytest
from django.urls import reverse

from quotes.errors import QuoteError
from quotes.models import RequestLine
from quotes.services.baskets import make_basket
from quotes.services.imports import Verdict, import_rows, judge_rows
from quotes.sheets import SheetRow
from quotes.typed import read_quantities
from tests.factories import make_product
from tests.files import HTML_BYTES, PDF_BYTES, upload, xlsx_bytes

pytestmark = pytest.mark.django_db
PASTE = reverse("quotes:basket_paste")
IMPORT = reverse("quotes:basket_import")
UPLOAD = reverse("quotes:basket_upload")


def table_in(response) -> str:
    found = re.search(r'name="table" value="(.*?)"', response.content.decode())
    return html.unescape(found[1])


def judged(*rows: SheetRow) -> list[Verdict]:
    return [each.verdict for each in judge_rows(rows)]


def row(number: int = 1, **cells: str) -> SheetRow:
    return SheetRow(number=number, **({"quantity": "1"} | cells))


def test_each_row_has_its_verdict():
    make_product(mpn="MSN3700-VS2F")
    make_product(mpn="SR680A-1", maker="Lenovo")
    make_product(mpn="SR680A-1", maker="NVIDIA", slug="twin")

    assert judged(
        row(part="msn3700-vs2f"),
        row(part="SR680A-1"),
        row(part="MSN3700"),
        row(part="UNKNOWN-1"),
        row(description="Red fibre"),
        row(part="X", quantity=""),
        row(part="X", quantity="a few"),
        row(part="X", target="cheap"),
    ) == ["matched", "several", "several", "free", "free", "bad", "bad", "bad"]


def test_words_of_a_products_name_offer_it_and_decide_nothing():
    fury = make_product(name="HP ZGX Fury G1n AI Station GB300", mpn="ZGX Fury G1n")
    make_product(name="Dell Pro Max with GB300", mpn="FCT6263", maker="Dell")

    named, own, one = judge_rows(
        [
            row(1, description="hp zgx fury"),
            row(2, description="HP ZGX Fury with a longer cable"),
            row(3, description="station"),
        ]
    )

    assert (named.verdict, list(named.products)) == ("several", [fury])
    assert own.verdict == one.verdict == "free"
    basket = make_basket(user=None)
    import_rows(basket=basket, rows=[named.row], picks={})
    assert RequestLine.objects.get().product is None, "nobody picked it"


def test_a_bad_row_is_named():
    [bad] = judge_rows([row(3, part="X", quantity="")])

    assert bad.problem == "Row 3: enter a quantity."


def test_nothing_is_added_before_it_was_seen(client):
    make_product(mpn="MSN3700-VS2F", name="SN3700")

    page = client.post(PASTE, {"rows": "MSN3700-VS2F\t4\nOdd thing; 2\nBad\t0"})

    text = page.content.decode()
    assert "1 matched" in text
    assert "1 not listed" in text
    assert "Row 3: enter a quantity from 1" in text
    assert not RequestLine.objects.exists()


def test_the_rows_are_added_at_once_and_taken_out_at_once(client):
    make_product(mpn="MSN3700-VS2F", name="SN3700")
    seen = client.post(PASTE, {"rows": "MSN3700-VS2F\t4\nOdd thing; 2\nBad\t0"})

    done = client.post(IMPORT, {"table": table_in(seen), "quantity-3": "7"})

    lines = RequestLine.objects.values_list("description", "quantity")
    assert sorted(lines) == [("Bad", 7), ("Odd thing", 2), ("SN3700", 4)]
    batch = RequestLine.objects.first().batch
    undo = reverse("quotes:basket_undo", args=[batch])
    assert undo in done.content.decode()
    client.post(undo)
    assert not RequestLine.objects.filter(removed_at=None).exists()


def test_a_pick_decides_between_several(client):
    first = make_product(mpn="SR680A-1", maker="Lenovo")
    make_product(mpn="SR680A-1", maker="NVIDIA", slug="twin")
    other = make_product(mpn="OTHER-1")
    rows = [row(1, part="SR680A-1"), row(2, part="SR680A-1"), row(3, part="SR680A-1")]

    import_rows(
        basket=make_basket(user=None), rows=rows, picks={1: first.pk, 3: other.pk}
    )

    found = list(
        RequestLine.objects.order_by("position").values_list("product", flat=1)
    )
    assert found == [first.pk, None, None]


def test_an_uploaded_workbook_is_read_with_its_columns(client):
    data = xlsx_bytes(
        [
            ["Qty", "Part no.", "Target price", "Notes"],
            ["10, 50, 100", "A-1", 99.5, "n"],
        ]
    )

    seen = client.post(UPLOAD, {"list": upload("parts.xlsx", data)})
    client.post(IMPORT, {"table": table_in(seen)})

    line = RequestLine.objects.get()
    assert (line.quantity, line.more_quantities) == (10, [50, 100])
    assert (line.mpn, str(line.target_price), line.note) == ("A-1", "99.5000", "n")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.csv", HTML_BYTES),
        ("a.pdf", PDF_BYTES),
        ("a.xlsx", b"PK"),
        ("a.csv", b"\n\n"),
    ],
)
def test_what_is_no_list_is_refused_by_name(client, name, data):
    response = client.post(UPLOAD, {"list": upload(name, data)})

    assert response.status_code == 422
    assert f"{name}: " in response.content.decode()


def test_hostile_cells_are_text(client):
    cell = '=HYPERLINK("http://x","y")<script>alert(1)</script>'
    seen = client.post(PASTE, {"rows": f"Description\tQty\n{cell}\t2"})

    client.post(IMPORT, {"table": table_in(seen)})

    assert "<script>alert" not in seen.content.decode()
    assert RequestLine.objects.get().description.startswith("=HYPERLINK(")


@pytest.mark.parametrize(
    "table", ["", "7", "[1]", '[{"number": "x"}]', '{"a": 1}', "[["]
)
def test_a_made_up_table_is_not_found(client, table):
    assert client.post(IMPORT, {"table": table}).status_code == 404


def test_a_full_basket_takes_none_of_the_list(monkeypatch):
    monkeypatch.setattr("quotes.services.imports.MAX_LINES", 1)
    basket = make_basket(user=None)

    with pytest.raises(QuoteError, match="at most 1 lines"):
        import_rows(basket=basket, rows=[row(1, part="A"), row(2, part="B")], picks={})

    assert not basket.lines.exists()


def test_five_hundred_rows_take_few_queries(django_assert_max_num_queries):
    rows = [row(n, part=f"PART-{n:04d}") for n in range(500)]

    with django_assert_max_num_queries(40):
        import_rows(basket=make_basket(user=None), rows=rows, picks={})


@pytest.mark.parametrize(
    ("typed", "quantities"),
    [
        ("10, 50, 100", [10, 50, 100]),
        ("100/50/10", [10, 50, 100]),
        ("1,152", [1152]),
        ("1,152; 2,304", [1152, 2304]),
        ("10 or 20", [10, 20]),
        ("5,5", [5]),
        ("12 pcs", [12]),
    ],
)
def test_several_quantities_are_read_as_people_write_them(typed, quantities):
    assert read_quantities(typed) == quantities


@pytest.mark.parametrize("typed", ["", "0", "10, x", "1,2,3,4,5,6", "10,,20", "1.5"])
def test_what_are_no_quantities_is_refused(typed):
    with pytest.raises(QuoteError):
        read_quantities(typed)
