"""Choices, ranges and price breaks in the builder, and as they are frozen."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from quotes.content import build_content
from quotes.models import Revision
from quotes.services import lines, quotes
from quotes.services.checks import find_problems
from quotes.services.line_copies import describe_line
from quotes.services.rules import reasons_for
from tests.factories import make_line, make_revision
from tests.quotes.builder_posts import line_form, save_row, url

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)
BREAKS = [{"from": "10", "unit_price": "95.0000"}]


@pytest.fixture
def revision(sam):
    return make_revision(author=sam, lines=0)


@pytest.fixture
def line(revision):
    return make_line(revision, quantity=Decimal(4), unit_price=Decimal(100))


def fresh(revision):
    return Revision.objects.with_lines().get(pk=revision.pk)


def problems_of(revision):
    return [one.message for one in find_problems(fresh(revision), NOW)]


def test_the_lines_own_page_saves_range_choice_and_breaks(sam_client, line):
    typed = {
        "choice": "  Leaf   switch ",
        "quantity_min": "2",
        "quantity_max": "1,000",
        "quantity_step": "2",
        "price_breaks": "from 20 at S$90\n10: 95.00",
    }

    response = sam_client.post(
        url("line_save", line.revision_id, line.pk), line_form(line, **typed)
    )

    assert response.status_code == 302
    line.refresh_from_db()
    assert line.choice == "Leaf switch"
    assert (line.quantity_min, line.quantity_max, line.quantity_step) == (2, 1000, 2)
    assert line.price_breaks == [*BREAKS, {"from": "20", "unit_price": "90.0000"}]
    assert line.unit_price == Decimal(100)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"quantity_min": "2"}, b"Enter both ends of the range"),
        ({"quantity_min": "5", "quantity_max": "5"}, b"Enter a quantity above the"),
        ({"quantity_min": "-1", "quantity_max": "5"}, b"quantity of zero or more"),
        ({"quantity_step": "2"}, b"Enter the range that the step is for"),
        ({"price_breaks": "ten: cheap"}, b"Write a price break as quantity: price"),
        ({"price_breaks": "0: 9"}, b"from a quantity above zero"),
        ({"price_breaks": "9: -1"}, b"a price of zero or more"),
        ({"price_breaks": "9: 1\n9: 2"}, b"Enter each quantity once"),
        ({"price_breaks": "9: NaN"}, b"from a quantity above zero"),
        ({"price_breaks": "9: 1.23456"}, b"prices with at most 4"),
    ],
)
def test_what_cannot_be_offered_is_refused_beside_its_field(
    sam_client, line, typed, words
):
    posted = line_form(line, **typed)

    response = sam_client.post(url("line_save", line.revision_id, line.pk), posted)

    assert response.status_code == 422
    assert words in response.content


def test_a_break_is_offered_and_never_applied(sam_client, line):
    line.price_breaks = BREAKS
    line.save()

    response = save_row(sam_client, line, quantity="12")

    assert line.unit_price == Decimal(100)
    assert b"Use S$95.00 for line 1" in response.content


def test_a_break_is_taken_with_its_button(sam_client, line):
    line.price_breaks, line.quantity = BREAKS, Decimal(12)
    line.save()

    address = url("line_break", line.revision_id, line.pk)
    sam_client.post(address, {"version": line.row_version})

    line.refresh_from_db()
    assert line.unit_price == Decimal(95)
    response = sam_client.post(address, {"version": "1"})
    assert response.status_code == 422
    assert b"changed line 1" in response.content


def test_no_break_is_taken_that_is_not_reached(sam_client, line):
    line.price_breaks = BREAKS
    line.save()

    response = sam_client.post(
        url("line_break", line.revision_id, line.pk), {"version": line.row_version}
    )

    assert b"No price break reaches this quantity" in response.content
    line.refresh_from_db()
    assert line.unit_price == Decimal(100)


def test_a_removed_line_comes_back_with_its_choices(revision, line, sam):
    line.price_breaks, line.choice = BREAKS, "Switch"
    line.quantity_min, line.quantity_max = Decimal(0), Decimal(8)
    line.save()
    line.refresh_from_db()
    before = describe_line(line)

    event = lines.remove_line(line=line, by=sam, now=NOW)
    back = lines.restore_line(revision=revision, event_pk=event.pk, by=sam, now=NOW)

    back.refresh_from_db()
    assert describe_line(back) == before


def test_a_revision_of_it_has_the_same_choices(revision, line, sam):
    line.price_breaks, line.quantity_min, line.quantity_max = BREAKS, 1, 9
    line.save()
    Revision.objects.filter(pk=revision.pk).update(status="sent")

    copy = quotes.revise_quote(revision=fresh(revision), by=sam, now=NOW)

    again = copy.lines.get()
    assert (again.price_breaks, again.quantity_max) == (BREAKS, 9)


def test_the_content_holds_what_may_be_chosen_as_strings(revision, line):
    line.choice, line.price_breaks = "Switch", BREAKS
    line.quantity_min, line.quantity_max = Decimal("0.000"), Decimal("8.000")
    line.save()
    make_line(revision, position=1, kind="alternative", choice="Switch")

    content = build_content(fresh(revision), now=NOW)

    entry = content["sections"][0]["lines"][0]
    assert entry["range"] == {"min": "0", "max": "8", "step": "1"}
    assert entry["breaks"] == BREAKS
    assert content["choices"] == [{"name": "Switch", "default": 1, "lines": [1, 2]}]
    assert content["totals"]["net"] == "400.00"


def test_an_alternative_names_what_it_replaces(revision, line):
    other = make_line(revision, position=1, kind="alternative")
    assert "Line 2: say what it is an alternative to" in " ".join(problems_of(revision))

    other.choice = line.choice = "Switch"
    other.save(), line.save()
    assert not [words for words in problems_of(revision) if "choice" in words]


def test_of_a_choice_exactly_one_line_counts(revision, line):
    for position, kind in ((1, "standard"), (2, "alternative")):
        make_line(revision, position=position, kind=kind, choice="Switch")
    line.choice = "Switch"
    line.save()

    words = "of the choice Switch 2 lines would count; make one standard."
    assert f"Line 1: {words}" in problems_of(revision)
    revision.lines.filter(kind="alternative").update(choice="Cable")
    assert any("of the choice Cable no line would" in w for w in problems_of(revision))


@pytest.mark.parametrize(
    ("low", "high", "step", "words"),
    [
        (5, 9, None, "the quantity is not from 5 to 9."),
        (1, 9, 2, "the quantity is not 1 and steps of 2."),
    ],
)
def test_the_quoted_quantity_is_one_that_may_be_chosen(
    revision, line, low, high, step, words
):
    line.quantity_min, line.quantity_max, line.quantity_step = low, high, step
    line.save()

    assert f"Line 1: {words}" in problems_of(revision)


def test_breaks_reach_down_to_the_smallest_quantity(revision, line):
    line.quantity, line.price_breaks = Decimal(20), BREAKS
    line.quantity_min, line.quantity_max = Decimal(1), Decimal(40)
    line.save()

    assert "Line 1: add the price from 1." in problems_of(revision)


def test_a_price_break_below_cost_asks_for_approval(revision, line):
    """Else a low break would be the way around the rules."""
    line.unit_cost, line.price_breaks = Decimal(80), BREAKS
    line.quantity_min, line.quantity_max = Decimal(1), Decimal(20)
    line.save()
    assert reasons_for(fresh(revision)) == []

    line.price_breaks = [{"from": "10", "unit_price": "79.0000"}]
    line.save()
    words = " ".join(reason.words for reason in reasons_for(fresh(revision)))

    assert "The margin of line 1 from 10 is -1.3%." in words
    assert "Below cost: line 1." in words


def test_the_most_that_may_be_ordered_asks_for_approval(revision, line):
    line.unit_cost = Decimal(80)
    line.quantity_min, line.quantity_max = Decimal(1), Decimal(20_000)
    line.save()

    words = [reason.words for reason in reasons_for(fresh(revision))]

    assert words == ["The total before GST is S$2,000,000.00, over S$1,000,000.00."]


def test_the_largest_quantity_fits_an_amount(revision, line):
    line.unit_price = Decimal("99999999999")
    line.quantity_min, line.quantity_max = Decimal(1), Decimal("999999999")
    line.save()

    words = "Line 1: the amount of the largest quantity is too large."
    assert words in problems_of(revision)
