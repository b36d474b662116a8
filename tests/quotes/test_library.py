"""Templates, copies of earlier quotes, price memory, and what has moved since."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
import time_machine

from quotes.errors import QuoteError
from quotes.memory import last_costs, remember
from quotes.models import Line, QuoteTemplate, Section
from quotes.pricing import Kind
from quotes.services.library import copy_lines, insert_template, save_template
from quotes.services.repricing import find_movements, take_movements
from quotes.states import RevisionStatus
from tests.factories import make_line, make_product, make_request, make_revision

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 4, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _noon():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def draft(sam):
    return make_revision(lines=0, author=sam)


@pytest.fixture
def earlier(sam):
    """A quote that was sent, with a section, a rounding line and a text."""
    revision = make_revision(
        lines=0,
        author=sam,
        status=RevisionStatus.SENT,
        sent_at=NOW - timedelta(days=30),
        valid_until=date(2026, 12, 20),
    )
    section = Section.objects.create(revision=revision, title="Fabric")
    make_line(
        revision,
        section=section,
        mpn="Q3400-RA",
        description="Switch",
        unit_price=Decimal("100.5000"),
        unit_cost=Decimal("80.0000"),
        quantity=4,
    )
    make_line(revision, kind=Kind.TEXT, description="Racked by others", mpn="")
    make_line(revision, kind=Kind.ROUNDING, unit_price=Decimal("0.01"), mpn="")
    return revision


def lines_of(revision):
    return list(revision.lines.order_by("position", "pk"))


def test_a_template_brings_its_lines_under_its_sections(draft, earlier, sam) -> None:
    template = save_template(revision=earlier, name=" Small  rack ", by=sam, now=NOW)

    count = insert_template(
        revision=draft, template=template, with_prices=True, by=sam, now=NOW
    )

    assert (str(template), count) == ("Small rack", 2)
    lines = {line.description: line for line in lines_of(draft)}
    switch = lines["Switch"]
    assert switch.section.title == "Fabric"
    assert (switch.unit_price, switch.unit_cost) == (Decimal("100.5"), Decimal(80))
    assert lines["Racked by others"].section is None
    assert Kind.ROUNDING not in {line.kind for line in lines.values()}


def test_a_template_is_a_copy(draft, earlier, sam) -> None:
    template = save_template(revision=earlier, name="Rack", by=sam, now=NOW)
    earlier.lines.all().delete()
    earlier.sections.all().delete()

    insert_template(
        revision=draft, template=template, with_prices=True, by=sam, now=NOW
    )

    assert len(lines_of(draft)) == 2


def test_the_draft_s_own_section_of_that_name_is_used(draft, earlier, sam) -> None:
    own = Section.objects.create(revision=draft, title="Fabric")
    template = save_template(revision=earlier, name="Rack", by=sam, now=NOW)
    for _ in range(2):
        insert_template(
            revision=draft, template=template, with_prices=True, by=sam, now=NOW
        )
    assert list(draft.sections.all()) == [own]
    assert own.lines.count() == 2


def test_without_prices_a_copy_has_today_s_list_price_and_no_cost(
    draft, earlier, sam
) -> None:
    product = make_product(price=Decimal("109.00"))
    listed = make_line(
        earlier, product=product, mpn=product.mpn, unit_price=1, unit_cost=1
    )
    lines = [*earlier.lines.filter(mpn="Q3400-RA"), listed]

    copy_lines(
        revision=draft, source=earlier, lines=lines, with_prices=False, by=sam, now=NOW
    )

    unpriced, priced = lines_of(draft)
    assert (unpriced.unit_price, unpriced.unit_cost) == (None, None)
    assert (priced.unit_price, priced.unit_cost) == (Decimal("100"), None)
    assert priced.product == product


def test_prices_of_another_currency_are_not_copied(draft, earlier, sam) -> None:
    earlier.currency = "USD"
    earlier.save()
    with pytest.raises(QuoteError, match="without their prices"):
        copy_lines(
            revision=draft,
            source=earlier,
            lines=list(earlier.lines.all()),
            with_prices=True,
            by=sam,
            now=NOW,
        )


def test_what_was_sent_takes_no_copies(earlier, sam) -> None:
    template = save_template(revision=earlier, name="Rack", by=sam, now=NOW)
    with pytest.raises(QuoteError, match="no longer a draft"):
        insert_template(
            revision=earlier, template=template, with_prices=True, by=sam, now=NOW
        )
    assert earlier.lines.count() == 3


def test_templates_are_listed_renamed_removed_and_put_back(
    sam_client, earlier, draft, sam
) -> None:
    make_line(draft, description="Only line")
    url = f"/desk/quotes/{draft.pk}/template/"
    sam_client.post(url, {"name": "Mine"})
    template = QuoteTemplate.objects.get()
    change = f"/desk/templates/{template.pk}/"

    sam_client.post(change, {"to": "rename", "name": "Ours"})
    assert "Ours" in sam_client.get("/desk/templates/").content.decode()
    page = sam_client.post(change, {"to": "remove"}, follow=True).content.decode()
    assert "Template “Ours” removed." in page
    assert "Ours" not in sam_client.get(f"/desk/quotes/{draft.pk}/").content.decode()
    sam_client.post(change, {"to": "restore"})
    template.refresh_from_db()
    assert (template.name, template.removed_at) == ("Ours", None)


@pytest.mark.parametrize(("name", "words"), [("", "Enter a name"), ("Rack", "already")])
def test_a_template_needs_a_name_of_its_own(earlier, sam, name, words) -> None:
    save_template(revision=earlier, name="Rack", by=sam, now=NOW)
    with pytest.raises(QuoteError, match=words):
        save_template(revision=earlier, name=name, by=sam, now=NOW)


def test_a_price_is_remembered_with_its_outcome(draft, earlier, sam) -> None:
    line = make_line(draft, mpn="q3400-ra")
    won = make_revision(
        lines=0, status=RevisionStatus.ACCEPTED, sent_at=NOW - timedelta(days=3)
    )
    make_line(won, mpn="Q3400-RA", unit_price=Decimal(95), unit_cost=None)
    for status in (RevisionStatus.DRAFT, RevisionStatus.SUPERSEDED):
        make_line(make_revision(lines=0, status=status), mpn="Q3400-RA")

    memory = remember(line, NOW)

    assert [one.outcome for one in memory.entries] == ["Won", "Open"]
    headlines = {label: entry.line.unit_price for label, entry in memory.headlines}
    assert headlines["Last quoted"] == headlines["Last won"] == Decimal(95)
    assert headlines["Last cost"] == Decimal("100.5")
    assert "Last lost" not in headlines


def test_a_remembered_price_and_cost_are_taken_by_hand(
    sam_client, draft, earlier
) -> None:
    line = make_line(draft, mpn="Q3400-RA", unit_price=None)
    source = earlier.lines.get(mpn="Q3400-RA")
    url = f"/desk/quotes/{draft.pk}/lines/{line.pk}/prices/"

    assert "Use price" in sam_client.get(url).content.decode()
    sam_client.post(url, {"from": source.pk, "take": "price"})
    sam_client.post(url, {"from": source.pk, "take": "cost"})

    line.refresh_from_db()
    assert (line.unit_price, line.unit_cost) == (Decimal("100.5"), Decimal(80))


def test_a_price_of_another_part_is_not_taken(sam_client, draft, earlier) -> None:
    line = make_line(draft, mpn="OTHER", unit_price=None)
    source = earlier.lines.get(mpn="Q3400-RA")
    url = f"/desk/quotes/{draft.pk}/lines/{line.pk}/prices/"
    sam_client.post(url, {"from": source.pk, "take": "price"})
    line.refresh_from_db()
    assert line.unit_price is None


def test_copying_finds_quotes_by_number_customer_and_part(
    sam_client, draft, earlier
) -> None:
    url = f"/desk/quotes/{draft.pk}/copy/"
    asked = earlier.quote.request
    for words in ("Q3400", asked.number, asked.company):
        found = sam_client.get(url, {"q": words}).context["found"]
        assert earlier in found
    assert sam_client.get(url, {"q": "nothing-like-it"}).context["found"] == []
    page = sam_client.get(url, {"from": earlier.pk})
    assert "Racked by others" in page.content.decode()
    pks = [line.pk for line in earlier.lines.all()]
    sam_client.post(f"{url}?from={earlier.pk}", {"line": pks, "prices": "with"})
    assert draft.lines.count() == 2


def test_what_has_moved_changes_nothing_until_it_is_picked(sam, draft) -> None:
    product = make_product(price=Decimal("218.00"))
    moved = make_line(
        draft, product=product, mpn=product.mpn, unit_price=100, unit_cost=80
    )
    still = make_line(
        draft, product=product, mpn=product.mpn, unit_price=200, unit_cost=80
    )

    (movement,) = find_movements(draft, NOW)

    assert movement.line == moved
    assert (movement.new_price, movement.new_cost) == (Decimal(200), Decimal(80))
    assert (movement.old_margin, movement.new_margin) == (Decimal(20), Decimal(60))
    moved.refresh_from_db()
    assert moved.unit_price == 100
    take_movements(
        revision=draft, picks=[(moved.pk, moved.row_version)], by=sam, now=NOW
    )
    moved.refresh_from_db()
    still.refresh_from_db()
    assert (moved.unit_price, still.row_version) == (200, 1)


def test_a_newer_cost_moves_the_price_where_the_margin_leads(sam, draft) -> None:
    line = make_line(
        draft,
        mpn="Q3400-RA",
        unit_cost=80,
        unit_price=100,
        margin_percent=20,
        price_source=Line.PriceSource.MARGIN,
        edited_at=NOW - timedelta(days=2),
    )
    newer = make_revision(lines=0, status=RevisionStatus.SENT, sent_at=NOW)
    make_line(newer, mpn="Q3400-RA", unit_cost=88, edited_at=NOW)

    (movement,) = find_movements(draft, NOW)

    assert (movement.new_cost, movement.new_price) == (88, Decimal(110))
    take_movements(revision=draft, picks=[(line.pk, 1)], by=sam, now=NOW)
    line.refresh_from_db()
    assert (line.unit_cost, line.unit_price) == (88, 110)
    assert line.price_source == Line.PriceSource.MARGIN


def test_an_older_cost_does_not_replace_a_newer_one(draft) -> None:
    make_line(draft, mpn="X-1", unit_cost=80, unit_price=100, edited_at=NOW)
    older = make_revision(lines=0)
    make_line(older, mpn="X-1", unit_cost=70, edited_at=NOW - timedelta(days=9))
    assert last_costs(draft)["X-1"].unit_cost == 70
    assert find_movements(draft, NOW) == []


def test_a_line_that_changed_since_it_was_looked_at_is_refused_whole(
    sam, draft
) -> None:
    product = make_product(price=Decimal("218.00"))
    lines = [
        make_line(draft, product=product, mpn=product.mpn, unit_price=n) for n in (1, 2)
    ]
    picks = [(lines[0].pk, 1), (lines[1].pk, 7)]
    with pytest.raises(QuoteError):
        take_movements(revision=draft, picks=picks, by=sam, now=NOW)
    assert [line.unit_price for line in lines_of(draft)] == [1, 2]


def test_revising_leads_to_what_has_moved(sam_client, sam) -> None:
    product = make_product(price=Decimal("218.00"))
    sent = make_revision(
        lines=0,
        author=sam,
        status=RevisionStatus.SENT,
        request=make_request(status="quoted", owner=sam),
    )
    make_line(sent, product=product, mpn=product.mpn, unit_price=100)

    response = sam_client.post(f"/desk/quotes/{sent.pk}/revise/", follow=True)

    assert response.redirect_chain[0][0].endswith("/reprice/")
    page = response.content.decode()
    assert "S$100.00" in page
    assert "S$200.00" in page
    draft = sent.quote.revisions.get(n=2)
    assert draft.lines.get().unit_price == 100


def test_what_lines_lack_is_filled_in_and_what_they_have_stays(
    sam_client, draft
) -> None:
    bare = make_line(draft, lead_weeks_min=None, lead_weeks_max=None, warranty="")
    own = make_line(draft, lead_weeks_min=2, lead_weeks_max=3, warranty="1 year")
    text = make_line(draft, kind=Kind.TEXT, lead_weeks_min=None, lead_weeks_max=None)
    data = {"fill_from": "8", "fill_to": "12", "fill_warranty": "3 years"}

    response = sam_client.post(f"/desk/quotes/{draft.pk}/lines/fill/", data)

    assert response.status_code == 302
    for line in (bare, own, text):
        line.refresh_from_db()
    assert (bare.lead_weeks_min, bare.lead_weeks_max, bare.warranty) == (
        8,
        12,
        "3 years",
    )
    assert (bare.lead_as_of, bare.row_version) == (date(2026, 12, 1), 3)
    assert (own.lead_weeks_min, own.warranty, own.row_version) == (2, "1 year", 1)
    assert text.lead_weeks_min is None


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"fill_from": "x"},
        {"fill_from": "9", "fill_to": "3"},
        {"fill_warranty": "y" * 200},
    ],
)
def test_what_cannot_be_filled_in_is_refused(sam_client, draft, data) -> None:
    line = make_line(draft, lead_weeks_min=None, lead_weeks_max=None, warranty="")
    page = sam_client.post(f"/desk/quotes/{draft.pk}/lines/fill/", data, follow=True)
    assert "callout bad" in page.content.decode()
    line.refresh_from_db()
    assert (line.lead_weeks_min, line.warranty) == (None, "")


def test_without_prices_there_are_no_price_breaks_either(draft, earlier, sam) -> None:
    breaks = [{"from": "6", "unit_price": "90.0000"}]
    earlier.lines.filter(mpn="Q3400-RA").update(price_breaks=breaks)
    template = save_template(revision=earlier, name="Rack", by=sam, now=NOW)

    for with_prices, kept in ((False, []), (True, breaks)):
        draft.lines.all().delete()
        insert_template(
            revision=draft, template=template, with_prices=with_prices, by=sam, now=NOW
        )
        assert draft.lines.get(mpn="Q3400-RA").price_breaks == kept


def test_a_price_that_moves_with_the_rate_alone_says_so(draft) -> None:
    draft.currency, draft.fx_rate = "USD", Decimal("1.5")
    draft.save()
    make_line(
        draft,
        unit_cost=100,
        unit_price=100,
        margin_percent=20,
        price_source=Line.PriceSource.MARGIN,
    )

    (movement,) = find_movements(draft, NOW)

    assert movement.because == ("Margin at the exchange rate of the quote",)
