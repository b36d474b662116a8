"""The other networks of an AI factory, gathered for one design."""

from __future__ import annotations

from dataclasses import dataclass

from fabrics.engine.design import BomLine, Check, Compute, Management, Network
from fabrics.engine.front_end import front_end
from fabrics.engine.management import (
    management,
    management_checks,
    management_lines,
    ufm_appliances,
)
from fabrics.engine.out_of_band import out_of_band
from fabrics.engine.spec import FabricSpec
from fabrics.engine.storage import storage


@dataclass(frozen=True, slots=True, kw_only=True)
class Others:
    """Every network but the scale-out one, with its parts and checks."""

    storage: Network | None
    front_end: Network | None
    out_of_band: Network | None
    management: Management | None
    lines: tuple[BomLine, ...]
    checks: tuple[Check, ...]


def other_networks(spec: FabricSpec, compute: Compute) -> Others:
    """Storage, front end, management and out of band: each counts those before it."""
    stored = storage(spec, compute)
    front = front_end(spec, compute)
    front_network = front.network if front else None
    ufm = ufm_appliances(spec, stored.network)
    managed = management(spec, compute, ufm)
    oob = out_of_band(spec, compute, stored.network, front_network, ufm)
    return Others(
        storage=stored.network,
        front_end=front_network,
        out_of_band=oob.network if oob else None,
        management=managed,
        lines=(
            *(front.lines if front else ()),
            *stored.lines,
            *(oob.lines if oob else ()),
            *management_lines(spec, managed),
        ),
        checks=(
            *stored.checks,
            *(front.checks if front else ()),
            *(oob.checks if oob else ()),
            *management_checks(spec, managed),
        ),
    )
