"""Storage: the GB/s a document asks for, and the InfiniBand storage fabric."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fabrics.engine import sources as src
from fabrics.engine.bom import FRONT_END, line
from fabrics.engine.dealing import block_spines
from fabrics.engine.design import CHECK, NOTE, BomLine, Check, Compute, Network
from fabrics.engine.platforms import StorageNeed, StorageTable
from fabrics.engine.ports import SPLIT_CABLE, between_twins, cables, dealing
from fabrics.engine.scaleout import leaf_nodes, scalable_units
from fabrics.engine.spec import NO_STORAGE, FabricSpec
from fabrics.engine.topology import ceil_div

# B200 and H100 documents: two 400G storage ports a node on a QM9700 fabric.
NODE_LINKS = 2
UFM_LINKS = 4
# H100 document, 4 units: 48 cables of 2 x 200G to the appliances, 4 to the servers.
_APPLIANCE_CABLES_PER_UNIT = 12
_SERVER_CABLES = 4
# Half of a switch's ports look down; uplinks are dealt to spines in fours.
_DOWN = 32
_FOURS = 4
# A spine of 64 ports meets at most so many leaves.
_BLOCK_LEAVES = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Storage:
    """The storage network, if one is asked for, with its parts and checks."""

    network: Network | None
    lines: list[BomLine]
    checks: list[Check]


def storage(spec: FabricSpec, compute: Compute) -> Storage:
    """The storage a size needs; none when it is not asked for or not on file."""
    table = spec.platform.storage
    if table is None or spec.storage_tier == NO_STORAGE:
        return Storage(network=None, lines=[], checks=_no_figure(spec, table))
    units = _units(spec, table)
    need = scaled(table.tiers[spec.storage_tier], units)
    network = Network(
        name="storage",
        is_shared=True,
        tier=spec.storage_tier,
        read_gb_per_s=need.read,
        write_gb_per_s=need.write,
        working=f"{units:g} {'unit' if units == 1 else 'units'} of "
        f"{table.gpus} GPUs, {spec.storage_tier} tier",
        source=table.source,
    )
    checks = [*_assumed(spec, table), *_one_node(spec, table)]
    if not spec.profile.front_end.startswith("in-band"):
        return Storage(network=network, lines=[], checks=checks)
    network = _infiniband(spec, network)
    checks.extend(_appliance_side(network))
    return Storage(network=network, lines=_lines(spec, network), checks=checks)


def _units(spec: FabricSpec, table: StorageTable) -> float:
    """Units of the table; a position given to UFM counts as a node."""
    per_node = spec.platform.gpus_per_node or 0
    gpus = (spec.nodes + spec.profile.ufm_positions) * per_node
    return gpus / table.gpus


def scaled(need: StorageNeed, units: float) -> StorageNeed:
    """Multiples by unit, parts by GPUs.

    Documents print whole units rounded down: 62.5 GB/s as 62.

    >>> scaled(StorageNeed(read=125, write=62.5), 1).write
    62
    >>> scaled(StorageNeed(read=90, write=45), 0.5).write
    22.5
    """
    if units == int(units):
        return StorageNeed(read=int(need.read * units), write=int(need.write * units))
    return StorageNeed(
        read=round(need.read * units, 1), write=round(need.write * units, 1)
    )


def _infiniband(spec: FabricSpec, network: Network) -> Network:
    """A QM9700 fabric of its own, half of each leaf's ports down, in blocks of leaves.

    B200: two links a node position, non-blocking: 4 units are 8 leaves and 4 spines.
    """
    shape = _storage_side(spec) if spec.profile.ufm_positions else _nodes_only(spec)
    blocks, rest = divmod(shape.leaf, _BLOCK_LEAVES)
    full = block_spines(_BLOCK_LEAVES, shape.up, 64)
    spine = blocks * full
    spine += block_spines(rest, shape.up, 64) if rest else 0
    return replace(
        network,
        switch="QM9700",
        leaf=shape.leaf,
        spine=spine,
        link_gbps=400,
        node_links=spec.nodes * NODE_LINKS,
        leaf_spine_links=shape.leaf * shape.up,
        is_shared=False,
        reach_m=50,
        radix=64,
        node_ports=NODE_LINKS,
        block_leaves=_BLOCK_LEAVES,
        block_spines=full,
        ufm_links=shape.ufm,
        appliance_cables=shape.appliances,
        server_cables=shape.servers,
        fabric_working=shape.working,
        source=spec.profile.source,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """Leaves, the uplinks of each, and what hangs on them beside nodes."""

    leaf: int
    up: int
    working: str
    ufm: int = 0
    appliances: int = 0
    servers: int = 0


def _nodes_only(spec: FabricSpec) -> _Shape:
    ports = leaf_nodes(spec) * NODE_LINKS
    leaf = ceil_div(ports, _DOWN)
    working = f"{ports:,} node ports / {_DOWN} down a leaf is {leaf:,}, {_DOWN} up"
    return _Shape(leaf=leaf, up=_DOWN, working=working)


def _storage_side(spec: FabricSpec) -> _Shape:
    """H100 and H200: nodes 4:3 to the spines, storage 1:1, UFM and servers beside.

    A cable of 2 x 200G fills a cage of two ports. 4 units: 254 + 4 + 2 x 52 ports are
    12 leaves; 256 x 3/4 + 48 is 240 uplinks, 20 a leaf, and 4 spines: the printed 16
    switches, 494 fibres and 369 switch modules. Both ratios follow from these counts.
    """
    units = scalable_units(spec)
    appliances = units * _APPLIANCE_CABLES_PER_UNIT
    ports = spec.profile.su_nodes * units * NODE_LINKS
    cages = appliances + _SERVER_CABLES
    leaf = ceil_div(ports + UFM_LINKS + 2 * cages, _DOWN)
    uplinks = ceil_div(3 * ports, 4) + appliances
    up = _FOURS * ceil_div(uplinks, _FOURS * leaf)
    working = (
        f"{ports:,} node ports + {UFM_LINKS} of UFM + 2 x {cages:,} cages of storage "
        f"and servers / {_DOWN} down a leaf is {leaf:,}; {ports:,} x 3/4 + "
        f"{appliances:,} = {uplinks:,} links up, {up} a leaf"
    )
    return _Shape(
        leaf=leaf,
        up=up,
        working=working,
        ufm=UFM_LINKS,
        appliances=appliances,
        servers=_SERVER_CABLES,
    )


def _lines(spec: FabricSpec, network: Network) -> list[BomLine]:
    """H100, 127 nodes: 494 fibres, 369 switch and 254 node modules, as printed."""
    metres = spec.cable_metres
    links = network.node_links + network.leaf_spine_links
    # UFM takes the ports that an odd last node leaves free, then cages of its own.
    free = 2 * (spec.nodes % 2)
    twins = dealing(network).cages + ceil_div(max(0, network.ufm_links - free), 2)
    twins += between_twins(network)
    why = f"{network.leaf:,} leaf + {network.spine:,} spine, storage: "
    why += network.fabric_working
    lines = [
        line(FRONT_END, "QM9700", network.leaf + network.spine, why, network.source),
        line(
            FRONT_END,
            "MMA4Z00-NS",
            twins,
            "storage links, two in a twin, and both ends between switches",
            src.CABLE_MANUAL,
        ),
        line(
            FRONT_END,
            "MMA1Z00-NS400",
            network.node_links,
            f"{network.node_links:,} storage ports of nodes",
            src.CABLE_MANUAL,
        ),
        cables("MFP7E10", links, "one a storage link", metres),
    ]
    if not network.ufm_links:
        return lines
    ufm = f"{network.ufm_links} links from UFM to storage leaves"
    splitters = ceil_div(network.ufm_links, 2)
    ends = (
        f"{network.appliance_cables:,} to storage appliances, "
        f"{network.server_cables} to management servers"
    )
    return [
        *lines,
        cables(SPLIT_CABLE, network.split_cables, ends, metres),
        line(FRONT_END, "MMA4Z00-NS400", network.ufm_links, ufm, src.H100_SUPERPOD),
        cables("MFP7E20", splitters, ufm, metres),
    ]


def _appliance_side(network: Network) -> Iterator[Check]:
    text = (
        "Cables and modules of the storage appliances themselves are not included: "
        "they follow from the storage chosen."
    )
    if network.appliance_cables:
        text = (
            f"{network.appliance_cables:,} cables of 2 x 200G to storage appliances, "
            "as many a unit as the document has for 4 units: confirm with the storage "
            "chosen."
        )
    texts = [text]
    if network.blocks > 1:
        texts.append(
            f"The storage fabric is in blocks of {_BLOCK_LEAVES} leaves, joined by a "
            "core of yours."
        )
    for text in texts:
        yield Check(level=CHECK, message=text, source=network.source)


def _no_figure(spec: FabricSpec, table: StorageTable | None) -> list[Check]:
    if table is not None or not spec.profile.buys_full_su:
        return []
    message = f"No storage or front-end figure on file for {spec.platform.name}."
    return [Check(level=NOTE, message=message, source=spec.platform.source)]


def _assumed(spec: FabricSpec, table: StorageTable) -> list[Check]:
    if not table.is_assumed:
        return []
    message = (
        f"Storage of {spec.platform.name} is taken from another document "
        f"({table.source.title}), by GPUs: confirm it."
    )
    return [Check(level=CHECK, message=message, source=table.source)]


def _one_node(spec: FabricSpec, table: StorageTable) -> Iterator[Check]:
    """Table 6 of H100 has figures for one node, above its share of a unit."""
    need = table.node_tiers.get(spec.storage_tier)
    if need is None:
        return
    message = (
        f"One node alone is to read {need.read:g} GB/s and write {need.write:g}: a "
        "system of few nodes asks more of its storage than their share of a unit."
    )
    yield Check(level=NOTE, message=message, source=table.source)
