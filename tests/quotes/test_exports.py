"""The lines of a quotation as files: exact, frozen, and never a formula."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from django.urls import reverse
from pypdf import PdfReader
from python_calamine import CalamineWorkbook

from quotes.content import build_content
from quotes.exports import HEADINGS, line_rows
from quotes.models import Line, QuoteRequest, Revision
from quotes.pdf import render_quote
from quotes.pricing import Kind, Tax
from quotes.services.checks import find_problems
from sourceit.links import issue_link, token_of
from tests.factories import make_line, make_request, make_revision
from tests.quotes.test_currencies import FX
from tests.quotes.test_secrecy import secrets_in

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)


@pytest.fixture
def revision(sam) -> Revision:
    asked = make_request(
        owner=sam,
        status="quoted",
        delivery_address="1 Sample Road, Singapore 000001",
    )
    made = make_revision(
        request=asked, author=sam, lines=0, **FX, discount_percent=Decimal(5)
    )
    make_line(
        made,
        description='=HYPERLINK("http://evil.example")',
        unit_price=Decimal("26168.1193"),
        unit_cost=Decimal("17321.99"),
        quantity=Decimal(7),
        our_part="SIT-0042",
        origin="Taiwan",
        hs_code="8517.62",
        lead_as_of=date(2026, 12, 1),
    )
    make_line(made, kind=Kind.OPTIONAL, description="@SUM(1)", quantity=Decimal(2))
    content = build_content(Revision.objects.with_lines().get(pk=made.pk), now=NOW)
    Revision.objects.filter(pk=made.pk).update(
        status="sent", content=content, sent_at=NOW
    )
    made.refresh_from_db()
    return made


def read_csv(response) -> list[dict[str, str]]:
    text = response.content.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_and_excel_hold_the_frozen_amounts(client, revision):
    link = issue_link(revision, purpose="answer", email="carol@lab.example")
    token = token_of(link)
    Line.objects.filter(revision=revision).update(unit_price=Decimal(1))

    rows = read_csv(client.get(reverse("quotes:answer_csv", args=[token])))
    book = client.get(reverse("quotes:answer_xlsx", args=[token])).content
    sheet = CalamineWorkbook.from_filelike(io.BytesIO(book)).get_sheet_by_index(0)
    table = sheet.to_python(skip_empty_area=False)
    cells = [dict(zip(HEADINGS, row, strict=True)) for row in table][1:]

    totals = revision.content["totals"]
    by_words = {row["Description"]: row["Amount before GST"] for row in rows}
    assert rows[0]["Unit price before GST"] == "26168.1193"
    assert by_words["Discount"] == f"-{totals['discount']}"
    assert by_words["Total including GST"] == totals["gross"]
    assert by_words["Total including GST in S$"] == totals["sgd"]["gross"]
    for row, cell in zip(rows, cells, strict=True):
        shown = row["Amount before GST"]
        assert Decimal(str(cell["Amount before GST"])) == Decimal(shown)


def test_no_cell_can_run_and_no_cost_is_in_it(client, revision, sam_client):
    rows = read_csv(sam_client.get(reverse("desk:quote_csv", args=[revision.pk])))

    assert rows[0]["Description"].startswith("'=HYPERLINK")
    assert rows[1]["Description"] == "'@SUM(1)"
    assert secrets_in(str(rows)) == []


def test_what_customs_ask_is_in_content_pdf_and_file(revision):
    entry = next(line_rows(revision.content))
    assert {"SIT-0042", "Taiwan", "8517.62"} <= set(map(str, entry))

    pdf = render_quote(revision.content, is_draft=False, created=NOW).data
    text = " ".join(p.extract_text() for p in PdfReader(io.BytesIO(pdf)).pages)
    for words in ("SIT-0042", "Origin Taiwan", "HS code 8517.62"):
        assert words in " ".join(text.split())


@pytest.mark.parametrize(
    ("address", "tax", "words"),
    [
        ("1 Road, Singapore 1", Tax.ZERO_RATED, "Line 1 is zero-rated, but"),
        ("1 Jalan, Johor, Malaysia", Tax.STANDARD, "1, 2 are standard-rated, but"),
        ("1 Road, Singapore 1", Tax.CUSTOMER_ACCOUNTING, "registered for GST"),
    ],
)
def test_treatment_and_delivery_must_agree(revision, address, tax, words):
    QuoteRequest.objects.filter(quotes=revision.quote_id).update(
        delivery_address=address
    )
    Line.objects.filter(revision=revision, kind=Kind.STANDARD).update(tax=tax)
    whole = Revision.objects.with_lines().get(pk=revision.pk)

    told = [p for p in find_problems(whole, NOW) if words in p.message]

    assert len(told) == 1
    assert not told[0].is_blocking
