"""Landed cost: packs, least quantities, breaks, freight and rates, by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal as D

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotes.landed import freight_shares, landed, price_at


@dataclass
class Offer:
    price: D
    pack: D = D(1)
    least: D = D(0)
    price_breaks: list = field(default_factory=list)


BREAKS = [
    {"from": "100", "unit_price": "80.0000"},
    {"from": "10", "unit_price": "95.0000"},
]


@pytest.mark.parametrize(
    ("offer", "quantity", "rate", "freight", "unit", "total", "surplus"),
    [
        # 1,000,000 yen at 0.0083 is S$8,300, and beats US$8,000 at 1.35: S$10,800.
        (Offer(D(1_000_000)), 1, "0.0083", 0, "8300.0000", "8300.00", 0),
        (Offer(D(8000)), 1, "1.35", 0, "10800.0000", "10800.00", 0),
        # 7 wanted in packs of 5 at 50 a pack: 2 packs, 100 for 7.
        (Offer(D(50), pack=D(5)), 7, "1", 0, "14.2857", "100.00", 3),
        # At least 20 are sold: 20 x 3 for the 8 that are needed.
        (Offer(D(3), least=D(20)), 8, "1", 0, "7.5000", "60.00", 12),
        # The break counts what is bought: 9 wanted, 10 bought at 95.
        (Offer(D(100), D(5), D(0), BREAKS), 9, "1", 0, "21.1111", "190.00", 1),
        (Offer(D(100), price_breaks=BREAKS), 100, "1", 0, "80.0000", "8000.00", 0),
        (Offer(D(100), price_breaks=BREAKS), 99, "1.3", 13, "123.6707", "12243.40", 0),
        (Offer(D(0)), 4, "1.3", 0, "0.0000", "0.00", 0),
    ],
)
def test_landed_by_hand(offer, quantity, rate, freight, unit, total, surplus):
    result = landed(offer, D(quantity), rate=D(rate), freight=D(freight))
    assert (result.unit, result.total) == (D(unit), D(total))
    assert (result.surplus, result.bought) == (surplus, quantity + surplus)


def test_freight_goes_by_value():
    lines = [(Offer(D(30)), D(1)), (Offer(D(10)), D(1))]
    assert freight_shares(D(8), lines) == [D(6), D(2)]


def test_freight_of_free_goods_goes_evenly():
    assert freight_shares(D(8), [(Offer(D(0)), D(1)), (Offer(D(0)), D(3))]) == [4, 4]


@given(
    price=st.decimals(0, 10**6, places=4),
    pack=st.integers(1, 50),
    least=st.integers(0, 500),
    quantity=st.integers(1, 2000),
)
def test_enough_is_bought_in_whole_packs(price, pack, least, quantity):
    offer = Offer(price, D(pack), D(least))
    result = landed(offer, D(quantity), rate=D("1.35"), freight=D(0))
    assert result.bought >= max(quantity, least)
    assert result.bought % pack == 0
    assert result.bought - pack < max(quantity, least)


@given(quantity=st.integers(1, 500))
def test_a_break_holds_from_its_quantity_on(quantity):
    expected = 100 if quantity < 10 else 95 if quantity < 100 else 80
    assert price_at(Offer(D(100), price_breaks=BREAKS), D(quantity)) == expected
