from __future__ import annotations

import pytest

from fabrics.part_numbers import is_cable, is_switch, part_of


@pytest.mark.parametrize(
    ("number", "key"),
    [
        ("SN5600", "SN5600"),
        (" sn5600 ", "SN5600"),
        ("920-9N42F-00RI-7C0", "SN5600"),
        ("MFP7E30-N030", "MFP7E30"),
    ],
)
def test_a_number_names_its_part(number, key):
    part = part_of(number)

    assert part is not None
    assert part.key == key


@pytest.mark.parametrize("number", ["", "  ", "N030", "SN9999"])
def test_what_names_no_part_is_none(number):
    assert part_of(number) is None


def test_parts_are_told_apart():
    assert is_switch(part_of("SN5600"))
    assert is_cable(part_of("MFP7E30-N005"))
    assert not is_cable(part_of("SN5600"))
