"""The other networks of an AI factory, gathered for one design."""

from __future__ import annotations

from dataclasses import dataclass

from fabrics.engine.design import BomLine, Check, Compute, Management, Network
from fabrics.engine.management import management
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
    """Storage, front end, out of band and management, in the order they depend."""
    stored, storage_lines, storage_checks = storage(spec, compute)
    managed, managed_lines = management(spec, compute)
    return Others(
        storage=stored,
        front_end=None,
        out_of_band=None,
        management=managed,
        lines=(*storage_lines, *managed_lines),
        checks=tuple(storage_checks),
    )
