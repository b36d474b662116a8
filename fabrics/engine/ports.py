"""Modules and cables of the Ethernet and storage networks beside the compute one."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from fabrics.engine import sources as src
from fabrics.engine.bom import FRONT_END, line
from fabrics.engine.dealing import Dealing
from fabrics.engine.design import BomLine, Network
from fabrics.engine.optics import cable_line
from fabrics.engine.topology import ceil_div

NIC_MODULE = "MMS1X00-NS400"
TWIN_MODULE = "MMS4X00-NM"
# From a cage of 400G to two ports of 200G, its ends fixed.
SPLIT_CABLE = "MFA7U10"
# Ports of 400G on a Spectrum-4 switch; a link of 200G shares one with another.
SPECTRUM_RADIX = 128


def network_lines(
    network: Network, metres: Decimal, switches: int, why: str
) -> list[BomLine]:
    """The switches of a Spectrum-4 network and the parts of its links.

    A 400G link has a module at the node, half a twin at the switch and one fibre. Two
    links of 200G share a 400G port by a splitter fibre. Cages are counted by
    leaf. Links between switches are 400G.
    """
    # The peer links of a shared pair are counted with the compute network.
    peers = 0 if network.is_shared else network.peer_links
    between = network.leaf_spine_links + peers
    deal = dealing(network)
    beside = network.beside_links
    twins = deal.cages + between_twins(network, peers) + ceil_div(beside, 2)
    nodes = f"{network.node_links:,} node links of {network.link_gbps}G"
    lines = [
        line(FRONT_END, network.switch, switches, why, network.source),
        line(
            FRONT_END,
            TWIN_MODULE,
            twins,
            f"{nodes} in {deal.cages:,} cages, {between:,} links between switches"
            + (f" and {beside:,} to storage" if beside else ""),
            src.CABLE_MANUAL,
        ),
        line(FRONT_END, NIC_MODULE, network.node_links, nodes, src.CABLE_MANUAL),
    ]
    straight = between + beside
    if deal.share == 1:
        straight += network.node_links
    else:
        why = f"{nodes}, {deal.share} a port"
        lines.append(cables("MFP7E40", deal.splitters, why, metres))
    why = f"one a link of 400G, {between:,} of them between switches"
    if beside:
        why += f" and {beside:,} to storage"
    lines.append(cables("MFP7E30", straight, why, metres))
    return lines


def dealing(network: Network, first_cage: int = 0) -> Dealing:
    """How the node links of a network reach its leaves. SN4600C has single ports."""
    return Dealing(
        nodes=network.node_links // network.node_ports if network.node_ports else 0,
        ports=network.node_ports,
        leaves=network.node_leaves or network.leaf,
        share=400 // network.link_gbps if network.radix == SPECTRUM_RADIX else 1,
        per_cage=1 if network.switch == "SN4600C" else 2,
        first_cage=first_cage,
    )


def between_twins(network: Network, peers: int = 0) -> int:
    """Twin modules at both ends of the links between switches, whole cages."""
    twins = 2 * ceil_div(peers, 2)
    if not network.spine:
        return twins
    up = network.leaf_spine_links // network.leaf
    per_block = network.block_leaves or network.leaf
    blocks, rest = divmod(network.leaf, per_block)
    full = network.block_spines or network.spine
    twins += network.leaf * ceil_div(up, 2)
    twins += blocks * full * ceil_div(per_block * (up // full), 2)
    if rest:
        last = network.spine - blocks * full
        twins += last * ceil_div(rest * (up // last), 2)
    return twins


def cables(part: str, quantity: int, why: str, metres: Decimal) -> BomLine:
    """A cable line of this section."""
    return replace(cable_line(part, quantity, why, metres), section=FRONT_END)
