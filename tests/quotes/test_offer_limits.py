"""What a customer's choice may bring out is looked at before it is offered."""

from __future__ import annotations

from decimal import Decimal

import pytest

from quotes.models import Line, Revision
from quotes.offer_limits import chosen_margins, lines_below_cost, most_net


def line(price="100", cost="90", **fields):
    costs = None if cost is None else Decimal(cost)
    return Line(
        revision=Revision(), unit_price=Decimal(price), unit_cost=costs, **fields
    )


BREAKS = [{"from": "10", "unit_price": "95"}, {"from": "50", "unit_price": "88"}]


def test_the_standing_price_is_no_choice():
    assert chosen_margins([(1, line())]) == {}


@pytest.mark.parametrize("kind", ["optional", "alternative"])
def test_an_option_has_a_margin_of_its_own(kind):
    margins = chosen_margins([(2, line(kind=kind, discount_percent=Decimal(10)))])

    assert margins == {"of option line 2": Decimal(0)}


def test_a_price_break_has_a_margin_of_its_own():
    margins = chosen_margins([(1, line(price_breaks=BREAKS))])

    assert [*margins] == ["of line 1 from 10", "of line 1 from 50"]
    assert margins["of line 1 from 50"] < 0


def test_an_option_without_cost_has_an_unknown_margin():
    assert chosen_margins([(1, line(kind="optional", cost=None))]) == {
        "of option line 1": None
    }


def test_a_break_or_an_option_may_be_what_is_below_cost():
    lines = [
        line(),
        line(price_breaks=BREAKS),
        line(price="89", kind="optional"),
        line(price="89"),
        line(price="90"),
        line(price="1", kind="text"),
    ]

    assert lines_below_cost(list(enumerate(lines, start=1))) == (2, 3, 4)


def test_the_most_takes_every_option_and_the_end_of_each_range():
    lines = [
        line(),
        line(kind="optional"),
        line(quantity_min=Decimal(1), quantity_max=Decimal(20), price_breaks=BREAKS),
    ]

    assert most_net(lines) == Decimal("2100.00")


def test_of_a_choice_the_dearest_counts_once():
    lines = [
        line(choice="Switch"),
        line("150", choice="Switch", kind="alternative"),
        line("120", choice="Switch", kind="alternative"),
    ]

    assert most_net(lines) == Decimal("150.00")


def test_a_discount_on_the_whole_is_in_the_margin_of_a_choice():
    option = [(1, line(kind="optional"))]

    assert chosen_margins(option, Decimal(10)) == {"of option line 1": Decimal(0)}
    assert lines_below_cost(option, Decimal(10)) == ()
    assert lines_below_cost(option, Decimal("10.0001")) == (1,)
