"""What a picture is made of: boxes, bundles of links and labels, with no look yet."""

from __future__ import annotations

from dataclasses import dataclass, field

SWITCH = "switch"
NODE = "node"
UNIT = "unit"
FRAME = "frame"


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle with a label and small lines under it. `title` is its tooltip."""

    kind: str
    x: float
    y: float
    width: float
    height: float
    label: str = ""
    lines: tuple[str, ...] = ()
    title: str = ""
    href: str = ""
    is_open: bool = False

    @property
    def middle(self) -> float:
        return self.x + self.width / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """Several links drawn as one line. `points` are its corners."""

    points: tuple[tuple[float, float], ...]
    title: str
    is_thick: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """Text on its own. A head is bold, a note small; it starts at `x` or is centred."""

    x: float
    y: float
    text: str
    is_note: bool = False
    is_centred: bool = False


@dataclass(slots=True, kw_only=True)
class Scene:
    """A picture. Bundles are drawn under boxes, frames under both."""

    title: str
    desc: str
    width: float
    height: float = 0
    boxes: list[Box] = field(default_factory=list)
    bundles: list[Bundle] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
