"""Rows of the cabling list for the scale-out network, plane by plane."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fabrics.engine.cable import (
    DIRECT,
    LEAF_LEAF,
    LEAF_SPINE,
    NODE_LEAF,
    SCALE_OUT,
    SPINE_CORE,
    UFM_LEAF,
    Cable,
)
from fabrics.engine.design import FabricDesign
from fabrics.engine.names import device_name
from fabrics.engine.optics import chosen_optics, run_length, switch_cable
from fabrics.engine.placing import Placing
from fabrics.engine.profiles import CableSet
from fabrics.engine.racking import Racking
from fabrics.engine.topology import FatTree, ceil_div
from fabrics.engine.wiring import Wiring, wiring


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kit:
    """Modules, cables and port names of one design. A twin cable carries two links."""

    node_module: str
    switch_module: str
    node_part: str
    node_metres: str
    switch_part: str
    switch_metres: str
    ufm_module: str
    ufm_part: str
    ports: list[str]
    is_twin: bool


def scaleout_rows(
    design: FabricDesign, where: Placing, racks: Racking, *, on_floor: bool = False
) -> Iterator[Cable]:
    """Nodes, then UFM, then between switches, plane by plane.

    On a floor each run has a medium of its own, so no label is of a twin cable yet.
    """
    plane_wiring = wiring(design)
    kit = _kit(design)
    if on_floor:
        kit = replace(kit, is_twin=False)
    if plane_wiring is None:
        yield from _direct(design, kit)
        return
    for plane in range(design.compute.planes):
        maker = _Maker(
            design=design,
            wires=plane_wiring,
            where=where,
            racks=racks,
            kit=kit,
            plane=plane,
        )
        yield from maker.node_links()
        if plane == 0:
            yield from maker.ufm_links()
        yield from maker.peer_links()
        yield from maker.leaf_links()
        yield from maker.core_links()


def scaleout_count(design: FabricDesign) -> int:
    """How many rows there are, without making them."""
    compute = design.compute
    return (
        compute.node_links
        + compute.ufm_links
        + compute.peer_links
        + compute.leaf_spine_links
        + compute.spine_core_links
    )


def _kit(design: FabricDesign) -> _Kit:
    spec = design.spec
    optics = chosen_optics(spec)
    if isinstance(optics, CableSet):
        node, between = optics.node_cable, switch_cable(optics, spec.cable_metres)
        modules = ("", "", "", "")
    else:
        node = between = optics.fibre
        modules = (
            optics.nic_module,
            optics.switch_module,
            optics.ufm_module,
            optics.ufm_fibre,
        )
    return _Kit(
        node_module=modules[0],
        switch_module=modules[1],
        node_part=node,
        node_metres=run_length(node, spec.cable_metres),
        switch_part=between,
        switch_metres=run_length(between, spec.cable_metres),
        ufm_module=modules[2],
        ufm_part=modules[3],
        ports=_port_names(design),
        is_twin=isinstance(optics, CableSet) and optics.links == 2,
    )


def _port_names(design: FabricDesign) -> list[str]:
    """Names of a switch's ports in the manner of its system software."""
    radix = design.spec.profile.radix
    fabric = design.spec.fabric
    if fabric == "spectrum-2":
        return [f"swp{port + 1}" for port in range(radix)]
    if fabric == "spectrum-x":
        return [f"swp{port // 2 + 1}s{port % 2}" for port in range(radix)]
    return [f"{port // 2 + 1}/{port % 2 + 1}" for port in range(radix)]


def _direct(design: FabricDesign, kit: _Kit) -> Iterator[Cable]:
    for link in range(design.compute.node_links):
        yield Cable(
            SCALE_OUT,
            f"DI-{link + 1:07d}",
            DIRECT,
            "",
            "station-1",
            f"port {link + 1}",
            kit.node_module,
            "",
            "station-2",
            f"port {link + 1}",
            kit.node_module,
            kit.node_metres,
            kit.node_part,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Maker:
    """The rows of one plane."""

    design: FabricDesign
    wires: Wiring
    where: Placing
    racks: Racking
    kit: _Kit
    plane: int

    @property
    def tree(self) -> FatTree:
        return self.wires.tree

    def _switch(self, kind: str, number: int) -> tuple[str, str]:
        """Rack and name of a switch of this plane."""
        planes = self.design.compute.planes
        place = self.where.switch_place(kind, number, self.plane)
        name = device_name(kind, number, plane=self.plane, planes=planes)
        return self.where.switch_rack(place), name

    def _label(self, code: str) -> str:
        """The fixed part of a label: the kind, and the plane where there are two."""
        return f"{code}{self.plane + 1}-" if self.design.compute.planes > 1 else code

    def _numbered(self, head: str, number: int) -> str:
        """A label between switches; two links of a twin cable share it."""
        if self.kit.is_twin:
            return f"{head}{number - 1 + number % 2:07d}/{2 - number % 2}"
        return f"{head}{number:07d}"

    def node_links(self) -> Iterator[Cable]:
        wires, kit, where = self.wires, self.kit, self.where
        head = self._label("NL")
        nics = self._nic_names()
        cages = self.tree.radix // 2
        leaves: dict[int, tuple[str, str]] = {}
        number = 0
        for node in range(wires.nodes):
            rack, device = where.node_rack(node), where.node_name(node)
            for port, nic in enumerate(nics):
                leaf = wires.leaf_of(node, port)
                if leaf not in leaves:
                    # A new group begins: names of the one before are not needed again.
                    if len(leaves) >= 2 * wires.rails:
                        leaves.clear()
                    leaves[leaf] = self._switch("leaf", leaf)
                leaf_rack, leaf_name = leaves[leaf]
                at = wires.leaf_port(node, port)
                number += 1
                label = f"{head}{number:07d}"
                if kit.is_twin:
                    cage = leaf * cages + at // 2 + 1
                    label = f"{head}{cage:07d}/{at % 2 + 1}"
                yield Cable(
                    SCALE_OUT,
                    label,
                    NODE_LEAF,
                    rack,
                    device,
                    nic,
                    kit.node_module,
                    leaf_rack,
                    leaf_name,
                    kit.ports[at],
                    kit.switch_module,
                    kit.node_metres,
                    kit.node_part,
                )

    def _nic_names(self) -> list[str]:
        """A node's ports: one NIC a rail, with a port for each plane."""
        if self.wires.rails == 1:
            return [f"port {port + 1}" for port in range(self.wires.ports)]
        if self.design.compute.planes > 1:
            port = self.plane + 1
            return [f"NIC {r + 1} port {port}" for r in range(self.wires.ports)]
        return [f"NIC {rail + 1}" for rail in range(self.wires.ports)]

    def ufm_links(self) -> Iterator[Cable]:
        """UFM takes the leaf ports of the node position that is left to it."""
        kit = self.kit
        position = self.wires.nodes
        for link in range(self.design.compute.ufm_links):
            leaf = self.wires.leaf_of(position, link)
            leaf_rack, leaf_name = self._switch("leaf", leaf)
            rack, device = self.racks.place("ufm", link // 2)
            yield Cable(
                SCALE_OUT,
                f"UF{link // 2 + 1:07d}/{link % 2 + 1}",
                UFM_LEAF,
                rack,
                device,
                f"port {link % 2 + 1}",
                kit.ufm_module,
                leaf_rack,
                leaf_name,
                kit.ports[self.wires.leaf_port(position, link)],
                kit.switch_module,
                kit.node_metres,
                kit.ufm_part,
            )

    def _first_up(self) -> int:
        """The first port of a leaf above its node ports, on a cage of its own."""
        return 2 * ceil_div(self.tree.down, 2)

    def peer_links(self) -> Iterator[Cable]:
        if not self.tree.peer_links:
            return
        first = self._first_up()
        head = self._label("LL")
        ends = (self._switch("leaf", 0), self._switch("leaf", 1))
        for link in range(self.tree.peer_links):
            port = self.kit.ports[first + link]
            yield self._between(
                self._numbered(head, link + 1), LEAF_LEAF, ends, (port, port)
            )

    def leaf_links(self) -> Iterator[Cable]:
        tree, wires, ports = self.tree, self.wires, self.kit.ports
        if not tree.spines:
            return
        head = self._label("LS")
        first, each = self._first_up(), tree.links_per_pair
        number = 0
        names: dict[int, tuple[str, str]] = {}
        for leaf in range(tree.leaves):
            near = self._switch("leaf", leaf)
            reached = wires.spines_of(leaf)
            if reached.start not in names:
                names = {spine: self._switch("spine", spine) for spine in reached}
            down = wires.place_in_pod(leaf) * each
            for place, spine in enumerate(reached):
                ends = (near, names[spine])
                up = first + place * each
                for link in range(each):
                    number += 1
                    yield self._between(
                        self._numbered(head, number),
                        LEAF_SPINE,
                        ends,
                        (ports[up + link], ports[down + link]),
                    )

    def core_links(self) -> Iterator[Cable]:
        """A spine deals its uplinks out in turn to the cores of its group.

        The turn goes on from spine to spine, so every core is filled to its last port
        and the links of a spine differ by one at most between cores.
        """
        tree, ports = self.tree, self.kit.ports
        if not tree.cores:
            return
        head = self._label("SC")
        first = tree.radix - tree.spine_up
        in_group = tree.spines_per_pod // tree.core_groups
        per_group = tree.cores_per_group
        cores = [self._switch("core", core) for core in range(tree.cores)]
        number = 0
        for spine in range(tree.spines):
            pod, place = divmod(spine, tree.spines_per_pod)
            group, order = divmod(place, in_group)
            near = self._switch("spine", spine)
            turn = (pod * in_group + order) * tree.spine_up
            for link in range(tree.spine_up):
                port, core = divmod(turn + link, per_group)
                number += 1
                yield self._between(
                    self._numbered(head, number),
                    SPINE_CORE,
                    (near, cores[group * per_group + core]),
                    (ports[first + link], ports[port]),
                )

    def _between(
        self,
        label: str,
        kind: str,
        ends: tuple[tuple[str, str], tuple[str, str]],
        at: tuple[str, str],
    ) -> Cable:
        kit = self.kit
        near, far = ends
        return Cable(
            SCALE_OUT,
            label,
            kind,
            near[0],
            near[1],
            at[0],
            kit.switch_module,
            far[0],
            far[1],
            at[1],
            kit.switch_module,
            kit.switch_metres,
            kit.switch_part,
        )
