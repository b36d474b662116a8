"""How many links two boxes of a drawing share, counted on the engine's wiring."""

from __future__ import annotations

from fabrics.drawing.rows import Group
from fabrics.engine.topology import ceil_div
from fabrics.engine.wiring import Wiring


def leaf_to_spine(plane: Wiring, leaves: Group, spines: Group) -> int:
    """Links of one plane between a box of leaves and a box of spines."""
    pairs = 0
    for leaf in leaves.numbers:
        reached = plane.spines_of(leaf)
        low = max(reached.start, spines.first)
        high = min(reached.stop, spines.first + spines.count)
        pairs += max(0, high - low)
    return pairs * plane.tree.links_per_pair


def node_to_leaf(plane: Wiring, nodes: Group, leaves: Group) -> int:
    """Links of one plane between a box of nodes and a box of leaves."""
    if plane.tree.leaves == 1:
        return nodes.count * plane.ports
    if plane.tree.peer_links:
        return sum(_pair_ports(plane, leaf) for leaf in leaves.numbers) * nodes.count
    if plane.rails == 1:
        return sum(_dealt(plane, nodes, leaf) for leaf in leaves.numbers)
    return sum(_of_group(plane, nodes, leaf) for leaf in leaves.numbers)


def _pair_ports(plane: Wiring, leaf: int) -> int:
    """Ports of a node on one leaf of a pair: the odd ones, or the even ones."""
    return ceil_div(plane.ports, 2) if leaf == 0 else plane.ports // 2


def _dealt(plane: Wiring, nodes: Group, leaf: int) -> int:
    """Ports dealt out in turn: those of the group that fall on this leaf."""
    first = nodes.first * plane.ports
    last = first + nodes.count * plane.ports
    turn = plane.tree.leaves
    return (last - leaf + turn - 1) // turn - (first - leaf + turn - 1) // turn


def _of_group(plane: Wiring, nodes: Group, leaf: int) -> int:
    """One link for each node of the leaf's group."""
    start = leaf // plane.rails * plane.tree.down
    low = max(start, nodes.first)
    high = min(start + plane.tree.down, nodes.first + nodes.count)
    return max(0, high - low)
