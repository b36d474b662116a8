"""One unit drawn open: racks or nodes, leaves, spines, and the core above them.

Two planes are drawn as mirror images, the nodes between them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from fabrics.drawing.links import leaf_to_spine, node_to_leaf
from fabrics.drawing.rows import (
    GAP,
    LEFT,
    RIGHT,
    Group,
    Row,
    fitting_groups,
    join_rows,
    place_row,
)
from fabrics.drawing.scene import FRAME, NODE, SWITCH, Box, Bundle, Label, Scene
from fabrics.engine import FabricDesign
from fabrics.engine.topology import ceil_div
from fabrics.engine.wiring import Unit, Wiring

ROW = 30.0
NODE_ROW = 46.0
SPACE = 84.0
PAD = 14.0
TITLE = 30.0
EDGE = 16.0
_FEW_NODES = 16
_UFM_ROOM = 80.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tier:
    """One row to draw, from the outside in."""

    kind: str
    count: int
    first: int
    word: str


def draw_detail(
    scene: Scene, design: FabricDesign, plane: Wiring, unit: Unit, y: float
) -> float:
    """Draw `unit` from `y` down and return where it ends."""
    painter = _Painter(scene=scene, design=design, plane=plane, unit=unit)
    return painter.draw(y)


@dataclass(slots=True, kw_only=True)
class _Painter:
    scene: Scene
    design: FabricDesign
    plane: Wiring
    unit: Unit

    def draw(self, y: float) -> float:
        outside, inside = self._tiers()
        y = self._rows_down(outside, y)
        frame_top = y
        y += TITLE
        nodes_y = y + len(inside) * (ROW + SPACE)
        nodes = self._node_row(nodes_y)
        self._plane(0, outside, inside, nodes, frame_top)
        y = nodes_y + NODE_ROW
        if self.design.compute.planes > 1:
            self._plane(1, outside, inside, nodes, frame_top)
            y += len(inside) * (ROW + SPACE)
        self._frame(frame_top, y + PAD)
        y += PAD
        if self.design.compute.planes > 1:
            y += len(outside) * (ROW + SPACE)
        return y

    def _rows_down(self, tiers: list[_Tier], y: float) -> float:
        return y + len(tiers) * (ROW + SPACE)

    def _tiers(self) -> tuple[list[_Tier], list[_Tier]]:
        """Tiers outside the unit's frame and inside it, outermost first."""
        tree, unit = self.plane.tree, self.unit
        leaf = _Tier(kind="leaf", count=unit.leaves, first=unit.first_leaf, word="Leaf")
        if not tree.spines:
            return [], [leaf]
        if tree.tiers == 3:
            spine = _Tier(
                kind="spine", count=unit.spines, first=unit.first_spine, word="Spine"
            )
            core = _Tier(kind="core", count=tree.cores, first=0, word="Core")
            return [core], [spine, leaf]
        spine = _Tier(kind="spine", count=tree.spines, first=0, word="Spine")
        shared = self.plane.units > 1
        return ([spine], [leaf]) if shared else ([], [spine, leaf])

    def _plane(
        self,
        number: int,
        outside: list[_Tier],
        inside: list[_Tier],
        nodes: Row,
        frame_top: float,
    ) -> None:
        """Place the tiers of one plane: above the nodes, or mirrored below them."""
        tiers = [*outside, *inside]
        inner: Row = nodes
        for step, tier in enumerate(reversed(tiers)):
            is_outside = len(tiers) - step <= len(outside)
            extra = PAD if number else TITLE
            away = (step + 1) * (ROW + SPACE) + (extra if is_outside else 0)
            y = nodes.y + NODE_ROW + away - ROW if number else nodes.y - away
            row = self._tier_row(tier, y)
            self._join(tier, row, inner, number)
            self._side_labels(tier, row, number)
            inner = row

    def _tier_row(self, tier: _Tier, y: float) -> Row:
        if tier.kind == "core":
            groups = [Group(first=0, count=tier.count)]
        else:
            groups = fitting_groups(tier.first, tier.count)
        row = place_row(
            groups, kind=SWITCH, y=y, height=ROW, words=(tier.word, tier.word)
        )
        if tier.kind == "core":
            row = self._wide_core(row)
        self.scene.boxes.extend(row.boxes)
        if self.plane.tree.peer_links:
            self._peer_bundle(row)
        return row

    def _wide_core(self, row: Row) -> Row:
        tree = self.plane.tree
        groups = f" in {tree.core_groups:,} groups" if tree.core_groups > 1 else ""
        box = replace(
            row.boxes[0],
            x=LEFT,
            width=RIGHT - LEFT,
            label=f"{tree.cores:,} core switches{groups}",
            title="Core",
        )
        return replace(row, boxes=[box])

    def _join(self, tier: _Tier, row: Row, inner: Row, number: int) -> None:
        speed = f"{self.design.compute.link_gbps}G"
        if tier.kind == "core":
            self._join_core(row, inner, number, speed)
            return
        links = leaf_to_spine if tier.kind == "spine" else node_to_leaf
        found = join_rows(inner, row, partial(links, self.plane), speed)
        self.scene.bundles.extend(found)
        if tier.kind == "leaf" and not number and self._holds_ufm():
            self._draw_ufm(inner, row, speed)

    def _holds_ufm(self) -> bool:
        """Whether UFM stands here: it takes the position after the last node."""
        first = self.unit.first_node
        position = self.plane.nodes
        has_links = self.design.compute.ufm_links > 0
        return has_links and first <= position < first + self.plane.unit_nodes

    def _draw_ufm(self, nodes: Row, leaves: Row, speed: str) -> None:
        count = self.design.compute.ufm_links
        box = Box(
            kind=NODE,
            x=RIGHT - _UFM_ROOM + GAP,
            y=nodes.y,
            width=_UFM_ROOM - 2 * GAP,
            height=NODE_ROW,
            label="UFM",
            lines=(f"{count} links",),
            title=f"UFM appliances: {count} links",
        )
        self.scene.boxes.append(box)
        position = self.plane.nodes
        reached = [self.plane.leaf_of(position, link) for link in range(count)]
        for group, leaf_box in zip(leaves.groups, leaves.boxes, strict=True):
            links = sum(leaf in group.numbers for leaf in reached)
            if links:
                bottom = leaves.y + leaves.height
                ends = ((leaf_box.middle, bottom), (box.middle, nodes.y))
                title = f"UFM to {leaf_box.title.lower()}, {links} of {speed}"
                self.scene.bundles.append(Bundle(points=ends, title=title))

    def _join_core(self, core: Row, spines: Row, number: int, speed: str) -> None:
        """Straight lines: every spine has links to each core of its group."""
        tree = self.plane.tree
        for group, box in zip(spines.groups, spines.boxes, strict=True):
            count = group.count * tree.spine_up
            outer = core.y if number else core.y + core.height
            inner = box.y + box.height if number else box.y
            self.scene.bundles.append(
                Bundle(
                    points=((box.middle, outer), (box.middle, inner)),
                    title=f"{box.title} to core: {count:,} links of {speed}",
                    is_thick=True,
                )
            )

    def _peer_bundle(self, row: Row) -> None:
        tree = self.plane.tree
        first, last = row.boxes[0], row.boxes[-1]
        middle = row.y + ROW / 2
        speed = f"{self.design.compute.link_gbps}G"
        self.scene.bundles.append(
            Bundle(
                points=((first.x + first.width, middle), (last.x, middle)),
                title=f"Leaf 1 to leaf 2: {tree.peer_links:,} links of {speed}",
                is_thick=True,
            )
        )
        self.scene.labels.append(
            Label(
                x=(first.x + first.width + last.x) / 2,
                y=middle - 5,
                text=f"{tree.peer_links} × {speed}",
                is_note=True,
                is_centred=True,
            )
        )

    def _node_row(self, y: float) -> Row:
        """Racks of an NVL72 or of many nodes; else the nodes themselves."""
        platform = self.design.spec.platform
        unit = self.unit
        per_rack = platform.nodes_per_rack
        by_rack = per_rack > 1 and (platform.is_rack or unit.nodes > _FEW_NODES)
        each = per_rack if by_rack else 1
        word = "Rack" if by_rack else platform.node_word.capitalize()
        count = ceil_div(unit.nodes, each)
        groups = fitting_groups(unit.first_node // each, count)
        row = place_row(
            groups,
            kind=NODE,
            y=y,
            height=NODE_ROW,
            words=(word, f"{word}s"),
            lines=lambda group: self._node_lines(group, each),
            span=(LEFT, RIGHT - (_UFM_ROOM if self._holds_ufm() else 0)),
        )
        self.scene.boxes.extend(row.boxes)
        self._label(y + 20, word)
        self._label(y + 34, f"{count:,}", is_note=True)
        nodes = [
            Group(
                first=g.first * each,
                count=min(g.count * each, self.plane.nodes - g.first * each),
            )
            for g in row.groups
        ]
        return replace(row, groups=nodes)

    def _node_lines(self, group: Group, each: int) -> tuple[str, ...]:
        nodes = min(group.count * each, self.plane.nodes - group.first * each)
        gpus = self.design.spec.platform.gpus_per_node
        if gpus is None:
            ports = nodes * self.plane.ports
            return (f"{ports} port{'s' if ports != 1 else ''}",)
        return (f"{nodes * gpus:,} GPU{'s' if nodes * gpus != 1 else ''}",)

    def _side_labels(self, tier: _Tier, row: Row, number: int) -> None:
        """What the row is, and how many links each pair below it shares."""
        compute = self.design.compute
        name = f"{tier.word}, plane {number + 1}" if compute.planes > 1 else tier.word
        note = f"{tier.count:,} × {compute.switch}"
        self._label(row.y + 13, name)
        self._label(row.y + 27, note, is_note=True)
        gap_y = row.y - SPACE / 2 if number else row.y + ROW + SPACE / 2
        for place, text in enumerate(self._gap_notes(tier)):
            self._label(gap_y + 14 * place - 2, text, is_note=True)

    def _label(self, y: float, text: str, *, is_note: bool = False) -> None:
        self.scene.labels.append(Label(x=EDGE + 12, y=y, text=text, is_note=is_note))

    def _gap_notes(self, tier: _Tier) -> tuple[str, ...]:
        tree = self.plane.tree
        speed = f"{self.design.compute.link_gbps}G"
        if tier.kind == "core":
            return (f"{tree.spine_up} × {speed}", "up a spine")
        if tier.kind == "spine":
            return (f"{tree.links_per_pair} × {speed}", "leaf to each spine")
        ports = self.plane.ports
        word = self.design.spec.platform.node_word.split()[-1]
        return (f"{ports} × {speed}", f"a {word}")

    def _frame(self, top: float, bottom: float) -> None:
        unit, spec = self.unit, self.design.spec
        gpus = spec.platform.gpus_per_node
        what = f"{unit.nodes * gpus:,} GPUs" if gpus else f"{unit.nodes:,} hosts"
        text = what
        if self.plane.units > 1:
            place = f"{self.plane.unit_word} {unit.number:,} of {self.plane.units:,}"
            text = f"{place}: {what}"
        self.scene.boxes.insert(
            0,
            Box(
                kind=FRAME,
                x=EDGE,
                y=top,
                width=800 - 2 * EDGE,
                height=bottom - top,
            ),
        )
        self.scene.labels.append(Label(x=EDGE + 12, y=top + 19, text=text))
