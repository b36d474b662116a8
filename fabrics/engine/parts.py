"""Every part a design can name, with its figures and where they were read.

A figure of None is not known, and the design says so; nothing here is guessed.
Watts are a planning figure for one unit, metres are the whole channel.
"""

from __future__ import annotations

from dataclasses import dataclass

from fabrics.engine import sources as src
from fabrics.engine.sources import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Something to buy. `opn` is the maker's ordering number where one is known."""

    key: str
    opn: str
    description: str
    source: Source
    maker: str = "NVIDIA"
    ports: int = 0
    port_gbps: int = 0
    rack_units: int | None = None
    watts: int | None = None
    weight_kg: float | None = None
    reach_m: float | None = None
    doubt: str = ""


def _table(*parts: Part) -> dict[str, Part]:
    return {part.key: part for part in parts}


SWITCHES = _table(
    Part(
        key="Q3400-RA",
        opn="920-9B36F-00RX-8S0",
        description="Quantum-X800 InfiniBand switch, 144 x 800G, AC power",
        source=src.XDR_SWITCH_MANUAL,
        ports=144,
        port_gbps=800,
        rack_units=4,
        watts=7000,
        doubt="Q3400 power of up to 7.0 kW is a secondary source, not an NVIDIA page",
    ),
    Part(
        key="Q3400-RD",
        opn="Q3400-RD",
        description="Quantum-X800 InfiniBand switch, 144 x 800G, 48 V busbar",
        source=src.GB300_SUPERPOD,
        ports=144,
        port_gbps=800,
        rack_units=4,
        watts=7000,
        doubt="Q3400 power of up to 7.0 kW is a secondary source, not an NVIDIA page",
    ),
    Part(
        key="QM9700",
        opn="920-9B210-00FN-0M0",
        description="Quantum-2 InfiniBand switch, 64 x 400G, managed",
        source=src.NDR_SWITCH_MANUAL,
        ports=64,
        port_gbps=400,
        rack_units=1,
        watts=1720,
        weight_kg=14.8,
    ),
    Part(
        key="SN5600",
        opn="920-9N42F-00RI-7C0",
        description="Spectrum-4 Ethernet switch, 64 x 800G (128 x 400G)",
        source=src.SPECTRUM_MANUAL,
        ports=128,
        port_gbps=400,
        rack_units=2,
        watts=2092,
        weight_kg=23.5,
        doubt="SN5600 power with optics is 940 W passive plus 18 W a cage",
    ),
    Part(
        key="SN5600D",
        opn="SN5600D",
        description="Spectrum-4 Ethernet switch, 64 x 800G (128 x 400G), busbar",
        source=src.SPECTRUM_MANUAL,
        ports=128,
        port_gbps=400,
        rack_units=2,
        watts=2092,
        doubt="SN5600D power is taken from the SN5600",
    ),
    Part(
        key="SN4600C",
        opn="920-9N302-00F7-0C2",
        description="Spectrum-3 Ethernet switch, 64 x 100G",
        source=src.H100_SUPERPOD,
        ports=64,
        port_gbps=100,
        rack_units=2,
        watts=466,
        weight_kg=14.64,
    ),
    Part(
        key="SN3700",
        opn="MSN3700-VS2F",
        description="Spectrum-2 Ethernet switch, 32 x 200G",
        source=src.SN3700_NOTES,
        ports=32,
        port_gbps=200,
        rack_units=1,
        watts=250,
        weight_kg=11.1,
        doubt="SN3700 power and weight are third-party figures",
    ),
    Part(
        key="SN2201",
        opn="920-9N110-00F1-0C0",
        description="Spectrum-1 Ethernet switch, 48 x 1G RJ45 and 4 x 100G",
        source=src.SPECTRUM_MANUAL,
        ports=48,
        port_gbps=1,
        rack_units=1,
        watts=105,
        weight_kg=7.41,
    ),
)

SYSTEMS = _table(
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

ADAPTERS = _table(
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

OPTICS = _table(
    Part(
        key="MMS4A00",
        opn="980-9IAH1-00XM00",
        description="1.6T twin-port OSFP transceiver, 2 x 800G DR4, single-mode",
        source=src.CABLE_MANUAL,
        reach_m=500,
    ),
    Part(
        key="MMS4A20",
        opn="980-9IAT0-00XM00",
        description="800G single-port OSFP transceiver, DR4, flat top, single-mode",
        source=src.CABLE_MANUAL,
        reach_m=500,
    ),
    Part(
        key="MMS4X00-NM",
        opn="980-9I30G-00NM00",
        description="800G twin-port OSFP transceiver, 2 x 400G DR4, single-mode",
        source=src.CABLE_MANUAL,
        reach_m=500,
    ),
    Part(
        key="MMS4X00-NM-FLT",
        opn="980-9I301-00NM00",
        description="800G twin-port OSFP transceiver, 2 x 400G DR4, flat top",
        source=src.CABLE_MANUAL,
        reach_m=100,
    ),
    Part(
        key="MMS4X00-NS400",
        opn="980-9I31N-00NM00",
        description="400G single-port OSFP transceiver, DR4, flat top, single-mode",
        source=src.CABLE_MANUAL,
        reach_m=100,
    ),
    Part(
        key="MMS1X00-NS400",
        opn="980-9I068-00NM00",
        description="400G QSFP112 transceiver, DR4, single-mode",
        source=src.CABLE_MANUAL,
        reach_m=100,
        doubt="MMS1X00-NS400 reach is 500 m on its page and 100 m on its ordering line",
    ),
    Part(
        key="MMA4Z00-NS",
        opn="980-9I510-00NS00",
        description="800G twin-port OSFP transceiver, 2 x 400G SR4, multimode",
        source=src.CABLE_MANUAL,
        reach_m=50,
    ),
    Part(
        key="MMA4Z00-NS-FLT",
        opn="980-9I51A-00NS00",
        description="800G twin-port OSFP transceiver, 2 x 400G SR4, flat top",
        source=src.CABLE_MANUAL,
        reach_m=50,
    ),
    Part(
        key="MMA4Z00-NS400",
        opn="980-9I51S-00NS00",
        description="400G single-port OSFP transceiver, SR4, flat top, multimode",
        source=src.CABLE_MANUAL,
        reach_m=50,
    ),
    Part(
        key="MMA1Z00-NS400",
        opn="980-9I693-00NS00",
        description="400G QSFP112 transceiver, SR4, multimode",
        source=src.CABLE_MANUAL,
        reach_m=50,
    ),
)

CABLES = _table(
    Part(
        key="MFP7E30",
        opn="MFP7E30",
        description="Single-mode MPO-12/APC fibre, straight",
        source=src.CABLE_MANUAL,
        reach_m=500,
    ),
    Part(
        key="MFP7E40",
        opn="MFP7E40",
        description="Single-mode MPO-12/APC fibre, 1:2 splitter",
        source=src.CABLE_MANUAL,
        reach_m=50,
    ),
    Part(
        key="MFP7E10",
        opn="MFP7E10",
        description="Multimode OM4 MPO-12/APC fibre, straight",
        source=src.CABLE_MANUAL,
        reach_m=50,
    ),
    Part(
        key="MFP7E20",
        opn="MFP7E20",
        description="Multimode OM4 MPO-12/APC fibre, 1:2 splitter",
        source=src.CABLE_MANUAL,
        reach_m=50,
    ),
    Part(
        key="MCA7K10",
        opn="980-9IAO5-00X001",
        description="1.6T to 2 x 800G active copper splitter",
        source=src.CABLE_MANUAL,
        reach_m=2,
    ),
    Part(
        key="MCA4K50",
        opn="980-9IAM5-00X001",
        description="1.6T twin-port active copper cable",
        source=src.CABLE_MANUAL,
        reach_m=3,
        doubt="MCA4K50 length letters are read from the ordering number",
    ),
    Part(
        key="MCP7Y00",
        opn="980-9I432-00N001",
        description="800G to 2 x 400G passive copper splitter",
        source=src.CABLE_MANUAL,
        reach_m=3,
    ),
    Part(
        key="MCP4Y10",
        opn="980-9IA0F-00N001",
        description="800G twin-port passive copper cable",
        source=src.CABLE_MANUAL,
        reach_m=2,
    ),
    Part(
        key="MCA4J80",
        opn="980-9I60Z-00N003",
        description="800G twin-port active copper cable",
        source=src.CABLE_MANUAL,
        reach_m=5,
    ),
    Part(
        key="AOC-200G",
        opn="980-9I440-00H030",
        description="200G QSFP56 active optical cable",
        source=src.H100_SUPERPOD,
    ),
    Part(
        key="AOC-100G",
        opn="980-9I13N-00C030",
        description="100G QSFP28 active optical cable",
        source=src.H100_SUPERPOD,
    ),
    Part(
        key="CAT5E",
        opn="",
        maker="",
        description="1G copper patch cable, Cat5e",
        source=src.H100_SUPERPOD,
        reach_m=100,
    ),
)

MANAGERS = _table(
    Part(
        key="UFM-XDR",
        opn="920-9B020-10RI-0D0",
        description="UFM XDR appliance (MUA970D)",
        source=src.UFM_MANUAL,
    ),
    Part(
        key="UFM",
        opn="920-9B020-00FA-0D3",
        description="UFM Enterprise appliance (MUA960)",
        source=src.UFM_MANUAL,
        rack_units=1,
        watts=689,
        weight_kg=17,
    ),
    Part(
        key="NMX-M",
        opn="NMX-M",
        description="NMX-M NVLink manager",
        source=src.GB300_SUPERPOD,
    ),
    Part(
        key="NETQ",
        opn="NetQ",
        description="NetQ Ethernet fabric monitoring",
        source=src.SPECTRUM_MANUAL,
    ),
)

PARTS: dict[str, Part] = {
    **SWITCHES,
    **SYSTEMS,
    **ADAPTERS,
    **OPTICS,
    **CABLES,
    **MANAGERS,
}
