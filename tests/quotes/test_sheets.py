"""Lists of parts: every layout people send is read, and every hostile one survived."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotes.errors import QuoteError
from quotes.sheets import (
    MAX_ROWS,
    SheetRow,
    find_headings,
    find_rows,
    read_pasted,
    read_table,
    tell_cell,
)
from sourceit.file_types import CSV, XLSX
from tests.files import xlsx_bytes


def rows_of(text: str) -> list[SheetRow]:
    return find_rows(read_table(text.encode(), CSV))


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_columns_are_found_by_their_headings_in_any_order(mark):
    head = mark.join(["Qty", "Remarks", "MPN", "Item Description", "Target Price (S$)"])
    row = mark.join(["1152", "for lab 2", "A-1", "Red fibre", "12.50"])

    assert rows_of(f"{head}\n{row}\n") == [
        SheetRow(
            number=2,
            part="A-1",
            quantity="1152",
            description="Red fibre",
            note="for lab 2",
            target="12.50",
        )
    ]


def test_a_title_and_blank_rows_above_the_headings_are_passed_over():
    text = "Project X,,\n,,\nPart No.,Qty,\nA-1,4,\n\nA-2,5,\n,9,\n"

    assert [(row.number, row.part) for row in rows_of(text)] == [(4, "A-1"), (6, "A-2")]


def test_without_headings_the_order_is_part_then_quantity():
    assert rows_of("A-1,4\nA-2,5\n")[0] == SheetRow(number=1, part="A-1", quantity="4")
    assert rows_of("4,A-1\n5,A-2\n")[0] == SheetRow(number=1, part="A-1", quantity="4")


def test_a_workbook_reads_as_its_csv_does():
    table = [["Part", "Qty", "Price"], ["A-1", 4, 26000.5], ["00123", "=1+1", None]]

    rows = find_rows(read_table(xlsx_bytes(table), XLSX))

    assert rows[0] == SheetRow(number=2, part="A-1", quantity="4", target="26000.5")
    assert rows[1].part == "00123"


def test_a_formula_in_a_csv_stays_the_words_it_is():
    rows = rows_of('Part,Qty,Note\n=HYPERLINK("x"),1,@SUM(A1)\n')

    assert (rows[0].part, rows[0].note) == ('=HYPERLINK("x")', "@SUM(A1)")


def test_pasted_rows_are_read_with_headings_and_without():
    assert read_pasted("MPN\tQty\nA-1\t4")[0].quantity == "4"
    assert read_pasted("4 x red fibre")[0] == SheetRow(
        number=1, quantity="4", description="red fibre"
    )


def test_too_many_rows_are_refused_whole():
    with pytest.raises(QuoteError, match="1,000 rows"):
        rows_of("A-1,1\n" * (MAX_ROWS + 100))


def test_a_broken_workbook_is_refused_in_words():
    with pytest.raises(QuoteError, match="cannot be read"):
        read_table(b"PK\x03\x04nothing", XLSX)


@pytest.mark.parametrize(
    ("value", "text"),
    [(4.0, "4"), (0.1, "0.1"), (1e15, "1000000000000000"), (True, "yes"), (None, "")],
)
def test_a_cell_is_written_as_people_read_it(value, text):
    assert tell_cell(value) == text


@given(st.text(max_size=400))
def test_any_pasted_text_is_read_or_refused(text):
    try:
        rows = read_pasted(text)
    except QuoteError:
        return
    for row in rows:
        assert "\n" not in row.part
        assert "\x00" not in row.description


cells = st.text(
    st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=20
).filter(lambda text: text.strip() == text and text.strip('"'))


@given(st.lists(st.tuples(cells, st.integers(1, 10**6)), min_size=1, max_size=20))
def test_what_was_written_is_read_back(rows):
    import csv
    import io

    out = io.StringIO()
    csv.writer(out).writerows([("Part number", "Quantity"), *rows])

    table = read_table(out.getvalue().encode(), CSV)

    assert find_headings(table) == (0, {"part": 0, "quantity": 1})
    assert [row.quantity for row in find_rows(table)] == [str(q) for _, q in rows]
