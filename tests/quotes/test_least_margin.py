"""The least margin of all choices: found as by trying every one of them."""

from __future__ import annotations

from decimal import Decimal
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from quotes.choosing import NotOffered, unit_price_at
from quotes.least_margin import least_margin
from quotes.pricing import margin_percent
from tests.quotes.test_offer_limits import line

UP_TO_FOUR = {"quantity_min": Decimal(1), "quantity_max": Decimal(4)}


def test_nothing_open_is_nothing_to_look_at():
    assert least_margin([line(), line("200")]) is None


def test_two_options_that_pass_alone_may_not_pass_together():
    """200 of 300 at cost 60: 20 %; each option at 10 % leaves more than both."""
    lines = [line("100", "50"), *[line("100", "90", kind="optional")] * 2]

    assert round(least_margin(lines), 4) == Decimal("23.3333")
    assert round(least_margin(lines[:2]), 4) == Decimal("30.0000")


def test_fewer_of_what_earns_and_more_of_what_does_not():
    earns = line("100", "50", quantity=Decimal(4), **UP_TO_FOUR)
    costs = line("100", "95", quantity=Decimal(1), **UP_TO_FOUR)

    assert least_margin([earns, costs]) == Decimal("14")  # 1 x 50 and 4 x 95 of 500


def test_a_break_is_reached_in_steps():
    """From 1 in steps of 2 the break at 4 is reached with 5, and 4 is no quantity."""
    steps = {"quantity_step": Decimal(2), "quantity_max": Decimal(6)}
    breaks = [{"from": "4", "unit_price": "60"}]
    lines = [line("100", "50", price_breaks=breaks, **(UP_TO_FOUR | steps))]

    assert round(least_margin(lines), 4) == Decimal("16.6667")


def test_the_discount_on_the_whole_counts_and_unknown_costs_do_not():
    lines = [line("100", "50"), line("100", "90", kind="optional")]

    assert least_margin(lines, Decimal(20)) == Decimal("12.5")
    assert least_margin([*lines, line(cost=None)], Decimal(20)) == Decimal("12.5")
    assert least_margin(lines, Decimal(100)) is None


def _picks(one):
    """Every lawful (net, cost) of a line, by the rule that settles a choice."""
    entry = {
        "number": 1,
        "unit_price": str(one.unit_price),
        "quantity": str(one.quantity),
        "breaks": one.price_breaks,
    }
    quantities = {one.quantity}
    if one.quantity_max:
        quantities |= {Decimal(n) for n in range(1, int(one.quantity_max) + 1)}
    for quantity in quantities:
        try:
            price = unit_price_at(entry, quantity)
        except NotOffered:
            continue
        yield quantity * price, quantity * one.unit_cost


def _every_choice(lines):
    groups, choices = [], {}
    for one in lines:
        picks = list(_picks(one))
        if one.kind == "optional":
            groups.append([(Decimal(0), Decimal(0)), *picks])
        elif one.choice:
            choices.setdefault(one.choice, []).extend(picks)
        else:
            groups.append(picks)
    for picked in product(*groups, *choices.values()):
        net = sum(net for net, _cost in picked)
        if net:
            yield margin_percent(net, sum(cost for _net, cost in picked))


prices = st.integers(1, 300).map(str)


@st.composite
def open_lines(draw):
    kind = draw(st.sampled_from(["standard", "optional"]))
    fields = {"kind": kind, "quantity": Decimal(draw(st.integers(1, 4)))}
    if draw(st.booleans()):
        fields |= UP_TO_FOUR
    if draw(st.booleans()):
        fields["price_breaks"] = [{"from": "3", "unit_price": draw(prices)}]
    return line(draw(prices), draw(prices), **fields)


@st.composite
def offers(draw):
    lines = [
        line(draw(prices), draw(prices)),
        *draw(st.lists(open_lines(), max_size=3)),
    ]
    if draw(st.booleans()):
        for kind in ("alternative", "standard"):
            one = line(draw(prices), draw(prices), kind=kind, choice="Cable")
            lines.append(one)
    return lines


@given(offers())
def test_it_is_what_trying_every_choice_finds(lines):
    found = least_margin(lines)

    if found is not None:
        assert abs(found - min(_every_choice(lines))) < Decimal("1e-12")
