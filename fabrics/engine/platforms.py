"""What one system brings: GPUs, racks, NVLink, ports out of band, storage figures."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from fabrics.engine import sources as src
from fabrics.engine.sources import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageNeed:
    """GB/s that a document asks of the storage for `gpus` GPUs (one unit)."""

    read: float
    write: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageTable:
    """The storage table of a document: the unit it is printed for and its tiers.

    `node_tiers` is what one node alone is to reach, where the document says so.
    """

    gpus: int
    tiers: dict[str, StorageNeed]
    source: Source
    node_tiers: dict[str, StorageNeed] = field(default_factory=dict)
    is_assumed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """A system. A node is what holds the NICs: a tray of an NVL72 rack, or a server."""

    key: str
    name: str
    part: str
    node_word: str
    sized_by: tuple[str, ...]
    gpus_per_node: int | None
    nodes_per_rack: int
    is_rack: bool = False
    nvlink_gb_per_s: int | None = None
    nvlink_domain: int = 0
    nvlink_source: Source = src.GB300_PAGE
    front_end_ports: int = 0
    front_end_gbps: int = 0
    oob_ports: int = 0
    rack_pdus: int = 0
    is_liquid_cooled: bool = False
    storage: StorageTable | None = None
    source: Source = src.ARITHMETIC


_GB300_TIERS = {
    "standard": StorageNeed(read=90, write=45),
    "enhanced": StorageNeed(read=280, write=140),
}
_GB200_TIERS = {
    "standard": StorageNeed(read=40, write=20),
    "enhanced": StorageNeed(read=125, write=62.5),
}
_H100_TIERS = {
    "good": StorageNeed(read=15, write=7.5),
    "better": StorageNeed(read=40, write=20),
    "best": StorageNeed(read=125, write=62.5),
    "standard": StorageNeed(read=40, write=20),
    "enhanced": StorageNeed(read=125, write=62.5),
}
_H100_NODE = {
    "good": StorageNeed(read=4, write=2),
    "better": StorageNeed(read=8, write=4),
    "best": StorageNeed(read=40, write=20),
    "standard": StorageNeed(read=8, write=4),
    "enhanced": StorageNeed(read=40, write=20),
}
_H100_STORAGE = StorageTable(
    gpus=256, tiers=_H100_TIERS, source=src.H100_SUPERPOD, node_tiers=_H100_NODE
)
_H100_STORAGE_ASSUMED = replace(_H100_STORAGE, is_assumed=True)
_NODE_SIZES = ("nodes", "gpus")


PLATFORMS: dict[str, Platform] = {
    p.key: p
    for p in (
        Platform(
            key="gb300-nvl72",
            name="GB300 NVL72",
            part="GB300-NVL72",
            node_word="compute tray",
            sized_by=("racks", "gpus"),
            gpus_per_node=4,
            nodes_per_rack=18,
            is_rack=True,
            nvlink_gb_per_s=900,
            nvlink_domain=72,
            front_end_ports=2,
            front_end_gbps=400,
            is_liquid_cooled=True,
            storage=StorageTable(
                gpus=576, tiers=_GB300_TIERS, source=src.GB300_SUPERPOD
            ),
            source=src.GB300_SUPERPOD,
        ),
        Platform(
            key="gb200-nvl72",
            name="GB200 NVL72",
            part="GB200-NVL72",
            node_word="compute tray",
            sized_by=("racks", "gpus"),
            gpus_per_node=4,
            nodes_per_rack=18,
            is_rack=True,
            nvlink_gb_per_s=900,
            nvlink_domain=72,
            nvlink_source=src.GB200_SUPERPOD,
            front_end_ports=4,
            front_end_gbps=200,
            is_liquid_cooled=True,
            storage=StorageTable(
                gpus=576, tiers=_GB200_TIERS, source=src.GB200_SUPERPOD
            ),
            source=src.GB200_SUPERPOD,
        ),
        Platform(
            key="dgx-b300",
            name="DGX B300",
            part="DGX-B300",
            node_word="node",
            sized_by=_NODE_SIZES,
            gpus_per_node=8,
            nodes_per_rack=4,
            nvlink_gb_per_s=900,
            nvlink_domain=8,
            nvlink_source=src.DGX_B300_GUIDE,
            front_end_ports=4,
            front_end_gbps=400,
            oob_ports=4,
            rack_pdus=3,
            storage=StorageTable(
                gpus=576,
                tiers=_GB300_TIERS,
                source=src.GB300_SUPERPOD,
                is_assumed=True,
            ),
            source=src.B300_XDR_SUPERPOD,
        ),
        Platform(
            key="dgx-b200",
            name="DGX B200",
            part="DGX-B200",
            node_word="node",
            sized_by=_NODE_SIZES,
            gpus_per_node=8,
            nodes_per_rack=2,
            nvlink_gb_per_s=900,
            nvlink_domain=8,
            nvlink_source=src.DGX_B200_GUIDE,
            front_end_ports=2,
            front_end_gbps=200,
            oob_ports=4,
            rack_pdus=3,
            storage=_H100_STORAGE_ASSUMED,
            source=src.B200_SUPERPOD,
        ),
        Platform(
            key="dgx-h200",
            name="DGX H200",
            part="DGX-H200",
            node_word="node",
            sized_by=_NODE_SIZES,
            gpus_per_node=8,
            nodes_per_rack=4,
            nvlink_gb_per_s=450,
            nvlink_domain=8,
            nvlink_source=src.DGX_H100_GUIDE,
            front_end_ports=2,
            front_end_gbps=200,
            oob_ports=1,
            rack_pdus=3,
            storage=_H100_STORAGE_ASSUMED,
            source=src.H100_SUPERPOD,
        ),
        Platform(
            key="dgx-h100",
            name="DGX H100",
            part="DGX-H100",
            node_word="node",
            sized_by=_NODE_SIZES,
            gpus_per_node=8,
            nodes_per_rack=4,
            nvlink_gb_per_s=450,
            nvlink_domain=8,
            nvlink_source=src.DGX_H100_GUIDE,
            front_end_ports=2,
            front_end_gbps=200,
            oob_ports=1,
            rack_pdus=3,
            storage=_H100_STORAGE,
            source=src.H100_SUPERPOD,
        ),
        Platform(
            key="sr680a-v3-b200",
            name="ThinkSystem SR680a V3 with 8 x B200",
            part="SR680a-V3-B200",
            node_word="node",
            sized_by=_NODE_SIZES,
            gpus_per_node=8,
            nodes_per_rack=2,
            nvlink_gb_per_s=900,
            nvlink_domain=8,
            nvlink_source=src.DGX_B200_GUIDE,
            front_end_ports=2,
            front_end_gbps=200,
            oob_ports=4,
            rack_pdus=3,
            storage=_H100_STORAGE_ASSUMED,
            source=src.SR680A_GUIDE,
        ),
        Platform(
            key="dgx-rubin-nvl8",
            name="DGX Rubin NVL8",
            part="DGX-Rubin-NVL8",
            node_word="node",
            sized_by=_NODE_SIZES,
            gpus_per_node=8,
            nodes_per_rack=4,
            nvlink_domain=8,
            oob_ports=4,
            rack_pdus=3,
            source=src.RUBIN_SUPERPOD,
        ),
        Platform(
            key="dgx-station-gb300",
            name="DGX Station GB300",
            part="DGX-Station-GB300",
            node_word="station",
            sized_by=("nodes", "gpus", "hosts"),
            gpus_per_node=1,
            nodes_per_rack=1,
            oob_ports=1,
            source=src.STATION_PAGE,
        ),
        Platform(
            key="host-200g",
            name="Host with 200GbE",
            part="HOST-200G",
            node_word="host",
            sized_by=("hosts",),
            gpus_per_node=None,
            nodes_per_rack=1,
            oob_ports=1,
            source=src.ARITHMETIC,
        ),
    )
}
