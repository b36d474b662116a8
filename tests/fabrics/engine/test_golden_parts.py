"""Whole parts lists, line by line: a change here is a change of what is sold."""

from __future__ import annotations

import pytest

from fabrics.engine import FabricSpec, size

GOLDEN = {
    ("gb300-nvl72", "quantum-x800", ("gpus", 576)): [
        ("Compute", "GB300-NVL72", 8),
        ("Fabric", "Q3400-RD", 12),
        ("Optics and cables", "MMS4A00", 864),
        ("Optics and cables", "MMS4A20", 576),
        ("Optics and cables", "MFP7E30", 1152),
        ("Front end and storage", "SN5600D", 6),
        ("Front end and storage", "MMS4X00-NM", 352),
        ("Front end and storage", "MMS1X00-NS400", 288),
        ("Front end and storage", "MFP7E30", 512),
        ("Out of band", "SN2201", 16),
        ("Out of band", "AOC-100G", 32),
        ("Management", "UFM-XDR", 2),
        ("Management", "NMX-M", 1),
    ],
    ("gb300-nvl72", "spectrum-x", ("racks", 8)): [
        ("Compute", "GB300-NVL72", 8),
        ("Fabric", "SN5600", 44),
        ("Optics and cables", "MMS4X00-NM", 1728),
        ("Optics and cables", "MMS4X00-NM-FLT", 576),
        ("Optics and cables", "MFP7E30", 2304),
        ("Front end and storage", "SN5600", 11),
        ("Front end and storage", "MMS4X00-NM", 592),
        ("Front end and storage", "MMS1X00-NS400", 288),
        ("Front end and storage", "MFP7E30", 736),
        ("Out of band", "SN2201", 16),
        ("Out of band", "AOC-100G", 32),
        ("Management", "NMX-M", 1),
        ("Management", "NETQ", 1),
    ],
    ("dgx-b300", "quantum-x800", ("nodes", 40)): [
        ("Compute", "DGX-B300", 40),
        ("Fabric", "Q3400-RA", 12),
        ("Optics and cables", "MMS4A00", 864),
        ("Optics and cables", "MMS4A20", 320),
        ("Optics and cables", "MFP7E30", 896),
        ("Front end and storage", "SN5600D", 6),
        ("Front end and storage", "MMS4X00-NM", 288),
        ("Front end and storage", "MMS1X00-NS400", 160),
        ("Front end and storage", "MFP7E30", 384),
        ("Out of band", "SN2201", 5),
        ("Out of band", "CAT5E", 217),
        ("Out of band", "AOC-100G", 10),
        ("Management", "UFM-XDR", 2),
    ],
    ("dgx-h100", "quantum-2", ("nodes", 127)): [
        ("Compute", "DGX-H100", 127),
        ("Fabric", "QM9700", 48),
        ("Optics and cables", "MMA4Z00-NS", 1536),
        ("Optics and cables", "MMA4Z00-NS-FLT", 508),
        ("Optics and cables", "MFP7E10", 2040),
        ("Optics and cables", "MMA4Z00-NS400", 4),
        ("Optics and cables", "MFP7E20", 2),
        ("Front end and storage", "SN4600C", 8),
        ("Front end and storage", "AOC-200G", 254),
        ("Front end and storage", "AOC-100G", 46),
        ("Front end and storage", "QM9700", 16),
        ("Front end and storage", "MMA4Z00-NS", 369),
        ("Front end and storage", "MMA1Z00-NS400", 254),
        ("Front end and storage", "MFP7E10", 494),
        ("Front end and storage", "MFA7U10", 52),
        ("Front end and storage", "MMA4Z00-NS400", 4),
        ("Front end and storage", "MFP7E20", 2),
        ("Out of band", "SN2201", 7),
        ("Out of band", "CAT5E", 315),
        ("Out of band", "AOC-100G", 14),
        ("Management", "UFM", 4),
    ],
    ("gb200-nvl72", "quantum-2", ("racks", 16)): [
        ("Compute", "GB200-NVL72", 16),
        ("Fabric", "QM9700", 130),
        ("Optics and cables", "MMA4Z00-NS", 2880),
        ("Optics and cables", "MMA4Z00-NS400", 1152),
        ("Optics and cables", "MFP7E10", 3456),
        ("Front end and storage", "SN5600D", 11),
        ("Front end and storage", "MMS4X00-NM", 704),
        ("Front end and storage", "MMS1X00-NS400", 1152),
        ("Front end and storage", "MFP7E40", 576),
        ("Front end and storage", "MFP7E30", 448),
        ("Out of band", "SN2201", 32),
        ("Out of band", "AOC-100G", 64),
        ("Management", "UFM", 2),
        ("Management", "NMX-M", 1),
    ],
    ("dgx-b200", "spectrum-x", ("nodes", 12)): [
        ("Compute", "DGX-B200", 12),
        ("Fabric", "SN5600", 2),
        ("Optics and cables", "MMS4X00-NM", 96),
        ("Optics and cables", "MMS4X00-NM-FLT", 48),
        ("Optics and cables", "MFP7E30", 144),
        ("Front end and storage", "MMS4X00-NM", 6),
        ("Front end and storage", "MMS1X00-NS400", 24),
        ("Front end and storage", "MFP7E40", 12),
        ("Out of band", "SN2201", 3),
        ("Out of band", "CAT5E", 144),
        ("Out of band", "AOC-100G", 12),
        ("Management", "NETQ", 1),
    ],
    ("host-200g", "spectrum-2", ("hosts", 33)): [
        ("Fabric", "SN3700", 5),
        ("Optics and cables", "AOC-200G", 81),
        ("Out of band", "SN2201", 1),
        ("Out of band", "CAT5E", 38),
        ("Out of band", "AOC-100G", 2),
    ],
    ("dgx-station-gb300", "direct", ("nodes", 2)): [
        ("Compute", "DGX-Station-GB300", 2),
        ("Optics and cables", "MMA1Z00-NS400", 4),
        ("Optics and cables", "MFP7E10", 2),
    ],
}


@pytest.mark.parametrize("asked", GOLDEN, ids=lambda asked: f"{asked[0]} {asked[2]}")
def test_a_whole_parts_list_stays_as_it_is(asked):
    system, fabric, (unit, count) = asked
    spec = FabricSpec.from_sizes(system=system, fabric=fabric, **{unit: count})

    lines = [(b.section, b.part, b.quantity) for b in size(spec).bom]

    assert lines == GOLDEN[asked]
