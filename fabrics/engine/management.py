"""What runs the fabrics: UFM for InfiniBand, NMX-M for NVLink, NetQ for Ethernet."""

from __future__ import annotations

from fabrics.engine import sources as src
from fabrics.engine.bom import MANAGEMENT, line
from fabrics.engine.design import BomLine, Compute, Management
from fabrics.engine.spec import FabricSpec


def management(
    spec: FabricSpec, compute: Compute
) -> tuple[Management | None, list[BomLine]]:
    """Two UFM appliances a fabric for high availability; NMX-M and NetQ once."""
    if not compute.switch:
        return None, []
    is_infiniband = spec.fabric.startswith("quantum")
    ufm = 2 if is_infiniband else 0
    nmx = 1 if spec.platform.is_rack else 0
    netq = 0 if is_infiniband or spec.fabric == "spectrum-2" else 1
    appliance = "UFM-XDR" if spec.fabric == "quantum-x800" else "UFM"
    source = src.UFM_MANUAL if is_infiniband else spec.profile.source
    lines = [
        line(MANAGEMENT, appliance, ufm, "two for high availability", src.UFM_MANUAL),
        line(MANAGEMENT, "NMX-M", nmx, "NVLink of the racks", spec.profile.source),
        line(MANAGEMENT, "NETQ", netq, "Ethernet fabric", spec.profile.source),
    ]
    if not (ufm or nmx or netq):
        return None, []
    result = Management(
        ufm=ufm,
        nmx_m=nmx,
        netq=netq,
        working="UFM for InfiniBand only, NMX-M for NVLink, NetQ for Ethernet",
        source=source,
    )
    return result, lines
