"""Whether two modules and a fibre make a link, and how far it reaches.

Reach belongs to the pair of modules and the medium together: the shortest of the
three, over the whole channel with at most two junctions.
"""

from __future__ import annotations

from decimal import Decimal

from fabrics.engine import sources as src
from fabrics.engine.design import STOP, Check
from fabrics.engine.names import plain
from fabrics.engine.parts import PARTS, Part
from fabrics.engine.parts.links import SPLITTER
from fabrics.engine.reading import SpecError


def pair_reach(near: str, far: str, fibre: str) -> float:
    """Metres that a link of these three reaches.

    >>> pair_reach("MMS4X00-NM", "MMS4X00-NM", "MFP7E30")
    500
    >>> pair_reach("MMS4X00-NM", "MMS4X00-NM-FLT", "MFP7E30")
    100
    >>> pair_reach("MMA4Z00-NS", "MMA4Z00-NS", "MFP7E10")
    50
    """
    return min(PARTS[key].reach_m or 0 for key in (near, far, fibre))


def link_checks(near: str, far: str, fibre: str, metres: Decimal) -> tuple[Check, ...]:
    """A Stop for each reason why two modules and a fibre do not make a link.

    For parts chosen by hand: the engine's own sets pass. Raises SpecError for a part
    that is no module or no fibre.
    """
    ends = (_module(near), _module(far))
    cable = _fibre(fibre)
    faults = [
        f"{end.key} is {end.medium} and {cable.key} is {cable.medium} fibre"
        for end in dict.fromkeys(ends)
        if end.medium != cable.medium
    ]
    first, second = ends
    if first.medium != second.medium:
        faults.append(f"{first.key} is {first.medium} and {second.key} is not")
    if first.link_gbps != second.link_gbps:
        speeds = f"{first.link_gbps}G and {second.key} of {second.link_gbps}G"
        faults.append(f"{first.key} has links of {speeds}")
    reach = pair_reach(near, far, fibre)
    if not faults and metres > Decimal(str(reach)):
        faults.append(
            f"{plain(metres)} m is over the {reach:g} m reach of {near} to {far} "
            f"on {fibre}"
        )
    return tuple(
        Check(level=STOP, message=fault, source=src.CABLE_MANUAL) for fault in faults
    )


def twin_check(first_fibre: str, second_fibre: str) -> Check | None:
    """A twin module takes two straight fibres or two splitters, never one of each."""
    shapes = {_fibre(first_fibre).shape, _fibre(second_fibre).shape}
    if SPLITTER not in shapes or len(shapes) == 1:
        return None
    message = f"{first_fibre} and {second_fibre} cannot share a twin module"
    return Check(level=STOP, message=message, source=src.CABLE_MANUAL)


def _module(key: str) -> Part:
    part = PARTS.get(key)
    if part is None or not part.links:
        raise SpecError(f"{key[:40]!r} is not a module on file")
    return part


def _fibre(key: str) -> Part:
    part = PARTS.get(key)
    if part is None or not part.medium or part.links:
        raise SpecError(f"{key[:40]!r} is not a fibre on file")
    return part
