"""For any lawful choice, page, PDF, record, order and letter say the same amounts."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.template.loader import render_to_string
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quotes.bought import bought_content, bought_lines, totals_of
from quotes.choosing import Choice
from quotes.content import build_content
from quotes.models import Acceptance, Revision
from quotes.pdf import figure, quote_parts
from quotes.services.choices import settle_choice
from sourceit.money import format_money
from tests.factories import make_line, make_revision

pytestmark = pytest.mark.django_db
prices = st.decimals(Decimal("0.0001"), Decimal(99_999), places=4)

CHOICES = st.builds(
    Choice,
    options=st.sets(st.just(4)).map(frozenset),
    picks=st.fixed_dictionaries({}, optional={"Cable": st.sampled_from([2, 3])}),
    quantities=st.fixed_dictionaries({}, optional={1: st.integers(0, 40).map(Decimal)}),
)


@pytest.fixture
def content(sam):
    """A range with a break, one of two, an option; one of them is zero-rated."""
    revision = make_revision(author=sam, lines=0)
    make_line(
        revision,
        description="Switch",
        quantity=Decimal(4),
        quantity_min=Decimal(0),
        quantity_max=Decimal(40),
        price_breaks=[{"from": "6", "unit_price": "1.0000"}],
    )
    for position, kind in ((1, "standard"), (2, "alternative")):
        make_line(
            revision,
            description=kind,
            position=position,
            kind=kind,
            choice="Cable",
            quantity=Decimal(7),
        )
    make_line(revision, position=3, kind="optional", tax="zero_rated")
    whole = Revision.objects.with_lines().get(pk=revision.pk)
    return build_content(whole, now=timezone.now())


@settings(
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(choice=CHOICES, each=st.lists(prices, min_size=5, max_size=5))
def test_whatever_is_chosen_every_paper_has_the_same_total(content, choice, each):
    revision = Revision(content=_priced(content, each), currency="SGD")
    chosen = settle_choice(revision, choice)
    gross = Decimal(chosen["totals"]["gross"])
    acceptance = Acceptance(
        revision=revision, chosen=chosen, gross=gross, currency="SGD"
    )
    bought = bought_content(acceptance)

    page = render_to_string("quotes/_choose.html#chosen", {"chosen": bought})
    shown = render_to_string(
        "quotes/customer/_totals.html", {"content": totals_of(acceptance)}
    )
    paper = "".join(quote_parts(bought, is_draft=False))

    nets = sum((Decimal(line["net"]) for line in bought_lines(acceptance)), Decimal(0))
    assert nets == Decimal(bought["totals"]["net"])
    assert f'value="{gross}"' in page
    assert format_money(gross, "SGD") in page
    assert format_money(gross, "SGD") in shown
    assert f"S${figure(str(gross))}" in paper
    assert bought["totals"]["gross"] == str(acceptance.gross)


def _priced(content, each):
    """Put other prices into the content; its own totals are not read by a choice."""
    prices = iter(each)
    parts = [
        {**part, "lines": [_at(line, next(prices)) for line in part["lines"]]}
        for part in content["sections"]
    ]
    options = [_at(line, next(prices)) for line in content["options"]]
    (breaks,) = (line["breaks"] for line in parts[0]["lines"] if line["breaks"])
    breaks[0] = {"from": "6", "unit_price": str(next(prices))}
    return {**content, "sections": parts, "options": options}


def _at(line, price):
    return {**line, "unit_price": str(price)}
