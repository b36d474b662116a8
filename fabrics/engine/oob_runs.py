"""Lengths of the out-of-band patch cables on a floor, counted a device at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fabrics.engine.cabling_oob import NODE, PDU, Managed, managed
from fabrics.engine.design import FabricDesign, Network
from fabrics.engine.floor import FloorPlan, Site, drop_cm
from fabrics.engine.out_of_band import PORTS

Device = tuple[Site | None, int]


def management_runs(
    design: FabricDesign, network: Network, plan: FloorPlan
) -> tuple[Counter[int], int]:
    """Runs by length in cm, and how many have an end that is not on the floor.

    A device's ports go to the same switch, or to two where one is full.
    """
    switches = [plan.device("out-of-band", n) for n in range(network.leaf)]
    runs: Counter[int] = Counter()
    number, unknown, last = 0, 0, network.demand_rj45 or 0
    for site, ports in _devices(design, plan) if last else ():
        end = min(number + ports, last)
        while number < end:
            switch = number // PORTS
            here = min(end, (switch + 1) * PORTS) - number
            far = switches[switch]
            if site is None or far is None:
                unknown += here
            else:
                runs[plan.run(site, far)] += here
            number += here
    # What the devices do not fill is kept for nodes to come.
    return runs, unknown + last - number


def _devices(design: FabricDesign, plan: FloorPlan) -> Iterator[Device]:
    """Where each device stands, and its management ports."""
    for some in managed(design):
        # The PDUs of a rack are in one place.
        together = design.spec.platform.rack_pdus if some.kind == PDU else 1
        for index in range(0, some.count, together):
            yield _site(design, plan, some, index), some.ports * together


def _site(
    design: FabricDesign, plan: FloorPlan, some: Managed, index: int
) -> Site | None:
    if some.kind == NODE:
        return plan.node(index)
    if some.kind == PDU:
        # In the rack but in none of its units: taken at the bottom.
        rack = index // design.spec.platform.rack_pdus
        return Site(plan.system_rack(rack), drop_cm(1, 1))
    return plan.device(some.run, index) if some.is_switch else None
