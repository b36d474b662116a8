"""The scale-up domain as a picture: GPUs above, NVLink switches below."""

from __future__ import annotations

from fabrics.drawing.rows import Group, Row, join_rows, place_row
from fabrics.drawing.scene import FRAME, NODE, SWITCH, Box, Bundle, Label, Scene
from fabrics.drawing.svg import WEB, write_svg
from fabrics.engine import FabricDesign, ScaleUp

_EDGE = 16.0
_SPAN = (136.0, 772.0)
_WIDTH = 800.0
_ROW = 34.0
_SPACE = 92.0
_CHIPS_PER_TRAY = 2
_GPUS_PER_TRAY = 4


def nvlink_svg(
    design: FabricDesign, skin: str = WEB, prefix: str = "nvlink"
) -> str | None:
    """One NVLink domain of a design as SVG, or None where a GPU has no such link."""
    if design.scale_up is None:
        return None
    return write_svg(nvlink_scene(design, design.scale_up), skin=skin, prefix=prefix)


def nvlink_scene(design: FabricDesign, up: ScaleUp) -> Scene:
    """A rack of trays and switch trays, or a node of GPUs on its board."""
    is_rack = up.switch_trays > 0
    scene = Scene(
        title=f"NVLink domain of {up.gpus_per_domain} GPUs",
        desc=_desc(up),
        width=_WIDTH,
        height=2 * _ROW + _SPACE + 70,
    )
    _frame(scene, design, up)
    if is_rack:
        _draw_rack(scene, up)
    else:
        _draw_board(scene, up)
    return scene


def _desc(up: ScaleUp) -> str:
    speed = f"{up.gb_per_s_per_gpu} GB/s each way for each GPU, one switch hop"
    if not up.switch_trays:
        return f"{up.gpus_per_domain} GPUs on one board; {speed}."
    trays = up.switch_trays // up.domains
    return f"{trays} switch trays of {_CHIPS_PER_TRAY} chips; {speed}."


def _frame(scene: Scene, design: FabricDesign, up: ScaleUp) -> None:
    scene.boxes.append(
        Box(
            kind=FRAME,
            x=_EDGE,
            y=_EDGE,
            width=_WIDTH - 2 * _EDGE,
            height=scene.height - 2 * _EDGE,
        )
    )
    name = "Rack" if up.switch_trays else design.spec.platform.node_word.capitalize()
    text = f"{name}: {up.gpus_per_domain} GPUs in one NVLink domain"
    scene.labels.append(Label(x=_EDGE + 12, y=_EDGE + 19, text=text))


def _draw_rack(scene: Scene, up: ScaleUp) -> None:
    """Each GPU has one link to each switch chip: a tray has 8 to a switch tray."""
    trays = up.gpus_per_domain // _GPUS_PER_TRAY
    switches = up.switch_trays // up.domains
    upper = _row(scene, NODE, trays, 2, 46, ("Tray", "Trays"))
    lower = _row(scene, SWITCH, switches, 1, 46 + _ROW + _SPACE, ("Switch", ""))
    each = _GPUS_PER_TRAY * _CHIPS_PER_TRAY
    scene.bundles.extend(
        join_rows(lower, upper, lambda a, b: a.count * b.count * each, "NVLink")
    )
    chips = switches * _CHIPS_PER_TRAY
    _side(scene, 46, f"{trays} trays", f"{_GPUS_PER_TRAY} GPUs each")
    _side(
        scene, 46 + _ROW + 34, f"{chips} links a GPU", "one to each chip", is_note=True
    )
    top = 46 + _ROW + _SPACE
    _side(scene, top, f"{switches} switch trays", f"{chips} chips")


def _row(  # noqa: PLR0913  (a row has this many facts)
    scene: Scene, kind: str, count: int, size: int, y: float, words: tuple[str, str]
) -> Row:
    groups = [
        Group(first=first, count=min(size, count - first))
        for first in range(0, count, size)
    ]
    row = place_row(groups, kind=kind, y=y, height=_ROW, words=words, span=_SPAN)
    scene.boxes.extend(row.boxes)
    return row


def _draw_board(scene: Scene, up: ScaleUp) -> None:
    """Every GPU of a node on the NVLink switches of its board, drawn as one."""
    gpus = _row(scene, NODE, up.gpus_per_domain, 1, 46, ("GPU", "GPUs"))
    y = 46 + _ROW + _SPACE
    left, right = _SPAN
    scene.boxes.append(
        Box(
            kind=SWITCH,
            x=left,
            y=y,
            width=right - left,
            height=_ROW,
            label="NVLink switches of the board",
            title="NVLink switches of the board",
        )
    )
    for box in gpus.boxes:
        title = f"{box.title}: {up.gb_per_s_per_gpu} GB/s each way"
        ends = ((box.middle, 46 + _ROW), (box.middle, y))
        scene.bundles.append(Bundle(points=ends, title=title, is_thick=True))
    _side(scene, 46, "GPUs", str(up.gpus_per_domain))
    speed = f"{up.gb_per_s_per_gpu} GB/s"
    _side(scene, 46 + _ROW + 34, speed, "a GPU, each way", is_note=True)


def _side(
    scene: Scene, y: float, head: str, note: str, *, is_note: bool = False
) -> None:
    """Two lines beside a row, or beside the links between rows."""
    x = _EDGE + 12
    scene.labels.append(Label(x=x, y=y + 14, text=head, is_note=is_note))
    scene.labels.append(Label(x=x, y=y + 28, text=note, is_note=True))
