"""Bandwidth each way: per GPU, into the fabric, and across its middle."""

from __future__ import annotations

from fabrics.engine.design import Bandwidth, Compute
from fabrics.engine.spec import FabricSpec


def bandwidth(spec: FabricSpec, compute: Compute) -> Bandwidth:
    """Injection is endpoints x link; bisection is half of it when non-blocking.

    576 GPUs on XDR inject 57.6 TB/s each way and cross the middle at 28.8.
    """
    gb_per_s = compute.planes * compute.link_gbps / 8
    ports = compute.ports_per_node
    injection = spec.nodes * ports * gb_per_s / 1000
    per_gpu = spec.platform.gpus_per_node
    return Bandwidth(
        nvlink_gb_per_s_per_gpu=spec.platform.nvlink_gb_per_s,
        scale_out_gb_per_s_per_gpu=ports * gb_per_s / per_gpu if per_gpu else None,
        injection_tb_per_s=round(injection, 4),
        bisection_tb_per_s=round(injection / 2 * _share_up(compute), 4),
    )


def _share_up(compute: Compute) -> float:
    """The part of a leaf's traffic that can leave it: 1 when non-blocking."""
    tree = compute.tree
    if tree is None or not tree.down:
        return 1.0
    if tree.peer_links:
        return min(1.0, tree.peer_links / tree.down)
    if not tree.spines:
        return 1.0
    return min(1.0, tree.up / tree.down)
