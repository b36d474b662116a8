"""Which sizes a document prints, so that a design can say whether its size is one.

Only sizes are kept here, never the counts: those come from the rules, and the printed
counts are the test cases.
"""

from __future__ import annotations

from fabrics.engine import sources as src
from fabrics.engine.sources import Source
from fabrics.engine.spec import FabricSpec

# Nodes (trays of an NVL72 rack) of every printed row on file.
_SIZES: dict[tuple[str, str, str], tuple[Source, frozenset[int]]] = {
    ("gb300-nvl72", "quantum-x800", "superpod"): (
        src.GB300_SUPERPOD,
        frozenset({288, 576}),
    ),
    ("gb300-nvl72", "spectrum-x", "enterprise"): (
        src.NVL72_ENTERPRISE,
        frozenset({144}),
    ),
    ("gb200-nvl72", "quantum-2", "superpod"): (
        src.GB200_SUPERPOD,
        frozenset({144, 288, 576, 1152, 2304}),
    ),
    ("dgx-b300", "quantum-x800", "superpod"): (
        src.B300_XDR_SUPERPOD,
        frozenset({72, 144, 288, 576, 1296}),
    ),
    ("dgx-b300", "spectrum-x", "superpod"): (
        src.B300_SPECTRUM_SUPERPOD,
        frozenset({64, 128, 256, 512, 1024}),
    ),
    ("dgx-b300", "spectrum-x", "enterprise"): (
        src.HGX_ENTERPRISE,
        frozenset({4, 8, 12, 16}),
    ),
    ("dgx-b200", "quantum-2", "superpod"): (
        src.B200_SUPERPOD,
        frozenset({64, 128, 256, 512, 1024, 2048}),
    ),
    ("dgx-h100", "quantum-2", "superpod"): (
        src.H100_SUPERPOD,
        frozenset({31, 63, 95, 127}),
    ),
}


def published_source(spec: FabricSpec) -> Source | None:
    """The document that prints this very size, non-blocking, or None."""
    found = _SIZES.get((spec.system, spec.fabric, spec.design))
    if found is None or spec.oversubscription != 1:
        return None
    source, sizes = found
    return source if spec.nodes in sizes else None
