"""What a catalogue product gives a new line, and what it leaves as it was typed."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from catalog.models import Supplier, SupplierPart
from fabrics.engine import FabricSpec
from fabrics.services import save_design
from quotes.models import FxRate, Line, RequestLine
from quotes.services.library import insert_template, save_template
from quotes.services.lines import add_lines, add_product_line
from quotes.services.quotes import build_quote
from tests.factories import make_line, make_product, make_request, make_revision

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 4, 0, tzinfo=UTC)
DAY = date(2026, 11, 20)
KNOWN = {
    "warranty": "3 years, next business day",
    "lead_weeks_min": 6,
    "lead_weeks_max": 8,
    "lead_source": "the maker's list",
    "lead_as_of": DAY,
    "origin": "Taiwan",
    "hs_code": "8517.62",
}


@pytest.fixture
def product():
    return make_product(mpn="MSN3700-VS2F", **KNOWN)


@pytest.fixture
def draft(sam):
    return make_revision(lines=0, author=sam)


def part(product, name, cost, currency="SGD", **fields):
    supplier = Supplier.objects.create(name=name, currency=currency)
    return SupplierPart.objects.create(
        product=product, supplier=supplier, cost=cost, **fields
    )


def told(line, names=KNOWN):
    return {name: getattr(line, name) for name in names}


def test_a_product_brings_what_the_catalogue_knows(draft, product, sam) -> None:
    part(product, "Second", Decimal(900))
    part(product, "First", Decimal(800), is_preferred=True)

    line = add_product_line(revision=draft, product=product, by=sam, now=NOW)

    assert told(line) == KNOWN
    assert (line.supplier.name, line.unit_cost) == ("First", Decimal(800))


def test_a_product_of_which_little_is_known_leaves_the_rest_empty(draft, sam) -> None:
    line = add_product_line(revision=draft, product=make_product(), by=sam, now=NOW)

    assert (line.warranty, line.lead_weeks_min, line.lead_as_of) == ("", None, None)
    assert (line.supplier, line.unit_cost) == (None, None)


def test_what_was_pasted_stays(draft, product, sam) -> None:
    part(product, "First", Decimal(800))
    row = {
        "mpn": "msn3700-vs2f",
        "lead_weeks_max": 20,
        "unit_cost": Decimal(700),
        "unit_price": Decimal(1000),
    }

    add_lines(revision=draft, rows=[row], by=sam, now=NOW)

    line = Line.objects.get()
    assert (line.lead_weeks_min, line.lead_weeks_max) == (None, 20)
    assert (line.lead_source, line.lead_as_of) == ("", None), "not of the pasted one"
    assert (line.unit_cost, line.unit_price) == (Decimal(700), Decimal(1000))
    assert line.supplier is None, "whose cost was typed is not known"
    assert (line.warranty, line.origin) == (KNOWN["warranty"], "Taiwan")


def test_a_pasted_margin_works_with_the_cost_of_the_catalogue(
    draft, product, sam
) -> None:
    part(product, "First", Decimal(800))
    row = {"mpn": product.mpn, "margin_percent": Decimal(20)}

    add_lines(revision=draft, rows=[row], by=sam, now=NOW)

    assert Line.objects.get().unit_price == Decimal(1000)


def test_a_cost_abroad_is_converted_at_the_rate_of_the_table(
    draft, product, sam
) -> None:
    part(product, "Abroad", Decimal(1000), currency="USD")
    bare = add_product_line(revision=draft, product=product, by=sam, now=NOW)
    FxRate.objects.create(
        currency="USD", rate=Decimal("1.3456"), on=date(2026, 11, 30), source="MAS"
    )

    line = add_product_line(revision=draft, product=product, by=sam, now=NOW)

    assert (bare.supplier.name, bare.unit_cost) == ("Abroad", None)
    assert line.unit_cost == Decimal("1345.6000")


@pytest.mark.parametrize("with_prices", [True, False])
def test_a_template_keeps_its_own_words_and_gets_what_it_lacks(
    draft, product, sam, with_prices
) -> None:
    part(product, "First", Decimal(800), is_preferred=True)
    chosen = part(product, "Chosen", Decimal(850)).supplier
    source = make_revision(lines=0, author=sam)
    make_line(
        source,
        product=product,
        warranty="5 years, agreed",
        supplier=chosen,
        unit_cost=Decimal(777),
        lead_weeks_min=None,
        lead_weeks_max=None,
    )
    template = save_template(revision=source, name="One", by=sam, now=NOW)

    insert_template(
        revision=draft, template=template, with_prices=with_prices, by=sam, now=NOW
    )

    line = draft.lines.get()
    assert line.warranty == "5 years, agreed"
    assert told(line, ("lead_weeks_max", "lead_as_of", "origin")) == told(
        product, ("lead_weeks_max", "lead_as_of", "origin")
    )
    assert line.supplier == chosen, "whom somebody chose stays"
    assert line.unit_cost == (Decimal(777) if with_prices else Decimal(850))


def test_requests_and_designs_bring_the_defaults(sam, product) -> None:
    make_product(mpn="Q3400-RD", **KNOWN)
    spec = FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-x800", gpus=576)
    asked = make_request(lines=0)
    RequestLine.objects.create(request=asked, product=product, description="Switch")
    RequestLine.objects.create(
        request=asked, design=save_design(spec=spec, owner=None), description="Fabric"
    )

    draft = build_quote(request=asked, by=sam, now=NOW)

    found = {line.mpn: line for line in draft.lines.all() if line.product_id}
    assert found.keys() >= {"MSN3700-VS2F", "Q3400-RD"}
    assert all(told(line) == KNOWN for line in found.values())
    bare = next(line for line in draft.lines.all() if line.product_id is None)
    assert bare.warranty == ""


def test_many_products_take_few_queries(
    draft, sam, django_assert_max_num_queries
) -> None:
    products = [make_product() for _ in range(12)]
    for n, one in enumerate(products):
        part(one, f"Supplier {n}", Decimal(n + 1), currency="USD")
    rows = [{"mpn": one.mpn} for one in products]

    with django_assert_max_num_queries(10):
        add_lines(revision=draft, rows=rows, by=sam, now=NOW)
