"""Rows of each network with one length for all, before a floor gives them their own."""

from __future__ import annotations

from collections.abc import Iterator

from fabrics.engine.cable import FRONT_END, OUT_OF_BAND, SCALE_OUT, Cable
from fabrics.engine.cabling_oob import oob_rows
from fabrics.engine.cabling_others import Lister, lister
from fabrics.engine.cabling_scaleout import scaleout_rows
from fabrics.engine.design import FabricDesign, Network
from fabrics.engine.placing import placing
from fabrics.engine.racking import racking


def network_rows(
    design: FabricDesign, name: str, *, on_floor: bool = False
) -> Iterator[Cable]:
    """The rows of one network; none where the design has no such network."""
    where, racks = placing(design), racking(design)
    if name == SCALE_OUT:
        yield from scaleout_rows(design, where, racks, on_floor=on_floor)
    elif name == OUT_OF_BAND:
        if design.out_of_band:
            yield from oob_rows(design, design.out_of_band, where, racks)
    else:
        found = network_lister(design, name)
        if found:
            yield from found.rows()


def network_lister(design: FabricDesign, name: str) -> Lister | None:
    """What lists storage or the front end; None where there is no such network."""
    found = network_of(design, name)
    if found is None:
        return None
    return lister(design, found, placing(design), racking(design))


def network_of(design: FabricDesign, name: str) -> Network | None:
    """A network with links of its own; storage may share the front end's."""
    if name == OUT_OF_BAND:
        return design.out_of_band
    if name == FRONT_END:
        return design.front_end
    stored = design.storage
    return stored if stored and stored.switch else None
