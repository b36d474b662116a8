"""From a spec to a design: each network in turn, then parts, checks and figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fabrics.engine.bandwidth import bandwidth
from fabrics.engine.bom import COMPUTE, FABRIC, line, spare_lines
from fabrics.engine.checks import design_checks
from fabrics.engine.design import BomLine, Check, Compute, FabricDesign
from fabrics.engine.ethernet import direct, spectrum_2, spectrum_x
from fabrics.engine.explain import explain
from fabrics.engine.facility import facility
from fabrics.engine.infiniband import infiniband
from fabrics.engine.laying import (
    floor_bom,
    floor_checks,
    laid_out,
    no_floor_check,
    summary,
)
from fabrics.engine.networks import other_networks
from fabrics.engine.nvlink import scale_up
from fabrics.engine.optics import optics_lines
from fabrics.engine.other_runs import measure
from fabrics.engine.spec import FabricSpec

_FABRICS: dict[str, Callable[[FabricSpec], Compute]] = {
    "quantum-x800": infiniband,
    "quantum-2": infiniband,
    "spectrum-x": spectrum_x,
    "spectrum-2": spectrum_2,
    "direct": direct,
}


def size(spec: FabricSpec) -> FabricDesign:
    """Size a cluster: switches, links, parts, checks and figures.

    Counts are arithmetic, so a large cluster costs no more than a small one.
    Raises SpecError when the size cannot be joined at the oversubscription asked.
    """
    compute = _FABRICS[spec.fabric](spec)
    others = other_networks(spec, compute)
    lines = [
        *_system_lines(spec),
        *_switch_lines(compute),
        *optics_lines(spec, compute),
        *others.lines,
    ]
    lines = [item for item in lines if item.quantity]
    up = scale_up(spec)
    design = FabricDesign(
        spec=spec,
        compute=compute,
        scale_up=up,
        storage=others.storage,
        front_end=others.front_end,
        out_of_band=others.out_of_band,
        management=others.management,
        bandwidth=bandwidth(spec, compute),
        facility=facility(lines, has_oob_in_rack=spec.platform.is_rack),
        bom=tuple(lines),
        checks=(),
        explain=explain(spec, compute, up),
    )
    return _finished(design, others.checks)


def _finished(design: FabricDesign, found: tuple[Check, ...]) -> FabricDesign:
    """Lengths by the floor if there is one, then spares and checks."""
    spec = design.spec
    lines, floor = list(design.bom), None
    laid = laid_out(design) if spec.floor else None
    if laid:
        measured = measure(design, laid.plan, laid.rows)
        lines = floor_bom(laid, lines, measured)
        floor = summary(laid, measured)
        found = (*found, *floor_checks(laid, measured))
    elif spec.floor:
        found = (*found, no_floor_check(design))
    lines += spare_lines(lines, spec.spares_percent)
    networks = () if laid else (design.storage, design.front_end)
    checks = design_checks(
        spec, design.compute, lines, found, networks, has_floor=laid is not None
    )
    return replace(design, bom=tuple(lines), checks=checks, floor=floor)


def _system_lines(spec: FabricSpec) -> list[BomLine]:
    platform = spec.platform
    if platform.key == "host-200g":
        return []
    if platform.is_rack:
        per_rack = platform.nodes_per_rack * (platform.gpus_per_node or 0)
        why = f"{spec.gpus:,} GPUs / {per_rack} a rack"
        return [line(COMPUTE, platform.part, spec.racks, why, platform.source)]
    why = f"{spec.gpus:,} GPUs / {platform.gpus_per_node} a {platform.node_word}"
    return [
        line(COMPUTE, platform.part, spec.nodes, why, platform.source),
        *_adapter_lines(spec),
    ]


def _adapter_lines(spec: FabricSpec) -> list[BomLine]:
    """The NICs of a server that is sold without them."""
    return [
        line(
            COMPUTE,
            part,
            each * spec.nodes,
            f"{spec.nodes:,} nodes x {each}",
            spec.profile.source,
        )
        for part, each in spec.profile.adapters
    ]


def _switch_lines(compute: Compute) -> list[BomLine]:
    """The scale-out switches. Two shared ones are counted here, not in front end."""
    if not compute.switches:
        return []
    kinds = {"leaf": compute.leaf, "spine": compute.spine, "core": compute.core}
    why = " + ".join(f"{count:,} {kind}" for kind, count in kinds.items() if count)
    if compute.planes > 1:
        why += f", over {compute.planes} planes"
    if compute.is_converged:
        why += ", shared with the front end"
    return [line(FABRIC, compute.switch, compute.switches, why, compute.source)]
