from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from fabrics.engine import ENGINE_VERSION, FabricSpec, size
from fabrics.models import DesignVersion
from fabrics.services import (
    bom_rows,
    listed_total,
    match_products,
    save_design,
    sized_alike,
)
from tests.factories import make_product

SPEC = FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-x800", gpus=576)
SMALL = FabricSpec.from_sizes(system="host-200g", fabric="spectrum-2", hosts=24)


def test_a_saved_design_keeps_spec_result_and_engine_version(db, carol):
    saved = save_design(spec=SPEC, owner=carol)

    kept = DesignVersion.objects.get(pk=saved.pk)
    assert kept.name == "576 GPUs, GB300 NVL72 on Quantum-X800"
    assert (kept.n, kept.design.owner) == (1, carol)
    assert kept.spec == SPEC.to_json()
    assert kept.result == size(SPEC).to_json()
    assert kept.engine_version == ENGINE_VERSION


def test_a_name_of_blanks_becomes_the_default_and_a_long_one_is_cut(db):
    assert save_design(spec=SMALL, owner=None, name="  ").name.startswith("24 hosts")
    assert len(save_design(spec=SMALL, owner=None, name="n" * 500).name) == 120


def test_a_design_that_the_engine_now_answers_otherwise_is_not_sized_alike(monkeypatch):
    result = size(SPEC).to_json()
    assert sized_alike(SPEC.to_json(), result) == size(SPEC)

    def otherwise(spec):
        design = size(spec)
        return replace(design, bom=design.bom[1:])

    monkeypatch.setattr("fabrics.services.designs.size", otherwise)
    assert sized_alike(SPEC.to_json(), result) is None


def test_a_spec_that_the_engine_no_longer_takes_is_not_sized():
    result = size(SPEC).to_json()

    assert sized_alike({**result["spec"], "system": "gone"}, result) is None


def test_parts_are_matched_by_ordering_number_then_by_family(db):
    switch = make_product(mpn="Q3400-RD", price=None)
    fibre = make_product(mpn="MFP7E30", price=None)
    make_product(mpn="MFP7E30-N030", price=None, is_on_show=False)

    rows = {row.part: row for row in bom_rows(size(SPEC).to_json())}

    assert rows["Q3400-RD"].product == switch
    assert rows["MFP7E30"].product == fibre
    assert rows["GB300-NVL72"].product is None
    assert rows["GB300-NVL72"].supply_label == "We source it"


def test_matching_asks_once_whatever_the_number_of_parts(db, django_assert_num_queries):
    numbers = [f"PART-{number}" for number in range(200)]
    with django_assert_num_queries(1):
        assert match_products(numbers) == {}
    with django_assert_num_queries(1):
        bom_rows(size(SPEC).to_json(), percent=Decimal(9))


def test_only_listed_lines_are_added_up_and_the_rest_are_counted(db):
    make_product(mpn="MSN3700-VS2F", price=Decimal("28523.25"))

    rows = bom_rows(size(SMALL).to_json(), percent=Decimal(9))
    total = listed_total(rows)

    switches = next(row.quantity for row in rows if row.part == "SN3700")
    assert total.amount == Decimal("28523.25") * switches
    assert total.listed == 1
    assert total.on_request == len(rows) - 1


def test_a_price_in_another_currency_is_not_added_to_dollars(db):
    make_product(mpn="MSN3700-VS2F", price=Decimal("20000"), currency="USD")

    total = listed_total(bom_rows(size(SMALL).to_json(), percent=Decimal(9)))

    assert (total.listed, total.amount) == (0, Decimal(0))


@pytest.mark.parametrize("percent", [None, Decimal(9)])
def test_price_on_request_has_no_amount(db, percent):
    make_product(mpn="MSN3700-VS2F", price=None)

    rows = bom_rows(size(SMALL).to_json(), percent=percent)

    assert all(row.price is None and row.amount is None for row in rows)
