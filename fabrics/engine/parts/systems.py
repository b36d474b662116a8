"""GPU systems and the adapters bought apart from them."""

from __future__ import annotations

from fabrics.engine import sources as src
from fabrics.engine.parts.part import Part, table

SYSTEMS = table(
    Part(
        key="GB300-NVL72",
        opn="GB300-NVL72",
        description="GB300 NVL72 rack: 72 GPUs, 18 compute and 9 NVLink switch trays",
        source=src.GB300_SUPERPOD,
        rack_units=48,
        watts=142_000,
        weight_kg=1360,
        doubt="GB300 NVL72 rack weight of 1,360 kg is a secondary GB200-era figure",
    ),
    Part(
        key="GB200-NVL72",
        opn="GB200-NVL72",
        description="GB200 NVL72 rack: 72 GPUs, 18 compute and 9 NVLink switch trays",
        source=src.GB200_SUPERPOD,
        rack_units=48,
        watts=132_000,
        weight_kg=1360,
        doubt="GB200 NVL72 rack power of 132 kW and weight are secondary figures",
    ),
    Part(
        key="DGX-B300",
        opn="DGX-B300",
        description="DGX B300 node: 8 GPUs, 8 x ConnectX-8 800G",
        source=src.DGX_B300_GUIDE,
        rack_units=10,
        watts=14_500,
        weight_kg=168,
    ),
    Part(
        key="DGX-B200",
        opn="DGX-B200",
        description="DGX B200 node: 8 GPUs, 8 x 400G",
        source=src.DGX_B200_GUIDE,
        rack_units=10,
        watts=14_300,
        weight_kg=142.4,
    ),
    Part(
        key="DGX-H200",
        opn="DGX-H200",
        description="DGX H200 node: 8 GPUs, 8 x 400G",
        source=src.DGX_H100_GUIDE,
        rack_units=8,
        watts=10_200,
        weight_kg=130.45,
    ),
    Part(
        key="DGX-H100",
        opn="DGX-H100",
        description="DGX H100 node: 8 GPUs, 8 x 400G",
        source=src.DGX_H100_GUIDE,
        rack_units=8,
        watts=10_200,
        weight_kg=130.45,
    ),
    Part(
        key="SR680a-V3-B200",
        opn="SR680a V3",
        maker="Lenovo",
        description="ThinkSystem SR680a V3 node: 8 x B200 (HGX), 8 x 400G",
        source=src.SR680A_GUIDE,
        rack_units=8,
        watts=14_300,
        weight_kg=102.9,
        doubt="SR680a V3 with B200 power is taken from the DGX B200 (same HGX board)",
    ),
    Part(
        key="DGX-Rubin-NVL8",
        opn="DGX-Rubin-NVL8",
        description="DGX Rubin NVL8 node: 8 GPUs, 8 x ConnectX-9 800G",
        source=src.RUBIN_SUPERPOD,
    ),
    Part(
        key="DGX-Station-GB300",
        opn="DGX-Station-GB300",
        description="DGX Station GB300: 1 GPU, ConnectX-8 2 x 400GbE, deskside",
        source=src.STATION_PAGE,
        watts=1600,
    ),
    Part(
        key="HOST-200G",
        opn="",
        maker="",
        description="Host with 200GbE ports (your own)",
        source=src.ARITHMETIC,
    ),
)

ADAPTERS = table(
    Part(
        key="B3240",
        opn="900-9D3B6-00CN-AB0",
        description="BlueField-3 B3240 DPU, 2 x 400G QSFP112",
        source=src.PUBLIC_CATALOGUE,
    ),
    Part(
        key="B3220",
        opn="900-9D3B6-00CV-AA0",
        description="BlueField-3 B3220 DPU, 2 x 200G QSFP112",
        source=src.PUBLIC_CATALOGUE,
    ),
    Part(
        key="B3140H",
        opn="900-9D3D4-00EN-HA0",
        description="BlueField-3 B3140H SuperNIC, 1 x 400G QSFP112",
        source=src.PUBLIC_CATALOGUE,
    ),
)
