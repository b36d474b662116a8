"""Which of the engine's parts a part number names."""

from __future__ import annotations

from fabrics.engine.parts import CABLES, OPTICS, PARTS, SWITCHES, SYSTEMS, Part

_BY_NUMBER = {
    number.upper(): part
    for part in PARTS.values()
    for number in (part.key, part.opn)
    if number
}


def part_of(number: str) -> Part | None:
    """Return the part that a maker's number names, in either case; None for none.

    A cable's number ends in its length: MFP7E30-N030 is 30 m of MFP7E30.
    """
    wanted = number.strip().upper()
    family = wanted.partition("-")[0]
    return _BY_NUMBER.get(wanted) or CABLES.get(family)


def is_switch(part: Part) -> bool:
    return part.key in SWITCHES


def is_module(part: Part) -> bool:
    return part.key in OPTICS


def is_cable(part: Part) -> bool:
    return part.key in CABLES


def is_system(part: Part) -> bool:
    return part.key in SYSTEMS
