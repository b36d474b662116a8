"""Each rule at its limit, just inside and just beyond."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import pytest

from quotes.approval_rules import (
    DEFAULT_THRESHOLDS,
    Facts,
    RuleKind,
    find_reasons,
    payment_days,
    percent_words,
)
from quotes.pricing import Profit


@dataclass
class Rule:
    kind: str
    threshold: Decimal | None = None
    words: str = ""


def profit(net="100.00", cost="90.00", unknown=0):
    return Profit(net=Decimal(net), cost=Decimal(cost), unknown_costs=unknown)


def words_of(kind, threshold=None, **facts):
    limit = None if threshold is None else Decimal(threshold)
    given = {"profit": profit(), "net": Decimal(100), **facts}
    return [one.words for one in find_reasons([Rule(kind, limit)], Facts(**given))]


@pytest.mark.parametrize(
    ("cost", "fires"), [("91.99", False), ("92.00", False), ("92.01", True)]
)
def test_a_margin_at_the_floor_is_not_under_it(cost, fires):
    found = words_of("margin_under", "8", profit=profit(cost=cost))

    assert bool(found) is fires


def test_the_margin_is_told_with_enough_digits_to_differ_from_its_limit():
    found = words_of("margin_under", "8", profit=profit("10000.00", "9200.40"))

    assert found == ["The margin is 7.9960%, under 8%."]
    assert percent_words(Decimal("6.24"), Decimal(8)) == "6.2%"


def test_leaving_out_a_cost_is_no_way_around_the_margin():
    assert words_of("margin_under", "8", profit=profit(unknown=1)) == [
        "The margin is not known: 1 line has no cost."
    ]


def test_giving_everything_away_is_under_any_margin():
    assert words_of("margin_under", "0", profit=profit("0.00", "1.00")) == [
        "Everything is free of charge: the margin is under 0%."
    ]
    assert words_of("margin_under", "8", profit=profit("0.00", "0.00")) == []


def test_an_option_may_not_hide_a_low_margin():
    where = "of option line 3"
    found = words_of("margin_under", "8", chosen_margins={where: Decimal("2.5")})

    assert found == ["The margin of option line 3 is 2.5%."]
    assert words_of("margin_under", "8", chosen_margins={where: None}) != []
    assert words_of("margin_under", "8", chosen_margins={where: Decimal(8)}) == []


@pytest.mark.parametrize(("least", "fires"), [("7.9", True), ("8", False)])
def test_what_passes_alone_may_not_pass_together(least, fires):
    found = words_of("margin_under", "8", least_margin=Decimal(least))

    words = "Chosen together, options and quantities may leave a margin of 7.9%."
    assert found == ([words] if fires else [])


@pytest.mark.parametrize(("discount", "fires"), [("15", False), ("15.0001", True)])
def test_a_discount_at_the_limit_is_not_over_it(discount, fires):
    found = words_of(
        "discount_over",
        "15",
        discount=Decimal(discount),
        discount_where="of line 2",
    )

    expected = ["The discount of line 2 is 15.0001%, over 15%."] if fires else []
    assert found == expected


@pytest.mark.parametrize(
    ("net", "fires"), [("1000000.00", False), ("1000000.01", True)]
)
def test_a_total_at_the_limit_is_not_over_it(net, fires):
    found = words_of("total_over", "1000000", net=Decimal(net))

    words = "The total before GST is S$1,000,000.01, over S$1,000,000.00."
    assert found == ([words] if fires else [])


def test_a_total_that_cannot_be_told_in_home_currency_fires():
    assert words_of("total_over", "5", net=None) == ["The total cannot be told in S$."]


def test_below_cost_names_the_lines():
    assert words_of("below_cost", below_cost=(2,)) == ["Below cost: line 2."]
    assert words_of("below_cost", below_cost=(2, 5)) == ["Below cost: lines 2, 5."]
    assert words_of("below_cost") == []


@pytest.mark.parametrize(
    ("terms", "days"),
    [
        ("30 days from invoice", 30),
        ("31 days", 31),
        ("Net 60", 60),
        ("net-45", 45),
        ("45", 45),
        ("50% deposit, balance 2 months from delivery", 60),
        ("6 weeks", 42),
        ("90-day account", 90),
        ("In advance", 0),
        ("Cash on delivery", 0),
        ("", 0),
        ("As agreed", None),
        ("Ninety days", None),
    ],
)
def test_payment_terms_are_read_as_days(terms, days):
    assert payment_days(terms) == days


@pytest.mark.parametrize(
    ("terms", "found"),
    [
        ("30 days", []),
        ("31 days", ["Payment is due after 31 days, later than 30."]),
        ("As agreed", ["The payment terms name no days: “As agreed”."]),
    ],
)
def test_payment_later_than_the_limit_or_unreadable_fires(terms, found):
    assert words_of("payment_over", "30", payment_terms=terms) == found


def test_an_unscreened_item_fires_with_its_own_words():
    assert words_of("unscreened", unscreened="Not screened.") == ["Not screened."]
    assert words_of("unscreened") == []


def test_the_words_of_a_rule_follow_its_reason():
    rule = Rule("below_cost", words="Ask Raj first.")
    facts = Facts(profit=profit(), net=Decimal(1), below_cost=(1,))

    (reason,) = find_reasons([rule], facts)

    assert reason.words == "Below cost: line 1. Ask Raj first."


def test_every_kind_has_a_default():
    assert set(DEFAULT_THRESHOLDS) == set(RuleKind)
