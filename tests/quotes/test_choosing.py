"""What a customer's choice comes to, from frozen content alone."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotes.choosing import AS_QUOTED, Choice, NotOffered, choose, has_choices
from quotes.pricing import Kind, Tax, add_up, line_net
from tests.quotes.offers import Offered, content_of_lines

HUNDRED = Offered(unit_price="100.0000")
OPTION = Offered(kind=Kind.OPTIONAL, unit_price="30.0000", quantity="2")


def gross(content, **picked):
    return choose(content, Choice(**picked)).sums.totals.gross


def test_without_a_choice_it_is_as_quoted():
    content = content_of_lines(HUNDRED, OPTION)

    chosen = choose(content, AS_QUOTED)

    assert chosen.is_as_quoted
    assert str(chosen.sums.totals.gross) == content["totals"]["gross"] == "109.00"


def test_an_option_is_added_with_its_gst():
    content = content_of_lines(HUNDRED, OPTION)

    assert gross(content, options=frozenset({2})) == Decimal("174.40")


def test_gst_is_worked_out_once_for_each_category():
    """Line by line 0.95 and 1.95 would have 0.09 + 0.18; on the sum it is 0.26."""
    content = content_of_lines(
        Offered(unit_price="0.95"),
        Offered(kind=Kind.OPTIONAL, unit_price="1.95"),
        Offered(kind=Kind.OPTIONAL, unit_price="10.00", tax=Tax.ZERO_RATED),
    )

    sums = choose(content, Choice(options=frozenset({2, 3}))).sums

    assert [(tax.base, tax.gst) for tax in sums.taxes] == [
        (Decimal("2.90"), Decimal("0.26")),
        (Decimal("10.00"), Decimal("0.00")),
    ]


def test_one_of_several_counts_and_the_default_gives_way():
    content = content_of_lines(
        Offered(choice="Switch"),
        Offered(kind=Kind.ALTERNATIVE, choice="Switch", unit_price="80.0000"),
        Offered(kind=Kind.ALTERNATIVE, choice="Switch", unit_price="120.0000"),
    )

    assert gross(content) == Decimal("109.00")
    assert gross(content, picks={"Switch": 3}) == Decimal("130.80")
    assert gross(content, picks={"Switch": 1}) == Decimal("109.00")


def test_a_quantity_takes_the_price_of_the_break_it_reaches():
    offered = Offered(
        quantity="4",
        limits=("1", "40", "1"),
        breaks=(("10", "95.0000"), ("20", "90.0000")),
    )
    content = content_of_lines(offered)
    nets = {
        count: choose(content, Choice(quantities={1: Decimal(count)})).sums.totals.net
        for count in (1, 4, 9, 10, 19, 20, 40)
    }

    assert nets == {
        1: Decimal("100.00"),
        4: Decimal("400.00"),
        9: Decimal("900.00"),
        10: Decimal("950.00"),
        19: Decimal("1805.00"),
        20: Decimal("1800.00"),
        40: Decimal("3600.00"),
    }


def test_the_quoted_price_holds_for_the_quoted_quantity():
    """A price set by hand stands for its quantity, whatever the breaks say."""
    offered = Offered(
        quantity="20",
        unit_price="88.0000",
        limits=("10", "30", "5"),
        breaks=(("10", "95.0000"), ("20", "90.0000")),
    )
    content = content_of_lines(offered)

    assert choose(content, AS_QUOTED).sums.totals.net == Decimal("1760.00")
    more = choose(content, Choice(quantities={1: Decimal(25)}))
    assert more.sums.totals.net == Decimal("2250.00")


def test_a_line_with_a_range_from_nought_may_be_left_out():
    content = content_of_lines(HUNDRED, Offered(quantity="2", limits=("0", "4", "1")))

    chosen = choose(content, Choice(quantities={2: Decimal(0)}))

    assert [line["number"] for line in chosen.lines] == [1]
    assert chosen.sums.totals.gross == Decimal("109.00")


def test_a_rounding_line_was_made_for_the_whole():
    content = content_of_lines(HUNDRED, OPTION, rounding="-0.01")

    assert choose(content, AS_QUOTED).sums.totals.gross == Decimal("108.99")
    assert gross(content, options=frozenset({2})) == Decimal("174.40")


REFUSED = [
    (Choice(options=frozenset({9})), "Line 9 is not an option"),
    (Choice(options=frozenset({1})), "Line 1 is not an option"),
    (Choice(options=frozenset({5})), "Line 5 has no price yet"),
    (Choice(picks={"Cable": 1}), "nothing to choose called Cable"),
    (Choice(picks={"Switch": 2}), "Line 2 is not one of the choices"),
    (Choice(quantities={9: Decimal(1)}), "no line 9"),
    (Choice(quantities={2: Decimal(3)}), "The quantity of line 2 is 1"),
    (Choice(quantities={4: Decimal(1)}), "choose from 2 to 8"),
    (Choice(quantities={4: Decimal(10)}), "choose from 2 to 8"),
    (Choice(quantities={4: Decimal(-2)}), "choose from 2 to 8"),
    (Choice(quantities={4: Decimal(3)}), "in steps of 2"),
    (Choice(quantities={4: Decimal("2.5")}), "in steps of 2"),
]


@pytest.mark.parametrize(("choice", "words"), REFUSED)
def test_what_is_not_offered_is_refused_in_words(choice, words):
    content = content_of_lines(
        Offered(choice="Switch"),
        Offered(),
        Offered(kind=Kind.ALTERNATIVE, choice="Switch"),
        Offered(quantity="4", limits=("2", "8", "2")),
        Offered(kind=Kind.OPTIONAL, unit_price=""),
    )

    with pytest.raises(NotOffered, match=words):
        choose(content, choice)


def test_an_empty_order_is_refused():
    content = content_of_lines(Offered(quantity="2", limits=("0", "4", "1")))

    with pytest.raises(NotOffered, match="at least one line"):
        choose(content, Choice(quantities={1: Decimal(0)}))


def test_no_price_is_made_up_below_the_first_break():
    offered = Offered(
        quantity="20", limits=("1", "30", "1"), breaks=(("10", "95.0000"),)
    )
    content = content_of_lines(offered)

    with pytest.raises(NotOffered, match="fewer than 10"):
        choose(content, Choice(quantities={1: Decimal(9)}))


def test_content_from_before_choices_has_none():
    content = content_of_lines(HUNDRED)
    del content["choices"]
    for line in content["sections"][0]["lines"]:
        del line["range"], line["breaks"], line["choice"]

    assert not has_choices(content)
    assert choose(content, AS_QUOTED).sums.totals.gross == Decimal("109.00")


@st.composite
def contents_and_choices(draw):
    """Any content of a few lines, and any lawful choice of it."""
    prices = st.decimals(Decimal("0.0001"), Decimal(99999), places=4)
    taxes = st.sampled_from([Tax.STANDARD, Tax.ZERO_RATED])
    lines, options, quantities = [Offered()], set(), {}
    for number in range(2, draw(st.integers(2, 6)) + 1):
        is_option = draw(st.booleans())
        step, steps = draw(st.integers(1, 3)), draw(st.integers(0, 9))
        lines.append(
            Offered(
                kind=Kind.OPTIONAL if is_option else Kind.STANDARD,
                unit_price=str(draw(prices)),
                quantity="1",
                limits=("1", str(1 + step * 9), str(step)),
                breaks=(("5", str(draw(prices))), ("12", str(draw(prices)))),
                discount=str(draw(st.decimals(0, 100, places=2))),
                tax=draw(taxes),
            )
        )
        if is_option and draw(st.booleans()):
            options.add(number)
        quantities[number] = Decimal(1 + step * steps)
    choice = Choice(options=frozenset(options), quantities=quantities)
    return content_of_lines(*lines), choice


@given(contents_and_choices())
def test_any_lawful_choice_adds_up_as_its_own_lines_do(found):
    content, choice = found

    chosen = choose(content, choice)

    again = content_of_lines(*(Offered.of(line) for line in chosen.lines))
    assert again["totals"]["gross"] == str(chosen.sums.totals.gross)
    nets = sum((Decimal(line["net"]) for line in chosen.lines), start=Decimal(0))
    assert nets == chosen.sums.totals.net
    totals = chosen.sums.totals
    assert totals.net + totals.gst + totals.rounding == totals.gross


def test_the_fixture_adds_up_like_the_rest():
    line = Offered(unit_price="2.95", quantity="48")

    sums = add_up([line], gst_percent=Decimal(9))

    assert (line_net(line), sums.totals.gst) == (Decimal("141.60"), Decimal("12.74"))
