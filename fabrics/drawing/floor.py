"""The floor plan from above: rows of racks, network racks marked, with its distances.

Few racks are drawn one by one; more are drawn as spans of a row, and many rows as
bands, so that no hall needs more than about 1,500 elements.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from fabrics.drawing.scene import NODE, SWITCH, Box, Bundle, Label, Scene
from fabrics.drawing.svg import WEB, write_svg
from fabrics.engine import FabricDesign, FloorPlan, floor_plan
from fabrics.engine.topology import ceil_div

MOST_COLUMNS = 16
MOST_ROWS = 40
# Racks drawn one by one: four elements each.
MOST_DRAWN = 300
_WIDTH = 800.0
_LEFT = 76.0
_TOP = 40.0
_RACK = 26.0
_AISLE = 14.0
_WIDEST = 64.0
_PAD = 12.0


def floor_svg(design: FabricDesign, skin: str = WEB, prefix: str = "floor") -> str:
    """The floor as SVG; empty for a design without one."""
    plan = floor_plan(design)
    if plan is None:
        return ""
    return write_svg(floor_scene(plan), skin=skin, prefix=prefix)


def floor_scene(plan: FloorPlan) -> Scene:
    """The picture before it has a look."""
    scene = Scene(title="Floor plan from above", desc=_size_words(plan), width=_WIDTH)
    columns = min(plan.total, plan.per_row)
    cell = min(_WIDEST, (_WIDTH - _LEFT - _PAD) / columns)
    each = ceil_div(plan.rows, MOST_ROWS)
    y = _TOP
    for first in range(0, plan.rows, each):
        last = min(first + each, plan.rows)
        name = f"Row {first + 1}" if each == 1 else f"Rows {first + 1}–{last}"
        scene.labels.append(Label(x=4, y=y + 17, text=name, is_note=True))
        scene.boxes.extend(_row(plan, first, last, cell, y))
        y += _RACK + _AISLE
    _distances(scene, plan, columns * cell, y)
    scene.height = y + 34
    return scene


def _row(
    plan: FloorPlan, first: int, last: int, cell: float, y: float
) -> Iterator[Box]:
    """One row, or a band of rows as wide as the widest of them."""
    start = first * plan.per_row
    end = min(last * plan.per_row, plan.total)
    if last - first > 1:
        wide = cell * min(plan.per_row, end - start)
        yield _box(plan, range(start, end), _LEFT, y, wide)
        return
    columns = min(plan.total, plan.per_row)
    one_by_one = columns <= MOST_COLUMNS and plan.total <= MOST_DRAWN
    for _key, some in groupby(
        range(start, end), key=lambda p: p if one_by_one else plan.is_network(p)
    ):
        places = list(some)
        x = _LEFT + (places[0] - start) * cell
        yield _box(plan, range(places[0], places[-1] + 1), x, y, cell * len(places))


def _box(plan: FloorPlan, places: range, x: float, y: float, width: float) -> Box:
    """Racks side by side; a box with network racks among them is marked as theirs."""
    network = sum(plan.is_network(place) for place in places)
    title = _span(plan, places)
    if network:
        title += f": {network} network {'rack' if network == 1 else 'racks'}"
    label = title if len(title) * 7 < width else _span(plan, places)
    return Box(
        kind=SWITCH if network else NODE,
        x=x + 1,
        y=y,
        width=max(width - 2, 1),
        height=_RACK,
        label=label if len(label) * 7 < width else "",
        title=title,
    )


def _span(plan: FloorPlan, places: range) -> str:
    if len(places) == 1:
        return plan.name(places[0])
    return f"{plan.name(places[0])}–{plan.name(places[-1])}"


def _distances(scene: Scene, plan: FloorPlan, width: float, y: float) -> None:
    """The width under the rows and the depth beside them, with their words."""
    bottom, top = y + 2, _TOP
    across = ((_LEFT, bottom), (_LEFT + width, bottom))
    down = ((_LEFT - 8, top), (_LEFT - 8, y - _AISLE))
    for points, title in (
        (across, f"{_m(plan.width)} m wide"),
        (down, f"{_m(plan.depth)} m deep"),
    ):
        scene.bundles.append(Bundle(points=points, title=title, is_thick=True))
    head = f"{_size_words(plan)}; N racks hold the network"
    scene.labels.append(Label(x=4, y=20, text=head))
    pitches = f"{_m(plan.rack_pitch)} m from rack to rack, {_m(plan.row_pitch)} m"
    above = f"trays {_m(plan.tray)} m over the racks, slack {_m(plan.slack)} m a link"
    note = f"{pitches} from row to row, {above}"
    scene.labels.append(Label(x=_LEFT, y=bottom + 20, text=note, is_note=True))


def _size_words(plan: FloorPlan) -> str:
    """The hall in one line: "10 racks in 2 rows, 3 m wide and 6 m deep"."""
    rows = "1 row" if plan.rows == 1 else f"{plan.rows} rows"
    racks = "1 rack" if plan.total == 1 else f"{plan.total} racks"
    return f"{racks} in {rows}, {_m(plan.width)} m wide and {_m(plan.depth)} m deep"


def _m(length: int) -> str:
    return f"{length / 100:g}"


def floor_text(design: FabricDesign) -> list[object]:
    """The same facts as a nested list, for Django's `unordered_list`; rows folded."""
    plan = floor_plan(design)
    if plan is None:
        return []
    each = ceil_div(plan.rows, MOST_ROWS)
    rows: list[object] = []
    for first in range(0, plan.rows, each):
        last = min(first + each, plan.rows)
        name = f"Row {first + 1}" if each == 1 else f"Rows {first + 1} to {last}"
        end = min(last * plan.per_row, plan.total)
        rows.append(f"{name}: {_row_words(plan, range(first * plan.per_row, end))}")
    return [_size_words(plan), rows]


def _row_words(plan: FloorPlan, places: range) -> str:
    parts = []
    for is_network, some in groupby(places, key=plan.is_network):
        here = list(some)
        span = _span(plan, range(here[0], here[-1] + 1)).replace("–", " to ")
        parts.append(f"{span} (network)" if is_network else span)
    return ", ".join(parts)
