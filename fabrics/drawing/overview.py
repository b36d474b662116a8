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
_RISER = 20.0
_CHIP = 26.0


def draw_overview(
    scene: Scene, design: FabricDesign, plane: Wiring, href: Href | None, y: float
) -> float:
    """Draw the joining tier, the units under it and a riser beside each column."""
    y = _top_rows(scene, design, plane, y)
    bus = y + 22
    groups = grouped(0, plane.units, MOST_UNITS)
    step = (800 - 2 * _EDGE) / COLUMNS
    top = bus + 22
    for place, group in enumerate(groups):
        row, column = divmod(place, COLUMNS)
        cell_y = top + row * (_CELL + _CELL_GAP)
        box = _unit_box(design, plane, group, href)
        box = replace(
            box, x=_EDGE + step * column + _RISER, y=cell_y, width=step - _RISER
        )
        scene.boxes.append(box)
        scene.bundles.append(_stub(design, plane, group, box))
    _bus(scene, plane, len(groups), step, bus, top, y)
    rows = ceil_div(len(groups), COLUMNS)
    return top + rows * (_CELL + _CELL_GAP)


def _top_rows(scene: Scene, design: FabricDesign, plane: Wiring, y: float) -> float:
    """The shared spines, or the cores; planes side by side."""
    compute = design.compute
    tree = plane.tree
    is_core = tree.tiers == 3
    count = tree.cores if is_core else tree.spines
    word = "Core" if is_core else "Spine"
    head = y + 12
    y += 22
    width = (800 - 2 * _EDGE) / compute.planes
    most = 10 // compute.planes
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
        scene.boxes.extend(
            replace(box, title=f"{prefix}{box.title}") for box in row.boxes
        )
    return y + _TOP_ROW


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


def _stub(design: FabricDesign, plane: Wiring, group: Group, box: Box) -> Bundle:
    middle = box.y + box.height / 2
    where = "core" if plane.tree.tiers == 3 else "spine"
    count = _uplinks(design, plane, group)
    return Bundle(
        points=((box.x - _RISER / 2, middle), (box.x, middle)),
        title=f"{box.label} to {where}: {count:,} links",
        is_thick=True,
    )


def _bus(
    scene: Scene,
    plane: Wiring,
    cells: int,
    step: float,
    bus: float,
    top: float,
    tier_bottom: float,
) -> None:
    """Lines from the joining tier to a bus, and down beside each column."""
    title = f"Every {plane.unit_word.lower()} reaches the tier above"
    tier = [box for box in scene.boxes if box.kind == SWITCH]
    for box in tier:
        ends = ((box.middle, tier_bottom), (box.middle, bus))
        scene.bundles.append(Bundle(points=ends, title=title, is_thick=True))
    columns = min(COLUMNS, cells)
    risers = [_EDGE + step * column + _RISER / 2 for column in range(columns)]
    reach = [*risers, *(box.middle for box in tier)]
    ends = ((min(reach), bus), (max(reach), bus))
    scene.bundles.append(Bundle(points=ends, title=title, is_thick=True))
    for column, x in enumerate(risers):
        last = (cells - 1 - column) // COLUMNS
        bottom = top + last * (_CELL + _CELL_GAP) + _CELL / 2
        scene.bundles.append(
            Bundle(points=((x, bus), (x, bottom)), title=title, is_thick=True)
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
