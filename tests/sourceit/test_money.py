from __future__ import annotations

from decimal import Decimal

import pytest

from sourceit.money import (
    MoneyError,
    Totals,
    format_money,
    round_money,
    round_unit_price,
)


@pytest.mark.parametrize(
    ("amount", "rounded"),
    [("0.045", "0.05"), ("-0.045", "-0.05"), ("2567.0925", "2567.09"), ("-0.004", "0")],
)
def test_half_a_cent_rounds_away_from_zero(amount: str, rounded: str) -> None:
    assert round_money(Decimal(amount)) == Decimal(rounded)


def test_a_rounded_zero_has_no_sign() -> None:
    assert str(round_money(Decimal("-0.004"))) == "0.00"


def test_float_never_touches_money() -> None:
    with pytest.raises(TypeError):
        round_money(0.1)


@pytest.mark.parametrize("amount", ["NaN", "Infinity", "1e14"])
def test_what_does_not_fit_is_refused(amount: str) -> None:
    with pytest.raises(MoneyError):
        round_money(Decimal(amount))


def test_totals_that_do_not_agree_do_not_exist() -> None:
    with pytest.raises(MoneyError):
        Totals(
            currency="SGD",
            net=Decimal("1.00"),
            gst=Decimal("0.09"),
            gross=Decimal("1.10"),
        )


def test_two_currencies_never_add() -> None:
    one = Totals(currency="SGD", net=Decimal(1), gst=Decimal(0), gross=Decimal(1))
    other = Totals(currency="USD", net=Decimal(1), gst=Decimal(0), gross=Decimal(1))

    with pytest.raises(MoneyError, match="SGD and USD"):
        one + other


@pytest.mark.parametrize(
    ("amount", "written"),
    [
        ("28523.25", "S$28,523.25"),
        ("26168.1193", "S$26,168.1193"),
        ("0", "S$0.00"),
        ("-0.5", "-S$0.50"),
    ],
)
def test_money_is_written_as_people_read_it(amount: str, written: str) -> None:
    assert format_money(Decimal(amount)) == written


def test_unit_prices_keep_four_decimals() -> None:
    assert round_unit_price(Decimal("26168.11926")) == Decimal("26168.1193")
