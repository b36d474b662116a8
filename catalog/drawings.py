"""Drawings of what products look like, made from their data. Pure functions, SVG out.

Every drawing is lines and boxes with classes that the page's style sheet colours, so it
follows the theme. Lengths are drawing units: 10 to a rack unit of height for what fits
a rack (482 mm wide is 190), whatever suits for the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

WIDTH = 190.0
UNIT = 17.5
# The height that small drawings are centred in, so that cards line up.
FRAME = 110.0

Numbers = Mapping[str, Any]


def draw(form: str, numbers: Numbers, title: str) -> SafeString:
    """Return the drawing of a form, titled for screen readers."""
    shapes, width, height = _FORMS.get(form, _appliance)(numbers)
    pad = 8.0
    box = f"{-pad:g} {-pad:g} {width + 2 * pad:g} {height + 2 * pad:g}"
    return format_html(
        '<svg class="drawing" viewBox="{}" role="img"><title>{}</title>{}</svg>',
        box,
        title,
        mark_safe("".join(shapes)),  # only numbers and our own words
    )


Drawing = tuple[list[str], float, float]


def _rect(x: float, y: float, w: float, h: float, kind: str, r: float = 1) -> str:
    return (
        f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" '
        f'width="{w:.1f}" height="{h:.1f}" rx="{r:g}"/>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, kind: str = "d-thin") -> str:
    return f'<path class="{kind}" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>'


def _circle(x: float, y: float, r: float, kind: str) -> str:
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{r:g}"/>'


def _chassis(units: float, width: float = WIDTH) -> Iterator[str]:
    """A rack unit's front: the body and an ear with its screws on either side."""
    height = units * UNIT
    yield _rect(0, 0, width, height, "d-body", 1.5)
    for x in (0.0, width - 7):
        yield _rect(x, 0, 7, height, "d-ear", 1.5)
        for y in (4.0, height - 4):
            yield _circle(x + 3.5, y, 1.1, "d-hole")


def _switch(numbers: Numbers) -> Drawing:
    """A switch front: its cages in rows, in blocks of eight columns."""
    units, ports = numbers.get("units", 1), numbers.get("ports", 32)
    rows = numbers.get("rows", 2)
    shapes = list(_chassis(units))
    height = units * UNIT
    uplinks = numbers.get("uplinks", 0)
    left, right = 21.0, WIDTH - 10.0 - (24 if uplinks else 0)
    columns = -(-ports // rows)
    gaps = (columns - 1) // 8
    step = (right - left - gaps * 2.5) / columns
    row_height = (height - 5) / rows
    for port in range(ports):
        column, row = divmod(port, rows)
        x = left + column * step + (column // 8) * 2.5
        y = 2.5 + row * row_height
        shapes.append(_rect(x, y + 0.6, step - 0.9, row_height - 1.2, "d-port", 0.5))
        if numbers.get("cage") == "osfp" and row_height > 6:
            shapes.append(
                _line(x + 0.8, y + row_height / 2, x + step - 1.7, y + row_height / 2)
            )
    for index in range(uplinks):
        x, y = WIDTH - 31 + (index % 2) * 11, 3 + (index // 2) * (height - 6) / 2
        shapes.append(_rect(x, y, 9.5, (height - 8) / 2, "d-port", 0.5))
    for index in range(3):
        y = height / 2 + (index - 1) * 4
        shapes.append(_circle(13, y, 1.2, "d-light" if index == 0 else "d-hole"))
    return shapes, WIDTH, height


def _server(numbers: Numbers) -> Drawing:
    """A GPU server's front: a drive row on top and a wall of fan grilles."""
    units = numbers.get("units", 8)
    shapes = list(_chassis(units))
    height = units * UNIT
    head = UNIT * 2
    for index in range(8):
        shapes.append(_rect(14 + index * 20.4, 4, 18.6, head - 8, "d-port", 1))
        shapes.append(_line(17 + index * 20.4, head - 8, 29 + index * 20.4, head - 8))
    fans = 5
    size = (WIDTH - 28) / fans
    rows = max(1, round((height - head - 8) / size))
    tall = (height - head - 6) / rows
    for index in range(fans * rows):
        column, row = index % fans, index // fans
        x, y = 14 + column * size, head + row * tall
        shapes.append(_rect(x, y, size - 2, tall - 2, "d-panel", 2))
        r = min(size, tall) / 2 - 4
        centre = (x + size / 2 - 1, y + tall / 2 - 1)
        for share in (1, 0.68, 0.36):
            shapes.append(_circle(*centre, round(r * share, 1), "d-ring"))
    shapes.append(_circle(9.8, height / 2, 1.4, "d-light"))
    return shapes, WIDTH, height


def _tower(numbers: Numbers) -> Drawing:
    """A deskside tower: front and side in one view, at its own proportions."""
    sizes = sorted(numbers.get("sizes") or [230.0, 565.0, 580.0])
    scale = 150 / sizes[-1]
    front, depth, height = sizes[0] * scale, sizes[1] * scale * 0.62, 150.0
    shapes = [_rect(0, 0, front, height, "d-body", 4)]
    lift = depth * 0.22
    top = height - lift
    shapes.append(
        f'<path class="d-side" d="M{front:.1f} 2 L{front + depth:.1f} {lift:.1f} '
        f'L{front + depth:.1f} {top:.1f} L{front:.1f} {height - 2:.1f}Z"/>'
    )
    for index in range(15):
        y = 20 + index * (height - 52) / 15
        shapes.append(_line(7, y, front - 7, y, "d-vent"))
    shapes.append(_circle(front / 2, 10, 3, "d-ring"))
    shapes.append(_circle(front / 2, 10, 1.2, "d-light"))
    for index in range(2):
        shapes.append(_rect(9 + index * 9, height - 20, 6, 3, "d-port", 0.8))
    shapes.append(_rect(9, height - 13, front - 18, 5, "d-panel", 1))
    for index in range(5):
        x = front + depth * (0.16 + index * 0.15)
        slope = lift * (0.16 + index * 0.15)
        shapes.append(_line(x, 14 + slope, x, height - 14 - slope, "d-vent"))
    return shapes, front + depth, height


def _rack(numbers: Numbers) -> Drawing:
    """A whole rack, bottom to top: power, trays, NVLink switches, trays, power."""
    width, step = 92.0, 4.6
    switches = numbers.get("switch_trays", 9)
    trays = numbers.get("compute_trays", 18)
    shelves = numbers.get("power_shelves", 8)
    lower, upper = trays - trays * 5 // 9, trays * 5 // 9
    plan = [
        ("d-power", shelves // 2),
        ("d-tray", upper),
        ("d-nvlink", switches),
        ("d-tray", lower),
        ("d-power", shelves - shelves // 2),
    ]
    height = (2 + sum(count for _kind, count in plan) + 3) * step + 6
    shapes = [
        _rect(0, 0, width, height, "d-body", 3),
        _rect(6, 5, width - 12, height - 10, "d-panel", 1),
    ]
    y = 5 + step * 2.5
    for index in range(2):
        shapes.append(_rect(9, 7 + index * step, width - 18, step - 1, "d-port", 0.6))
    for kind, count in plan:
        for _ in range(count):
            shapes.append(_rect(9, y, width - 18, step - 1, kind, 0.6))
            shapes.append(_circle(width - 13, y + step / 2 - 0.5, 0.7, "d-light"))
            y += step
    for x in (12.0, width - 24):
        shapes.append(_rect(x, height, 12, 4, "d-ear", 1))
    return shapes, width, height + 4


def _card(numbers: Numbers) -> Drawing:
    """A network card: board, bracket with cages, edge connector, heat sink."""
    cages = numbers.get("cages", 1)
    shapes = [
        _rect(14, 0, 150, 72, "d-body", 2),
        _rect(4, -4, 7, 86, "d-ear", 1),
        _rect(44, 72, 84, 7, "d-gold", 0.5),
        _rect(70, 12, 74, 44, "d-panel", 2),
    ]
    shapes += [_line(44 + i * 4, 73, 44 + i * 4, 78) for i in range(1, 21) if i != 7]
    shapes += [_line(74 + i * 6, 15, 74 + i * 6, 53, "d-vent") for i in range(12)]
    tall = 26.0
    for index in range(cages):
        y = (72 - cages * tall - (cages - 1) * 6) / 2 + index * (tall + 6)
        shapes.append(_rect(-2, y, 52, tall, "d-port", 1.5))
        shapes.append(_line(8, y + tall / 2, 44, y + tall / 2))
    return shapes, 166, 82


def _module(numbers: Numbers) -> Drawing:
    """An optical module from its side, with a pull tab and its fibre ends."""
    links = numbers.get("links", 1)
    is_large = numbers.get("shape") != "qsfp"
    tall = 40.0 if is_large else 30.0
    shapes = [
        _rect(26, 0, 128, tall, "d-body", 2),
        _rect(126, tall - 12, 28, 9, "d-gold", 0.5),
        _rect(0, tall / 2 - 9, 30, 18, "d-side", 4),
        _rect(6, tall / 2 - 4, 14, 8, "d-panel", 3),
    ]
    if is_large:
        shapes += [
            _line(40 + i * 9, 3, 40 + i * 9, tall - 3, "d-vent") for i in range(9)
        ]
    else:
        shapes.append(_rect(44, 6, 70, tall - 12, "d-panel", 1))
    for index in range(links):
        y = tall / 2 + (index - (links - 1) / 2) * 14
        shapes.append(_rect(22, y - 4, 12, 8, "d-port", 1))
    shapes += [_line(130 + i * 4, tall - 11, 130 + i * 4, tall - 4) for i in range(6)]
    return shapes, 154, tall


def _cable(numbers: Numbers) -> Drawing:
    """A cable in a loop with its plugs; a splitter has two at one end."""
    is_fibre = numbers.get("kind") == "fibre"
    ends = numbers.get("ends", 2)
    line = "d-fibre" if is_fibre else "d-copper"
    loop = "M34 60 C80 60 70 8 100 8 S120 60 90 60 S60 8 100 8"
    shapes = [f'<path class="{line}" d="{loop} S130 60 156 60"/>']
    shapes += _plug(0, 60, is_fibre, left=True)
    if ends == 3:
        shapes.append(f'<path class="{line}" d="M140 59 C150 59 148 34 158 34"/>')
        shapes += _plug(156, 34, is_fibre, left=False)
    shapes += _plug(156, 60, is_fibre, left=False)
    return shapes, 190, 72


def _plug(x: float, y: float, is_fibre: bool, *, left: bool) -> list[str]:
    tall = 12.0 if is_fibre else 20.0
    tip = x if left else x + 24
    return [
        _rect(x + (8 if left else 0), y - tall / 2, 26, tall, "d-body", 2),
        _rect(
            tip, y - tall / 2 + 3, 10, tall - 6, "d-gold" if not is_fibre else "d-port"
        ),
    ]


def _appliance(numbers: Numbers) -> Drawing:
    """A management server's front: drive bays, a grille and a light."""
    units = numbers.get("units", 1)
    shapes = list(_chassis(units))
    height = units * UNIT
    for index in range(4):
        shapes.append(_rect(14 + index * 27, 3, 25, height - 6, "d-port", 1))
        shapes.append(_line(17 + index * 27, height / 2, 30 + index * 27, height / 2))
    for index in range(11):
        x = 126 + index * 4.6
        shapes.append(_line(x, 4, x, height - 4, "d-vent"))
    shapes.append(_circle(10.5, height / 2, 1.3, "d-light"))
    return shapes, WIDTH, height


_FORMS: dict[str, Callable[[Numbers], Drawing]] = {
    "switch": _switch,
    "server": _server,
    "tower": _tower,
    "rack": _rack,
    "card": _card,
    "module": _module,
    "cable": _cable,
    "appliance": _appliance,
}
