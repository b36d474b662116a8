"""Which rack each device stands in, as arithmetic: no list of devices is kept."""

from __future__ import annotations

from dataclasses import dataclass

from fabrics.engine.design import Compute, FabricDesign
from fabrics.engine.names import device_name
from fabrics.engine.parts import PARTS
from fabrics.engine.topology import ceil_div

# Rack units filled in a network rack of 48; the rest is left for patching and air.
USABLE_UNITS = 40
KINDS = ("leaf", "spine", "core")


@dataclass(frozen=True, slots=True, kw_only=True)
class Placing:
    """The racks of a design: systems in C racks, scale-out switches in N racks."""

    compute: Compute
    nodes_per_rack: int
    is_nvl72: bool
    is_placed: bool
    per_network_rack: int

    @property
    def compute_racks(self) -> int:
        return self.compute.racks

    @property
    def network_racks(self) -> int:
        if not self.compute.switches:
            return 0
        return ceil_div(self.compute.switches, self.per_network_rack)

    def node_rack(self, node: int) -> str:
        """The rack of a node; a station or a host stands where its owner puts it."""
        if not self.is_placed:
            return ""
        return f"C{node // self.nodes_per_rack + 1:04d}"

    def node_name(self, node: int) -> str:
        if self.is_nvl72:
            rack, tray = divmod(node, self.nodes_per_rack)
            return f"rack-{rack + 1:04d}-tray-{tray + 1:02d}"
        return f"node-{node + 1:05d}"

    def switch_rack(self, place: int) -> str:
        """The rack of the switch that stands at `place` in the order of switches."""
        return f"N{place // self.per_network_rack + 1:04d}"

    def switch_place(self, kind: str, number: int, plane: int) -> int:
        """Switches are racked plane by plane: leaves, spines, cores."""
        compute = self.compute
        counts = (
            compute.leaf_per_plane,
            compute.spine_per_plane,
            compute.core_per_plane,
        )
        before = sum(counts[: KINDS.index(kind)])
        return plane * sum(counts) + before + number

    def switch_at(self, place: int) -> str:
        """The name of the switch at `place` in that order."""
        compute = self.compute
        plane, rest = divmod(place, compute.switches // compute.planes)
        for kind, count in zip(
            KINDS,
            (compute.leaf_per_plane, compute.spine_per_plane, compute.core_per_plane),
            strict=True,
        ):
            if rest < count:
                return device_name(kind, rest, plane=plane, planes=compute.planes)
            rest -= count
        raise IndexError(place)


def placing(design: FabricDesign) -> Placing:
    """How the devices of a design are racked."""
    platform = design.spec.platform
    compute = design.compute
    units = PARTS[compute.switch].rack_units if compute.switch else None
    return Placing(
        compute=compute,
        nodes_per_rack=platform.nodes_per_rack,
        is_nvl72=platform.is_rack,
        is_placed=compute.racks > 0,
        per_network_rack=max(1, USABLE_UNITS // (units or 1)),
    )
