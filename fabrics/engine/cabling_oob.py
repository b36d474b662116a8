"""Rows of the cabling list for the out-of-band network: ports, then uplinks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count, islice

from fabrics.engine.cable import MANAGEMENT, OUT_OF_BAND, UPLINK, Cable
from fabrics.engine.design import FabricDesign, Network
from fabrics.engine.optics import run_length
from fabrics.engine.out_of_band import IN_RACK, PORTS, pdus, planned_ports, servers
from fabrics.engine.placing import Placing
from fabrics.engine.racking import Racking

CORE = "management-core"
_PATCH = "CAT5E"
_UPLINK_PART = "AOC-100G"
# Rack, device and port of one management port.
Port = tuple[str, str, str]


def oob_rows(
    design: FabricDesign, network: Network, where: Placing, racks: Racking
) -> Iterator[Cable]:
    """Every management port to the next port of the switches, then the uplinks."""
    metres = run_length(_PATCH, design.spec.cable_metres)
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
            _PATCH,
        )
    yield from _uplinks(design, network, racks)


def _devices(design: FabricDesign, where: Placing, racks: Racking) -> Iterator[Port]:
    """Management ports in a fixed order; the planning ports of nodes to come last."""
    each = planned_ports(design.spec)
    nodes = (
        (where.node_rack(node), where.node_name(node), f"management {port + 1}")
        for node in range(design.compute.nodes)
        for port in range(each)
    )
    if design.spec.profile.pattern:
        spare = (("", f"reserve-{n + 1:05d}", "management") for n in count())
        return chain(nodes, spare)
    return chain(
        nodes,
        _switches(design, racks),
        (
            ("", f"server-{n + 1:02d}", "management")
            for n in range(servers(design.spec, _ufm(design)))
        ),
        _pdus(design),
    )


def _ufm(design: FabricDesign) -> int:
    return design.management.ufm if design.management else 0


def _switches(design: FabricDesign, racks: Racking) -> Iterator[Port]:
    """The scale-out switches and those of the networks that are managed here."""
    for each in range(design.compute.switches):
        yield (*racks.place("", each), "management")
    for network in design.networks():
        if network.name == "out_of_band" or network.is_shared:
            continue
        if network.name == "front_end" and _in_band(design):
            continue
        run = network.name.replace("_", "-")
        for each in range(network.leaf + network.spine):
            yield (*racks.place(run, each), "management")


def _in_band(design: FabricDesign) -> bool:
    """Whether the Ethernet switches are managed by in-band switches of their own."""
    return design.spec.profile.front_end == "in-band-sn5600"


def _pdus(design: FabricDesign) -> Iterator[Port]:
    in_racks, beside = pdus(design.spec)
    each = design.spec.platform.rack_pdus
    for number in range(in_racks):
        rack = f"C{number // each + 1:04d}"
        yield rack, f"{rack}-pdu-{number % each + 1}", "management"
    for number in range(beside):
        yield "", f"network-pdu-{number + 1:04d}", "management"


def _uplinks(design: FabricDesign, network: Network, racks: Racking) -> Iterator[Cable]:
    """100G from each switch to a core that is the owner's: its ports are numbered."""
    metres = run_length(_UPLINK_PART, design.spec.cable_metres)
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
                _UPLINK_PART,
            )
