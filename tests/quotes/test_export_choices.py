"""What a file of lines says of choices: what is open, and then what was bought."""

from __future__ import annotations

import io
from decimal import Decimal

import pytest
from django.urls import reverse
from python_calamine import CalamineWorkbook

from quotes.exports import HEADINGS, line_rows
from quotes.services.acceptances import void_acceptance
from quotes.services.answers import Yes
from sourceit.links import issue_link, token_of
from tests.factories import make_approver
from tests.quotes.answering import quick_pdf
from tests.quotes.test_choices import CHOICE, GROSS, accept, sent
from tests.quotes.test_exports import read_csv
from tests.quotes.test_secrecy import secrets_in

__all__ = ["quick_pdf", "sent"]
pytestmark = pytest.mark.django_db

OPEN = ("One of", "Smallest quantity", "Largest quantity", "Quantity step")


def files_of(client, name: str, arg: int | str) -> list[list[dict[str, str]]]:
    """Return the rows of the CSV and of the Excel file at an address."""
    rows = read_csv(client.get(reverse(f"{name}_csv", args=[arg])))
    book = client.get(reverse(f"{name}_xlsx", args=[arg])).content
    sheet = CalamineWorkbook.from_filelike(io.BytesIO(book)).get_sheet_by_index(0)
    table = sheet.to_python(skip_empty_area=False)
    assert table[0] == list(HEADINGS)
    return [rows, [dict(zip(HEADINGS, row, strict=True)) for row in table[1:]]]


def total(rows: list[dict[str, str]], words: str) -> Decimal:
    (row,) = (row for row in rows if row["Description"] == words)
    return Decimal(str(row["Amount before GST"]))


def test_what_is_open_has_columns_of_its_own(sam_client, sent):
    for rows in files_of(sam_client, "desk:quote", sent.pk):
        switch, short, long, support = rows[:4]

        assert [float(switch[name]) for name in OPEN[1:]] == [2, 8, 1]
        assert switch["Price breaks"] == "under 6 at S$100.00; from 6 at S$90.00"
        assert [short["One of"], long["One of"]] == ["Cable", "Cable"]
        assert short["Counted as"] == "In the total"
        assert long["Counted as"] == "Alternative, not in the total"
        assert [support[name] for name in OPEN] == [""] * 4
        assert total(rows, "Total including GST") == sent.gross


def doors_to(client, revision):
    """Every door to the file: the desk's, a link's, and the account's."""
    link = issue_link(revision, purpose="answer", email="carol@lab.example")
    return [
        (client, "desk:quote", revision.pk),
        (client, "quotes:answer", token_of(link)),
        (client, "quotes:my_quote", revision.pk),
    ]


def test_after_a_choice_every_file_says_what_was_bought(sam_client, sent):
    accept(sent, Yes(choice=CHOICE, total_shown=GROSS))
    sent.refresh_from_db()

    for door in doors_to(sam_client, sent):
        for rows in files_of(*door):
            lines = [row for row in rows if row["No."]]
            nets = [Decimal(str(row["Amount before GST"])) for row in lines]
            assert [float(row["Quantity"]) for row in lines] == [6, 8, 1]
            assert nets == [Decimal(540), Decimal(56), Decimal(60)]
            assert {row["Counted as"] for row in rows} == {"Accepted"}
            assert total(rows, "Total before GST") == sum(nets)
            assert total(rows, "Total including GST") == GROSS
            assert "instead of line 2" in str(rows[-2:])
            assert secrets_in(str(rows)) == []


def test_the_pages_show_the_same_total_as_their_file(sam_client, sent):
    accept(sent, Yes(choice=CHOICE, total_shown=GROSS))
    sent.refresh_from_db()

    for client, name, arg in doors_to(sam_client, sent):
        html = client.get(reverse(name, args=[arg])).content.decode()
        assert 'class="grand">S$715.04</dd>' in html
        assert "As accepted. Quoted: " in html


def test_a_voided_yes_is_no_purchase(sam_client, sent):
    at = accept(sent, Yes(choice=CHOICE, total_shown=GROSS)).at
    sent.refresh_from_db()
    void_acceptance(revision=sent, by=make_approver(), reason="Wrong", now=at)

    answer = sam_client.get(reverse("desk:quote_csv", args=[sent.pk]))

    assert "lines.csv" in answer["Content-Disposition"]
    assert total(read_csv(answer), "Total including GST") == sent.gross


def test_a_choice_cannot_run_as_a_formula(sam_client, sent):
    sent.content["choices"][0]["name"] = "=1+1"
    for part in sent.content["sections"]:
        for line in part["lines"]:
            line["choice"] = "=1+1"
    sent.save(update_fields=["content"])

    rows, cells = files_of(sam_client, "desk:quote", sent.pk)

    assert rows[1]["One of"] == cells[1]["One of"] == "'=1+1"


def test_older_contents_have_no_choices_and_still_come_as_a_file(sent):
    old = {**sent.content}
    for part in [*old["sections"], {"lines": old["options"]}]:
        for line in part["lines"]:
            for name in ("choice", "range", "breaks"):
                line.pop(name)

    row = dict(zip(HEADINGS, next(line_rows(old)), strict=True))

    assert [row[name] for name in (*OPEN, "Price breaks")] == [""] * 5
