from __future__ import annotations

import io
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from pypdf import PdfReader

from quotes.content import build_content
from quotes.models import Revision, Section
from quotes.pdf import file_name, render_quote
from sourceit.pdf import Pdf
from tests.factories import make_line, make_request, make_revision

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 12, 1, 2, tzinfo=UTC)


def content_of(revision: Revision, **fields):
    loaded = Revision.objects.with_lines().get(pk=revision.pk)
    return build_content(loaded, now=NOW) | {"number": "Q-2026-0042"} | fields


def render(content, *, is_draft: bool = False) -> Pdf:
    pdf = render_quote(content, is_draft=is_draft, created=NOW)
    assert pdf.warnings == ()
    return pdf


def pages_of(pdf: Pdf) -> list[str]:
    reader = PdfReader(io.BytesIO(pdf.data))
    return [" ".join(page.extract_text().split()) for page in reader.pages]


def text_of(pdf: Pdf) -> str:
    return " ".join(pages_of(pdf))


@pytest.fixture
def quoted(sam) -> Revision:
    request = make_request(
        owner=sam,
        number="RFQ-2026-0107",
        uen="201912345D",
        billing_address="1 Fusionopolis Way\nSingapore 138632",
        delivery_address="2 Data Centre Road",
        reference="PR-88213",
    )
    revision = make_revision(author=sam, request=request, message="As agreed.")
    line = revision.lines.get()
    line.warranty = "3 years, return to base"
    line.may_be_repriced = True
    line.note = "Rail kit in the box"
    line.save()
    return revision


def test_every_element_is_printed(quoted):
    text = text_of(render(content_of(quoted, valid_until="2026-12-15")))

    for words in (
        "Quotation Q-2026-0042 rev 1",
        "1 Dec 2026",
        "15 Dec 2026, end of day, Singapore time",
        "Example Research Pte Ltd",
        "UEN 201912345D",
        "1 Fusionopolis Way Singapore 138632",
        "2 Data Centre Road",
        "Attention: Carol Tan",
        "PR-88213",
        "RFQ-2026-0107",
        "Sam Lim",
        "Singapore dollars (SGD)",
        "NVIDIA MSN3700-VS2F",
        "1 pc",
        "26,168.1193",
        "4 to 6 weeks (sample data)",
        "Warranty 3 years, return to base",
        "Rail kit in the box",
        "may re-price or cancel until shipment",
        "Subtotal before GST S$26,168.12 GST 9% S$2,355.13",
        "Total including GST S$28,523.25",
        "9% Standard-rated supply in Singapore 26,168.12 2,355.13",
        "DAP Singapore, Incoterms 2020",
        "30 days from invoice",
        "Installation, cabling labour",
        "/q/Q-2026-0042/",
        "Signature",
        "Company stamp",
        "PO number",
        "SAMPLE",
        "Page 1 of",
    ):
        assert words in text, words


def test_it_is_never_called_an_invoice(quoted):
    text = text_of(render(content_of(quoted))).lower()

    assert "tax invoice" not in text
    assert "pro forma" not in text


def test_money_is_that_of_the_content(quoted):
    Section.objects.create(revision=quoted, title="Fabric")
    make_line(quoted, unit_price=Decimal("0.195"), quantity=680, discount_percent=4)
    content = content_of(quoted)
    text = text_of(render(content))

    for name in ("net", "gst", "gross"):
        assert f"{Decimal(content['totals'][name]):,.2f}" in text


def test_cost_and_internal_words_are_not_in_it(quoted):
    quoted.internal_note = "Do not show: supplier Acme"
    quoted.save()
    text = text_of(render(content_of(quoted))).lower()

    for secret in ("21,234", "21234", "cost price", "margin", "markup", "acme"):
        assert secret not in text


def test_the_same_content_gives_the_same_bytes(quoted):
    content = content_of(quoted)

    assert render(content).data == render(content).data


def test_what_changed_since_the_last_sent_revision_is_printed(quoted):
    Revision.objects.filter(pk=quoted.pk).update(
        content=content_of(quoted), status="sent"
    )
    second = make_revision(quote=quoted.quote, author=quoted.author, n=2)
    second.lines.update(quantity=3)
    make_line(second, mpn="MFP7E30-N030", description="Fibre", unit_price=10)

    content = content_of(second)
    text = text_of(render(content))

    assert content["changes"]["since"] == 1
    assert "What changed since rev 1" in text
    assert "Added 1 x Fibre" in text
    assert "Quantity 1 3" in text


def test_a_first_revision_has_no_changes(quoted):
    content = content_of(quoted)

    assert content["changes"] is None
    assert "What changed" not in text_of(render(content))


def test_an_option_is_printed_and_not_counted(quoted):
    before = content_of(quoted)["totals"]
    make_line(quoted, kind="optional", mpn="OPT-1", unit_price=Decimal(500))
    content = content_of(quoted)
    text = text_of(render(content))

    assert content["totals"] == before
    assert "Options, not in the total" in text
    assert "OPT-1" in text


def test_a_line_without_a_price_prints_no_total(quoted):
    make_line(quoted, unit_price=None)
    text = text_of(render(content_of(quoted), is_draft=True))

    assert "On request" in text
    assert "No total: some lines are on request" in text
    assert "28,523.25" not in text


def test_two_tax_treatments_have_a_row_with_a_reason_each(quoted):
    make_line(quoted, tax="zero_rated", unit_price=Decimal(100))
    text = text_of(render(content_of(quoted)))

    assert "9% Standard-rated supply in Singapore" in text
    assert "0% Zero-rated: goods exported by the seller 100.00 0.00" in text


def test_a_foreign_currency_is_named_and_marked(quoted):
    Revision.objects.filter(pk=quoted.pk).update(currency="USD")
    text = text_of(render(content_of(quoted)))

    assert "United States dollars (USD)" in text
    assert "US$28,523.25" in text


def test_a_seller_without_facts_is_marked_sample_and_nothing_is_invented(quoted):
    text = text_of(render(content_of(quoted)))

    assert "SAMPLE: legal name to be set" in text
    real = content_of(quoted)
    real["seller"] |= {
        "is_sample": False,
        "legal_name": "SourceIT Pte Ltd",
        "uen": "U1",
        "gst_number": "G1",
        "address": "1 Road",
    }
    text = text_of(render(real))
    assert "SAMPLE" not in text
    assert "UEN U1 · GST reg. no. G1" in text


def test_a_draft_says_so_and_has_no_address_to_accept(quoted):
    text = text_of(render(content_of(quoted, number=""), is_draft=True))

    assert "Draft, not an offer" in text
    assert "/q/" not in text


def test_the_file_is_named_by_number_and_revision():
    assert file_name("Q-2026-0042", 3) == "SourceIT-Quotation-Q-2026-0042-r3.pdf"
