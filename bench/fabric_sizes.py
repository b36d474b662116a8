"""Measure the fabric engine and its files against their goals, in one run.

Run from the project's folder: python bench/fabric_sizes.py

Goals: 746,496 GPUs size in at most twice the time of 576; the drawings of 9,216 GPUs
have at most 1,500 elements; a row of the cabling list costs at most 3 plain tuples;
the list of 9,216 GPUs as a workbook needs at most 300 MB, the peak of a process that
does nothing else.
"""

from __future__ import annotations

import os
import re
import resource
import statistics
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabrics.engine import FabricDesign

SMALL, LARGE, LISTED = 576, 746_496, 9_216
MOST_RATIO = 2.0
MOST_ELEMENTS = 1_500
MOST_TUPLES = 3.0
MOST_MB = 300
ROUNDS = 15
ELEMENT = re.compile(r"<[a-z]")


def main() -> int:
    """Print each figure beside its goal; 1 when one is missed."""
    if sys.argv[1:] == ["workbook"]:
        print(workbook_peak())
        return 0
    figures = (
        ("time of 746,496 GPUs / 576 GPUs", _size_ratio(), MOST_RATIO),
        ("elements of the drawing, 9,216 GPUs", float(_elements()), MOST_ELEMENTS),
        ("elements of its floor plan", float(_floor_elements()), MOST_ELEMENTS),
        ("cabling row / plain tuple", _row_ratio(), MOST_TUPLES),
        ("MB at most for the workbook, 9,216 GPUs", _workbook_mb(), MOST_MB),
    )
    print(f"{'figure':<44}{'measured':>10}{'goal':>8}")
    for name, value, goal in figures:
        shown = f"{value:,.2f}" if goal < 10 else f"{value:,.0f}"
        verdict = "" if value <= goal else "  missed"
        print(f"{name:<44}{shown:>10}{goal:>8,g}{verdict}")
    return int(any(value > goal for _, value, goal in figures))


def _design(gpus: int, **options: int) -> FabricDesign:
    from fabrics.engine import FabricSpec, size

    asked = {"system": "gb300-nvl72", "fabric": "quantum-x800", "gpus": gpus}
    return size(FabricSpec.from_sizes(**asked, **options))


def _seconds(work: Callable[[], object], times: int = 1) -> float:
    """The median of `ROUNDS` rounds: a busy machine spoils single ones."""
    spent = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(times):
            work()
        spent.append(time.perf_counter() - start)
    return statistics.median(spent)


def _size_ratio() -> float:
    small = _seconds(lambda: _design(SMALL), 20)
    return _seconds(lambda: _design(LARGE), 20) / small


def _elements() -> int:
    from fabrics.drawing import topology_svg

    return len(ELEMENT.findall(topology_svg(_design(LISTED))))


def _floor_elements() -> int:
    """The floor with the most racks drawn one by one, on rows of 16."""
    from fabrics.drawing import floor_svg

    return len(ELEMENT.findall(floor_svg(_design(LISTED, racks_per_row=16))))


def _row_ratio() -> float:
    """A row against a tuple of as many fresh texts and numbers of a link."""
    from fabrics.engine import cabling

    design = _design(LISTED)
    rows = deque(cabling(design), maxlen=1)
    width = len(rows[0])
    count = sum(1 for _ in cabling(design))
    row = _seconds(lambda: deque(cabling(design), maxlen=0))
    return row / _seconds(lambda: deque(_plain(count, width), maxlen=0))


def _plain(count: int, width: int) -> Iterator[tuple[str, ...]]:
    """Tuples as wide as a row: a label of its own, the rest texts that exist."""
    rest = ("rack",) * (width - 4)
    for number in range(count):
        yield (
            f"NL{number:07d}",
            f"node-{number // 8:05d}",
            f"leaf-{number % 64:04d}",
            f"port {number % 8}",
            *rest,
        )


def _workbook_mb() -> float:
    command = [sys.executable, __file__, "workbook"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout)


def workbook_peak() -> float:
    """Make the cabling workbook of 9,216 GPUs here; the process's peak in MB."""
    sys.path.insert(0, str(Path(__file__).parent.parent))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    from fabrics.exports import cabling_xlsx

    design = _design(LISTED)
    response = cabling_xlsx(design.to_json(), design)
    size = sum(len(chunk) for chunk in response)
    assert size > 100_000, size
    return _peak_mb()


def _peak_mb() -> float:
    """Return this program's own peak of memory in MB.

    `getrusage` would also count what the parent held when it started this program.
    """
    status = Path("/proc/self/status")
    if status.exists():
        [line] = [x for x in status.read_text().splitlines() if x.startswith("VmHWM")]
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    sys.exit(main())
