"""The sizing engine's door: `size(spec) -> design`, and the types around it.

Plain Python: no framework, no files, no clock, no randomness. The same spec always
gives the same design.
"""

from __future__ import annotations

from fabrics.engine.cable import CABLE_HEADINGS, Cable
from fabrics.engine.cable import NETWORKS as CABLE_NETWORKS
from fabrics.engine.cabling import cable_count, cabling, network_counts
from fabrics.engine.compare import (
    BomChange,
    ComparedRow,
    Comparison,
    Growth,
    bom_difference,
    compare,
    growth,
    next_size,
)
from fabrics.engine.compatibility import link_checks, pair_reach, twin_check
from fabrics.engine.design import (
    CHECK,
    ENGINE_VERSION,
    NOTE,
    STOP,
    Bandwidth,
    BomLine,
    Check,
    Compute,
    FabricDesign,
    Facility,
    Management,
    Network,
    ScaleUp,
)
from fabrics.engine.elevation import RackView, Slot, rack_names, rack_view
from fabrics.engine.floor import FloorPlan, floor_plan
from fabrics.engine.floor_spec import FLOOR_OPTIONS, FloorSpec
from fabrics.engine.profiles import pairs, profiles_of
from fabrics.engine.racking import rack_count
from fabrics.engine.reading import SpecError
from fabrics.engine.sizing import size
from fabrics.engine.sources import Source
from fabrics.engine.spec import (
    FABRICS,
    SIZE_UNITS,
    SYSTEMS,
    FabricSpec,
    most_nodes,
    optic_names,
    storage_tiers,
)
from fabrics.engine.topology import FatTree
from fabrics.engine.traffic import COLLECTIVES, Estimate, Traffic, estimate

__all__ = [
    "CHECK",
    "COLLECTIVES",
    "ENGINE_VERSION",
    "FABRICS",
    "CABLE_HEADINGS",
    "FLOOR_OPTIONS",
    "FloorPlan",
    "FloorSpec",
    "CABLE_NETWORKS",
    "NOTE",
    "SIZE_UNITS",
    "STOP",
    "SYSTEMS",
    "Bandwidth",
    "BomChange",
    "BomLine",
    "Cable",
    "Check",
    "ComparedRow",
    "Comparison",
    "Compute",
    "Estimate",
    "FabricDesign",
    "FabricSpec",
    "Facility",
    "FatTree",
    "Growth",
    "Management",
    "Network",
    "RackView",
    "ScaleUp",
    "Slot",
    "Source",
    "SpecError",
    "Traffic",
    "bom_difference",
    "cable_count",
    "cabling",
    "compare",
    "estimate",
    "floor_plan",
    "growth",
    "link_checks",
    "network_counts",
    "most_nodes",
    "next_size",
    "optic_names",
    "pair_reach",
    "pairs",
    "profiles_of",
    "rack_count",
    "rack_names",
    "rack_view",
    "size",
    "storage_tiers",
    "twin_check",
]
