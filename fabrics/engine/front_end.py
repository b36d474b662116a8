"""The front end: logins, orchestration and user storage on Ethernet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from fabrics.engine import sources as src
from fabrics.engine.bom import FRONT_END, line
from fabrics.engine.dealing import all_spines, block_spines
from fabrics.engine.design import CHECK, NOTE, BomLine, Check, Compute, Network
from fabrics.engine.enterprise import (
    CORE_CAGES,
    NODES_PER_SU,
    PATTERNS,
    SHARED_CAGES,
    inter_switch_links,
)
from fabrics.engine.ports import cables, network_lines
from fabrics.engine.scaleout import leaf_nodes
from fabrics.engine.spec import NO_STORAGE, FabricSpec
from fabrics.engine.topology import ceil_div

# GB200 document: the node side of an SN5600 leaf is 5:3, 80 links down and 48 up.
_DOWN_53 = 80
_UP_53 = 48
# GB200 document: 16 x 800G to storage for each unit of 576 GPUs.
_STORAGE_LINKS_PER_UNIT = 32
_UNIT_GPUS = 576
_BLOCK_LEAVES = 128
_RADIX = 128
# H100 document, 127 nodes: 100G links of the management servers and of NFS storage.
_SERVER_LINKS = 8
_NFS_LINKS = 8
# Two SN4600C cores of 64 ports take two links of so many leaves and 6 between them.
_CORE_LEAVES = 29


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontEnd:
    """The network, its parts and what to confirm."""

    network: Network
    lines: list[BomLine]
    checks: list[Check]


def front_end(spec: FabricSpec, compute: Compute) -> FrontEnd | None:
    """Size the front end by the rule of the profile's document."""
    rule = _RULES.get(spec.profile.front_end)
    if rule is None or not spec.front_end or not spec.platform.front_end_ports:
        return None
    return rule(spec, compute)


def _converged_53(spec: FabricSpec, compute: Compute) -> FrontEnd:
    """Storage and in-band on SN5600D, 5:3 at the node side, leaves in pairs.

    576 GPUs have 288 node links and 32 to storage: 320 / 80 is 4 leaves. Beyond 128
    leaves the front end is built in blocks.
    """
    ports = spec.platform.front_end_ports
    positions = leaf_nodes(spec)
    gpus = positions * (spec.platform.gpus_per_node or 0)
    storage = ceil_div(gpus, _UNIT_GPUS) * _STORAGE_LINKS_PER_UNIT
    gbps = spec.platform.front_end_gbps
    links = ceil_div(positions * ports * gbps, 400) + storage
    leaf = 2 * ceil_div(links, 2 * _DOWN_53)
    network = Network(
        name="front_end",
        switch="SN5600D",
        leaf=leaf,
        spine=all_spines(leaf, _UP_53, _RADIX, _BLOCK_LEAVES),
        link_gbps=gbps,
        node_links=spec.nodes * ports,
        leaf_spine_links=leaf * _UP_53,
        radix=_RADIX,
        node_ports=ports,
        block_leaves=_BLOCK_LEAVES,
        block_spines=block_spines(_BLOCK_LEAVES, _UP_53, _RADIX),
        appliance_links=0 if spec.storage_tier == NO_STORAGE else storage,
        working=(
            f"{links:,} links of 400G, {storage:,} of them to storage, over "
            f"{_DOWN_53} down and {_UP_53} up a leaf"
        ),
        source=src.GB200_SUPERPOD,
    )
    return _finish(spec, network, _converged_checks(network))


def _converged_checks(network: Network) -> list[Check]:
    text = (
        "No printed front-end switch count on file: sized 5:3 at the node side as the "
        "GB200 document words it. Modules of storage appliances are not included."
    )
    return [_check(CHECK, text, network)]


def _block_checks(network: Network) -> list[Check]:
    if network.blocks == 1:
        return []
    text = (
        f"The front end is in blocks of {network.block_leaves} leaves, joined by a "
        "core of yours."
    )
    return [_check(CHECK, text, network)]


def _in_band_sn5600(spec: FabricSpec, compute: Compute) -> FrontEnd:
    """B200: two 200G links a node to a pair of SN5600 leaves of 128 nodes."""
    leaf = 2 * ceil_div(leaf_nodes(spec), 128)
    network = Network(
        name="front_end",
        switch="SN5600",
        leaf=leaf,
        spine=all_spines(leaf, 64, _RADIX, _BLOCK_LEAVES),
        radix=_RADIX,
        node_ports=spec.platform.front_end_ports,
        block_leaves=_BLOCK_LEAVES,
        block_spines=block_spines(_BLOCK_LEAVES, 64, _RADIX),
        link_gbps=200,
        node_links=spec.nodes * spec.platform.front_end_ports,
        leaf_spine_links=leaf * 64,
        working="a pair of leaves for 128 nodes, two 200G links a node",
        source=src.B200_SUPERPOD,
    )
    found = _finish(spec, network, [])
    found.lines.append(
        line(
            FRONT_END,
            "SN2201",
            2,
            "in-band leaves for management servers",
            network.source,
        )
    )
    return found


def _in_band_sn4600c(spec: FabricSpec, compute: Compute) -> FrontEnd:
    """H100: 48 of a leaf's 64 ports to nodes, four uplinks, two cores with 6 between.

    4 units: 256 / 48 is 6 leaves, and 2 cores make the printed 8. Beside the nodes, two
    links of each of 4 management servers and 8 of an NFS store, on a leaf's last ports.
    """
    links = spec.nodes * spec.platform.front_end_ports
    positions = leaf_nodes(spec) * spec.platform.front_end_ports
    leaf = ceil_div(positions, 48)
    blocks = ceil_div(leaf, _CORE_LEAVES)
    network = Network(
        name="front_end",
        switch="SN4600C",
        leaf=leaf,
        spine=2 * blocks,
        link_gbps=100,
        node_links=links,
        leaf_spine_links=4 * leaf,
        peer_links=6 * blocks,
        radix=64,
        node_ports=spec.platform.front_end_ports,
        block_leaves=_CORE_LEAVES,
        block_spines=2,
        appliance_links=_NFS_LINKS,
        server_links=_SERVER_LINKS,
        working=f"{positions:,} node ports / 48 a leaf, 4 uplinks each to 2 cores",
        source=src.H100_SUPERPOD,
    )
    why = f"{leaf} leaf + {network.spine} core"
    metres = spec.cable_metres
    between = network.leaf_spine_links + network.peer_links
    short = (
        f"{between} links between switches, {_SERVER_LINKS} to management servers, "
        f"{_NFS_LINKS} to NFS storage"
    )
    lines = [
        line(FRONT_END, "SN4600C", leaf + network.spine, why, network.source),
        cables("AOC-200G", links, f"{links:,} node links, as printed", metres),
        cables("AOC-100G", between + network.beside_links, short, metres),
    ]
    return FrontEnd(network=network, lines=lines, checks=_block_checks(network))


def _enterprise(spec: FabricSpec, compute: Compute) -> FrontEnd:
    """Shared with the GPUs when converged; else a pair, else leaves and spines."""
    pattern = PATTERNS[spec.profile.pattern]
    links = spec.nodes * pattern.cpu_links
    if compute.is_converged:
        network = Network(
            name="front_end",
            switch=compute.switch,
            leaf=2,
            link_gbps=pattern.cpu_gbps,
            node_links=links,
            peer_links=inter_switch_links(pattern, spec.nodes),
            is_shared=True,
            radix=_RADIX,
            node_ports=pattern.cpu_links,
            working="CPU and GPU links share the two core switches",
            source=spec.profile.source,
        )
        return _finish(spec, network, [_shared_note(spec, network)], switches=0)
    as_400g = ceil_div(links * pattern.cpu_gbps, 400)
    peers = ceil_div(as_400g, 2)
    cages = ceil_div(as_400g, 4) + ceil_div(peers, 2) + SHARED_CAGES
    if cages <= CORE_CAGES:
        return _finish(spec, _pair(spec, links, pattern.cpu_gbps, peers), [])
    return _finish(spec, _leaf_spine(spec, links, pattern.cpu_gbps, as_400g), [])


def _shared_note(spec: FabricSpec, network: Network) -> Check:
    units = ceil_div(spec.nodes, NODES_PER_SU)
    text = (
        f"{units} unit{'s' if units != 1 else ''} of 4 nodes run converged on two "
        "core switches: odd NICs to core 1, even to core 2."
    )
    return _check(NOTE, text, network)


def _pair(spec: FabricSpec, links: int, gbps: int, peers: int) -> Network:
    return Network(
        name="front_end",
        switch="SN5600",
        leaf=2,
        link_gbps=gbps,
        node_links=links,
        peer_links=peers,
        radix=_RADIX,
        node_ports=links // spec.nodes,
        working=f"{links:,} links of {gbps}G on a pair, {peers} x 400G between them",
        source=spec.profile.source,
    )


def _leaf_spine(spec: FabricSpec, links: int, gbps: int, as_400g: int) -> Network:
    """64 links down and up a leaf, and a pair of leaves for storage and the edge.

    GB300, 8 racks: 288 / 64 is 5, and the pair makes the printed 7; 4 spines.
    """
    leaf = ceil_div(as_400g, 64) + 2
    return Network(
        name="front_end",
        switch="SN5600",
        leaf=leaf,
        spine=all_spines(leaf, 64, _RADIX, _BLOCK_LEAVES),
        link_gbps=gbps,
        node_links=links,
        leaf_spine_links=leaf * 64,
        radix=_RADIX,
        node_ports=links // spec.nodes,
        node_leaves=leaf - 2,
        block_leaves=_BLOCK_LEAVES,
        block_spines=block_spines(_BLOCK_LEAVES, 64, _RADIX),
        working=f"{as_400g:,} links of 400G / 64 a leaf, and 2 leaves for storage",
        source=spec.profile.source,
    )


def _finish(
    spec: FabricSpec,
    network: Network,
    checks: list[Check],
    switches: int | None = None,
) -> FrontEnd:
    count = network.leaf + network.spine if switches is None else switches
    why = f"{network.leaf:,} leaf"
    if network.spine:
        why += f" + {network.spine:,} spine"
    network = replace(network, reach_m=100 if network.link_gbps == 400 else 50)
    lines = network_lines(network, spec.cable_metres, count, why)
    checks = [*checks, *_block_checks(network)]
    return FrontEnd(network=network, lines=lines, checks=checks)


def _check(level: str, message: str, network: Network) -> Check:
    return Check(level=level, message=message, source=network.source)


_RULES: dict[str, Callable[[FabricSpec, Compute], FrontEnd]] = {
    "converged-53": _converged_53,
    "in-band-sn5600": _in_band_sn5600,
    "in-band-sn4600c": _in_band_sn4600c,
    "enterprise": _enterprise,
}
