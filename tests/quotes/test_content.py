"""What a customer sees of a revision, and what must never be in it."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest

from catalog.models import Notice
from quotes.content import (
    build_content,
    content_of,
    hash_content,
    lead_time_words,
)
from quotes.models import Line, Revision, Terms
from sourceit.models import TaxRate
from tests.factories import make_line, make_product, make_revision

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)


def build(revision, now=NOW):
    return build_content(Revision.objects.with_lines().get(pk=revision.pk), now=now)


@pytest.fixture
def revision(sam):
    return make_revision(author=sam, lines=1, valid_until=date(2026, 12, 15))


def test_cost_margin_and_notes_are_never_part_of_it(revision):
    line = revision.lines.get()
    line.unit_cost, line.margin_percent = Decimal("12345.67"), Decimal("44.44")
    line.price_source = Line.PriceSource.MARGIN
    line.save()
    revision.internal_note = "Walk away below 40%"
    revision.save()

    text = json.dumps(build(revision))

    for secret in ("12345.67", "44.44", "Walk away", "cost", "margin", "internal"):
        assert secret not in text


def test_it_is_plain_json_without_floats(revision):
    def refuse(number):
        raise AssertionError(f"a float: {number}")

    content = build(revision)

    assert json.loads(json.dumps(content), parse_float=refuse) == content


def test_totals_are_those_of_the_lines(revision):
    make_line(revision, position=1, unit_price=Decimal("1.25"), quantity=Decimal(4))
    make_line(revision, position=2, kind="optional", unit_price=Decimal(900))
    make_line(revision, position=3, kind="rounding", unit_price=Decimal("-0.02"))

    content = build(revision)

    nets = [
        Decimal(one["net"]) for part in content["sections"] for one in part["lines"]
    ]
    assert sum(nets) == Decimal(content["totals"]["net"]) == Decimal("26173.12")
    assert content["totals"]["rounding"] == "-0.02"
    assert content["totals"]["gross"] == "28528.68"
    assert [option["net"] for option in content["options"]] == ["900.00"]


def test_sections_add_up_and_keep_their_order(revision):
    for title in ("Fabric", "Compute"):
        section = revision.sections.create(title=title)
        for _ in range(2):
            make_line(revision, section=section, unit_price=Decimal(10))

    content = build(revision)

    assert [part["title"] for part in content["sections"]] == ["", "Fabric", "Compute"]
    assert [part["net"] for part in content["sections"][1:]] == ["20.00", "20.00"]
    numbers = [one["number"] for part in content["sections"] for one in part["lines"]]
    assert numbers == [1, 2, 3, 4, 5]


def test_gst_is_that_of_the_day_of_issue(revision):
    TaxRate.objects.create(
        percent=Decimal(10), valid_from=date(2027, 1, 1), source="a test"
    )
    last_day = datetime(2026, 12, 31, 15, 59, 59, tzinfo=UTC)

    before = build(revision, last_day)["totals"]["taxes"][0]["percent"]
    after = build(revision, last_day + timedelta(seconds=1))["totals"]["taxes"][0]

    assert before == "9"
    assert after["percent"] == "10"


def test_a_discount_is_printed_as_it_is_stored(revision):
    """Pitfall 46: 9.50% printed as 9.00%."""
    make_line(revision, position=1, discount_percent=Decimal("9.5000"))

    assert build(revision)["sections"][0]["lines"][1]["discount_percent"] == "9.5"


def test_an_unpriced_line_is_empty_and_the_whole_not_complete(revision):
    make_line(revision, position=1, unit_price=None)

    content = build(revision)

    line = content["sections"][0]["lines"][1]
    assert (line["unit_price"], line["net"]) == ("", "")
    assert content["is_complete"] is False


def test_what_is_printed_is_copied_not_looked_up(revision):
    product = make_product(name="Old name")
    Line.objects.update(product=product, description="As quoted")
    product.delete()

    assert build(revision)["sections"][0]["lines"][0]["description"] == "As quoted"


def test_notices_and_terms_go_with_it_as_text(revision):
    notice = Notice.objects.create(kind="supply", title="Late", text="Six weeks more.")
    revision.notices.add(notice)
    revision.terms = Terms.objects.create(
        version="7", valid_from=date(2026, 1, 1), clauses=[{"title": "A", "text": "B"}]
    )
    revision.save()

    content = build(revision)

    assert content["notices"][0]["text"] == "Six weeks more."
    assert content["terms"]["clauses"] == [{"title": "A", "text": "B"}]


def test_frozen_content_is_what_is_read_whatever_the_lines_say_now(revision):
    revision.content = build(revision)
    revision.save()
    Line.objects.update(unit_price=Decimal(1))

    read = content_of(Revision.objects.get(pk=revision.pk), now=NOW)

    assert read["totals"]["gross"] == "28523.25"


def test_the_hash_changes_with_every_value_and_not_with_the_order(revision):
    content = build(revision)
    again = dict(reversed(content.items()))
    other = content | {"valid_until": "2026-12-16"}

    assert hash_content(content) == hash_content(again)
    assert hash_content(content) != hash_content(other)


@pytest.mark.parametrize(
    ("low", "high", "source", "words"),
    [
        (4, 6, "maker", "4 to 6 weeks (maker, as of 1 Dec 2026)"),
        (1, 1, "", "1 week (as of 1 Dec 2026)"),
        (None, 8, "", "8 weeks (as of 1 Dec 2026)"),
        (8, None, "", "8 weeks (as of 1 Dec 2026)"),
        (None, None, "maker", ""),
    ],
)
def test_a_lead_time_says_its_source_and_date(low, high, source, words):
    line = Line(
        lead_weeks_min=low,
        lead_weeks_max=high,
        lead_source=source,
        lead_as_of=date(2026, 12, 1),
    )

    assert lead_time_words(line) == words


def test_building_costs_the_same_whatever_the_lines(
    revision, django_assert_num_queries
):
    for position in range(1, 30):
        make_line(revision, position=position)
    loaded = Revision.objects.with_lines().get(pk=revision.pk)

    with django_assert_num_queries(
        3
    ):  # the GST rate, the approver, the revision before
        build_content(loaded, now=NOW)
