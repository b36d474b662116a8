"""Modules and cables of the Ethernet and storage networks beside the compute one."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from fabrics.engine import sources as src
from fabrics.engine.bom import FRONT_END, line
from fabrics.engine.design import BomLine, Network
from fabrics.engine.optics import cable_line
from fabrics.engine.topology import ceil_div

NIC_MODULE = "MMS1X00-NS400"
TWIN_MODULE = "MMS4X00-NM"


def network_lines(
    network: Network, metres: Decimal, switches: int, why: str
) -> list[BomLine]:
    """The switches of a Spectrum-4 network and the parts of its links.

    A 400G link has a module at the node, half a twin at the switch and one fibre. Two
    links of 200G share a 400G port by a splitter fibre. Links between switches are
    400G.
    """
    # The peer links of a shared pair are counted with the compute network.
    peers = 0 if network.is_shared else network.peer_links
    between = network.leaf_spine_links + peers
    share = 400 // network.link_gbps
    twins = ceil_div(network.node_links, 2 * share) + between
    nodes = f"{network.node_links:,} node links of {network.link_gbps}G"
    lines = [
        line(FRONT_END, network.switch, switches, why, network.source),
        line(
            FRONT_END,
            TWIN_MODULE,
            twins,
            f"{nodes}, and {between:,} between switches, two ends in twins",
            src.CABLE_MANUAL,
        ),
        line(FRONT_END, NIC_MODULE, network.node_links, nodes, src.CABLE_MANUAL),
    ]
    straight = between
    if share == 1:
        straight += network.node_links
    else:
        splitters = ceil_div(network.node_links, share)
        lines.append(cables("MFP7E40", splitters, f"{nodes}, {share} a port", metres))
    why = f"one a link of 400G, {between:,} of them between switches"
    lines.append(cables("MFP7E30", straight, why, metres))
    return lines


def cables(part: str, quantity: int, why: str, metres: Decimal) -> BomLine:
    """A cable line of this section."""
    return replace(cable_line(part, quantity, why, metres), section=FRONT_END)
