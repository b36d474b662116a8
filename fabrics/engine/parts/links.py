"""Transceivers, fibre and cables. Reach is of the whole channel."""

from __future__ import annotations

from fabrics.engine import sources as src
from fabrics.engine.parts.part import Part, table

OPTICS = table(
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

CABLES = table(
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
