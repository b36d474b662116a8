"""Every part a design can name, with its figures and where they were read.

A figure of None is not known, and the design says so; nothing here is guessed.
Watts are a planning figure for one unit, metres are the whole channel.
"""

from __future__ import annotations

from fabrics.engine.parts.links import CABLES, OPTICS
from fabrics.engine.parts.part import Part
from fabrics.engine.parts.switches import MANAGERS, SWITCHES
from fabrics.engine.parts.systems import ADAPTERS, SYSTEMS

PARTS: dict[str, Part] = {
    **SWITCHES,
    **SYSTEMS,
    **ADAPTERS,
    **OPTICS,
    **CABLES,
    **MANAGERS,
}

__all__ = [
    "ADAPTERS",
    "CABLES",
    "MANAGERS",
    "OPTICS",
    "PARTS",
    "SWITCHES",
    "SYSTEMS",
    "Part",
]
