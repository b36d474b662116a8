"""The cabling list: one row for each link of every network, made lazily.

Rows come in a fixed order and are never held together, so a list of any length can be
streamed. A row is a named tuple and not a dataclass because there may be millions.
"""

from __future__ import annotations

from collections.abc import Iterator

from fabrics.engine.cable import NETWORKS, SCALE_OUT, Cable
from fabrics.engine.cabling_networks import network_of, network_rows
from fabrics.engine.cabling_scaleout import scaleout_count
from fabrics.engine.design import FabricDesign, Network
from fabrics.engine.laying import laid_out


def cabling(design: FabricDesign, network: str = "") -> Iterator[Cable]:
    """Every link with both ends named, network by network; or those of one network."""
    floor = laid_out(design)
    for name in [network] if network else NETWORKS:
        rows = network_rows(design, name, on_floor=floor is not None)
        if floor is None:
            yield from rows
        elif name == SCALE_OUT:
            yield from map(floor.fitted, rows)
        else:
            yield from map(floor.measured, rows)


def cable_count(design: FabricDesign, network: str = "") -> int:
    """How many rows `cabling` gives, without giving them."""
    counts = network_counts(design)
    return counts.get(network, 0) if network else sum(counts.values())


def network_counts(design: FabricDesign) -> dict[str, int]:
    """Rows of each network that has any, in the list's order."""
    counts = {SCALE_OUT: scaleout_count(design)}
    for name in NETWORKS[1:]:
        found = network_of(design, name)
        counts[name] = _rows(found) if found else 0
    return {name: count for name, count in counts.items() if count}


def _rows(network: Network) -> int:
    if network.name == "out_of_band":
        return (network.demand_rj45 or 0) + network.uplinks_100g
    # The links between two shared switches are listed with the scale-out network.
    peers = 0 if network.is_shared else network.peer_links
    links = network.node_links + network.leaf_spine_links + peers
    others = network.ufm_links + network.beside_links + 2 * network.split_cables
    return links + others
