"""Who is joined to whom: one numbering shared by the drawing and the cabling list.

Nodes, leaves, spines and cores are numbered from 0 within a plane. Every answer is
arithmetic, so asking about one link of a large cluster costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from fabrics.engine.design import FabricDesign
from fabrics.engine.topology import FatTree, ceil_div


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """What is drawn and racked together: a scalable unit, a pod, or a leaf group.

    `leaves` and `spines` are of one plane; spines are 0 when all units share them.
    """

    number: int
    first_node: int
    nodes: int
    first_leaf: int
    leaves: int
    first_spine: int
    spines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """One plane of a design as arithmetic."""

    tree: FatTree
    nodes: int
    ports: int
    rails: int
    unit_leaves: int
    unit_spines: int
    unit_nodes: int
    units: int
    unit_word: str
    rail_pods: bool

    def leaf_of(self, node: int, port: int) -> int:
        """The leaf that a node's port goes to.

        Rail-optimised: port r goes to leaf r of the node's group. On a pair odd NICs
        go to one leaf and even to the other. A small fabric deals ports out in turn.
        """
        if self.tree.leaves == 1:
            return 0
        if self.tree.peer_links:
            return port % 2
        if self.rails == 1:
            return (node * self.ports + port) % self.tree.leaves
        return node // self.tree.down * self.rails + port

    def leaf_port(self, node: int, port: int) -> int:
        """The place of a node's port among its leaf's down ports."""
        if self.tree.leaves == 1:
            return node * self.ports + port
        if self.tree.peer_links:
            return node * ceil_div(self.ports, 2) + port // 2
        if self.rails == 1:
            return (node * self.ports + port) // self.tree.leaves
        return node % self.tree.down

    def rail_of_leaf(self, leaf: int) -> int:
        return leaf % self.rails

    def spines_of(self, leaf: int) -> range:
        """The spines a leaf reaches, in order."""
        tree = self.tree
        if not tree.spines:
            return range(0)
        if tree.tiers < 3:
            return range(tree.spines)
        pod = self.pod_of(leaf)
        return range(pod * tree.spines_per_pod, (pod + 1) * tree.spines_per_pod)

    def pod_of(self, leaf: int) -> int:
        """The pod of a leaf. GB200 has one for each unit and rail."""
        if not self.rail_pods:
            return leaf // self.tree.leaves_per_pod
        unit = leaf // self.unit_leaves
        return unit * self.rails + self.rail_of_leaf(leaf)

    def place_in_pod(self, leaf: int) -> int:
        """The place of a leaf among the leaves of its pod."""
        if not self.rail_pods:
            return leaf % self.tree.leaves_per_pod
        return leaf % self.unit_leaves // self.rails

    def unit(self, number: int) -> Unit:
        """Unit `number`, from 1. The last may hold fewer nodes."""
        first = (number - 1) * self.unit_nodes
        first_leaf = (number - 1) * self.unit_leaves
        return Unit(
            number=number,
            first_node=first,
            nodes=max(0, min(self.unit_nodes, self.nodes - first)),
            first_leaf=first_leaf,
            leaves=min(self.unit_leaves, self.tree.leaves - first_leaf),
            first_spine=(number - 1) * self.unit_spines,
            spines=self.unit_spines,
        )


def wiring(design: FabricDesign) -> Wiring | None:
    """The wiring of each plane of a design, or None where there is no switch."""
    compute = design.compute
    tree = compute.tree
    if tree is None:
        return None
    profile = design.spec.profile
    unit_leaves, unit_nodes = _unit_size(design, tree)
    per_pod = tree.spines_per_pod if tree.tiers == 3 else 0
    rail_pods = profile.rail_pods and tree.tiers == 3
    return Wiring(
        tree=tree,
        nodes=compute.nodes,
        ports=compute.ports_per_node,
        rails=compute.rails,
        unit_leaves=unit_leaves,
        unit_spines=per_pod * (compute.rails if rail_pods else 1),
        unit_nodes=unit_nodes,
        units=ceil_div(tree.leaves, unit_leaves),
        unit_word=_unit_word(design, tree, unit_nodes),
        rail_pods=rail_pods,
    )


def _unit_word(design: FabricDesign, tree: FatTree, unit_nodes: int) -> str:
    """A scalable unit of the document, or what else stands together."""
    if design.spec.profile.buys_full_su and unit_nodes == design.spec.profile.su_nodes:
        return "Unit"
    return "Pod" if tree.tiers == 3 else "Group"


def _unit_size(design: FabricDesign, tree: FatTree) -> tuple[int, int]:
    """Leaves and nodes of one unit: a pod in three tiers, else a scalable unit.

    Designs that buy what they use are drawn whole when their spines are shared by
    few leaves, and by leaf group otherwise.
    """
    profile = design.spec.profile
    if tree.peer_links or profile.rails == 1:
        return tree.leaves, design.compute.nodes
    unit_nodes = max(profile.su_nodes, profile.down)
    leaves = profile.rails * ceil_div(unit_nodes, profile.down)
    if tree.tiers == 3 and not profile.rail_pods:
        pods = tree.leaves_per_pod // leaves
        return tree.leaves_per_pod, unit_nodes * pods
    return leaves, unit_nodes
