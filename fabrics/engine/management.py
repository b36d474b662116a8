"""What runs the fabrics: UFM for InfiniBand, NMX-M for NVLink, NetQ for Ethernet."""

from __future__ import annotations

from fabrics.engine import sources as src
from fabrics.engine.bom import MANAGEMENT, line
from fabrics.engine.design import CHECK, BomLine, Check, Compute, Management, Network
from fabrics.engine.spec import FabricSpec

PER_FABRIC = 2


def ufm_appliances(spec: FabricSpec, stored: Network | None) -> int:
    """Two for high availability on each InfiniBand fabric: compute, and storage."""
    compute = PER_FABRIC if spec.fabric.startswith("quantum") else 0
    storage = PER_FABRIC if stored and stored.switch == "QM9700" else 0
    return compute + storage


def management(spec: FabricSpec, compute: Compute, ufm: int) -> Management | None:
    """UFM for InfiniBand only, NMX-M for NVL72 racks, NetQ for Spectrum-X."""
    nmx = 1 if spec.platform.is_rack else 0
    netq = 1 if spec.fabric == "spectrum-x" else 0
    if not (ufm or nmx or netq):
        return None
    return Management(
        ufm=ufm,
        nmx_m=nmx,
        netq=netq,
        working=_working(spec, ufm),
        source=src.UFM_MANUAL if ufm else spec.profile.source,
    )


def _working(spec: FabricSpec, ufm: int) -> str:
    if not ufm:
        return "NetQ for the Ethernet fabric"
    place = "on leaf ports" if spec.profile.ufm_links else "on a port of its own"
    if spec.fabric == "quantum-x800":
        place = "on the switch's own management port"
    return f"{PER_FABRIC} UFM a fabric for high availability, {place}"


def management_lines(spec: FabricSpec, result: Management | None) -> list[BomLine]:
    """The appliances and programs to buy."""
    if result is None:
        return []
    appliance = "UFM-XDR" if spec.fabric == "quantum-x800" else "UFM"
    source = spec.profile.source
    return [
        line(MANAGEMENT, appliance, result.ufm, result.working, src.UFM_MANUAL),
        line(MANAGEMENT, "NMX-M", result.nmx_m, "manages NVLink in the racks", source),
        line(MANAGEMENT, "NETQ", result.netq, "watches the Ethernet fabric", source),
    ]


def management_checks(spec: FabricSpec, result: Management | None) -> list[Check]:
    """What the parts list leaves to be agreed."""
    if result is None:
        return []
    texts = []
    if result.nmx_m or result.netq:
        texts.append("How NMX-M and NetQ are licensed is not on file: one is listed.")
    if spec.profile.buys_full_su:
        texts.append(
            "Management servers (cluster manager, Kubernetes, Slurm login) are not in "
            "this list: the documents use 4 to 7."
        )
    source = spec.profile.source
    return [Check(level=CHECK, message=text, source=source) for text in texts]
