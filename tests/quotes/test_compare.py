from __future__ import annotations

from copy import deepcopy
from decimal import Decimal

import pytest
from django.utils import timezone

from quotes.compare import Change, compare_contents
from quotes.content import build_content
from quotes.models import Revision
from tests.factories import make_line, make_revision


@pytest.fixture
def content(db):
    revision = make_revision(lines=0)
    make_line(revision, mpn="MSN3700-VS2F", quantity=Decimal(4), position=1)
    make_line(revision, mpn="SR680a V3", description="SR680a V3", position=2)
    loaded = Revision.objects.with_lines().get(pk=revision.pk)
    return build_content(loaded, now=timezone.now())


def _lines(content):
    return content["sections"][0]["lines"]


def test_equal_contents_have_no_difference(content) -> None:
    assert not compare_contents(content, deepcopy(content))


def test_a_changed_quantity_and_price_are_told_in_words(content) -> None:
    new = deepcopy(content)
    _lines(new)[0] |= {"quantity": "6", "unit_price": "25000.5000"}

    found = compare_contents(content, new)

    assert found.changed == (
        (
            "NVIDIA Spectrum-2 SN3700",
            (
                Change(what="Quantity", old="4", new="6"),
                Change(what="Unit price", old="S$26,168.1193", new="S$25,000.50"),
            ),
        ),
    )


def test_added_and_removed_lines_are_named(content) -> None:
    new = deepcopy(content)
    _lines(new)[1] |= {"mpn": "OTHER", "description": "Another server"}

    found = compare_contents(content, new)

    assert found.added == ("1 x Another server",)
    assert found.removed == ("1 x SR680a V3",)


def test_repeats_of_one_part_are_paired_in_order(content) -> None:
    new = deepcopy(content)
    _lines(new).append(deepcopy(_lines(new)[0]))

    found = compare_contents(content, new)

    assert found.added == ("4 x NVIDIA Spectrum-2 SN3700",)
    assert found.changed == ()


def test_moving_a_line_is_no_change(content) -> None:
    new = deepcopy(content)
    _lines(new).reverse()

    assert not compare_contents(content, new)


def test_conditions_and_totals_are_compared(content) -> None:
    new = deepcopy(content)
    new["valid_until"] = "2027-01-05"
    new["terms"]["version"] = "2027-01"
    new["totals"]["gross"] = "1.00"

    found = compare_contents(content, new)

    assert [change.what for change in found.conditions] == [
        "Valid until",
        "Terms and conditions",
    ]
    assert found.conditions[0].new == "5 Jan 2027"
    assert found.totals[0].new == "S$1.00"
