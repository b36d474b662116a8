"""Size a GPU fabric on the command line: JSON for programs, tables for people."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from fabrics.engine import (
    FABRICS,
    FLOOR_OPTIONS,
    SYSTEMS,
    FabricDesign,
    FabricSpec,
    SpecError,
    size,
)

_BAD_INPUT = 2
_ASKED = (
    "system",
    "fabric",
    "design",
    "gpus",
    "racks",
    "nodes",
    "hosts",
    "ports_per_host",
    "oversubscription",
    "storage_tier",
    "cable_metres",
    "optics",
    "spares_percent",
    "most_tiers",
    "front_end",
    "out_of_band",
    *FLOOR_OPTIONS,
)


class Command(BaseCommand):
    help = "Size a GPU fabric: switches, links, parts, checks and bandwidth."
    # Sizing needs no database, so a broken one must not stop it.
    requires_system_checks = []

    def create_parser(
        self, prog_name: str, subcommand: str, **kwargs: Any
    ) -> CommandParser:
        """Without the usage text, so that a mistake is one line on stderr."""
        return super().create_parser(
            prog_name, subcommand, usage=argparse.SUPPRESS, **kwargs
        )

    def add_arguments(self, parser: CommandParser) -> None:
        # Everything is text here: the engine checks it and words every refusal.
        add = parser.add_argument
        add("--system", default="", help=f"one of {', '.join(SYSTEMS)}")
        add("--fabric", default="", help=f"one of {', '.join(FABRICS)}")
        add("--design", help="superpod or enterprise, where a pair has both")
        add("--gpus", help="GPUs; rounded up to whole racks or nodes")
        add("--racks", help="racks, for NVL72 systems")
        add("--nodes", help="nodes, for node systems")
        add("--hosts", help="hosts, for host-200g")
        add("--ports-per-host", help="1 or 2 ports of a host or station on SN3700")
        add("--oversubscription", help="r for r:1 at the leaf, from 1 (non-blocking)")
        add("--storage-tier", help="standard, enhanced or none (older: good, best)")
        add("--cable-metres", help="the run of every scale-out link")
        add("--optics", help="fibre (as published), single-mode or copper")
        add("--spares-percent", help="spare modules and cables, in per cent")
        add("--most-tiers", help="2 refuses a size that needs a third tier")
        add("--front-end", help="yes or no")
        add("--out-of-band", help="yes or no")
        add("--racks-per-row", help="lays racks out in rows, and lengths follow")
        add("--rack-pitch", help="metres from rack to rack, 0.6 at first")
        add("--row-pitch", help="metres from row to row with its aisle, 3 at first")
        add("--tray-height", help="metres of the cable tray over the racks, 0.5")
        add("--cable-slack", help="metres of slack a link, both ends, 2 at first")
        add("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        asked = {name: options.get(name) for name in _ASKED}
        try:
            spec = FabricSpec.from_sizes(**asked)
            design = size(spec)
        except SpecError as refusal:
            raise CommandError(str(refusal), returncode=_BAD_INPUT) from refusal
        if options["json"]:
            self.stdout.write(json.dumps(design.to_json(), indent=2))
            return
        self.stdout.write("\n\n".join(_report(design)))


def _report(design: FabricDesign) -> Iterable[str]:
    """The design as a person reads it, one block at a time."""
    yield _headline(design)
    yield _titled("Working", (f"  {step}" for step in design.explain))
    yield _titled("Networks", _networks(design))
    yield _titled("Parts", _parts(design))
    yield _titled("Figures", _figures(design))
    yield _titled("Checks", _checks(design))


def _titled(title: str, lines: Iterable[str]) -> str:
    return "\n".join([title, *lines])


def _headline(design: FabricDesign) -> str:
    spec = design.spec
    gpus = f"{spec.gpus:,} GPUs" if spec.gpus else f"{spec.nodes:,} hosts"
    where = f"{spec.platform.name} on {spec.fabric}, {spec.design} design"
    return f"{gpus}: {where}\nEngine {design.engine_version}"


def _networks(design: FabricDesign) -> Iterable[str]:
    compute = design.compute
    rows: list[tuple[str, ...]] = [("Network", "Switch", "Leaf", "Spine", "Core")]
    counts = (compute.leaf, compute.spine, compute.core)
    rows.append(("Scale-out", compute.switch or "none", *_counts(counts)))
    for network in design.networks():
        name = network.name.replace("_", " ").capitalize()
        switch = network.switch or ("shared" if network.is_shared else "none")
        rows.append((name, switch, *_counts((network.leaf, network.spine, 0))))
    return _table(rows)


def _counts(numbers: tuple[int, int, int]) -> tuple[str, str, str]:
    leaf, spine, core = (f"{n:,}" if n else "-" for n in numbers)
    return leaf, spine, core


def _parts(design: FabricDesign) -> Iterable[str]:
    rows: list[tuple[str, ...]] = [("Section", "Part", "Qty", "What", "Why")]
    rows += [
        (item.section, item.part, f"{item.quantity:,}", item.description, item.because)
        for item in design.bom
    ]
    return _table(rows)


def _table(rows: list[tuple[str, ...]]) -> Iterable[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"  {'  '.join(cells)}".rstrip()


def _figures(design: FabricDesign) -> Iterable[str]:
    band = design.bandwidth
    if band.nvlink_gb_per_s_per_gpu:
        yield f"  NVLink {band.nvlink_gb_per_s_per_gpu} GB/s a GPU each way"
    if band.scale_out_gb_per_s_per_gpu:
        yield f"  Scale-out {band.scale_out_gb_per_s_per_gpu:g} GB/s a GPU each way"
    yield f"  Injection {band.injection_tb_per_s:g} TB/s each way"
    yield f"  Bisection {band.bisection_tb_per_s:g} TB/s each way"
    place = design.facility
    yield f"  Power {place.power_kw:,g} kW, {place.rack_units:,} rack units"
    yield from (f"  {missing}" for missing in place.not_known)


def _checks(design: FabricDesign) -> Iterable[str]:
    for check in design.checks:
        yield f"  {check.level:5}  {check.message} [{check.source}]"
