"""How the networks beside scale-out deal node links out to their leaves.

A unit of nodes fills one cage on each of two leaves, so that a node's links end on two
switches and only the last unit leaves a cage part empty. The cages go to the leaves in
turn. Parts are counted and rows are listed from this one rule.
"""

from __future__ import annotations

from dataclasses import dataclass

from fabrics.engine.topology import ceil_div, even_split

SIDES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """Where a link ends: leaf and port from 0, and its tail of a splitter from 0."""

    leaf: int
    port: int
    tail: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealing:
    """`ports` links a node; `share` links on one port; `per_cage` ports in a cage.

    Half of a node's links fit in one cage.

    >>> deal = Dealing(nodes=127, ports=2, leaves=10)
    >>> deal.cages, deal.end(0, 1), deal.end(126, 0)
    (128, End(leaf=1, port=0, tail=0), End(leaf=6, port=24, tail=0))
    """

    nodes: int
    ports: int
    leaves: int
    share: int = 1
    per_cage: int = 2
    first_cage: int = 0

    @property
    def per_side(self) -> int:
        """Links of one node on each of its two leaves."""
        return ceil_div(self.ports, SIDES)

    @property
    def unit_nodes(self) -> int:
        """Nodes that fill a cage on each side."""
        return max(1, self.per_cage * self.share // self.per_side)

    @property
    def cages(self) -> int:
        """Cages in use on all leaves."""
        return SIDES * ceil_div(self.nodes, self.unit_nodes)

    @property
    def leaf_cages(self) -> int:
        """Cages in use on the fullest leaf, the ones before its first left out."""
        return ceil_div(self.cages, self.leaves) if self.leaves else 0

    @property
    def splitters(self) -> int:
        """Splitter fibres where links share a port."""
        units, rest = divmod(self.nodes, self.unit_nodes)
        each = ceil_div(self.unit_nodes * self.per_side, self.share)
        return SIDES * (units * each + ceil_div(rest * self.per_side, self.share))

    def cables(self, place: int) -> int:
        """Cables a side of the node at `place` of its unit; a splitter is its first's.

        >>> deal = Dealing(nodes=8, ports=2, leaves=2, share=2)
        >>> [deal.cables(place) for place in range(deal.unit_nodes)]
        [1, 0, 1, 0]
        """
        slots = range(place * self.per_side, (place + 1) * self.per_side)
        return sum(slot % self.share == 0 for slot in slots)

    def end(self, node: int, port: int) -> End:
        """Where a node's link ends. Odd links go to one leaf, even to the other."""
        unit, place = divmod(node, self.unit_nodes)
        side, order = port % SIDES, port // SIDES
        row, leaf = divmod(SIDES * unit + side, self.leaves)
        slot = place * self.per_side + order
        return End(
            leaf=leaf,
            port=self.per_cage * (self.first_cage + row) + slot // self.share,
            tail=slot % self.share,
        )

    def cage_end(self, cage: int, port: int) -> End:
        """A port of one of the cages after those of the nodes, for other devices."""
        row, leaf = divmod(self.cages + cage, self.leaves)
        first = self.per_cage * (self.first_cage + row)
        return End(leaf=leaf, port=first + port, tail=0)


def block_spines(leaves: int, up: int, radix: int, least: int = 2) -> int:
    """Spines of one block of leaves: each leaf gives each spine the same links.

    >>> block_spines(4, 48, 128), block_spines(8, 32, 64, least=1)
    (2, 4)
    """
    need = max(least, ceil_div(leaves * up, radix))
    return even_split(need, up) or up


def all_spines(leaves: int, up: int, radix: int, block: int) -> int:
    """Spines of leaves in blocks, each with spines of its own.

    >>> all_spines(132, 48, 128, 128)
    50
    """
    blocks, rest = divmod(leaves, block)
    spines = blocks * block_spines(block, up, radix)
    return spines + (block_spines(rest, up, radix) if rest else 0)
