"""A line's own page, and adding, removing and moving lines, by the client."""

from __future__ import annotations

from decimal import Decimal

import pytest

from quotes.errors import QuoteError
from quotes.models import Line, Revision
from quotes.services import lines, quotes, rounding, sections
from sourceit.models import TaxRate
from tests.factories import make_line, make_product, make_revision
from tests.quotes.builder_posts import HTMX, line_form, row_of, told, url, whole_form

pytestmark = pytest.mark.django_db


@pytest.fixture
def revision(sam):
    return make_revision(author=sam, lines=0)


@pytest.fixture
def line(revision):
    return make_line(revision, unit_cost=Decimal(80), unit_price=Decimal(100))


# A line's own page


def test_the_lines_own_page_saves_what_the_row_does_not_show(sam_client, line):
    typed = {
        "kind": "optional",
        "tax": "zero_rated",
        "discount_percent": "9.5",
        "warranty": "3 years",
        "may_be_repriced": "on",
    }

    response = sam_client.post(
        url("line_save", line.revision_id, line.pk), line_form(line, **typed)
    )

    assert response.url.endswith(f"#line-{line.pk}")
    line.refresh_from_db()
    assert (line.kind, line.tax, line.warranty) == ("optional", "zero_rated", "3 years")
    assert (line.discount_percent, line.may_be_repriced) == (Decimal("9.5"), True)
    assert line.price_source == "price"


def test_the_lines_own_page_comes_back_with_its_mistakes(sam_client, line):
    posted = line_form(line, discount_percent="101")

    response = sam_client.post(url("line_save", line.revision_id, line.pk), posted)

    assert response.status_code == 422
    assert b"Enter a discount of 0 to 100%" in response.content


def test_a_section_of_another_quote_cannot_be_chosen(sam_client, line):
    foreign = make_revision().sections.create(title="Theirs")
    posted = line_form(line, section=foreign.pk)

    response = sam_client.post(url("line_save", line.revision_id, line.pk), posted)

    assert response.status_code == 422
    line.refresh_from_db()
    assert line.section is None


# Adding, removing, moving


def test_a_removed_line_is_offered_back(sam_client, line):
    response = sam_client.post(url("line_remove", line.revision_id, line.pk))
    page = sam_client.get(response.url).content.decode()
    event = page.split('name="event" value="')[1].split('"')[0]

    assert not Line.objects.exists()
    sam_client.post(url("line_restore", line.revision_id), {"event": event})
    assert Line.objects.get().unit_price == 100


def test_lines_are_added_moved_and_put_in_sections(sam_client, revision, line):
    sam_client.post(url("section_add", revision.pk), {"title": "Optics"})
    section = revision.sections.get()
    sam_client.post(url("line_add", revision.pk), {"section": section.pk})
    sam_client.post(url("line_add", revision.pk), {"kind": "text"})
    text = revision.lines.get(kind="text")
    sam_client.post(url("line_move", revision.pk, text.pk), {"to": "up"})

    fresh = Revision.objects.get(pk=revision.pk)
    assert [one.pk for one in fresh.lines_in_order()][:2] == [text.pk, line.pk]
    assert fresh.lines_in_order()[2].section == section


@pytest.mark.parametrize("words", ["msn3700-vs2f", "Spectrum SN3700"])
def test_a_product_is_added_by_part_number_or_name(sam_client, revision, words):
    make_product(mpn="MSN3700-VS2F", name="NVIDIA Spectrum-2 SN3700")

    sam_client.post(url("line_add_product", revision.pk), {"product": words})

    assert revision.lines.get().mpn == "MSN3700-VS2F"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", b"Enter a part number"),
        ("nothing", b"No product in the catalogue is called nothing."),
        ("switch", b"Several products match switch."),
    ],
)
def test_a_product_that_is_not_one_is_refused_in_words(
    sam_client, revision, words, message
):
    for mpn in "AB":
        make_product(mpn=mpn, name=f"Switch {mpn}")

    response = sam_client.post(url("line_add_product", revision.pk), {"product": words})

    assert response.status_code == 422
    assert message in response.content


def test_suggestions_never_show_a_price(sam_client, revision):
    make_product(mpn="MSN3700-VS2F", name="SN3700", price=None)

    page = sam_client.get(
        url("product_options", revision.pk), {"product": "sn37"}
    ).content.decode()

    assert '<option value="MSN3700-VS2F">SN3700 (price on request)</option>' in page


def test_a_block_from_a_spreadsheet_becomes_lines(sam_client, revision):
    block = "ABC-1\tA thing\t4\t80.00\t20\nABC-2\tOther\t1\t\t\t9.99"

    sam_client.post(url("line_paste", revision.pk), {"block": block})

    first, second = revision.lines.all()
    assert (first.mpn, first.quantity, first.unit_price) == ("ABC-1", 4, 100)
    assert (second.unit_cost, second.unit_price) == (None, Decimal("9.99"))


def test_a_block_with_a_mistake_adds_nothing_and_keeps_it(sam_client, revision):
    block = "ABC-1\tA thing\t4\nABC-2\tOther\tfour"

    response = sam_client.post(url("line_paste", revision.pk), {"block": block})

    assert response.status_code == 422
    assert b"Row 2: enter a quantity in figures." in response.content
    assert b"ABC-2\tOther\tfour" in response.content
    assert not revision.lines.exists()


def test_the_rounding_line_is_offered_and_set(sam_client, revision):
    product = make_product(price=Decimal("28523.25"))
    make_line(revision, product=product, quantity=Decimal(7))
    page = sam_client.get(url("quote", revision.pk)).content.decode()
    assert "S$199,662.75" in page
    assert "-S$0.01" in page

    sam_client.post(url("line_add", revision.pk), {"kind": "rounding"})

    page = sam_client.get(url("quote", revision.pk)).content.decode()
    assert "Set rounding line" not in page
    assert "S$199,662.75" in page.split('id="totals"')[1]


def test_a_quote_too_large_to_add_up_is_still_shown(sam_client, revision, line):
    Line.objects.update(quantity=10**6, unit_price=Decimal("99999999999"))

    page = sam_client.get(url("quote", revision.pk)).content.decode()

    assert "Line 1: the amount is too large." in page


def refuse(*args, **options):
    raise QuoteError("The quote is no longer a draft. Load the page again.")


@pytest.mark.parametrize(
    ("name", "with_line", "data"),
    [
        ("line_remove", True, {}),
        ("line_move", True, {"to": "up"}),
        ("section_add", False, {"title": "X"}),
        ("line_add", False, {"kind": "rounding"}),
    ],
)
def test_a_write_that_comes_too_late_says_so(
    sam_client, revision, line, monkeypatch, name, with_line, data
):
    """The quote was sent after the page found it, and before it wrote."""
    for module in (lines, sections, rounding):
        monkeypatch.setattr(module, "touch", refuse)
    address = url(name, revision.pk, line.pk) if with_line else url(name, revision.pk)

    response = sam_client.post(address, data, follow=True)

    assert response.status_code == 200
    assert b"no longer a draft" in response.content


def test_details_that_come_too_late_say_so(sam_client, revision, monkeypatch):
    monkeypatch.setattr(quotes, "touch", refuse)
    posted = whole_form(revision, message="Late")

    plain = sam_client.post(url("quote", revision.pk), posted, follow=True)
    swapped = sam_client.post(url("quote_details", revision.pk), posted, headers=HTMX)

    assert b"no longer a draft" in plain.content
    assert swapped["HX-Redirect"] == url("quote", revision.pk)


def test_a_row_whose_line_goes_while_it_is_saved_says_so(sam_client, line, monkeypatch):
    def gone(**options):
        Line.objects.all().delete()
        raise QuoteError("Somebody removed this line. Load the page again.")

    monkeypatch.setattr(lines, "save_line", gone)

    response = sam_client.post(
        url("line_save", line.revision_id, line.pk),
        row_of(line, quantity="2"),
        headers=HTMX,
    )

    errors = told(response, "line-refused")["errors"]
    assert errors == {"quantity": "Somebody removed this line. Load the page again."}


def test_a_draft_opens_without_a_gst_rate(sam_client, revision, line):
    TaxRate.objects.all().delete()

    page = sam_client.get(url("quote", revision.pk)).content.decode()

    assert "No GST rate is known for today." in page
