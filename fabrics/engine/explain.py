"""The working of a size in sentences, in the order a person would do the sum."""

from __future__ import annotations

from fabrics.engine.design import Compute, ScaleUp
from fabrics.engine.names import many
from fabrics.engine.spec import FabricSpec
from fabrics.engine.topology import FatTree, ceil_div


def explain(spec: FabricSpec, compute: Compute, up: ScaleUp | None) -> tuple[str, ...]:
    """Each step with its numbers; nothing here is worked out anew."""
    steps = [_units(spec, compute)]
    if up:
        steps.append(
            f"NVLink joins {up.gpus_per_domain} GPUs a domain at "
            f"{up.gb_per_s_per_gpu} GB/s each way; {many(up.domains, 'domain')}."
        )
    tree = compute.tree
    if tree is None:
        steps.append(f"No switch: {many(compute.node_links, 'direct link')}.")
        return tuple(steps)
    if compute.planes > 1:
        steps.append(f"{compute.planes} planes, each sized alone and added up.")
    steps.append(_leaves(spec, compute, tree))
    steps.extend(_above(tree))
    steps.append(_links(compute))
    return tuple(steps)


def _units(spec: FabricSpec, compute: Compute) -> str:
    word = spec.platform.node_word
    gpus = f"{many(spec.gpus, 'GPU')}: " if spec.gpus else ""
    racks = f" in {many(spec.racks, 'rack')}" if spec.racks else ""
    text = f"{gpus}{many(spec.nodes, word)}{racks}"
    if spec.profile.su_nodes == 1 or not compute.switch:
        return f"{text}."
    units = many(compute.scalable_units, "scalable unit")
    return f"{text}; {units} of {many(spec.profile.su_nodes, word)}."


def _leaves(spec: FabricSpec, compute: Compute, tree: FatTree) -> str:
    if tree.peer_links:
        return (
            f"{spec.nodes * compute.ports_per_node} links on two leaves, joined by "
            f"{tree.peer_links} links; no spine."
        )
    if tree.tiers == 1:
        return f"{tree.down} of {tree.radix} ports of one switch are used."
    if compute.rails == 1:
        return f"Leaves: {tree.leaves} of {tree.down} ports down, {tree.up} up."
    groups = ceil_div(tree.leaves, compute.rails)
    return (
        f"Leaves: {compute.rails} rails x {groups:,} groups of "
        f"{spec.profile.down} = {tree.leaves:,}, {tree.down} ports down and "
        f"{tree.up} up each."
    )


def _above(tree: FatTree) -> list[str]:
    if not tree.spines:
        return []
    if tree.tiers == 2:
        need = ceil_div(tree.leaves * tree.up, tree.radix)
        return [
            f"Spines: {tree.leaves:,} x {tree.up} / {tree.radix} needs {need}; the "
            f"smallest divisor of {tree.up} that is enough is {tree.spines}, so each "
            f"leaf gives each spine {tree.links_per_pair} links."
        ]
    return [
        f"Spines: {tree.pods:,} pods of {tree.leaves_per_pod} leaves and "
        f"{tree.spines_per_pod} spines = {tree.spines:,}, "
        f"{tree.links_per_pair} links between each leaf and spine of a pod.",
        f"Cores: {tree.spines:,} x {tree.spine_up} links / {tree.radix} ports in "
        f"{tree.core_groups} groups = {tree.cores:,}.",
    ]


def _links(compute: Compute) -> str:
    parts = [f"{compute.node_links:,} node links"]
    if compute.ufm_links:
        parts.append(f"{compute.ufm_links} to UFM")
    if compute.leaf_spine_links:
        parts.append(f"{compute.leaf_spine_links:,} leaf to spine")
    if compute.spine_core_links:
        parts.append(f"{compute.spine_core_links:,} spine to core")
    if compute.peer_links:
        parts.append(f"{compute.peer_links:,} leaf to leaf")
    return f"Links of {compute.link_gbps}G: {', '.join(parts)}."
