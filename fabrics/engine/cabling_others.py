"""Rows of the cabling list for storage, front end and out of band."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fabrics.engine.cable import (
    APPLIANCE_LEAF,
    FRONT_END,
    LEAF_LEAF,
    LEAF_SPINE,
    NODE_LEAF,
    SERVER_LEAF,
    SPINE_SPINE,
    STORAGE,
    UFM_LEAF,
    Cable,
)
from fabrics.engine.dealing import Dealing
from fabrics.engine.design import FabricDesign, Network
from fabrics.engine.optics import run_length
from fabrics.engine.placing import Placing
from fabrics.engine.ports import NIC_MODULE, SPLIT_CABLE, TWIN_MODULE, dealing
from fabrics.engine.racking import Racking
from fabrics.engine.topology import ceil_div

SPLITTER = "MFP7E40"
UFM_MODULE = "MMA4Z00-NS400"
UFM_FIBRE = "MFP7E20"
APPLIANCES = "storage-appliances"
NFS = "nfs-storage"
Place = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """Modules and cables of one network; a module is "" on a fixed cable."""

    network: str
    node_module: str
    switch_module: str
    node_part: str
    switch_part: str
    code: str
    node_port: str


_STORAGE = Kit(
    network=STORAGE,
    node_module="MMA1Z00-NS400",
    switch_module="MMA4Z00-NS",
    node_part="MFP7E10",
    switch_part="MFP7E10",
    code="S",
    node_port="storage",
)
_SPECTRUM = Kit(
    network=FRONT_END,
    node_module=NIC_MODULE,
    switch_module=TWIN_MODULE,
    node_part="MFP7E30",
    switch_part="MFP7E30",
    code="F",
    node_port="front end",
)
_SN4600C = Kit(
    network=FRONT_END,
    node_module="",
    switch_module="",
    node_part="AOC-200G",
    switch_part="AOC-100G",
    code="F",
    node_port="front end",
)


def kit_of(network: Network) -> Kit:
    if network.name == "storage":
        return _STORAGE
    return _SN4600C if network.switch == "SN4600C" else _SPECTRUM


@dataclass(frozen=True, slots=True, kw_only=True)
class Lister:
    """The rows of one network with leaves and spines, in a fixed order."""

    design: FabricDesign
    network: Network
    kit: Kit
    deal: Dealing
    where: Placing
    racks: Racking

    def rows(self) -> Iterator[Cable]:
        yield from self.node_links()
        yield from self.ufm_links()
        yield from self.split_links()
        yield from self.beside_links()
        yield from self.leaf_links()
        yield from self.peer_links()

    @property
    def run_name(self) -> str:
        return "" if self.network.is_shared else self.network.name.replace("_", "-")

    def _leaf(self, leaf: int) -> Place:
        return self.racks.place(self.run_name, leaf)

    def _spine(self, spine: int) -> Place:
        return self.racks.place(self.run_name, self.network.leaf + spine)

    def _port(self, port: int, share: int = 1, tail: int = 0) -> str:
        """A port's name; each of `share` links on it has a name of its own."""
        cage, lane = divmod(port, self.deal.per_cage)
        if self.network.name == "storage":
            return f"{cage + 1}/{lane + 1}"
        if self.deal.per_cage == 1:
            return f"swp{cage + 1}"
        return f"swp{cage + 1}s{lane * share + tail}"

    def _metres(self, part: str) -> str:
        return run_length(part, self.design.spec.cable_metres)

    def node_links(self) -> Iterator[Cable]:
        """Tails of one splitter share a label: /1 and /2."""
        kit, deal, where = self.kit, self.deal, self.where
        is_split = deal.share > 1
        part = SPLITTER if is_split else kit.node_part
        metres = self._metres(part)
        leaves = [self._leaf(leaf) for leaf in range(deal.leaves)]
        number = 0
        for node in range(deal.nodes):
            rack, device = where.node_rack(node), where.node_name(node)
            for port in range(deal.ports):
                end = deal.end(node, port)
                leaf_rack, leaf_name = leaves[end.leaf]
                number += 1
                label = f"{kit.code}N{number:07d}"
                name = self._port(end.port, deal.share, end.tail)
                if is_split:
                    place = end.leaf * self.network.radix + end.port
                    label = f"{kit.code}N{place + 1:07d}/{end.tail + 1}"
                yield Cable(
                    kit.network,
                    label,
                    NODE_LEAF,
                    rack,
                    device,
                    f"{kit.node_port} {port + 1}",
                    kit.node_module,
                    leaf_rack,
                    leaf_name,
                    name,
                    kit.switch_module,
                    metres,
                    part,
                )

    def ufm_links(self) -> Iterator[Cable]:
        """First the ports an odd last node leaves free, then cages of their own."""
        links = self.network.ufm_links
        free = [(self.deal.nodes, side) for side in range(2)]
        ends = [self.deal.end(*each) for each in free if self.deal.nodes % 2]
        cages = self._ufm_cages
        ends += [self.deal.cage_end(c, p) for p in range(2) for c in range(cages)]
        first = 2 if self.design.spec.fabric.startswith("quantum") else 0
        for link, end in enumerate(ends[:links]):
            unit, port = link % 2, link // 2
            rack, device = self.racks.place("ufm", first + unit)
            leaf_rack, leaf_name = self._leaf(end.leaf)
            yield Cable(
                self.kit.network,
                f"SU{port + 1:07d}/{unit + 1}",
                UFM_LEAF,
                rack,
                device,
                f"port {port + 1}",
                UFM_MODULE,
                leaf_rack,
                leaf_name,
                self._port(end.port),
                self.kit.switch_module,
                self._metres(UFM_FIBRE),
                UFM_FIBRE,
            )

    @property
    def _ufm_cages(self) -> int:
        """Cages of UFM beside the ports that an odd last node leaves free."""
        free = 2 * (self.deal.nodes % 2)
        return ceil_div(max(0, self.network.ufm_links - free), 2)

    def split_links(self) -> Iterator[Cable]:
        """Cables with two ends of 200G, a cage each: appliances, then servers.

        The appliances are the owner's, so their ports are numbered. A server has two
        ports, on the cables of two leaves.
        """
        network = self.network
        first = self._ufm_cages
        for number in range(network.split_cables):
            server = number - network.appliance_cables
            for tail in range(2):
                end = self.deal.cage_end(first + number, tail)
                kind, device, port = (
                    APPLIANCE_LEAF,
                    APPLIANCES,
                    f"port {2 * number + tail + 1}",
                )
                if server >= 0:
                    kind, device = SERVER_LEAF, self._server(server, tail)
                    port = f"storage {server % 2 + 1}"
                leaf_rack, leaf_name = self._leaf(end.leaf)
                yield Cable(
                    self.kit.network,
                    f"SA{number + 1:07d}/{tail + 1}",
                    kind,
                    "",
                    device,
                    port,
                    "",
                    leaf_rack,
                    leaf_name,
                    self._port(end.port),
                    "",
                    self._metres(SPLIT_CABLE),
                    SPLIT_CABLE,
                )

    def beside_links(self) -> Iterator[Cable]:
        """Appliances and servers, one link each end: in turn after the nodes' cages.

        On SN4600C they take the ports after a leaf's uplinks, each the next leaf's.
        """
        network, kit = self.network, self.kit
        for number in range(network.beside_links):
            server = number - network.appliance_links
            kind, device, port = APPLIANCE_LEAF, APPLIANCES, f"port {number + 1}"
            if self.deal.per_cage == 1:
                device = NFS
            if server >= 0:
                kind, port = SERVER_LEAF, f"{kit.node_port} {server % 2 + 1}"
                device = self._server(server // 2 - server // 2 % 2, server // 2 % 2)
            leaf, at = self._beside(number)
            leaf_rack, leaf_name = self._leaf(leaf)
            yield Cable(
                kit.network,
                f"{kit.code}A{number + 1:07d}",
                kind,
                "",
                device,
                port,
                "",
                leaf_rack,
                leaf_name,
                self._port(at),
                kit.switch_module,
                self._metres(kit.switch_part),
                kit.switch_part,
            )

    def _beside(self, number: int) -> tuple[int, int]:
        """Leaf and port of a link beside the nodes'."""
        if self.deal.per_cage == 1:
            row, leaf = divmod(number, self.network.leaf)
            up = self.network.leaf_spine_links // self.network.leaf
            return leaf, self._first_up(up) + up + row
        end = self.deal.cage_end(*divmod(number, 2))
        return end.leaf, end.port

    def _server(self, cable: int, tail: int) -> str:
        """Two cables serve a pair of servers, named after the appliances of UFM."""
        management = self.design.management
        first = management.ufm if management else 0
        return f"server-{first + cable // 2 * 2 + tail + 1:02d}"

    def leaf_links(self) -> Iterator[Cable]:
        """Each leaf gives each spine of its block the same links."""
        network = self.network
        if not network.spine:
            return
        up = network.leaf_spine_links // network.leaf
        per_block = network.block_leaves or network.leaf
        first_up = self._first_up(up)
        number = 0
        for leaf in range(network.leaf):
            block, place = divmod(leaf, per_block)
            spines = self.block_spines(block)
            each = up // len(spines)
            near = self._leaf(leaf)
            for order, spine in enumerate(spines):
                far = self._spine(spine)
                for link in range(each):
                    number += 1
                    yield self._between(
                        f"{self.kit.code}L{number:07d}",
                        LEAF_SPINE,
                        (near, far),
                        (first_up + order * each + link, place * each + link),
                    )

    def _first_up(self, up: int) -> int:
        """Uplinks take the last ports; SN4600C keeps 48 for nodes."""
        return 48 if self.deal.per_cage == 1 else self.network.radix - up

    def block_spines(self, block: int) -> range:
        full = self.network.block_spines or self.network.spine
        first = block * full
        return range(first, min(first + full, self.network.spine))

    def peer_pairs(self) -> Iterator[tuple[tuple[int, int], int]]:
        """Two switches of the run and their links: a pair of leaves, or of cores.

        A shared pair's own are listed with the scale-out network.
        """
        network = self.network
        if network.is_shared or not network.peer_links:
            return
        first = network.leaf if network.spine else 0
        pairs = network.spine // 2 if network.spine else 1
        for pair in range(pairs):
            ends = (first + 2 * pair, first + 2 * pair + 1)
            yield ends, network.peer_links // pairs

    def peer_links(self) -> Iterator[Cable]:
        """On the last ports of the two, from the same port to the same."""
        kind = SPINE_SPINE if self.network.spine else LEAF_LEAF
        number = 0
        for (one, other), links in self.peer_pairs():
            first = self.network.radix - 2 * ceil_div(links, 2)
            ends = (self._leaf(one), self._leaf(other))
            for port in range(first, first + links):
                number += 1
                label = f"{self.kit.code}P{number:07d}"
                yield self._between(label, kind, ends, (port, port))

    def _between(
        self, label: str, kind: str, ends: tuple[Place, Place], at: tuple[int, int]
    ) -> Cable:
        kit = self.kit
        near, far = ends
        return Cable(
            kit.network,
            label,
            kind,
            near[0],
            near[1],
            self._port(at[0]),
            kit.switch_module,
            far[0],
            far[1],
            self._port(at[1]),
            kit.switch_module,
            self._metres(kit.switch_part),
            kit.switch_part,
        )


def lister(
    design: FabricDesign, network: Network, where: Placing, racks: Racking
) -> Lister:
    """The rows of storage or front end."""
    first_cage = 0
    if network.is_shared and design.compute.tree:
        tree = design.compute.tree
        first_cage = ceil_div(tree.down, 2) + ceil_div(tree.peer_links, 2)
    return Lister(
        design=design,
        network=network,
        kit=kit_of(network),
        deal=dealing(network, first_cage),
        where=where,
        racks=racks,
    )
