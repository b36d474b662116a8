"""The answer of the engine: counts, parts, checks and figures, ready to show."""

from __future__ import annotations

from dataclasses import dataclass, field

from fabrics.engine.floor_spec import Floor
from fabrics.engine.sources import Source
from fabrics.engine.spec import FabricSpec
from fabrics.engine.topology import FatTree

ENGINE_VERSION = "1.3.2"

STOP = "Stop"
CHECK = "Check"
NOTE = "Note"


@dataclass(frozen=True, slots=True, kw_only=True)
class BomLine:
    """So many of one part, and why. `part` is our key, `opn` the maker's number."""

    section: str
    part: str
    opn: str
    maker: str
    description: str
    quantity: int
    because: str
    source: Source

    def to_json(self) -> dict[str, object]:
        return {
            "section": self.section,
            "part": self.part,
            "opn": self.opn,
            "maker": self.maker,
            "description": self.description,
            "quantity": self.quantity,
            "because": self.because,
            "source": str(self.source),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Something to know before buying. Stop: cannot be built. Check: confirm it."""

    level: str
    message: str
    source: Source

    def to_json(self) -> dict[str, object]:
        return {
            "level": self.level,
            "message": self.message,
            "source": str(self.source),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Compute:
    """The scale-out network. `tree` is one plane; the totals are over all planes.

    `published_cables` are links as the documents print them: on two planes an 800G
    twin, one for a GPU and tier, stands for two links of 400G.
    """

    switch: str
    tree: FatTree | None
    planes: int
    rails: int
    link_gbps: int
    scalable_units: int
    nodes: int
    racks: int
    gpus: int | None
    ports_per_node: int
    ufm_links: int = 0
    is_converged: bool = False
    published: bool = False
    source: Source

    @property
    def tiers(self) -> int:
        return self.tree.tiers if self.tree else 0

    @property
    def leaf_per_plane(self) -> int:
        return self.tree.leaves if self.tree else 0

    @property
    def spine_per_plane(self) -> int:
        return self.tree.spines if self.tree else 0

    @property
    def core_per_plane(self) -> int:
        return self.tree.cores if self.tree else 0

    @property
    def leaf(self) -> int:
        return self.leaf_per_plane * self.planes

    @property
    def spine(self) -> int:
        return self.spine_per_plane * self.planes

    @property
    def core(self) -> int:
        return self.core_per_plane * self.planes

    @property
    def switches(self) -> int:
        return self.leaf + self.spine + self.core

    @property
    def node_links(self) -> int:
        """Links between nodes and leaves, UFM's not among them."""
        if not self.tree:
            return self.ports_per_node if self.nodes == 2 else 0
        return self.nodes * self.ports_per_node * self.planes

    @property
    def leaf_spine_links(self) -> int:
        return self.tree.leaf_spine_links * self.planes if self.tree else 0

    @property
    def spine_core_links(self) -> int:
        return self.tree.spine_core_links * self.planes if self.tree else 0

    @property
    def peer_links(self) -> int:
        return self.tree.peer_links * self.planes if self.tree else 0

    def to_json(self) -> dict[str, object]:
        result: dict[str, object] = {
            "switch": self.switch,
            "tiers": self.tiers,
            "planes": self.planes,
            "rails": self.rails,
            "link_gbps": self.link_gbps,
            "scalable_units": self.scalable_units,
            "racks": self.racks,
            "nodes": self.nodes,
            "gpus": self.gpus,
            "leaf": self.leaf,
            "spine": self.spine,
            "core": self.core,
            "leaf_per_plane": self.leaf_per_plane,
            "spine_per_plane": self.spine_per_plane,
            "core_per_plane": self.core_per_plane,
            "down": self.tree.down if self.tree else 0,
            "up": self.tree.up if self.tree else 0,
            "links_per_leaf_spine_pair": (self.tree.links_per_pair if self.tree else 0),
            "node_leaf_cables": (self.node_links + self.ufm_links) // self.planes,
            "leaf_spine_cables": self.leaf_spine_links // self.planes,
            "spine_core_cables": self.spine_core_links // self.planes,
            "leaf_leaf_cables": self.peer_links,
            "ufm_cables": self.ufm_links,
            "converged": self.is_converged,
            "published": self.published,
            "source": str(self.source),
        }
        if self.planes > 1:
            result["links_400g"] = {
                "node_leaf": self.node_links,
                "leaf_spine": self.leaf_spine_links,
                "spine_core": self.spine_core_links,
                "leaf_leaf": self.peer_links,
            }
        return result


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleUp:
    """NVLink: what joins the GPUs of one domain, before the scale-out network."""

    domains: int
    gpus_per_domain: int
    gb_per_s_per_gpu: int
    switch_trays: int
    switch_chips: int
    source: Source

    def to_json(self) -> dict[str, object]:
        return {
            "domains": self.domains,
            "gpus_per_domain": self.gpus_per_domain,
            "gb_per_s_per_gpu": self.gb_per_s_per_gpu,
            "domain_tb_per_s": round(
                2 * self.gpus_per_domain * self.gb_per_s_per_gpu / 1000, 1
            ),
            "nvlink_switch_trays": self.switch_trays,
            "nvswitch_chips": self.switch_chips,
            "source": str(self.source),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """One of the other networks: storage, front end, out of band.

    Its node links are dealt to the first `node_leaves` leaves, all when 0. Leaves stand
    in blocks of `block_leaves`, one block when 0, with `block_spines` spines to a full
    one. Cables to storage appliances and servers end in two ports of 200G, links in
    one.
    """

    name: str
    switch: str = ""
    leaf: int = 0
    spine: int = 0
    link_gbps: int = 0
    node_links: int = 0
    leaf_spine_links: int = 0
    peer_links: int = 0
    uplinks_100g: int = 0
    demand_rj45: int | None = None
    reach_m: int = 0
    radix: int = 0
    node_ports: int = 0
    node_leaves: int = 0
    block_leaves: int = 0
    block_spines: int = 0
    ufm_links: int = 0
    appliance_cables: int = 0
    server_cables: int = 0
    appliance_links: int = 0
    server_links: int = 0
    fabric_working: str = ""
    read_gb_per_s: float | None = None
    write_gb_per_s: float | None = None
    tier: str = ""
    is_shared: bool = False
    working: str = ""
    source: Source

    @property
    def beside_links(self) -> int:
        """Links of storage appliances and servers, each with an end of its own."""
        return self.appliance_links + self.server_links

    @property
    def split_cables(self) -> int:
        return self.appliance_cables + self.server_cables

    @property
    def blocks(self) -> int:
        """Blocks of leaves that no spine joins."""
        return -(-self.leaf // self.block_leaves) if self.block_leaves else 1

    def to_json(self) -> dict[str, object]:
        return {
            "switch": self.switch,
            "leaf": self.leaf,
            "spine": self.spine,
            "link_gbps": self.link_gbps,
            "node_leaf_cables": self.node_links,
            "leaf_spine_cables": self.leaf_spine_links,
            "leaf_leaf_cables": self.peer_links,
            "shared": self.is_shared,
            "working": self.working,
            "source": str(self.source),
            **self._own_json(),
        }

    def _own_json(self) -> dict[str, object]:
        """The figures that only one of the networks has."""
        if self.name == "storage":
            return {
                "tier": self.tier,
                "read_gb_per_s": self.read_gb_per_s,
                "write_gb_per_s": self.write_gb_per_s,
                "fabric_working": self.fabric_working,
                "appliance_cables": self.appliance_cables,
                "server_cables": self.server_cables,
            }
        if self.name == "front_end":
            return {
                "appliance_links": self.appliance_links,
                "server_links": self.server_links,
            }
        if self.name == "out_of_band":
            return {
                "switches": self.leaf,
                "demand_rj45": self.demand_rj45,
                "uplinks_100g": self.uplinks_100g,
            }
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Management:
    """The programs and appliances that run the fabrics."""

    ufm: int = 0
    nmx_m: int = 0
    netq: int = 0
    working: str = ""
    source: Source

    def to_json(self) -> dict[str, object]:
        return {
            "ufm": self.ufm,
            "nmx_m": self.nmx_m,
            "netq": self.netq,
            "working": self.working,
            "source": str(self.source),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Bandwidth:
    """Each way. None where a platform has no such link or its figure is not known."""

    nvlink_gb_per_s_per_gpu: int | None
    scale_out_gb_per_s_per_gpu: float | None
    injection_tb_per_s: float
    bisection_tb_per_s: float

    def to_json(self) -> dict[str, object]:
        return {
            "nvlink_gb_per_s_per_gpu": self.nvlink_gb_per_s_per_gpu,
            "scale_out_gb_per_s_per_gpu": self.scale_out_gb_per_s_per_gpu,
            "injection_tb_per_s": self.injection_tb_per_s,
            "bisection_tb_per_s": self.bisection_tb_per_s,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Facility:
    """Power, space and weight of what is known; `not_known` names what is left out."""

    power_kw: float
    compute_kw: float
    network_kw: float
    rack_units: int
    network_rack_units: int
    weight_kg: float
    not_known: tuple[str, ...] = field(default_factory=tuple)

    def to_json(self) -> dict[str, object]:
        return {
            "compute_kw": self.compute_kw,
            "network_kw": self.network_kw,
            "network_rack_units": self.network_rack_units,
            "weight_kg": self.weight_kg,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricDesign:
    """A sized cluster. The same spec always gives the same design."""

    spec: FabricSpec
    compute: Compute
    scale_up: ScaleUp | None
    storage: Network | None
    front_end: Network | None
    out_of_band: Network | None
    management: Management | None
    bandwidth: Bandwidth
    facility: Facility
    bom: tuple[BomLine, ...]
    checks: tuple[Check, ...]
    explain: tuple[str, ...]
    floor: Floor | None = None
    engine_version: str = ENGINE_VERSION

    @property
    def is_buildable(self) -> bool:
        """Whether no check says Stop."""
        return all(check.level != STOP for check in self.checks)

    def networks(self) -> tuple[Network, ...]:
        """The networks besides the scale-out one, those that were asked for."""
        asked = (self.storage, self.front_end, self.out_of_band)
        return tuple(network for network in asked if network)

    def to_json(self) -> dict[str, object]:
        """The JSON contract of `manage.py size_fabric`."""
        return {
            "engine_version": self.engine_version,
            "spec": self.spec.to_json(),
            "compute": self.compute.to_json(),
            "scale_up": self.scale_up.to_json() if self.scale_up else None,
            "storage": self.storage.to_json() if self.storage else None,
            "front_end": self.front_end.to_json() if self.front_end else None,
            "out_of_band": self.out_of_band.to_json() if self.out_of_band else None,
            "management": self.management.to_json() if self.management else None,
            "bandwidth": self.bandwidth.to_json(),
            "power_kw": self.facility.power_kw,
            "rack_units": self.facility.rack_units,
            "facility": self.facility.to_json(),
            "floor": self.floor.to_json() if self.floor else None,
            "not_known": list(self.facility.not_known),
            "bom": [line.to_json() for line in self.bom],
            "checks": [check.to_json() for check in self.checks],
            "explain": list(self.explain),
        }
