"""The documents every number comes from: title, date and address."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One document. `date` is the edition the number was read in."""

    title: str
    date: str
    url: str = ""

    def __str__(self) -> str:
        return f"{self.title} ({self.date})"


_DGX = "https://docs.nvidia.com/dgx-superpod/"
_ERA = "https://docs.nvidia.com/enterprise-reference-architectures/"

GB300_SUPERPOD = Source(
    title="NVIDIA DGX SuperPOD with DGX GB300 reference architecture",
    date="2025",
    url="https://docs.nvidia.com/pdf/dgx-spod-gb300-ra.pdf",
)
B300_XDR_SUPERPOD = Source(
    title="NVIDIA DGX SuperPOD with DGX B300 and Quantum-X800, RA-11339-001 V01",
    date="2026-09-02",
    url=_DGX + "reference-architecture/scalable-infrastructure-b300-xdr/latest/"
    "dgx-superpod-architecture.html",
)
B300_SPECTRUM_SUPERPOD = Source(
    title="NVIDIA DGX SuperPOD with DGX B300 and Spectrum-4, RA-11337-001 V01",
    date="2025-11-19",
    url=_DGX + "reference-architecture/scalable-infrastructure-b300/latest/"
    "dgx-superpod-architecture.html",
)
GB200_SUPERPOD = Source(
    title="NVIDIA DGX SuperPOD with DGX GB200, RA-11338-001 V01",
    date="2025-06-16",
    url=_DGX + "reference-architecture-scalable-infrastructure-gb200/latest/"
    "dgx-superpod-architecture.html",
)
B200_SUPERPOD = Source(
    title="NVIDIA DGX SuperPOD with DGX B200, RA-11334-001 V08",
    date="2025-04-24",
    url=_DGX + "reference-architecture-scalable-infrastructure-b200/latest/"
    "dgx-superpod-architecture.html",
)
H100_SUPERPOD = Source(
    title="NVIDIA DGX SuperPOD with DGX H100, RA-11333-001 V11",
    date="2025-11-19",
    url=_DGX + "reference-architecture-scalable-infrastructure-h100/latest/index.html",
)
RUBIN_SUPERPOD = Source(
    title="NVIDIA DGX SuperPOD with DGX Rubin NVL8 reference architecture",
    date="2026",
    url=_DGX + "reference-architecture/scalable-infrastructure-rubinx86/latest/"
    "network-fabrics.html",
)
NVL72_ENTERPRISE = Source(
    title="NVIDIA Enterprise RA, NVL72 AI factory (GB300, dual plane, 2-4-5-800)",
    date="2026-03",
    url=_ERA + "nvl72-ai-factory/latest/networking-physical-topologies.html",
)
HGX_ENTERPRISE = Source(
    title="NVIDIA Enterprise RA, HGX AI factory (2-8-9-400, 2-8-9-800)",
    date="2026-04-17",
    url="https://github.com/NVIDIA/enterprise-ras",
)
XDR_SWITCH_MANUAL = Source(
    title="NVIDIA Quantum-X800 XDR switch user manual",
    date="2026-08-21",
    url="https://docs.nvidia.com/networking/",
)
NDR_SWITCH_MANUAL = Source(
    title="NVIDIA QM97X0 switch user manual",
    date="2025",
    url="https://docs.nvidia.com/networking/",
)
SPECTRUM_MANUAL = Source(
    title="NVIDIA Spectrum SN5000, SN4000, SN3000 and SN2201 switch manuals",
    date="2025",
    url="https://docs.nvidia.com/networking/",
)
CABLE_MANUAL = Source(
    title="NVIDIA LinkX cables and transceivers documentation",
    date="2025-10-01",
    url="https://docs.nvidia.com/networking/display/intrcnctcabreqndr400eth",
)
CX8_NOTES = Source(
    title="NVIDIA ConnectX-8 firmware release notes 40.44.0208",
    date="2025",
    url="https://docs.nvidia.com/networking/",
)
UFM_MANUAL = Source(
    title="NVIDIA UFM Enterprise manual",
    date="2025",
    url="https://docs.nvidia.com/networking/",
)
DGX_B300_GUIDE = Source(
    title="NVIDIA DGX B300 user guide",
    date="2025",
    url="https://docs.nvidia.com/dgx/dgxb300-user-guide/",
)
DGX_B200_GUIDE = Source(
    title="NVIDIA DGX B200 user guide",
    date="2025",
    url="https://docs.nvidia.com/dgx/dgxb200-user-guide/",
)
DGX_H100_GUIDE = Source(
    title="NVIDIA DGX H100/H200 user guide",
    date="2025",
    url="https://docs.nvidia.com/dgx/dgxh100-user-guide/",
)
GB300_PAGE = Source(
    title="NVIDIA GB300 NVL72 product page",
    date="2026-11-06",
    url="https://www.nvidia.com/en-us/data-center/gb300-nvl72/",
)
STATION_PAGE = Source(
    title="NVIDIA DGX Station product page",
    date="2026-08-22",
    url="https://www.nvidia.com/en-us/products/workstations/dgx-station/",
)
SR680A_GUIDE = Source(
    title="Lenovo Press LP1909, ThinkSystem SR680a V3",
    date="2025",
    url="https://lenovopress.lenovo.com/lp1909",
)
SN3700_NOTES = Source(
    title="Cumulus Linux 4.0 release notes; third-party data for power and weight",
    date="2026-11-06",
)
PUBLIC_CATALOGUE = Source(
    title="NVIDIA networking part numbers in public catalogues", date="2026-11"
)
ARITHMETIC = Source(title="SourceIT sizing rule", date="2026-12-01")
