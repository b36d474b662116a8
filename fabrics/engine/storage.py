"""Storage: the GB/s a document asks for, and the InfiniBand storage fabric."""

from __future__ import annotations

from fabrics.engine.design import CHECK, NOTE, BomLine, Check, Compute, Network
from fabrics.engine.platforms import StorageNeed, StorageTable
from fabrics.engine.spec import NO_STORAGE, FabricSpec


def storage(
    spec: FabricSpec, compute: Compute
) -> tuple[Network | None, list[BomLine], list[Check]]:
    """The storage a size needs, or None when it is not asked for or not on file."""
    table = spec.platform.storage
    if table is None or spec.storage_tier == NO_STORAGE or spec.gpus is None:
        return None, [], _no_figure(spec, table)
    units = _units(spec, table)
    need = scaled(table.tiers[spec.storage_tier], units)
    network = Network(
        name="storage",
        is_shared=True,
        tier=spec.storage_tier,
        read_gb_per_s=need.read,
        write_gb_per_s=need.write,
        working=f"{units:g} units of {table.gpus} GPUs, {spec.storage_tier} tier",
        source=table.source,
    )
    return network, [], _assumed(spec, table)


def _units(spec: FabricSpec, table: StorageTable) -> float:
    """Units of the table; a position given to UFM counts as a node."""
    per_node = spec.platform.gpus_per_node or 0
    gpus = (spec.nodes + spec.profile.ufm_positions) * per_node
    return gpus / table.gpus


def scaled(need: StorageNeed, units: float) -> StorageNeed:
    """Multiples by unit, parts by GPUs.

    Documents print whole units rounded down: 62.5 GB/s as 62.

    >>> scaled(StorageNeed(read=125, write=62.5), 1).write
    62
    >>> scaled(StorageNeed(read=90, write=45), 0.5).write
    22.5
    """
    if units == int(units):
        return StorageNeed(read=int(need.read * units), write=int(need.write * units))
    return StorageNeed(
        read=round(need.read * units, 1), write=round(need.write * units, 1)
    )


def _no_figure(spec: FabricSpec, table: StorageTable | None) -> list[Check]:
    if table is not None or not spec.profile.buys_full_su:
        return []
    message = f"No storage figure on file for {spec.platform.name}."
    return [Check(level=NOTE, message=message, source=spec.platform.source)]


def _assumed(spec: FabricSpec, table: StorageTable) -> list[Check]:
    if not table.is_assumed:
        return []
    message = (
        f"Storage of {spec.platform.name} is taken from another document "
        f"({table.source.title}), by GPUs: confirm it."
    )
    return [Check(level=CHECK, message=message, source=table.source)]
