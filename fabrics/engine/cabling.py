"""The cabling list: one row for each link of every network, made lazily.

Rows come in a fixed order and are never held together, so a list of any length can be
streamed. A row is a named tuple and not a dataclass because there may be millions.
"""

from __future__ import annotations

from collections.abc import Iterator

from fabrics.engine.cable import FRONT_END, NETWORKS, OUT_OF_BAND, SCALE_OUT, Cable
from fabrics.engine.cabling_oob import oob_rows
from fabrics.engine.cabling_others import lister
from fabrics.engine.cabling_scaleout import scaleout_count, scaleout_rows
from fabrics.engine.design import FabricDesign, Network
from fabrics.engine.placing import placing
from fabrics.engine.racking import racking


def cabling(design: FabricDesign, network: str = "") -> Iterator[Cable]:
    """Every link with both ends named, network by network; or those of one network."""
    where, racks = placing(design), racking(design)
    for name in [network] if network else NETWORKS:
        if name == SCALE_OUT:
            yield from scaleout_rows(design, where, racks)
            continue
        found = _network(design, name)
        if found is None:
            continue
        if name == OUT_OF_BAND:
            yield from oob_rows(design, found, where, racks)
        else:
            yield from lister(design, found, where, racks).rows()


def cable_count(design: FabricDesign, network: str = "") -> int:
    """How many rows `cabling` gives, without giving them."""
    counts = network_counts(design)
    return counts.get(network, 0) if network else sum(counts.values())


def network_counts(design: FabricDesign) -> dict[str, int]:
    """Rows of each network that has any, in the list's order."""
    counts = {SCALE_OUT: scaleout_count(design)}
    for name in NETWORKS[1:]:
        found = _network(design, name)
        counts[name] = _rows(found) if found else 0
    return {name: count for name, count in counts.items() if count}


def _network(design: FabricDesign, name: str) -> Network | None:
    """A network with links of its own; storage may share the front end's."""
    if name == OUT_OF_BAND:
        return design.out_of_band
    if name == FRONT_END:
        return design.front_end
    stored = design.storage
    return stored if stored and stored.switch else None


def _rows(network: Network) -> int:
    if network.name == "out_of_band":
        return (network.demand_rj45 or 0) + network.uplinks_100g
    # The links between two shared switches are listed with the scale-out network.
    peers = 0 if network.is_shared else network.peer_links
    links = network.node_links + network.leaf_spine_links + peers
    return links + network.ufm_links
