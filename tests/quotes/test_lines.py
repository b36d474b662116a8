"""Editing a draft's lines: price and margin, conflicts, undo, order, rounding."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from quotes.errors import QuoteError
from quotes.models import Line, Revision
from quotes.models.requests import MAX_LINES
from quotes.services import lines as lines_module
from quotes.services.line_copies import describe_line
from quotes.services.lines import (
    EditConflict,
    add_line,
    add_lines,
    add_product_line,
    move_line,
    number_of,
    remove_line,
    restore_line,
    save_line,
)
from quotes.services.rounding import set_rounding
from quotes.services.sections import add_section, remove_section, rename_section
from quotes.states import RevisionStatus
from sourceit.money import MoneyError
from tests.factories import make_line, make_product, make_revision, make_staff

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 2, 14, tzinfo=UTC)  # 10:14 in Singapore


@pytest.fixture
def line():
    revision = make_revision(lines=0)
    return make_line(revision, unit_cost=Decimal(80), unit_price=Decimal(100))


def save(line, by, **changes):
    version = changes.pop("version", line.row_version)
    save_line(line=line, changes=changes, version=version, by=by, now=NOW)
    line.refresh_from_db()


def test_typing_a_margin_sets_the_price_and_leads(sam, line):
    save(line, sam, margin_percent=Decimal(50))

    assert line.unit_price == Decimal("160.0000")
    assert (line.price_source, line.margin_percent) == ("margin", Decimal(50))


def test_typing_a_price_after_a_margin_leads_again(sam, line):
    save(line, sam, margin_percent=Decimal(50))

    save(line, sam, unit_price=Decimal(90))

    assert (line.price_source, line.margin_percent) == ("price", None)
    assert line.unit_price == 90


def test_of_price_and_margin_the_last_typed_leads(sam, line):
    save(line, sam, unit_price=Decimal(1), margin_percent=Decimal(20))
    assert (line.price_source, line.unit_price) == ("margin", 100)

    save(line, sam, margin_percent=Decimal(20), unit_price=Decimal(120))
    assert (line.price_source, line.unit_price) == ("price", 120)


def test_a_leading_margin_moves_the_price_with_cost_and_discount(sam, line):
    save(line, sam, margin_percent=Decimal(20))

    save(line, sam, unit_cost=Decimal(160))
    assert line.unit_price == 200

    save(line, sam, discount_percent=Decimal(20))
    assert line.unit_price == 250
    assert line.net == Decimal("200.00")


def test_a_leading_price_stays_when_the_cost_moves(sam, line):
    save(line, sam, unit_cost=Decimal(95))

    assert line.unit_price == 100


def test_a_quantity_never_changes_a_price(sam, line):
    save(line, sam, margin_percent=Decimal(20))

    save(line, sam, quantity=Decimal(500))

    assert (line.unit_price, line.net) == (100, Decimal("50000.00"))


def test_a_margin_needs_a_cost(sam, line):
    save(line, sam, unit_cost=None)

    with pytest.raises(MoneyError, match="Enter the cost first"):
        save(line, sam, margin_percent=Decimal(20))


def test_emptying_the_margin_keeps_the_price(sam, line):
    save(line, sam, margin_percent=Decimal(50))

    save(line, sam, margin_percent=None)

    assert (line.price_source, line.unit_price) == ("price", 160)


def test_an_amount_that_does_not_fit_is_not_saved(sam, line):
    with pytest.raises(MoneyError, match="beyond"):
        save(line, sam, quantity=Decimal(10**6), unit_price=Decimal("99999999999"))

    line.refresh_from_db()
    assert line.unit_price == 100


def test_a_lead_time_is_dated_on_the_day_it_is_typed(sam, line):
    save(line, sam, lead_weeks_max=8)

    assert line.lead_as_of == date(2026, 12, 1)


def test_an_older_row_is_refused_with_who_and_when(sam, line):
    raj = make_staff("raj@example.com", name="Raj Nair")
    seen_by_sam = Line.objects.get(pk=line.pk)
    save(line, raj, quantity=Decimal(2))

    with pytest.raises(EditConflict, match=r"Raj Nair changed line 1 at 10:14\.") as it:
        save(seen_by_sam, sam, unit_price=Decimal(1))

    assert it.value.line.quantity == 2
    line.refresh_from_db()
    assert line.unit_price == 100


def test_a_line_that_somebody_removed_cannot_be_saved(sam, line):
    seen = Line.objects.get(pk=line.pk)
    remove_line(line=line, by=sam, now=NOW)

    with pytest.raises(QuoteError, match="removed this line"):
        save_line(line=seen, changes={"mpn": "X"}, version=1, by=sam, now=NOW)


@pytest.mark.parametrize(
    "status", [RevisionStatus.PENDING_APPROVAL, RevisionStatus.SENDING, "sent"]
)
def test_nothing_of_a_sent_quote_can_be_edited(sam, line, status):
    Revision.objects.filter(pk=line.revision_id).update(status=status)
    line.refresh_from_db()
    act = {"by": sam, "now": NOW}

    for edit in (
        lambda: save(line, sam, unit_price=Decimal(1)),
        lambda: remove_line(line=line, **act),
        lambda: move_line(line=line, up=True, **act),
        lambda: add_line(revision=line.revision, **act),
        lambda: add_section(revision=line.revision, title="X", **act),
        lambda: set_rounding(revision=line.revision, **act),
    ):
        with pytest.raises(QuoteError, match="no longer a draft"):
            edit()
    assert Line.objects.get(pk=line.pk).unit_price == 100


def test_every_edit_counts_on_the_revision(sam, line):
    save(line, sam, quantity=Decimal(2))

    revision = Revision.objects.get(pk=line.revision_id)
    assert (revision.row_version, revision.edited_by) == (2, sam)


def test_a_removed_line_can_be_put_back_whole_and_once(sam, line):
    section = line.revision.sections.create(title="Fabric")
    save(line, sam, section=section, margin_percent=Decimal(20), lead_weeks_max=8)
    before = describe_line(line)
    event = remove_line(line=line, by=sam, now=NOW)
    act = {"revision": section.revision, "event_pk": event.pk, "by": sam, "now": NOW}

    restored = restore_line(**act)

    assert describe_line(Line.objects.get(pk=restored.pk)) == before
    with pytest.raises(QuoteError, match="put back already"):
        restore_line(**act)


def test_a_line_of_another_quote_cannot_be_put_back_here(sam, line):
    event = remove_line(line=line, by=sam, now=NOW)

    with pytest.raises(QuoteError, match="no such line"):
        restore_line(revision=make_revision(), event_pk=event.pk, by=sam, now=NOW)


def test_lines_move_within_their_section_only(sam):
    revision = make_revision(lines=0)
    section = revision.sections.create(title="Fabric")
    first, second = (make_line(revision, mpn=mpn, position=0) for mpn in "AB")
    third = make_line(revision, mpn="C", section=section)

    move_line(line=second, up=True, by=sam, now=NOW)
    move_line(line=third, up=True, by=sam, now=NOW)
    move_line(line=second, up=True, by=sam, now=NOW)

    fresh = Revision.objects.get(pk=revision.pk)
    assert [line.mpn for line in fresh.lines_in_order()] == ["B", "A", "C"]
    assert number_of(Line.objects.get(pk=first.pk)) == 2


def test_a_section_that_is_removed_leaves_its_lines(sam):
    revision = make_revision(lines=0)
    section = add_section(revision=revision, title="Fabric", by=sam, now=NOW)
    line = make_line(revision, section=section)

    rename_section(section=section, title="  Optics ", by=sam, now=NOW)
    assert section.title == "Optics"
    remove_section(section=section, by=sam, now=NOW)

    line.refresh_from_db()
    assert line.section is None


def test_a_product_is_added_at_the_end_at_its_list_price(sam):
    revision = make_revision(lines=2)
    product = make_product(price=Decimal("28523.25"))

    added = add_product_line(revision=revision, product=product, by=sam, now=NOW)

    assert revision.lines_in_order()[-1] == added
    assert added.unit_price == Decimal("26168.1193")


def test_a_pasted_block_brings_products_and_keeps_what_was_pasted(sam):
    revision = make_revision(lines=1)
    make_product(mpn="MSN3700-VS2F", name="SN3700", price=Decimal("28523.25"))
    rows = [
        {"mpn": "msn3700-vs2f", "quantity": Decimal(4), "unit_cost": Decimal(20000)},
        {
            "description": "Work",
            "unit_cost": Decimal(80),
            "margin_percent": Decimal(20),
        },
    ]

    add_lines(revision=revision, rows=rows, by=sam, now=NOW)

    _old, switch, work = revision.lines_in_order()
    assert (switch.description, switch.quantity) == ("SN3700", 4)
    assert switch.unit_price == Decimal("26168.1193")
    assert (work.unit_price, work.price_source) == (100, "margin")


def test_a_quote_has_a_largest_number_of_lines(sam, monkeypatch):
    assert MAX_LINES == 1000
    monkeypatch.setattr(lines_module, "MAX_LINES", 2)
    revision = make_revision(lines=2)

    with pytest.raises(QuoteError, match="at most 2 lines"):
        add_line(revision=revision, by=sam, now=NOW)
    with pytest.raises(QuoteError, match="at most 2 lines"):
        add_lines(revision=revision, rows=[{"mpn": "A"}], by=sam, now=NOW)
    assert revision.lines.count() == 2


def listed_line(revision, quantity):
    product = make_product(price=Decimal("28523.25"))
    return make_line(
        revision,
        product=product,
        quantity=Decimal(quantity),
        unit_price=Decimal("26168.1193"),
    )


def load(revision):
    return Revision.objects.with_lines().get(pk=revision.pk)


def test_seven_at_the_list_price_get_a_rounding_line(sam):
    """F25-7: the total is exactly 7 x 28,523.25."""
    revision = make_revision(lines=0)
    listed_line(revision, 7)

    set_rounding(revision=load(revision), by=sam, now=NOW)

    assert totals(revision).gross == Decimal("199662.75")
    rounding = revision.lines.get(kind="rounding")
    assert rounding.description == "Rounding to the listed prices"


def totals(revision):
    from quotes.content import sums_of

    return sums_of(load(revision), date(2026, 12, 1)).totals


def test_setting_the_rounding_again_replaces_it(sam):
    revision = make_revision(lines=0)
    line = listed_line(revision, 7)
    set_rounding(revision=load(revision), by=sam, now=NOW)
    line.quantity = Decimal(12)
    line.save()

    set_rounding(revision=load(revision), by=sam, now=NOW)

    assert not revision.lines.filter(kind="rounding").exists()
    assert totals(revision).gross == Decimal("342279.00")


def test_no_rounding_is_made_for_a_price_of_our_own(sam):
    revision = make_revision(lines=0)
    line = listed_line(revision, 7)
    line.unit_price = Decimal("26000.0000")
    line.save()

    set_rounding(revision=load(revision), by=sam, now=NOW)

    assert not revision.lines.filter(kind="rounding").exists()
