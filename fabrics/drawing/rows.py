"""Rows of boxes: grouping many devices into few boxes, and placing them evenly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fabrics.drawing.scene import Box, Bundle
from fabrics.engine.names import span_label
from fabrics.engine.topology import ceil_div

MOST_BOXES = 10
LEFT = 136.0
RIGHT = 772.0
GAP = 8.0
WIDEST = 96.0
# Width of a letter at 12 px, a little more than Inter needs.
LETTER = 7.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """`count` devices in a row from `first`, drawn as one box."""

    first: int
    count: int

    @property
    def numbers(self) -> range:
        return range(self.first, self.first + self.count)


def grouped(first: int, count: int, most: int = MOST_BOXES) -> list[Group]:
    """At most `most` groups, of equal size when that needs few boxes less.

    >>> [g.count for g in grouped(0, 18)]
    [2, 2, 2, 2, 2, 2, 2, 2, 2]
    >>> [g.count for g in grouped(0, 23)]
    [3, 3, 3, 3, 3, 3, 3, 2]
    """
    least = ceil_div(count, most) or 1
    size = next((s for s in range(least, 2 * least) if count % s == 0), least)
    return [
        Group(first=first + start, count=min(size, count - start))
        for start in range(0, count, size)
    ]


def fitting_groups(first: int, count: int) -> list[Group]:
    """As many groups as leave each box room for its numbers."""
    if not count:
        return []
    for most in range(MOST_BOXES, 1, -1):
        groups = grouped(first, count, most)
        width = min(WIDEST, (RIGHT - LEFT) / len(groups) - GAP)
        if all(len(span_label("", g.first, g.count)) * LETTER <= width for g in groups):
            return groups
    return grouped(first, count, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One tier of one plane, placed."""

    groups: list[Group]
    boxes: list[Box]
    y: float
    height: float


def place_row(  # noqa: PLR0913  (a row has this many facts, all named)
    groups: list[Group],
    *,
    kind: str,
    y: float,
    height: float,
    words: tuple[str, str],
    lines: Callable[[Group], tuple[str, ...]] | None = None,
    span: tuple[float, float] = (LEFT, RIGHT),
) -> Row:
    """Spread the groups' boxes evenly over `span`. `words` are one and several."""
    if not groups:
        return Row(groups=[], boxes=[], y=y, height=height)
    left, right = span
    step = (right - left) / len(groups)
    width = min(WIDEST, step - GAP)
    labels = [
        span_label(words[0] if g.count == 1 else words[1], g.first, g.count)
        for g in groups
    ]
    # Either every box says its word or none does: the row is named beside it anyway.
    has_room = all(len(label) * LETTER <= width for label in labels)
    boxes = []
    for place, (group, label) in enumerate(zip(groups, labels, strict=True)):
        boxes.append(
            Box(
                kind=kind,
                x=left + step * place + (step - width) / 2,
                y=y,
                width=width,
                height=height,
                label=label if has_room else label.split(" ", 1)[1],
                lines=lines(group) if lines else (),
                title=label,
            )
        )
    return Row(groups=groups, boxes=boxes, y=y, height=height)


def join_rows(
    inner: Row, outer: Row, links: Callable[[Group, Group], int], speed: str
) -> list[Bundle]:
    """A bundle for every two boxes that share links, titled with their number.

    The outer row may stand above the inner one or, in a mirrored plane, below it.
    """
    found = []
    is_below = outer.y > inner.y
    inner_y = inner.y + inner.height if is_below else inner.y
    outer_y = outer.y if is_below else outer.y + outer.height
    for near, near_box in zip(inner.groups, inner.boxes, strict=True):
        for far, far_box in zip(outer.groups, outer.boxes, strict=True):
            count = links(near, far)
            if count:
                ends = ((far_box.middle, outer_y), (near_box.middle, inner_y))
                title = f"{near_box.title} to {far_box.title.lower()}"
                title += f": {count:,} links of {speed}"
                found.append(Bundle(points=ends, title=title))
    return found
