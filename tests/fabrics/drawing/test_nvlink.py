"""The NVLink picture: every link of the domain, and none where there is none."""

from __future__ import annotations

import re

import pytest

from fabrics.drawing import PRINT, nvlink_svg
from fabrics.engine import FabricSpec, size


def design(system, fabric, **sizes):
    return size(FabricSpec.from_sizes(system=system, fabric=fabric, **sizes))


def test_the_bundles_of_a_rack_add_up_to_18_links_a_gpu():
    svg = nvlink_svg(design("gb300-nvl72", "quantum-x800", racks=8))

    counts = re.findall(r"([\d,]+) links of NVLink", svg)
    assert sum(int(n.replace(",", "")) for n in counts) == 72 * 18


def test_a_node_shows_its_eight_gpus():
    svg = nvlink_svg(design("dgx-b300", "quantum-x800", nodes=72))

    assert "GPU 8" in svg
    assert "900 GB/s" in svg


@pytest.mark.parametrize(
    ("system", "fabric", "sizes"),
    [
        ("dgx-station-gb300", "direct", {"nodes": 2}),
        ("host-200g", "spectrum-2", {"hosts": 8}),
    ],
)
def test_there_is_no_picture_where_there_is_no_nvlink(system, fabric, sizes):
    assert nvlink_svg(design(system, fabric, **sizes)) is None


def test_print_needs_no_page_colours():
    svg = nvlink_svg(design("gb300-nvl72", "quantum-x800", racks=1), skin=PRINT)

    assert "<style>" in svg
    assert " style=" not in svg
