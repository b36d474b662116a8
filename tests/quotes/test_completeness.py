"""A fabric against its design, modules against cables and ports; no database."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import pytest

from fabrics.engine import FabricSpec, size
from fabrics.engine.spec import NO_STORAGE
from quotes.completeness import (
    Sort,
    find_gaps,
    find_remarks,
    site_remarks,
    sort_of,
)


@dataclass
class Offer:
    mpn: str = ""
    description: str = ""
    quantity: Decimal = Decimal(1)
    kind: str = "standard"


@pytest.fixture(scope="module")
def result():
    return size_unit()


@pytest.fixture(scope="module")
def without_storage():
    return size_unit(storage_tier=NO_STORAGE)


def size_unit(**others):
    spec = FabricSpec.from_sizes(
        system="gb300-nvl72", fabric="quantum-x800", gpus=576, **others
    )
    return size(spec).to_json()


def offers_of(result, times=1):
    return [
        Offer(row["opn"], row["description"], Decimal(row["quantity"] * times))
        for row in result["bom"]
    ]


@pytest.mark.parametrize("times", [1, 3])
def test_a_quote_of_the_designs_own_list_is_whole(result, without_storage, times):
    assert find_gaps([(result, times)], offers_of(result, times)) == []
    assert find_remarks(offers_of(without_storage, times)) == []


def test_fibres_to_storage_end_in_modules_that_the_design_does_not_buy(result):
    (remark,) = find_remarks(offers_of(result))

    assert remark == (
        "1,664 single-mode fibres have 3,328 ends; the transceivers take 3,296."
    )


def test_what_is_short_is_said_with_both_numbers(result):
    lines = offers_of(result)
    switch = next(line for line in lines if line.mpn == "Q3400-RD")
    switch.quantity = Decimal(11)

    (gap,) = find_gaps([(result, 1)], lines)

    assert gap.is_short
    assert gap.words == (
        "The design needs 12 × Quantum-X800 InfiniBand switch, 144 x 800G, 48 V "
        "busbar; the quote has 11."
    )


def test_thousands_are_grouped_and_nothing_is_none(result):
    lines = [line for line in offers_of(result, 2) if "MFP7E30" not in line.mpn]

    (gap,) = find_gaps([(result, 2)], lines)

    assert "needs 3,328 ×" in gap.words
    assert gap.words.endswith("the quote has none.")


def test_spares_are_more_than_needed_but_not_short(result):
    lines = [*offers_of(result), Offer("q3400-rd", "Spare", Decimal(1))]

    (gap,) = find_gaps([(result, 1)], lines)

    assert (gap.offered, gap.is_short) == (13, False)


@pytest.mark.parametrize("kind", ["optional", "alternative", "text"])
def test_only_lines_that_count_fill_a_need(result, kind):
    lines = offers_of(result)
    lines[0].kind = kind

    assert [gap.part for gap in find_gaps([(result, 1)], lines)] == ["GB300-NVL72"]


def test_two_designs_need_the_sum(result):
    gaps = find_gaps([(result, 1), (result, 2)], offers_of(result, 3))

    assert gaps == []


@pytest.mark.parametrize(
    ("offer", "form", "sort"),
    [
        (Offer("MSN3700-VS2F"), "switch", Sort.SWITCH),
        (Offer("980-9IAH1-00XM00"), "", Sort.MODULE),
        (Offer("MFP7E30-N030"), "", Sort.CABLE),
        (Offer("GB300-NVL72"), "", Sort.SYSTEM),
        (Offer(description="100G DAC cable for the switch"), "", Sort.CABLE),
        (Offer(description="400G transceiver"), "", Sort.MODULE),
        (Offer(description="3 years support for the switch"), "", Sort.SERVICE),
        (Offer(description="ConnectX-8 SuperNIC"), "", Sort.CARD),
        (Offer(description="Coffee"), "", Sort.OTHER),
    ],
)
def test_lines_are_told_apart_by_form_number_and_words(offer, form, sort):
    assert sort_of(offer, form) == sort


@pytest.mark.parametrize(
    ("words", "remark"),
    [
        (["400G transceiver", "fibre"], "no switch, server or card"),
        (["400G transceiver", "a switch"], "Transceivers, but no cables."),
        (["a switch"], "Switches, but neither transceivers nor cables."),
    ],
)
def test_a_free_quote_that_is_not_whole_is_remarked_on(words, remark):
    found = find_remarks([Offer(description=text) for text in words])

    assert any(remark in one for one in found)


def test_fibres_and_transceivers_must_have_as_many_ends():
    lines = [
        Offer("SN5600", quantity=Decimal(2)),
        Offer("980-9I30G-00NM00", quantity=Decimal(10)),  # two links each
        Offer("MFP7E30-N005", quantity=Decimal(9)),
    ]

    (remark,) = find_remarks(lines)

    assert remark == ("9 single-mode fibres have 18 ends; the transceivers take 20.")
    lines[2].quantity = Decimal(10)
    assert find_remarks(lines) == []


def test_more_twin_transceivers_than_the_switches_hold_are_remarked_on():
    lines = [
        Offer("SN5600", quantity=Decimal(1)),  # 128 ports of 400G
        Offer("980-9I30G-00NM00", quantity=Decimal(65)),
        Offer("MFP7E30-N005", quantity=Decimal(65)),
    ]

    assert "some fit in no switch" in find_remarks(lines)[0]
    lines[1].quantity = lines[2].quantity = Decimal(64)
    assert find_remarks(lines) == []


def test_the_site_is_remarked_on_until_the_quote_speaks_of_it(result):
    found = site_remarks(result, "Unit", "Installation not included")

    assert [one.partition(":")[0] for one in found] == [
        "Unit draws 1,233 kW",
        "Unit takes 444 rack units",
        "Unit is liquid-cooled",
    ]
    said = "Power feeds, cooling and rack space are the customer's."
    assert site_remarks(result, "Unit", said) == []
