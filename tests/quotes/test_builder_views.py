"""The builder by the client: rows saved one by one (htmx) and all at once (no JS)."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalog.models import Notice
from quotes.desk_sheet import ROW_FIELDS
from quotes.models import Line, Revision
from quotes.models.requests import MAX_LINES
from quotes.services.lines import save_line
from quotes.states import RevisionStatus
from tests.factories import make_line, make_product, make_revision, make_staff
from tests.quotes.builder_posts import HTMX, row_of, save_row, told, url, whole_form

pytestmark = pytest.mark.django_db


@pytest.fixture
def revision(sam):
    return make_revision(author=sam, lines=0)


@pytest.fixture
def line(revision):
    return make_line(revision, unit_cost=Decimal(80), unit_price=Decimal(100))


# A row at a time


def test_a_saved_row_swaps_outputs_only(sam_client, line):
    response = save_row(sam_client, line, quantity="1,152")

    page = response.content.decode()
    assert (response.status_code, line.quantity) == (200, 1152)
    assert "S$115,200.00" in page  # the amount
    assert "S$125,568.00" in page  # the total
    assert 'id="checks"' in page
    assert "Saved " in page
    typed_into = [tag for tag in page.split("<input")[1:] if "hidden" not in tag]
    assert typed_into == []


def test_typing_a_margin_tells_the_row_its_price(sam_client, line):
    response = save_row(sam_client, line, margin_percent="50 %")

    detail = told(response, "line-saved")
    assert detail["texts"]["unit_price"] == "160.00"
    assert (detail["lead"], detail["version"]) == ("margin", 2)
    assert detail["typed"] == {"margin_percent": "50 %"}
    assert line.unit_price == 160


def test_typing_a_price_tells_the_row_its_margin(sam_client, line):
    response = save_row(sam_client, line, unit_price="S$ 1,60.00")

    detail = told(response, "line-saved")
    assert (detail["texts"]["margin_percent"], detail["lead"]) == ("50", "price")


def test_only_what_was_typed_is_saved(sam_client, line):
    """Other cells of the page may be older than the row: they must not undo it."""
    stale = row_of(line, quantity="3") | {f"{line.pk}-unit_price": "1.00"}

    sam_client.post(url("line_save", line.revision_id, line.pk), stale, headers=HTMX)

    line.refresh_from_db()
    assert (line.quantity, line.unit_price) == (3, 100)


@pytest.mark.parametrize(
    ("field", "typed", "message"),
    [
        ("quantity", "", "Line 1: enter a quantity"),
        ("quantity", "many", "Line 1: enter a quantity in figures"),
        ("quantity", "-4", "Line 1: enter a quantity above zero and up to 1,000,000"),
        ("unit_price", "1.23456", "Line 1: enter an amount with at most 4 decimals"),
        ("unit_price", "-1", "Line 1: enter a price of zero or more"),
        ("unit_price", "NaN", "Line 1: enter an amount in figures"),
        ("unit_cost", "1e99", "Line 1: enter an amount of at most 11 digits"),
        ("margin_percent", "100", "Line 1: enter a margin under 100%"),
        ("lead_weeks_min", "soon", "Line 1: enter the lead time in whole weeks"),
        ("lead_weeks_max", "900", "Line 1: enter a lead time of 0 to 260 weeks"),
    ],
)
def test_a_bad_cell_is_named_and_nothing_is_saved(
    sam_client, line, field, typed, message
):
    response = save_row(sam_client, line, **{field: typed})

    assert response.status_code == 422
    assert told(response, "line-refused")["errors"] == {field: message}
    assert line.row_version == 1


def test_an_amount_beyond_what_fits_is_refused_in_words(sam_client, line):
    response = save_row(
        sam_client, line, quantity="1000000", unit_price="99,999,999,999"
    )

    errors = told(response, "line-refused")["errors"]
    assert errors == {"unit_price": "Line 1: an amount is beyond 9,999,999,999,999.99."}


def test_a_margin_without_a_cost_asks_for_it(sam_client, line):
    response = save_row(sam_client, line, unit_cost="", margin_percent="20")

    errors = told(response, "line-refused")["errors"]
    assert errors["margin_percent"].startswith("Line 1: enter the cost first")


def save_as_raj(line, **changes):
    raj = make_staff("raj@example.com", name="Raj Nair")
    theirs = Line.objects.get(pk=line.pk)
    save_line(line=theirs, changes=changes, version=1, by=raj, now=timezone.now())


def test_a_conflict_says_who_and_when_and_shows_their_version(sam_client, line):
    save_as_raj(line, quantity=Decimal(9))

    response = save_row(sam_client, line, unit_price="1")

    assert response.status_code == 409
    detail = told(response, "line-conflict")
    now = timezone.localtime()
    assert detail["message"] in {
        f"Raj Nair changed line 1 at {moment:%H:%M}."
        for moment in (now, now - timedelta(minutes=1))
    }
    assert (detail["texts"]["quantity"], detail["version"]) == ("9", 2)
    assert (line.quantity, line.unit_price) == (9, 100)


def test_keeping_mine_saves_on_their_version(sam_client, line):
    save_as_raj(line, quantity=Decimal(9))
    again = row_of(line, unit_price="1") | {f"{line.pk}-version": 2}

    sam_client.post(url("line_save", line.revision_id, line.pk), again, headers=HTMX)

    line.refresh_from_db()
    assert (line.quantity, line.unit_price) == (9, 1)


def test_a_row_without_news_is_answered_too(sam_client, line):
    response = save_row(sam_client, line)

    assert (response.status_code, line.row_version) == (200, 1)


def test_a_line_of_another_quote_is_not_found_here(sam_client, line):
    other = make_revision(lines=1)

    address = url("line_save", other.pk, line.pk)

    assert sam_client.post(address, row_of(line), headers=HTMX).status_code == 404


@pytest.mark.parametrize("status", ["pending_approval", "sending", "sent", "accepted"])
def test_nothing_of_a_sent_quote_is_found_by_a_write(sam_client, line, status):
    Revision.objects.update(status=status)

    for name in ("line_save", "line_remove", "line_move"):
        address = url(name, line.revision_id, line.pk)
        assert sam_client.post(address, row_of(line)).status_code == 404
    for name in ("quote", "quote_details", "line_add", "section_add", "line_paste"):
        assert sam_client.post(url(name, line.revision_id)).status_code == 404


# The whole form, without JavaScript


def test_the_whole_form_saves_rows_and_details(sam_client, revision, line):
    other = make_line(revision, position=1)
    typed = {
        f"{line.pk}-quantity": "5",
        f"{other.pk}-margin_percent": "10",
        "message": "Thank you",
        "cc": "boss@example.com; cfo@example.com",
    }

    response = sam_client.post(url("quote", revision.pk), whole_form(revision, **typed))

    assert response.status_code == 302
    line.refresh_from_db()
    other.refresh_from_db()
    revision.refresh_from_db()
    assert (line.quantity, other.price_source) == (5, "margin")
    assert (revision.message, revision.cc) == (
        "Thank you",
        ["boss@example.com", "cfo@example.com"],
    )


def test_an_unchanged_form_changes_nothing(sam_client, revision, line):
    sam_client.post(url("quote", revision.pk), whole_form(revision))

    line.refresh_from_db()
    revision.refresh_from_db()
    assert (line.row_version, revision.row_version) == (1, 1)


def test_a_bad_row_comes_back_as_typed_and_good_ones_are_saved(
    sam_client, revision, line
):
    other = make_line(revision, position=1)
    typed = {f"{line.pk}-quantity": "4", f"{other.pk}-quantity": "four"}

    response = sam_client.post(url("quote", revision.pk), whole_form(revision, **typed))

    page = response.content.decode()
    line.refresh_from_db()
    assert (response.status_code, line.quantity) == (422, 4)
    assert "<title>Error:" in page
    assert f'href="#{other.pk}-quantity">Line 2: enter a quantity in figures' in page
    assert 'value="four" aria-invalid="true"' in page


def test_a_conflict_keeps_what_was_typed_and_shows_theirs(sam_client, revision, line):
    posted = whole_form(revision, **{f"{line.pk}-unit_price": "77"})
    save_as_raj(line, unit_price=Decimal(99))

    response = sam_client.post(url("quote", revision.pk), posted)

    page = response.content.decode()
    assert response.status_code == 409
    assert "Raj Nair changed line 1" in page
    assert 'value="77"' in page
    assert "<dd>99.00</dd>" in page
    assert f'name="{line.pk}-version" id="version-{line.pk}" value="2"' in page


def test_a_past_validity_is_refused_beside_the_field(sam_client, revision):
    posted = whole_form(revision, valid_until="1 Jan 2020")

    response = sam_client.post(url("quote", revision.pk), posted)

    assert response.status_code == 422
    assert b"Enter a date from today on." in response.content
    assert b'value="1 Jan 2020"' in response.content


def test_details_changed_by_somebody_else_are_a_conflict(sam_client, revision):
    posted = whole_form(revision, message="Mine")
    raj = make_staff("raj@example.com", name="Raj Nair")
    Revision.objects.update(message="Theirs", edited_by=raj, edited_at=timezone.now())

    for name, headers in (("quote", {}), ("quote_details", HTMX)):
        response = sam_client.post(url(name, revision.pk), posted, headers=headers)
        assert response.status_code == 409
        assert b"Raj Nair changed the details at" in response.content
    revision.refresh_from_db()
    assert revision.message == "Theirs"


def test_details_are_saved_on_their_own_and_swap_no_field(sam_client, revision):
    notice = Notice.objects.create(kind="price", title="Prices move", text="…")
    posted = whole_form(revision, to_email="new@example.com", notices=[notice.pk])

    response = sam_client.post(url("quote_details", revision.pk), posted, headers=HTMX)

    page = response.content.decode()
    revision.refresh_from_db()
    assert (response.status_code, revision.to_email) == (200, "new@example.com")
    assert list(revision.notices.all()) == [notice]
    assert 'name="to_email"' not in page
    assert 'id="stamp"' in page


def test_a_wrong_address_among_copies_is_named(sam_client, revision):
    posted = whole_form(revision, cc="boss@example.com, nobody")

    response = sam_client.post(url("quote_details", revision.pk), posted, headers=HTMX)

    assert response.status_code == 422
    assert b"nobody is not an e-mail address" in response.content


# What it costs


def count(client, method, address, data=None, **options):
    with CaptureQueriesContext(connection) as queries:
        response = getattr(client, method)(address, data, **options)
    assert response.status_code in (200, 302)
    control = ("SAVEPOINT", "RELEASE")  # a transaction's ends, in a test's own
    return len([one for one in queries if not one["sql"].startswith(control)])


def test_saving_a_row_costs_the_same_whatever_the_lines(sam_client, revision):
    line = make_line(revision, section=revision.sections.create(title="Compute"))
    address = url("line_save", revision.pk, line.pk)

    few = count(sam_client, "post", address, row_of(line, mpn="A"), headers=HTMX)
    Line.objects.bulk_create(
        Line(revision=revision, position=n, description="x", product=make_product())
        for n in range(40)
    )
    line.refresh_from_db()
    many = count(sam_client, "post", address, row_of(line, mpn="B"), headers=HTMX)

    assert few == many
    assert many <= 12


def test_the_builder_costs_the_same_whatever_the_lines(sam_client, revision):
    make_line(revision, product=make_product())
    few = count(sam_client, "get", url("quote", revision.pk))
    for position in range(10):
        make_line(revision, position=position, product=make_product())

    assert count(sam_client, "get", url("quote", revision.pk)) == few


def test_three_hundred_lines_can_be_saved_without_a_script(sam_client, revision):
    Line.objects.bulk_create(
        Line(revision=revision, position=n, description=f"Line {n}") for n in range(300)
    )
    last = revision.lines.last()
    posted = whole_form(revision, **{f"{last.pk}-quantity": "7"})

    response = sam_client.post(url("quote", revision.pk), posted)

    last.refresh_from_db()
    assert (response.status_code, last.quantity) == (302, 7)


def test_the_largest_form_is_within_the_limit_of_fields(settings):
    fields = MAX_LINES * (len(ROW_FIELDS) + 1) + 50

    assert fields < settings.DATA_UPLOAD_MAX_NUMBER_FIELDS


def test_the_page_of_a_draft_shows_no_inline_style_or_script(
    sam_client, revision, line
):
    page = sam_client.get(url("quote", revision.pk)).content.decode()

    for banned in (" style=", " onclick=", "hx-on", "javascript:"):
        assert banned not in page


def test_editing_after_approval_makes_it_a_draft_again(sam_client, revision, line):
    Revision.objects.update(status=RevisionStatus.APPROVED)

    save_row(sam_client, line, quantity="2")

    revision.refresh_from_db()
    assert revision.status == RevisionStatus.DRAFT
