"""The pages of fabrics, by what they are about."""

from __future__ import annotations

from fabrics.views.configurator import (
    compare,
    configure,
    export,
    racks,
    save,
)
from fabrics.views.designs import (
    design_copy,
    design_detail,
    design_difference,
    design_export,
    design_list,
    design_remove,
    design_rename,
    design_restore,
    design_version,
)
from fabrics.views.guide import guide
from fabrics.views.model_traffic import model_traffic
from fabrics.views.reports import design_report
from fabrics.views.rules import rules_page

__all__ = [
    "compare",
    "configure",
    "design_copy",
    "design_detail",
    "design_difference",
    "design_export",
    "design_list",
    "design_remove",
    "design_rename",
    "design_report",
    "design_restore",
    "design_version",
    "export",
    "guide",
    "model_traffic",
    "racks",
    "rules_page",
    "save",
]
