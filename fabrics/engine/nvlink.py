"""Scale-up: the NVLink domain of a rack or node, before any network switch."""

from __future__ import annotations

from fabrics.engine.design import ScaleUp
from fabrics.engine.spec import FabricSpec

TRAYS_PER_NVL72 = 9
CHIPS_PER_NVL72 = 18


def scale_up(spec: FabricSpec) -> ScaleUp | None:
    """One domain a rack (NVL72) or a node (NVL8); none for stations and hosts.

    GB300 NVL72: 72 GPUs in one hop over 18 switch chips, 1.8 TB/s a GPU both ways,
    so 130 TB/s a rack. A DGX Station has NVLink to its own CPU only.
    """
    platform = spec.platform
    if platform.nvlink_gb_per_s is None:
        return None
    domains = spec.racks if platform.is_rack else spec.nodes
    racks = domains if platform.is_rack else 0
    return ScaleUp(
        domains=domains,
        gpus_per_domain=platform.nvlink_domain,
        gb_per_s_per_gpu=platform.nvlink_gb_per_s,
        switch_trays=racks * TRAYS_PER_NVL72,
        switch_chips=racks * CHIPS_PER_NVL72,
        source=platform.nvlink_source,
    )
