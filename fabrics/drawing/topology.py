"""The topology of a design as a picture and as text."""

from __future__ import annotations

from collections.abc import Callable

from fabrics.drawing.detail import draw_detail
from fabrics.drawing.overview import draw_chips, draw_overview
from fabrics.drawing.scene import NODE, Box, Bundle, Scene
from fabrics.drawing.svg import WEB, write_svg
from fabrics.engine import FabricDesign
from fabrics.engine.wiring import Wiring, wiring
from fabrics.words import NETWORKS

Href = Callable[[int | None], str]
WIDTH = 800.0
_PAD = 12.0


def topology_svg(
    design: FabricDesign,
    skin: str = WEB,
    open_unit: int | None = None,
    unit_href: Href | None = None,
    prefix: str = "topo",
) -> str:
    """The topology as SVG.

    Several units are folded into a grid; `open_unit` (from 1) opens one. With
    `unit_href` every unit is a link: it is called with a unit's number, or with None
    for the view with all units folded. A number that is no unit folds them all.
    """
    scene = topology_scene(design, open_unit=open_unit, unit_href=unit_href)
    return write_svg(scene, skin=skin, prefix=prefix)


def topology_scene(
    design: FabricDesign,
    *,
    open_unit: int | None = None,
    unit_href: Href | None = None,
) -> Scene:
    """The picture before it has a look; never more than about 1,500 elements."""
    scene = Scene(title=_title(design), desc=_desc(design), width=WIDTH)
    plane = wiring(design)
    if plane is None:
        scene.height = _draw_pair(scene, design) + _PAD
        return scene
    is_open = open_unit is not None and 1 <= open_unit <= plane.units
    if plane.units > 1 and not is_open:
        end = draw_overview(scene, design, plane, unit_href, _PAD)
    else:
        number = open_unit if is_open and open_unit else 1
        end = draw_detail(scene, design, plane, plane.unit(number), _PAD)
        if unit_href and plane.units > 1:
            end = draw_chips(scene, plane, number, unit_href, end + 2 * _PAD)
    scene.height = end + _PAD
    return scene


def unit_count(design: FabricDesign) -> int:
    """How many units the drawing folds: the numbers `open_unit` may take."""
    plane = wiring(design)
    return plane.units if plane else 0


def _title(design: FabricDesign) -> str:
    spec = design.spec
    size = f"{spec.gpus:,} GPUs" if spec.gpus else f"{spec.nodes:,} hosts"
    words = NETWORKS.get(spec.fabric)
    network = words.full if words else spec.fabric
    return f"Topology of {size}, {spec.platform.name} on {network}"


def _desc(design: FabricDesign) -> str:
    compute = design.compute
    if compute.tree is None:
        return f"{compute.node_links} direct links, no switch."
    kinds = {"leaf": compute.leaf, "spine": compute.spine, "core": compute.core}
    counts = [f"{count:,} {kind}" for kind, count in kinds.items() if count]
    planes = f" in {compute.planes} planes" if compute.planes > 1 else ""
    return f"{', '.join(counts)} switches {compute.switch}{planes}."


def _draw_pair(scene: Scene, design: FabricDesign) -> float:
    """One station, or two face to face."""
    nodes = design.compute.nodes
    places = (340.0,) if nodes == 1 else (150.0, 530.0)
    for number, x in enumerate(places, start=1):
        scene.boxes.append(
            Box(
                kind=NODE,
                x=x,
                y=_PAD,
                width=120,
                height=56,
                label=f"Station {number}",
                lines=("1 GPU",),
                title=f"Station {number}",
            )
        )
    if nodes == 2:
        _pair_links(scene, design)
    return _PAD + 56


def _pair_links(scene: Scene, design: FabricDesign) -> None:
    for link in range(design.compute.node_links):
        y = _PAD + 20 + 16 * link
        title = f"Port {link + 1}: 400G, RoCEv2"
        scene.bundles.append(
            Bundle(points=((270, y), (530, y)), title=title, is_thick=True)
        )


def topology_text(design: FabricDesign) -> list[object]:
    """The same facts as a nested list: a text, then the list under it.

    The shape is what Django's `unordered_list` filter takes.
    """
    plane = wiring(design)
    if plane is None:
        return [_title(design), [_desc(design)]]
    lines: list[object] = [_desc(design), *design.explain]
    lines += [f"{plane.unit_word}s", _unit_texts(design, plane)]
    return [_title(design), lines]


def _unit_texts(design: FabricDesign, plane: Wiring) -> list[object]:
    """One line a unit; equal units in a row share a line."""
    last = plane.unit(plane.units)
    first = plane.unit(1)
    texts: list[object] = []
    if plane.units > 1:
        full = plane.units - 1
        word = plane.unit_word
        label = f"{word} 1" if full == 1 else f"{word}s 1–{full:,}, each"
        texts.append(f"{label}: {_unit_text(design, first.nodes, first.leaves)}")
    text = _unit_text(design, last.nodes, last.leaves)
    texts.append(f"{plane.unit_word} {plane.units:,}: {text}")
    return texts


def _unit_text(design: FabricDesign, nodes: int, leaves: int) -> str:
    platform = design.spec.platform
    gpus = platform.gpus_per_node
    size = f"{nodes * gpus:,} GPUs on " if gpus else ""
    planes = design.compute.planes
    each = f" in each of {planes} planes" if planes > 1 else ""
    return f"{size}{nodes:,} {platform.node_word}s, {leaves:,} leaf switches{each}"
