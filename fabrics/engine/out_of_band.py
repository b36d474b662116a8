"""Out of band: 1 GbE to every device that has a management port, on SN2201."""

from __future__ import annotations

from dataclasses import dataclass

from fabrics.engine import sources as src
from fabrics.engine.bom import OUT_OF_BAND, line
from fabrics.engine.design import CHECK, NOTE, BomLine, Check, Compute, Network
from fabrics.engine.enterprise import (
    NODES_PER_SU,
    PATTERNS,
    Pattern,
    out_of_band_switches,
)
from fabrics.engine.names import many
from fabrics.engine.scaleout import scalable_units
from fabrics.engine.spec import FabricSpec
from fabrics.engine.topology import ceil_div

PORTS = 48
UPLINKS = 2
IN_RACK = 2
# Management servers of the documents: H100 4 BCM; B300 2 BCM, 3 Kubernetes, 2 Slurm.
_BCM_SERVERS = 4
_MANAGEMENT_SERVERS = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class OutOfBand:
    """The network, its parts and what to confirm."""

    network: Network
    lines: list[BomLine]
    checks: list[Check]


def out_of_band(
    spec: FabricSpec,
    compute: Compute,
    stored: Network | None,
    front: Network | None,
    ufm: int,
) -> OutOfBand | None:
    """Switches for the demand of RJ45 ports; two in each NVL72 rack."""
    if not spec.out_of_band or compute.tree is None:
        return None
    if spec.platform.is_rack:
        return _in_rack(spec)
    if spec.profile.pattern:
        return _enterprise(spec, PATTERNS[spec.profile.pattern])
    others = sum(_switches(network) for network in (stored, front))
    if spec.profile.front_end == "in-band-sn5600":
        # Servers and Ethernet switches hang on the two in-band SN2201.
        others = _switches(stored)
    parts = {
        f"{spec.platform.node_word}s": spec.nodes * spec.platform.oob_ports,
        "switches": compute.switches + others,
        "servers": servers(spec, ufm),
        "PDUs": sum(pdus(spec)),
    }
    return _by_demand(spec, parts)


def _switches(network: Network | None) -> int:
    """Switches of a network that are its own."""
    if network is None or network.is_shared:
        return 0
    return network.leaf + network.spine


def servers(spec: FabricSpec, ufm: int) -> int:
    """Management servers with a port, UFM's appliances among them."""
    if not spec.profile.buys_full_su:
        return 0
    if spec.profile.front_end == "in-band-sn5600":
        return ufm
    is_h100 = spec.profile.front_end == "in-band-sn4600c"
    return ufm + (_BCM_SERVERS if is_h100 else _MANAGEMENT_SERVERS)


def pdus(spec: FabricSpec) -> tuple[int, int]:
    """Three a compute rack; H100 adds two for each network rack, 1.5 racks a unit."""
    beside = 0
    if spec.profile.front_end == "in-band-sn4600c":
        beside = 2 * ceil_div(3 * scalable_units(spec), 2)
    return spec.racks * spec.platform.rack_pdus, beside


def planned_ports(spec: FabricSpec) -> int:
    """Management ports of one node: cabled ones, or the planning ports of a pattern."""
    if spec.profile.pattern:
        return PATTERNS[spec.profile.pattern].oob_planning_ports
    return spec.platform.oob_ports


def _by_demand(spec: FabricSpec, parts: dict[str, int]) -> OutOfBand:
    """H100, 127 nodes: 127 + 72 + 8 + 108 is 315 ports, 7 switches of 48."""
    demand = sum(parts.values())
    switches = ceil_div(demand, PORTS)
    shown = " + ".join(f"{count:,} {name}" for name, count in parts.items() if count)
    network = Network(
        name="out_of_band",
        switch="SN2201",
        leaf=switches,
        link_gbps=1,
        node_links=demand,
        demand_rj45=demand,
        uplinks_100g=switches * UPLINKS,
        working=f"{shown} = {demand:,} ports / {PORTS}",
        source=spec.profile.source,
    )
    checks = []
    if spec.system == "dgx-h100" and spec.nodes == 127:
        text = "The document prints 8 out-of-band switches; 315 ports fill 7."
        checks.append(Check(level=NOTE, message=text, source=src.H100_SUPERPOD))
    return _finish(network, checks)


def _enterprise(spec: FabricSpec, pattern: Pattern) -> OutOfBand:
    switches = out_of_band_switches(pattern, spec.nodes)
    units = ceil_div(spec.nodes, NODES_PER_SU)
    ports = units * NODES_PER_SU * pattern.oob_planning_ports
    network = Network(
        name="out_of_band",
        switch="SN2201",
        leaf=switches,
        link_gbps=1,
        node_links=ports,
        demand_rj45=ports,
        uplinks_100g=switches * pattern.oob_uplinks,
        working=(
            f"{many(units, 'unit')} x {NODES_PER_SU} nodes x "
            f"{pattern.oob_planning_ports} planning ports / {PORTS}, at least 2"
        ),
        source=spec.profile.source,
    )
    return _finish(network, [])


def _in_rack(spec: FabricSpec) -> OutOfBand:
    """Two SN2201 in each NVL72 rack, on its busbar."""
    switches = IN_RACK * spec.racks
    network = Network(
        name="out_of_band",
        switch="SN2201",
        leaf=switches,
        link_gbps=1,
        uplinks_100g=switches * UPLINKS,
        working=f"{many(spec.racks, 'rack')} x {IN_RACK}",
        source=spec.profile.source,
    )
    text = (
        "The two SN2201 of each rack stand in the rack on its busbar: confirm that "
        "the rack is not sold with them."
    )
    check = Check(level=CHECK, message=text, source=spec.profile.source)
    return _finish(network, [check])


def _finish(network: Network, checks: list[Check]) -> OutOfBand:
    uplinks = network.uplinks_100g
    lines = [
        line(OUT_OF_BAND, "SN2201", network.leaf, network.working, network.source),
        line(
            OUT_OF_BAND,
            "CAT5E",
            network.demand_rj45 or 0,
            "one a management port",
            network.source,
        ),
        line(
            OUT_OF_BAND,
            "AOC-100G",
            uplinks,
            f"{uplinks // network.leaf} uplinks of 100G a switch",
            network.source,
        ),
    ]
    return OutOfBand(network=network, lines=lines, checks=checks)
