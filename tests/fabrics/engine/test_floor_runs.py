"""Lengths counted by classes of racks are the lengths of the rows, one by one."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from fabrics.engine import FabricSpec, size
from fabrics.engine.cable import NETWORKS, SCALE_OUT
from fabrics.engine.cabling_networks import network_rows
from fabrics.engine.laying import laid_out
from tests.fabrics.engine.test_floor import floors

# Three tiers, several pods, uneven core groups, racks that hold leaves and spines.
LARGE = [
    ("gb300-nvl72", "quantum-x800", {"racks": 80}),
    ("gb300-nvl72", "quantum-x800", {"racks": 200, "oversubscription": "3"}),
    ("gb300-nvl72", "spectrum-x", {"racks": 40}),
    ("gb300-nvl72", "spectrum-x", {"racks": 150}),
    ("gb200-nvl72", "quantum-2", {"racks": 56}),
    ("dgx-b200", "quantum-2", {"nodes": 300}),
    ("dgx-b300", "spectrum-x", {"nodes": 1_100}),
    ("dgx-h100", "quantum-2", {"nodes": 319}),
]


def row_runs(laid, network):
    """The run of every row by kind, and of every cable once. None is off the floor."""
    by_kind, by_cable = {}, {}
    for row in network_rows(laid.design, network, on_floor=True):
        length = laid.rows.cm(row)
        by_kind.setdefault(row.kind, Counter())[length] += 1
        by_cable[row.label.split("/")[0]] = length
    return by_kind, by_cable


def check_runs(sized):
    laid = laid_out(sized)
    total, longest = 0, {}
    for network in NETWORKS:
        by_kind, by_cable = row_runs(laid, network)
        if network == SCALE_OUT:
            assert by_kind == laid.runs
            total += sum(cm * n for runs in by_kind.values() for cm, n in runs.items())
        else:
            total += sum(length or 0 for length in by_cable.values())
        found = [length or 0 for length in by_cable.values()]
        if any(found):
            longest[network] = -(-max(found) // 10) / 10
    assert sized.floor.longest_m == longest
    assert sized.floor.cable_km == round(total / 100_000, 1)


@settings(max_examples=40, deadline=None)
@given(floors())
def test_runs_counted_by_rack_pairs_are_those_of_the_rows(sized):
    check_runs(sized)


@pytest.mark.parametrize(("system", "fabric", "options"), LARGE)
def test_so_they_are_in_the_third_tier(system, fabric, options):
    options = {"racks_per_row": 17, **options}
    spec = FabricSpec.from_sizes(system=system, fabric=fabric, **options)

    check_runs(size(spec))
