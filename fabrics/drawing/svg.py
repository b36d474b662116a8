"""A scene as SVG in one of two skins: classes for the page, literal colours for print.

WeasyPrint does not hand a page's custom properties down to inline SVG, so the print
skin carries a style element of its own. Neither skin uses a `style` attribute: the
site's policy forbids it.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from fabrics.drawing.scene import FRAME, NODE, SWITCH, UNIT, Box, Bundle, Label, Scene

WEB = "web"
PRINT = "print"
SKINS = (WEB, PRINT)
_CLASSES = {SWITCH: "sw", NODE: "rk", UNIT: "rk"}
# The light theme of the site in literal colours.
_PRINT_STYLE = (
    ".topo text{font-family:Inter,sans-serif;font-size:12px;font-weight:500;"
    "fill:#111827;text-anchor:middle}"
    ".topo .m{fill:#4b5565;font-size:11px;font-weight:400}"
    ".topo .h{font-weight:650;text-anchor:start}"
    ".topo .h.m{font-weight:400}"
    ".topo .su-b{fill:#f6f8fb;stroke:#7b8798}"
    ".topo .sw rect{fill:#e7f1fc;stroke:#0a55a4}"
    ".topo .rk rect{fill:#ffffff;stroke:#7b8798}"
    ".topo .l{stroke:#7b8798;fill:none;opacity:.55}"
    ".topo .l.t{opacity:1;stroke-width:1.5}"
)


def write_svg(scene: Scene, *, skin: str = WEB, prefix: str = "topo") -> str:
    """The scene as one `<svg>` element. `prefix` keeps ids apart on a page.

    A picture with links is a group to assistive technology: an image's children
    would be hidden from it.
    """
    if skin not in SKINS:
        raise ValueError(f"skin must be one of {', '.join(SKINS)}")
    has_links = any(box.href for box in scene.boxes)
    role = "group" if has_links else "img"
    parts = [
        f'<svg class="topo" xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="0 0 {_n(scene.width)} {_n(scene.height)}" role="{role}" '
        f'aria-labelledby="{prefix}-title {prefix}-desc">',
        f'<title id="{prefix}-title">{escape(scene.title)}</title>',
        f'<desc id="{prefix}-desc">{escape(scene.desc)}</desc>',
    ]
    parts.extend(_body(scene))
    parts.append("</svg>")
    svg = "".join(parts)
    return in_print(svg) if skin == PRINT else svg


def in_print(svg: str) -> str:
    """A drawing of the web skin with colours of its own: the print skin."""
    if not svg:
        return ""
    head, end, body = svg.partition("</desc>")
    return f"{head}{end}<style>{_PRINT_STYLE}</style>{body}"


def _body(scene: Scene) -> Iterable[str]:
    """Frames first, then the lines, then what stands on them."""
    yield from (_box(box) for box in scene.boxes if box.kind == FRAME)
    yield from (_bundle(bundle) for bundle in scene.bundles)
    yield from (_box(box) for box in scene.boxes if box.kind != FRAME)
    yield from (_label(label) for label in scene.labels)


def _n(number: float) -> str:
    """A coordinate with one decimal at most: shorter files, no visible loss."""
    return f"{number:.1f}".removesuffix(".0")


def _rect(box: Box, classes: str = "") -> str:
    named = f' class="{classes}"' if classes else ""
    return (
        f'<rect{named} x="{_n(box.x)}" y="{_n(box.y)}" '
        f'width="{_n(box.width)}" height="{_n(box.height)}" rx="4"/>'
    )


def _box(box: Box) -> str:
    if box.kind == FRAME:
        return _rect(box, "su-b")
    classes = "sw" if box.is_open else _CLASSES[box.kind]
    inner = f"<title>{escape(box.title)}</title>{_rect(box)}{''.join(_text(box))}"
    group = f'<g class="{classes}">{inner}</g>'
    if not box.href:
        return group
    current = ' aria-current="true"' if box.is_open else ""
    return f'<a href="{escape(box.href)}"{current}>{group}</a>'


def _text(box: Box) -> Iterable[str]:
    """The label and its lines, centred as one block."""
    rows = 1 + len(box.lines)
    y = box.y + box.height / 2 - (rows - 1) * 8 + 4
    x = _n(box.middle)
    yield f'<text x="{x}" y="{_n(y)}">{escape(box.label)}</text>'
    for place, text in enumerate(box.lines, start=1):
        yield f'<text class="m" x="{x}" y="{_n(y + 16 * place)}">{escape(text)}</text>'


def _bundle(bundle: Bundle) -> str:
    path = "L".join(f"{_n(x)} {_n(y)}" for x, y in bundle.points)
    classes = "l t" if bundle.is_thick else "l"
    title = escape(bundle.title)
    return f'<path class="{classes}" d="M{path}"><title>{title}</title></path>'


def _label(label: Label) -> str:
    classes = " ".join(
        name
        for name, is_on in (("h", not label.is_centred), ("m", label.is_note))
        if is_on
    )
    return (
        f'<text class="{classes}" x="{_n(label.x)}" y="{_n(label.y)}">'
        f"{escape(label.text)}</text>"
    )
