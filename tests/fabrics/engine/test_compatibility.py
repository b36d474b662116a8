"""Which modules and fibres make a link: the engine's own sets, and wrong ones."""

from __future__ import annotations

from decimal import Decimal

import pytest

from fabrics.engine import SpecError, link_checks, pair_reach, twin_check
from fabrics.engine.profiles import PROFILES, OpticSet

NEAR = Decimal(3)
SETS = sorted(
    {o for p in PROFILES for o in p.optics if isinstance(o, OpticSet)},
    key=lambda optics: (optics.nic_module, optics.fibre),
)


@pytest.mark.parametrize("optics", SETS, ids=lambda o: f"{o.nic_module}-{o.fibre}")
def test_every_set_the_engine_uses_makes_a_link(optics):
    switch = optics.switch_module or optics.nic_module

    assert link_checks(switch, optics.nic_module, optics.fibre, NEAR) == ()
    assert link_checks(switch, switch, optics.fibre, NEAR) == ()
    if optics.ufm_module:
        assert link_checks(switch, optics.ufm_module, optics.ufm_fibre, NEAR) == ()


@pytest.mark.parametrize(
    ("near", "far", "fibre", "words"),
    [
        ("MMS4A00", "MMS4A20", "MFP7E10", "is multimode fibre"),
        ("MMA4Z00-NS", "MMA4Z00-NS-FLT", "MFP7E30", "is single-mode fibre"),
        ("MMA4Z00-NS", "MMS4X00-NM", "MFP7E30", "is not"),
        ("MMS4A00", "MMS4X00-NS400", "MFP7E30", "800G and MMS4X00-NS400 of 400G"),
    ],
)
def test_a_wrong_pairing_is_a_stop(near, far, fibre, words):
    found = link_checks(near, far, fibre, NEAR)

    assert any(words in check.message for check in found)
    assert {check.level for check in found} == {"Stop"}


def test_reach_is_that_of_the_shortest_of_the_three():
    assert pair_reach("MMS4X00-NM", "MMS4X00-NM", "MFP7E30") == 500
    assert pair_reach("MMS4X00-NM", "MMS4X00-NS400", "MFP7E30") == 100
    assert pair_reach("MMS4X00-NM", "MMS4X00-NS400", "MFP7E40") == 50
    assert link_checks("MMS4X00-NM", "MMS4X00-NM", "MFP7E30", Decimal(501))


def test_a_straight_and_a_splitter_do_not_share_a_twin():
    assert twin_check("MFP7E30", "MFP7E40").level == "Stop"
    assert twin_check("MFP7E30", "MFP7E30") is None
    assert twin_check("MFP7E40", "MFP7E40") is None


@pytest.mark.parametrize(
    ("near", "fibre"),
    [("Q3400-RA", "MFP7E30"), ("x" * 999, "MFP7E30"), ("MMS4A00", "?")],
)
def test_a_part_that_is_no_module_or_fibre_is_refused(near, fibre):
    with pytest.raises(SpecError, match="on file"):
        link_checks(near, "MMS4A20", fibre, NEAR)
