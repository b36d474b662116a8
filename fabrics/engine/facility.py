"""Power, rack units and weight of what is known, naming what is not."""

from __future__ import annotations

from collections.abc import Iterable

from fabrics.engine.bom import COMPUTE, OUT_OF_BAND
from fabrics.engine.design import BomLine, Facility
from fabrics.engine.parts import MANAGERS, PARTS, SWITCHES, SYSTEMS

_PLACED = {**SWITCHES, **SYSTEMS, **MANAGERS}
# Programs run on servers that are already counted, or that the buyer has.
_PROGRAMS = frozenset({"NMX-M", "NETQ"})


def facility(lines: Iterable[BomLine], *, has_oob_in_rack: bool) -> Facility:
    """Add up the planning figures of systems, switches and appliances.

    Switch power includes its modules. A part whose figure is not known adds nothing
    and is named. The switches that stand in an NVL72 rack are part of its figures.
    """
    inside = OUT_OF_BAND if has_oob_in_rack else ""
    placed = [item for item in lines if item.part in _PLACED]
    placed = [item for item in placed if item.part not in _PROGRAMS]
    placed = [item for item in placed if item.section != inside]
    compute = _sum(placed, "watts", is_compute=True)
    network = _sum(placed, "watts", is_compute=False)
    network_units = round(_sum(placed, "rack_units", is_compute=False))
    units = network_units + round(_sum(placed, "rack_units", is_compute=True))
    weight = sum(_sum(placed, "weight_kg", is_compute=side) for side in (True, False))
    return Facility(
        power_kw=round((compute + network) / 1000, 3),
        compute_kw=round(compute / 1000, 3),
        network_kw=round(network / 1000, 3),
        rack_units=units,
        network_rack_units=network_units,
        weight_kg=round(weight, 1),
        not_known=tuple(_not_known(placed)),
    )


def _sum(lines: list[BomLine], figure: str, *, is_compute: bool) -> float:
    wanted = [item for item in lines if (item.section == COMPUTE) == is_compute]
    total = 0.0
    for item in wanted:
        each: float | None = getattr(PARTS[item.part], figure)
        total += item.quantity * (each or 0)
    return total


def _not_known(lines: list[BomLine]) -> list[str]:
    """One sentence for each part and figure that is missing, in the parts' order."""
    found = []
    for part in dict.fromkeys(item.part for item in lines):
        known = PARTS[part]
        figures = {
            "power": known.watts,
            "rack units": known.rack_units,
            "weight": known.weight_kg,
        }
        missing = [name for name, figure in figures.items() if figure is None]
        if missing:
            found.append(f"{part}: {', '.join(missing)} not known")
    return found
