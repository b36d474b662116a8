"""Rows of the cabling list for the out-of-band network: ports, then uplinks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice

from fabrics.engine.cable import MANAGEMENT, OUT_OF_BAND, UPLINK, Cable
from fabrics.engine.design import FabricDesign, Network
from fabrics.engine.optics import run_length
from fabrics.engine.out_of_band import IN_RACK, PORTS, pdus, planned_ports, servers
from fabrics.engine.placing import Placing
from fabrics.engine.racking import Racking

CORE = "management-core"
PATCH = "CAT5E"
UPLINK_PART = "AOC-100G"
# Rack, device and port of one management port.
Port = tuple[str, str, str]


def oob_rows(
    design: FabricDesign, network: Network, where: Placing, racks: Racking
) -> Iterator[Cable]:
    """Every management port to the next port of the switches, then the uplinks."""
    metres = run_length(PATCH, design.spec.cable_metres)
    ends = islice(_devices(design, where, racks), network.demand_rj45 or 0)
    for number, (rack, device, port) in enumerate(ends):
        switch, at = divmod(number, PORTS)
        far_rack, far = racks.place("out-of-band", switch)
        yield Cable(
            OUT_OF_BAND,
            f"OM{number + 1:07d}",
            MANAGEMENT,
            rack,
            device,
            port,
            "",
            far_rack,
            far,
            f"swp{at + 1}",
            "",
            metres,
            PATCH,
        )
    yield from _uplinks(design, network, racks)


NODE, SWITCH, SERVER, PDU, NETWORK_PDU = "node", "switch", "server", "pdu", "beside"


@dataclass(frozen=True, slots=True, kw_only=True)
class Managed:
    """Devices of one kind that are managed: how many, and the ports of each."""

    kind: str
    count: int
    ports: int = 1
    run: str = ""

    @property
    def is_switch(self) -> bool:
        return self.kind == SWITCH


def managed(design: FabricDesign) -> Iterator[Managed]:
    """Managed devices in the order in which they take ports.

    Enterprise designs plan by node alone: what nodes do not fill is kept for more.
    """
    nodes = design.compute.nodes
    yield Managed(kind=NODE, count=nodes, ports=planned_ports(design.spec))
    if design.spec.profile.pattern:
        return
    yield Managed(kind=SWITCH, count=design.compute.switches)
    for network in design.networks():
        if network.name == "out_of_band" or network.is_shared:
            continue
        if network.name == "front_end" and _in_band(design):
            continue
        run = network.name.replace("_", "-")
        yield Managed(kind=SWITCH, count=network.leaf + network.spine, run=run)
    yield Managed(kind=SERVER, count=servers(design.spec, _ufm(design)))
    in_racks, beside = pdus(design.spec)
    yield Managed(kind=PDU, count=in_racks)
    yield Managed(kind=NETWORK_PDU, count=beside)


def _devices(design: FabricDesign, where: Placing, racks: Racking) -> Iterator[Port]:
    """The management ports of every device, and after them the reserve."""
    for some in managed(design):
        for index in range(some.count):
            rack, device = _named(design, some, index, where, racks)
            if some.kind != NODE:
                yield rack, device, "management"
                continue
            for port in range(some.ports):
                yield rack, device, f"management {port + 1}"
    for spare in count(1):
        yield "", f"reserve-{spare:05d}", "management"


def _named(
    design: FabricDesign, some: Managed, index: int, where: Placing, racks: Racking
) -> tuple[str, str]:
    if some.kind == NODE:
        return where.node_rack(index), where.node_name(index)
    if some.is_switch:
        return racks.place(some.run, index)
    if some.kind == PDU:
        number, place = divmod(index, design.spec.platform.rack_pdus)
        rack = f"C{number + 1:04d}"
        return rack, f"{rack}-pdu-{place + 1}"
    if some.kind == SERVER:
        return "", f"server-{index + 1:02d}"
    return "", f"network-pdu-{index + 1:04d}"


def _ufm(design: FabricDesign) -> int:
    return design.management.ufm if design.management else 0


def _in_band(design: FabricDesign) -> bool:
    """Whether the Ethernet switches are managed by in-band switches of their own."""
    return design.spec.profile.front_end == "in-band-sn5600"


def _uplinks(design: FabricDesign, network: Network, racks: Racking) -> Iterator[Cable]:
    """100G from each switch to a core that is the owner's: its ports are numbered."""
    metres = run_length(UPLINK_PART, design.spec.cable_metres)
    each = network.uplinks_100g // network.leaf if network.leaf else 0
    for switch in range(network.leaf):
        rack, device = racks.place("out-of-band", switch)
        if design.spec.platform.is_rack:
            place, order = divmod(switch, IN_RACK)
            rack = f"C{place + 1:04d}"
            device = f"rack-{place + 1:04d}-sn2201-{order + 1:02d}"
        for link in range(each):
            number = switch * each + link + 1
            yield Cable(
                OUT_OF_BAND,
                f"OU{number:07d}",
                UPLINK,
                rack,
                device,
                f"swp{PORTS + link + 1}",
                "",
                "",
                CORE,
                f"port {number}",
                "",
                metres,
                UPLINK_PART,
            )
