"""The worked table of docs/fabric-rules.md is what the engine answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabrics.engine import FabricSpec, size

RULES = Path(__file__).parents[3] / "docs" / "fabric-rules.md"
HEAD = "| system | fabric | size |"


def worked_rows():
    lines = RULES.read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(HEAD)) + 2
    for line in lines[start:]:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in line.strip("|").split("|")]


def test_the_table_has_rows():
    assert len(list(worked_rows())) >= 12


@pytest.mark.parametrize("row", list(worked_rows()), ids=" ".join)
def test_a_worked_row_is_true(row):
    system, fabric, asked, *printed = row
    count, unit = asked.split()
    spec = FabricSpec.from_sizes(system=system, fabric=fabric, **{unit: count})

    compute = size(spec).to_json()["compute"]

    columns = ("leaf", "spine", "core", "node_leaf_cables", "leaf_spine_cables")
    assert [f"{compute[column]:,}" for column in columns] == printed


def test_the_worked_example_of_2304_gpus_is_true():
    spec = FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-x800", gpus=2304)

    design = size(spec)

    parts = {b.part: b.quantity for b in design.bom if b.section == "Optics and cables"}
    assert parts == {"MMS4A00": 3456, "MMS4A20": 2304, "MFP7E30": 4608}
    assert design.compute.tree.links_per_pair == 4
    assert design.bandwidth.injection_tb_per_s == 230.4
    assert design.bandwidth.bisection_tb_per_s == 115.2
