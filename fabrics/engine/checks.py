"""What a buyer should know before trusting a size, graded Stop, Check or Note."""

from __future__ import annotations

from collections.abc import Iterable

from fabrics.engine import sources as src
from fabrics.engine.design import CHECK, NOTE, STOP, BomLine, Check, Compute, Network
from fabrics.engine.names import plain
from fabrics.engine.optics import reach_checks
from fabrics.engine.parts import PARTS
from fabrics.engine.sources import Source
from fabrics.engine.spec import FabricSpec
from fabrics.engine.topology import FatTree

_ORDER = {STOP: 0, CHECK: 1, NOTE: 2}


def design_checks(
    spec: FabricSpec,
    compute: Compute,
    lines: Iterable[BomLine],
    others: Iterable[Check] = (),
    networks: Iterable[Network | None] = (),
    *,
    has_floor: bool = False,
) -> tuple[Check, ...]:
    """Every check of a design, the gravest first. A floor checks its own reach."""
    found = [
        *_size_checks(spec, compute),
        *_tree_checks(spec, compute),
        *_system_checks(spec, compute),
        *([] if has_floor else reach_checks(spec, compute)),
        *others,
        *_other_reach(spec, networks),
        *_doubts(lines),
    ]
    return tuple(sorted(found, key=lambda check: _ORDER[check.level]))


def _other_reach(
    spec: FabricSpec, networks: Iterable[Network | None]
) -> Iterable[Check]:
    """The other networks have shorter reach: their leaves must stand near the nodes."""
    for network in networks:
        if network and network.reach_m and spec.cable_metres > network.reach_m:
            name = network.name.replace("_", " ")
            yield _check(
                CHECK,
                f"The {name} modules reach {network.reach_m} m: keep those runs "
                f"shorter than the scale-out ones of "
                f"{plain(spec.cable_metres)} m.",
                src.CABLE_MANUAL,
            )


def _check(level: str, message: str, source: Source) -> Check:
    return Check(level=level, message=message, source=source)


def _size_checks(spec: FabricSpec, compute: Compute) -> list[Check]:
    found = []
    rounded = _rounding(spec)
    if rounded:
        found.append(rounded)
    part = _part_unit(spec, compute)
    if part:
        found.append(part)
    if not compute.published and compute.switch:
        found.append(
            _check(
                CHECK,
                "No published row on file: derived by the same rule.",
                spec.profile.source,
            )
        )
    limit = spec.profile.tested_endpoints
    endpoints = spec.nodes * spec.ports_per_node
    if limit and endpoints > limit:
        found.append(
            _check(
                CHECK,
                f"{endpoints:,} links a plane is over the {limit:,} the document "
                "scales to without another tier: confirm the design.",
                spec.profile.source,
            )
        )
    return found


def _rounding(spec: FabricSpec) -> Check | None:
    """Names the two whole sizes around a number of GPUs that fills neither."""
    if spec.unit != "gpus" or spec.gpus in (None, spec.count):
        return None
    platform = spec.platform
    whole = (platform.gpus_per_node or 1) * (
        platform.nodes_per_rack if platform.is_rack else 1
    )
    above = spec.gpus or 0
    below = above - whole
    what = "racks" if platform.is_rack else f"{platform.node_word}s"
    near = f"{below:,} or {above:,}" if below else f"{above:,}"
    return _check(
        CHECK,
        f"{spec.count:,} GPUs do not fill {what} of {whole}: sized for {above:,}. "
        f"The whole sizes around it are {near} GPUs.",
        src.ARITHMETIC,
    )


def _part_unit(spec: FabricSpec, compute: Compute) -> Check | None:
    """A SuperPOD is bought in whole units: leaves and their uplinks for all of it."""
    profile = spec.profile
    whole = compute.scalable_units * profile.su_nodes
    real = spec.nodes + profile.ufm_positions
    if not profile.buys_full_su or real == whole:
        return None
    return _check(
        CHECK,
        f"{spec.nodes:,} of {whole - profile.ufm_positions:,} "
        f"{spec.platform.node_word}s: the switches and leaf-spine links of the whole "
        "unit are bought, node cables and modules only for those that exist.",
        profile.source,
    )


def _tree_checks(spec: FabricSpec, compute: Compute) -> list[Check]:
    tree = compute.tree
    if tree is None:
        return []
    found = _too_many_tiers(spec, tree) + _third_tier(spec, tree)
    if tree.spines == 1:
        found.append(
            _check(
                CHECK,
                "One spine carries every uplink of a plane: a second would keep "
                "the fabric up if it fails.",
                src.ARITHMETIC,
            )
        )
    if spec.oversubscription != 1 and (tree.spines or tree.peer_links):
        share = f"{plain(spec.oversubscription)}:1"
        found.append(
            _check(
                NOTE,
                f"Oversubscribed {share}: {tree.down} ports down and "
                f"{tree.up or tree.peer_links} up a leaf. The documents print "
                "non-blocking designs.",
                src.ARITHMETIC,
            )
        )
    if compute.leaf == 1 and not tree.spines:
        found.append(
            _check(
                NOTE,
                "Everything hangs on one switch: a fault or an update stops it all.",
                src.ARITHMETIC,
            )
        )
    return found


def _too_many_tiers(spec: FabricSpec, tree: FatTree) -> list[Check]:
    if tree.tiers <= spec.most_tiers:
        return []
    return [
        _check(
            STOP,
            f"{spec.nodes * spec.ports_per_node:,} links a plane need {tree.tiers} "
            f"tiers of {spec.profile.switch}; {spec.most_tiers} were asked for.",
            spec.profile.source,
        )
    ]


def _third_tier(spec: FabricSpec, tree: FatTree) -> list[Check]:
    if not tree.cores:
        return []
    found = []
    if not tree.reaches_all:
        found.append(
            _check(
                STOP,
                f"A spine's {tree.spine_up} uplinks cannot meet the "
                f"{tree.cores_per_group} core switches of its group: beyond 16 units "
                "this design needs a fourth tier.",
                spec.profile.source,
            )
        )
    elif not tree.spreads_evenly:
        found.append(
            _check(
                CHECK,
                f"{tree.spine_up} uplinks of a spine do not divide over "
                f"{tree.cores_per_group} core switches: links differ by one.",
                src.ARITHMETIC,
            )
        )
    if spec.fabric != "quantum-2":
        found.append(
            _check(
                CHECK,
                "No document prints a third tier on this switch: core counts are an "
                "assumption by the same arithmetic with half the ports down.",
                src.ARITHMETIC,
            )
        )
    return found


def _system_checks(spec: FabricSpec, compute: Compute) -> list[Check]:
    found = list(_known_faults(spec, compute))
    site = _site(spec)
    if site:
        found.append(site)
    if compute.planes > 1:
        found.append(
            _check(
                NOTE,
                "ConnectX-8 runs 2 x 400GbE, never 800GbE on one port: one link a "
                f"GPU in each of {compute.planes} planes.",
                src.CX8_NOTES,
            )
        )
    if spec.system == "dgx-station-gb300":
        found.extend(_station_checks(spec))
    return found


def _site(spec: FabricSpec) -> Check | None:
    """What a rack of these systems asks of a hall, as far as it is known."""
    platform = spec.platform
    watts = PARTS[platform.part].watts
    if not spec.racks or watts is None:
        return None
    nodes = min(platform.nodes_per_rack, spec.nodes)
    each = 1 if platform.is_rack else nodes
    cooling = "liquid cooling" if platform.is_liquid_cooled else "air cooling"
    return _check(
        CHECK,
        f"Confirm the site: up to {each * watts / 1000:g} kW a rack of systems, "
        f"{cooling}, floor load.",
        platform.source,
    )


def _station_checks(spec: FabricSpec) -> list[Check]:
    found = [
        _check(
            NOTE,
            "Stations join over ConnectX-8 with RoCEv2. There is no NVLink between "
            "stations: the 900 GB/s NVLink-C2C ends at the station's own CPU.",
            src.STATION_PAGE,
        )
    ]
    if spec.fabric == "spectrum-2":
        found.append(
            _check(
                CHECK,
                "The station's ports are 400GbE and run at 200G on an SN3700: confirm "
                "the cable's two ends (QSFP112 and QSFP56).",
                src.STATION_PAGE,
            )
        )
    return found


def _known_faults(spec: FabricSpec, compute: Compute) -> Iterable[Check]:
    """Errors in the documents that a careful reader would meet."""
    is_b300_xdr = (spec.system, spec.fabric) == ("dgx-b300", "quantum-x800")
    if is_b300_xdr and compute.scalable_units == 18:
        yield _check(
            NOTE,
            "The document prints 9,216 GPUs for 18 units; 18 x 576 is 10,368.",
            src.B300_XDR_SUPERPOD,
        )
    if spec.system == "dgx-rubin-nvl8":
        yield _check(
            NOTE,
            "A table of the document pairs multimode fibre with single-mode modules; "
            "single-mode fibre is used here.",
            src.RUBIN_SUPERPOD,
        )


def _doubts(lines: Iterable[BomLine]) -> list[Check]:
    """One Check for each figure that is secondary, inferred or assumed."""
    parts = dict.fromkeys(item.part for item in lines)
    return [
        _check(CHECK, f"{PARTS[part].doubt}: confirm it.", PARTS[part].source)
        for part in parts
        if PARTS[part].doubt
    ]
