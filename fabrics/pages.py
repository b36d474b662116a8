"""What the pages of a design show, gathered for the templates."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify

from fabrics.comparing import comparable_systems
from fabrics.drawing import (
    TABLE_HEADINGS,
    rack_svg,
    rack_table,
    topology_svg,
    topology_text,
    unit_count,
)
from fabrics.engine import (
    FabricDesign,
    FabricSpec,
    Growth,
    cable_count,
    growth,
    network_counts,
    rack_count,
    rack_names,
    rack_view,
)
from fabrics.exports import MOST_XLSX_CABLES
from fabrics.figures import read_design
from fabrics.floors import floor_view
from fabrics.forms import spec_fields, spec_query
from fabrics.headline import Result
from fabrics.services import BomRow, bom_rows, listed_total
from fabrics.words import name_of, size_words
from sourceit.tax import gst_percent

MOST_GROWTH_LINES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeSize:
    """A size that fills its racks or nodes, with its address."""

    text: str
    query: str


def design_context(result: Result, design: FabricDesign | None) -> dict[str, Any]:
    """The outputs of a design: two queries, whatever the number of parts.

    `design` None leaves out what must be sized anew: drawing, racks, cabling.
    """
    rows = parts_of(result)
    context: dict[str, Any] = {
        "result": result,
        "view": read_design(result),
        "sections": sections(rows),
        "total": listed_total(rows),
        "files": file_links(design),
    }
    if design is not None:
        context |= {
            "design": design,
            "query": spec_query(design.spec),
            "fields": spec_fields(design.spec),
            "whole_sizes": whole_sizes(design.spec),
            "compare_query": compare_query(design.spec),
            "growth": shown_growth(design),
            "has_racks": sum(rack_count(design)) > 0,
            "cabling": cabling_lists(design),
            "floor": floor_view(design),
        }
    return context


def parts_of(result: Result) -> list[BomRow]:
    """The parts list with products and today's listed prices (two queries)."""
    return bom_rows(result, percent=gst_percent(timezone.localdate()))


def sections(rows: list[BomRow]) -> list[tuple[str, list[BomRow]]]:
    """The parts list by network, in the design's order."""
    found: dict[str, list[BomRow]] = {}
    for section, some in groupby(rows, key=lambda row: row.section):
        found.setdefault(section, []).extend(some)
    return list(found.items())


def topology_context(
    design: FabricDesign, *, base: str, open_unit: int | None
) -> dict[str, Any]:
    """The drawing with its units as links to `base`, and the same facts as text."""
    join = "&" if "?" in base else "?"

    def href(unit: int | None) -> str:
        shown = f"{base}{join}open={unit}" if unit else base
        return f"{shown}#topology"

    has_units = unit_count(design) > 1
    svg = topology_svg(
        design, open_unit=open_unit, unit_href=href if has_units else None
    )
    is_open = has_units and 1 <= (open_unit or 0) <= unit_count(design)
    return {
        "topology": swapped_links(svg),
        "topology_text": topology_text(design),
        "fold_url": href(None) if is_open else "",
        "open_unit": open_unit if is_open else None,
    }


_LINK = re.compile(r'<a href="([^"]*?(?:open=([0-9]+))?#topology)"')


def swapped_links(svg: str) -> SafeString:
    """Make the drawing's links swap the drawing alone where scripts run.

    The SVG is ours: every text in it was escaped where it was written.
    """
    return mark_safe(_LINK.sub(_swapped_link, svg))


def _swapped_link(found: re.Match[str]) -> str:
    """One link; by its id htmx gives it the focus back after the swap."""
    href, unit = found.groups()
    return (
        f'<a id="unit-{unit or "all"}" href="{href}" hx-get="{href}" '
        'hx-target="#topology" hx-swap="outerHTML" hx-replace-url="true"'
    )


def whole_sizes(spec: FabricSpec) -> list[WholeSize]:
    """The two sizes around one that does not fill its racks or nodes, else none."""
    per_node = spec.platform.gpus_per_node
    if spec.unit != "gpus" or per_node is None or spec.gpus == spec.count:
        return []
    step = per_node * (spec.platform.nodes_per_rack if spec.platform.is_rack else 1)
    above = spec.gpus or 0
    return [
        WholeSize(text=size_words(each), query=spec_query(each))
        for each in (_resized(spec, gpus) for gpus in (above - step, above) if gpus)
    ]


def _resized(spec: FabricSpec, gpus: int) -> FabricSpec:
    return FabricSpec.from_sizes(**{**spec_fields(spec), "gpus": gpus})


def compare_query(spec: FabricSpec) -> str:
    """The address of the comparison of this size, where there is another network."""
    if spec.system not in comparable_systems():
        return ""
    left = f"{spec.fabric}/{spec.design}"
    asked = {"system": spec.system, "size": spec.count, "unit": spec.unit, "left": left}
    return urlencode(asked)


FILES = (
    ("parts.xlsx", "Parts list, XLSX"),
    ("parts.csv", "Parts list, CSV"),
    ("cabling.xlsx", "Cabling list, XLSX"),
    ("cabling.csv", "Cabling list, CSV"),
    ("topology.svg", "Drawing, SVG"),
    ("floor.svg", "Floor plan, SVG"),
    ("design.json", "Whole design, JSON"),
)


def file_links(design: FabricDesign | None) -> list[tuple[str, str]]:
    """The files a design has: name and text. One not sized alike keeps its parts."""
    if design is None:
        kept = ("parts.xlsx", "parts.csv", "topology.svg", "design.json")
        return [file for file in FILES if file[0] in kept]
    cables = cable_count(design)
    absent = {"cabling.xlsx"} if cables > MOST_XLSX_CABLES else set()
    if design.floor is None:
        absent.add("floor.svg")
    return [
        (name, f"{text}, {cables:,} links" if name == "cabling.csv" else text)
        for name, text in FILES
        if name not in absent
    ]


def cabling_lists(design: FabricDesign) -> list[tuple[str, str, int]]:
    """The cabling list of each network: its name in an address, its name, its links."""
    counts = network_counts(design)
    return [(slugify(name), name, count) for name, count in counts.items()]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownGrowth:
    """The next whole unit: its name, its address, and what must be bought for it."""

    growth: Growth
    text: str
    query: str

    @property
    def changes(self) -> list[Any]:
        return list(self.growth.changes[:MOST_GROWTH_LINES])


def shown_growth(design: FabricDesign) -> ShownGrowth | None:
    grown = growth(design)
    if grown is None:
        return None
    spec = grown.design.spec
    return ShownGrowth(growth=grown, text=size_words(spec), query=spec_query(spec))


def rack_context(design: FabricDesign, name: str) -> dict[str, Any] | None:
    """A rack's elevation and its table; None for a rack that is not there."""
    compute, network = rack_count(design)
    first = next(rack_names(design), "")
    name = name.strip().upper() or first
    view = rack_view(design, name) if name else None
    if name and view is None:
        return None
    kind, place = name[:1], int(name[1:] or 0)
    return {
        "design": design,
        "name": name_of(design.spec),
        "query": spec_query(design.spec),
        "fields": spec_fields(design.spec),
        "rack": view,
        "drawing": mark_safe(rack_svg(view)) if view else "",
        "headings": TABLE_HEADINGS,
        "rows": rack_table(view) if view else [],
        "compute_racks": compute,
        "network_racks": network,
        "previous": _rack_beside(kind, place - 1, compute, network),
        "next": _rack_beside(kind, place + 1, compute, network),
    }


def _rack_beside(kind: str, place: int, compute: int, network: int) -> str:
    """The rack's neighbour by name: racks of systems first, then network racks."""
    if kind == "N" and place < 1 and compute:
        return f"C{compute:04d}"
    if kind == "C" and place > compute:
        return "N0001" if network else ""
    most = compute if kind == "C" else network
    return f"{kind}{place:04d}" if 1 <= place <= most else ""
