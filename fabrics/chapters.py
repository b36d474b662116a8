"""Which chapter of the rules works out a figure or a line of a parts list.

A chapter is named by its heading in `docs/fabric-rules.md`; a test holds the two
together.
"""

from __future__ import annotations

from fabrics.engine import bom as sections

SIZES, LEAVES, OPTICS = "sizes", "leaves-and-spines", "optics-fibres-copper"
OTHERS, FIGURES = "the-other-networks", "figures"
_CHAPTERS = {
    sections.COMPUTE: SIZES,
    sections.FABRIC: LEAVES,
    sections.OPTICS: OPTICS,
    sections.FRONT_END: OTHERS,
    sections.OUT_OF_BAND: OTHERS,
    sections.MANAGEMENT: OTHERS,
    sections.SPARES: OPTICS,
}


def chapter_of(section: str) -> str:
    """The chapter that works out the lines of a section of the parts list."""
    return _CHAPTERS.get(section, "")
