"""Two designs side by side by what is bought, moved and needed. No database."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from fabrics.engine import CHECK, STOP, BomLine, FabricDesign, rack_count
from fabrics.engine.bom import COMPUTE, MANAGEMENT, SPARES
from fabrics.engine.parts import ADAPTERS, CABLES, OPTICS, SWITCHES
from fabrics.headline import rate_words
from fabrics.words import network_name, system_name

# A fact in words, or a number that can be compared.
Fact = Callable[[FabricDesign], str | float]


@dataclass(frozen=True, slots=True, kw_only=True)
class SideRow:
    """One fact of both; `difference` is empty where they are alike."""

    label: str
    left: str
    right: str
    difference: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SideGroup:
    title: str
    rows: tuple[SideRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What only one of the two needs: parts of its own, and what to confirm."""

    title: str
    parts: tuple[str, ...]
    checks: tuple[str, ...]


def side_groups(left: FabricDesign, right: FabricDesign) -> list[SideGroup]:
    """The facts that decide between two networks, in groups."""
    return [
        SideGroup(
            title=title,
            rows=tuple(_row(label, say, left, right) for label, say in facts),
        )
        for title, facts in _GROUPS
    ]


def _row(label: str, say: Fact, left: FabricDesign, right: FabricDesign) -> SideRow:
    one, other = say(left), say(right)
    return SideRow(
        label=label,
        left=_said(one),
        right=_said(other),
        difference=_difference(one, other),
    )


def _said(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:,.6g}"


def _difference(one: str | float, other: str | float) -> str:
    if one == other:
        return ""
    if isinstance(one, str) or isinstance(other, str):
        return "Differs"
    change = other - one
    share = f" ({100 * change / one:+.0f}%)" if one else ""
    return f"{change:+,.6g}{share}"


def _bought(lines: Iterable[BomLine], kinds: Iterable[str]) -> int:
    """How many of some parts are bought; spares are left out."""
    wanted = set(kinds)
    return sum(
        line.quantity
        for line in lines
        if line.part in wanted and line.section != SPARES
    )


_FIBRES = [key for key, part in CABLES.items() if part.medium]


def _copper(design: FabricDesign) -> int:
    return _bought(design.bom, CABLES) - _bought(design.bom, _FIBRES)


def _between(design: FabricDesign) -> int:
    compute = design.compute
    return compute.leaf_spine_links + compute.spine_core_links + compute.peer_links


def _per_gpu(design: FabricDesign) -> str | float:
    known = design.bandwidth.scale_out_gb_per_s_per_gpu
    return "Not known" if known is None else known


_GROUPS: tuple[tuple[str, tuple[tuple[str, Fact], ...]], ...] = (
    (
        "What it is",
        (
            ("System", lambda d: system_name(d.spec.system)),
            ("Scale-out network", lambda d: network_name(d.spec.fabric)),
            ("GPUs", lambda d: d.compute.gpus or "Not known"),
            ("Link speed, Gb/s", lambda d: d.compute.link_gbps),
            ("Planes", lambda d: d.compute.planes),
            ("Tiers of switches", lambda d: d.compute.tiers),
        ),
    ),
    (
        "Switches",
        (
            ("Scale-out switch", lambda d: d.compute.switch or "None"),
            ("Leaf", lambda d: d.compute.leaf),
            ("Spine", lambda d: d.compute.spine),
            ("Core", lambda d: d.compute.core),
            ("All networks together", lambda d: _bought(d.bom, SWITCHES)),
        ),
    ),
    (
        "Cables and optics",
        (
            ("Links to nodes", lambda d: d.compute.node_links),
            ("Links between switches", _between),
            ("Optical modules bought", lambda d: _bought(d.bom, OPTICS)),
            ("Fibres bought", lambda d: _bought(d.bom, _FIBRES)),
            ("Copper and fixed cables bought", _copper),
        ),
    ),
    (
        "Bandwidth, each way",
        (
            ("Scale-out a GPU, GB/s", _per_gpu),
            ("All GPUs sending", lambda d: rate_words(d.bandwidth.injection_tb_per_s)),
            ("Bisection", lambda d: rate_words(d.bandwidth.bisection_tb_per_s)),
        ),
    ),
    (
        "Power and space",
        (
            ("Power, known part, kW", lambda d: round(d.facility.power_kw, 1)),
            ("Of it network, kW", lambda d: round(d.facility.network_kw, 1)),
            ("Racks of systems", lambda d: rack_count(d)[0]),
            ("Network racks", lambda d: rack_count(d)[1]),
            ("Rack units of network", lambda d: d.facility.network_rack_units),
        ),
    ),
)


def needs(left: FabricDesign, right: FabricDesign) -> list[Need]:
    """What each of the two needs that the other does not."""
    return [_need(left, right), _need(right, left)]


def _need(one: FabricDesign, other: FabricDesign) -> Need:
    theirs = {line.part for line in other.bom}
    said = {check.message for check in other.checks}
    special = (COMPUTE, MANAGEMENT)
    return Need(
        title=network_name(one.spec.fabric),
        parts=tuple(
            f"{line.quantity:,} x {line.description}"
            for line in one.bom
            if line.part not in theirs
            and (line.section in special or line.part in {**SWITCHES, **ADAPTERS})
        ),
        checks=tuple(
            check.message
            for check in one.checks
            if check.level in (STOP, CHECK) and check.message not in said
        ),
    )
