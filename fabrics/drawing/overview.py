"""All units folded: a grid of up to four a row under the tier that joins them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fabrics.drawing.rows import Group, grouped, place_row
from fabrics.drawing.scene import SWITCH, UNIT, Box, Bundle, Label, Scene
from fabrics.engine import FabricDesign
from fabrics.engine.names import span_label
from fabrics.engine.topology import ceil_div
from fabrics.engine.wiring import Wiring

Href = Callable[[int | None], str]

COLUMNS = 4
MOST_UNITS = 24
MOST_CHIPS = 16
_EDGE = 16.0
_TOP_ROW = 30.0
_CELL = 78.0
_CELL_GAP = 18.0
_RISER = 22.0
_RISER_STEP = 6.0
_CHIP = 26.0


def draw_overview(
    scene: Scene, design: FabricDesign, plane: Wiring, href: Href | None, y: float
) -> float:
    """Draw the joining tier, the units under it and risers beside each column."""
    planes = design.compute.planes
    tiers = _top_rows(scene, design, plane, y)
    bus = y + 22 + _TOP_ROW + 16
    top = bus + 8 * planes + 14
    groups = grouped(0, plane.units, MOST_UNITS)
    step = (800 - 2 * _EDGE) / COLUMNS
    cells = []
    for place, group in enumerate(groups):
        row, column = divmod(place, COLUMNS)
        box = replace(
            _unit_box(design, plane, group, href),
            x=_EDGE + step * column + _RISER,
            y=top + row * (_CELL + _CELL_GAP),
            width=step - _RISER,
        )
        cells.append(box)
        _stubs(scene, design, plane, group, box)
    scene.boxes.extend(cells)
    for number, tier in enumerate(tiers):
        _bus(scene, plane, tier, cells, bus + 8 * number, number)
    rows = ceil_div(len(groups), COLUMNS)
    return top + rows * (_CELL + _CELL_GAP)


def _riser_x(box: Box, number: int) -> float:
    """Where the riser of a plane runs, in the gap before a unit's column."""
    return box.x - _RISER / 2 + _RISER_STEP * number


def _top_rows(
    scene: Scene, design: FabricDesign, plane: Wiring, y: float
) -> list[list[Box]]:
    """The shared spines, or the cores: a row for each plane, side by side."""
    compute = design.compute
    tree = plane.tree
    is_core = tree.tiers == 3
    count = tree.cores if is_core else tree.spines
    word = "Core" if is_core else "Spine"
    head = y + 12
    y += 22
    width = (800 - 2 * _EDGE) / compute.planes
    most = 10 // compute.planes
    tiers = []
    for number in range(compute.planes):
        left = _EDGE + width * number
        groups = grouped(0, count, most)
        row = place_row(
            groups,
            kind=SWITCH,
            y=y,
            height=_TOP_ROW,
            words=(word, word),
            span=(left, left + width),
        )
        prefix = f"Plane {number + 1}: " if compute.planes > 1 else ""
        text = f"{prefix}{count:,} {word.lower()} switches {compute.switch}"
        scene.labels.append(Label(x=left + 4, y=head, text=text))
        tiers.append([replace(b, title=f"{prefix}{b.title}") for b in row.boxes])
        scene.boxes.extend(tiers[-1])
    return tiers


def _uplinks(design: FabricDesign, plane: Wiring, group: Group) -> int:
    """Links from a group of units to the tier that joins them, over all planes."""
    tree = plane.tree
    if tree.tiers == 3:
        spines = plane.unit_spines * group.count
        return spines * tree.spine_up * design.compute.planes
    first = plane.unit(group.first + 1).first_leaf
    last = plane.unit(group.first + group.count)
    leaves = last.first_leaf + last.leaves - first
    return leaves * tree.up * design.compute.planes


def _unit_box(
    design: FabricDesign, plane: Wiring, group: Group, href: Href | None
) -> Box:
    first = plane.unit(group.first + 1)
    last = plane.unit(group.first + group.count)
    nodes = last.first_node + last.nodes - first.first_node
    leaves = last.first_leaf + last.leaves - first.first_leaf
    planes = design.compute.planes
    switches = f"{leaves * planes:,} leaf"
    if plane.unit_spines:
        switches += f", {plane.unit_spines * group.count * planes:,} spine"
    speed = f"{design.compute.link_gbps}G"
    lines = (
        _size_line(design, nodes),
        switches,
        f"{_uplinks(design, plane, group):,} × {speed} up",
    )
    label = _unit_label(plane, group)
    return Box(
        kind=UNIT,
        x=0,
        y=0,
        width=0,
        height=_CELL,
        label=label,
        lines=lines,
        title=f"{label}: {', '.join(lines)}",
        href=href(first.number) if href else "",
    )


def _unit_label(plane: Wiring, group: Group) -> str:
    word = plane.unit_word if group.count == 1 else f"{plane.unit_word}s"
    return span_label(word, group.first, group.count)


def _size_line(design: FabricDesign, nodes: int) -> str:
    platform = design.spec.platform
    gpus = platform.gpus_per_node
    word = platform.node_word.split()[-1]
    if gpus is None:
        return f"{nodes:,} {word}s"
    if platform.is_rack:
        return f"{nodes * gpus:,} GPUs, {nodes // platform.nodes_per_rack:,} racks"
    return f"{nodes * gpus:,} GPUs, {nodes:,} {word}s"


def _stubs(
    scene: Scene, design: FabricDesign, plane: Wiring, group: Group, box: Box
) -> None:
    """A short line from each plane's riser to a unit, titled with its links."""
    planes = design.compute.planes
    where = "core" if plane.tree.tiers == 3 else "spine"
    count = _uplinks(design, plane, group) // planes
    for number in range(planes):
        y = box.y + box.height / 2 + 10 * number
        x = _riser_x(box, number)
        title = f"{box.label} to {where}: {count:,} links"
        if planes > 1:
            title += f" in plane {number + 1}"
        ends = ((x, y), (box.x, y))
        scene.bundles.append(Bundle(points=ends, title=title, is_thick=True))


def _bus(
    scene: Scene,
    plane: Wiring,
    tier: list[Box],
    cells: list[Box],
    bus: float,
    number: int,
) -> None:
    """Lines of one plane from the joining tier to a bus, and down each column."""
    title = f"Every {plane.unit_word.lower()} reaches the tier above"
    lines = [((b.middle, b.y + b.height), (b.middle, bus)) for b in tier]
    risers = []
    for column in range(min(COLUMNS, len(cells))):
        last = cells[column::COLUMNS][-1]
        x = _riser_x(last, number)
        risers.append(x)
        lines.append(((x, bus), (x, last.y + last.height / 2 + 10 * number)))
    reach = [*risers, *(box.middle for box in tier)]
    lines.append(((min(reach), bus), (max(reach), bus)))
    scene.bundles.extend(
        Bundle(points=ends, title=title, is_thick=True) for ends in lines
    )


def draw_chips(
    scene: Scene, plane: Wiring, open_unit: int, href: Href, y: float
) -> float:
    """Links to the other units, under the one that is open."""
    chips = [(f"All {plane.unit_word.lower()}s", href(None), False)]
    for group in grouped(0, plane.units, MOST_CHIPS - 1):
        is_open = open_unit - 1 in group.numbers
        label = _unit_label(plane, group)
        chips.append((label, href(group.first + 1), is_open))
    step = (800 - 2 * _EDGE) / 8
    for place, (label, link, is_open) in enumerate(chips):
        row, column = divmod(place, 8)
        scene.boxes.append(
            Box(
                kind=UNIT,
                x=_EDGE + step * column + 3,
                y=y + row * (_CHIP + 6),
                width=step - 6,
                height=_CHIP,
                label=label,
                title=label,
                href=link,
                is_open=is_open,
            )
        )
    return y + ceil_div(len(chips), 8) * (_CHIP + 6)
