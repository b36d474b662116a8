"""What the pages of fabrics do: save designs and their versions, price their parts."""

from __future__ import annotations

from fabrics.services.designs import (
    DesignError,
    copy_design,
    freeze_design,
    remove_design,
    rename_design,
    restore_design,
    save_design,
    save_version,
    sized_alike,
)
from fabrics.services.parts import (
    BomRow,
    ListedTotal,
    bom_rows,
    listed_total,
    match_products,
)

__all__ = [
    "BomRow",
    "DesignError",
    "copy_design",
    "ListedTotal",
    "bom_rows",
    "freeze_design",
    "listed_total",
    "match_products",
    "remove_design",
    "rename_design",
    "restore_design",
    "save_design",
    "save_version",
    "sized_alike",
]
