"""Bill of materials lines: one helper to make a line, so that all read alike."""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_CEILING, Decimal

from fabrics.engine.design import BomLine
from fabrics.engine.names import plain
from fabrics.engine.parts import CABLES, PARTS
from fabrics.engine.parts import OPTICS as MODULES
from fabrics.engine.sources import Source

COMPUTE = "Compute"
FABRIC = "Fabric"
OPTICS = "Optics and cables"
FRONT_END = "Front end and storage"
OUT_OF_BAND = "Out of band"
MANAGEMENT = "Management"
SPARES = "Spares"
_SPARED = (set(CABLES) | set(MODULES)) - {"CAT5E"}


def line(  # noqa: PLR0913  (a line has this many facts, all named)
    section: str,
    part: str,
    quantity: int,
    because: str,
    source: Source,
    *,
    description: str = "",
    opn: str = "",
) -> BomLine:
    """A line for `quantity` of a part of `parts.py`."""
    known = PARTS[part]
    return BomLine(
        section=section,
        part=part,
        opn=opn or known.opn,
        maker=known.maker,
        description=description or known.description,
        quantity=quantity,
        because=because,
        source=source,
    )


def spare_lines(lines: list[BomLine], percent: Decimal) -> list[BomLine]:
    """Spares of every module and cable, rounded up for each line.

    Each network keeps its own spares; patch cables are bought by the box.
    """
    if not percent:
        return []
    return [_spare(item, percent) for item in lines if item.part in _SPARED]


def _spare(item: BomLine, percent: Decimal) -> BomLine:
    exact = item.quantity * percent / 100
    return replace(
        item,
        section=SPARES,
        quantity=int(exact.to_integral_value(rounding=ROUND_CEILING)),
        because=f"{plain(percent)}% of {item.quantity:,}, {item.section.lower()}",
    )
