"""Modules and cables of a design on a floor: each length a line of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal

from fabrics.engine import sources as src
from fabrics.engine.bom import OPTICS, line
from fabrics.engine.cable import LEAF_LEAF, LEAF_SPINE, NODE_LEAF, SPINE_CORE, UFM_LEAF
from fabrics.engine.design import BomLine, FabricDesign
from fabrics.engine.media import Media, Medium
from fabrics.engine.optics import cable_line, node_side, switch_cable
from fabrics.engine.profiles import CableSet, OpticSet
from fabrics.engine.row_runs import bought_lengths
from fabrics.engine.runs import Runs
from fabrics.engine.topology import FatTree, ceil_div

Lengths = Counter[tuple[str, str]]


def scaleout_lines(design: FabricDesign, runs: Runs, choice: Media) -> list[BomLine]:
    """Modules and cables of every scale-out link, by the medium its run takes."""
    modules: Counter[str] = Counter()
    why: dict[str, list[str]] = {}
    for part, count, reason in _modules(design, runs, choice):
        modules[part] += count
        why.setdefault(part, []).append(reason)
    lines = [
        line(OPTICS, part, count, ", ".join(why[part]), src.CABLE_MANUAL)
        for part, count in modules.items()
    ]
    return [*lines, *_cable_lines(cables(design, runs, choice))]


def _cable_lines(lengths: Lengths) -> Iterator[BomLine]:
    """A line for each part and length, the short ones first."""
    totals: Counter[str] = Counter()
    for (part, _metres), count in lengths.items():
        totals[part] += count
    order = {part: place for place, part in enumerate(totals)}
    for part, metres in sorted(lengths, key=lambda k: (order[k[0]], Decimal(k[1]))):
        count = lengths[part, metres]
        why = f"{count:,} of {totals[part]:,} run to at most {metres} m on the floor"
        yield cable_line(part, count, why, Decimal(metres))


def cables(design: FabricDesign, runs: Runs, choice: Media) -> Lengths:
    """How many cables of each part and length."""
    found: Lengths = Counter()
    for kind, lengths in runs.items():
        for medium, some in choice.split(kind, lengths):
            if isinstance(medium, CableSet):
                for length, links in some.items():
                    part = cable_of(medium, kind, length)
                    found += bought_lengths(part, {length: links}, medium.links)
                continue
            share = 2 if kind == UFM_LEAF else 1
            found += bought_lengths(cable_of(medium, kind, 0), some, share)
    return found


def cable_of(medium: Medium, kind: str, length: int) -> str:
    """The cable a kind of link takes on a medium."""
    if isinstance(medium, CableSet):
        if kind == NODE_LEAF:
            return medium.node_cable
        return switch_cable(medium, Decimal(length) / 100)
    return medium.ufm_fibre if kind == UFM_LEAF else medium.fibre


def _modules(
    design: FabricDesign, runs: Runs, choice: Media
) -> Iterator[tuple[str, int, str]]:
    """Modules with their counts and working; a fixed cable has none."""
    compute, spec = design.compute, design.spec
    tree = compute.tree
    if tree is None:
        return
    near = choice.of(NODE_LEAF, 0)
    if isinstance(near, OpticSet):
        yield (near.switch_module, *node_side(spec, compute, tree))
    for part, count in _between(runs, choice, tree, compute.planes).items():
        yield part, count, f"and {count:,} for links between switches"
    if isinstance(near, OpticSet):
        each = ceil_div(spec.ports_per_node * compute.planes, near.nic_links)
        why = f"{spec.nodes:,} x {each} a {spec.platform.node_word}"
        yield near.nic_module, each * spec.nodes, why
        if compute.ufm_links:
            why = f"{compute.ufm_links} links from UFM to leaf ports"
            yield near.ufm_module, compute.ufm_links, why


def _between(runs: Runs, choice: Media, tree: FatTree, planes: int) -> Counter[str]:
    """Twin modules at both ends of the links between switches."""
    found: Counter[str] = Counter()
    for medium, some in choice.split(LEAF_SPINE, runs.get(LEAF_SPINE, {})):
        if isinstance(medium, OpticSet):
            found[medium.switch_module] += sum(some.values())
    for kind in (LEAF_LEAF, SPINE_CORE):
        medium = choice.of(kind, 0)
        if kind in runs and isinstance(medium, OpticSet):
            found[medium.switch_module] += planes * _ends(tree, kind)
    if not choice.pairs_choose:
        _fill_cages(found, choice, tree, planes)
    return found


def _ends(tree: FatTree, kind: str) -> int:
    """Cages at both ends of the links of one kind, in one plane."""
    if kind == LEAF_LEAF:
        return 2 * ceil_div(tree.peer_links, 2)
    per_core = ceil_div(tree.spine_core_links, tree.cores)
    ends = tree.spines * ceil_div(tree.spine_up, 2)
    return ends + tree.cores * ceil_div(per_core, 2)


def _fill_cages(found: Counter[str], choice: Media, tree: FatTree, planes: int) -> None:
    """Where a cage is shared by two spines, count the cages of whole switches."""
    medium = choice.of(LEAF_SPINE, 0)
    if not tree.spines or not isinstance(medium, OpticSet):
        return
    per_spine = ceil_div(tree.leaf_spine_links, tree.spines)
    ends = tree.leaves * ceil_div(tree.up, 2) + tree.spines * ceil_div(per_spine, 2)
    found[medium.switch_module] += planes * (ends - tree.leaf_spine_links)


def other_lines(lines: Iterable[BomLine], lengths: Lengths) -> Iterator[BomLine]:
    """The lines of a network's section with its cables split by length.

    `lengths` are of the section; every cable bought in it has a length there.
    """
    by_part: dict[str, Lengths] = {}
    for (part, metres), count in lengths.items():
        by_part.setdefault(part, Counter())[part, metres] = count
    for item in lines:
        if item.part not in by_part:
            yield item
            continue
        for each in _cable_lines(by_part.pop(item.part)):
            yield _moved(each, item)


def _moved(each: BomLine, item: BomLine) -> BomLine:
    return replace(
        each, section=item.section, because=f"{item.because}; {each.because}"
    )
