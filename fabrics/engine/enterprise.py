"""The enterprise designs: when GPU and CPU traffic share two switches, and their links.

A pattern is named as the documents name it: CPUs, GPUs, NICs and Gb/s a GPU. The two
core switches of a converged size have 64 cages each; a size splits into GPU leaves of
their own when the cages run out.
"""

from __future__ import annotations

from dataclasses import dataclass

from fabrics.engine.topology import ceil_div

CORE_CAGES = 64
# Cages of each core switch for storage, support, customer edge and out of band: the
# 2-8-9-400 wiremap uses cages 52 to 63 for them, after 3 for CPU, 24 GPU and 24 peer.
SHARED_CAGES = 12
NODES_PER_SU = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One enterprise node pattern. Links are of one node and plane."""

    key: str
    gpu_links: int
    cpu_links: int
    cpu_gbps: int
    planes: int = 1
    oob_planning_ports: int = 6
    oob_uplinks: int = 4
    has_own_gpu_leaves: bool = False


PATTERNS: dict[str, Pattern] = {
    p.key: p
    for p in (
        Pattern(
            key="2-4-3-200",
            gpu_links=2,
            cpu_links=2,
            cpu_gbps=200,
            oob_uplinks=2,
        ),
        Pattern(key="2-8-5-200", gpu_links=4, cpu_links=2, cpu_gbps=200),
        Pattern(
            key="2-8-9-400",
            gpu_links=8,
            cpu_links=2,
            cpu_gbps=200,
            oob_planning_ports=12,
        ),
        Pattern(
            key="2-8-9-800",
            gpu_links=8,
            cpu_links=2,
            cpu_gbps=400,
            planes=2,
            has_own_gpu_leaves=True,
        ),
        Pattern(
            key="2-8-9-400-SP",
            gpu_links=8,
            cpu_links=2,
            cpu_gbps=400,
            has_own_gpu_leaves=True,
        ),
        Pattern(
            key="2-4-5-800",
            gpu_links=4,
            cpu_links=2,
            cpu_gbps=400,
            planes=2,
            oob_uplinks=2,
            has_own_gpu_leaves=True,
        ),
    )
}


def inter_switch_links(pattern: Pattern, nodes: int) -> int:
    """400G links between the two switches of a pair: half the GPU links.

    >>> inter_switch_links(PATTERNS["2-8-5-200"], 20)
    40
    """
    return ceil_div(nodes * pattern.gpu_links, 2)


def core_cages(pattern: Pattern, nodes: int) -> int:
    """Cages used on one of the two core switches, with those kept for other links.

    Odd NICs go to core 1 and even to core 2, so each takes half of every kind. A cage
    of 800G holds two links of 400G or four of 200G.

    >>> core_cages(PATTERNS["2-8-9-400"], 12), core_cages(PATTERNS["2-8-9-400"], 16)
    (63, 80)
    """
    gpu = ceil_div(ceil_div(nodes * pattern.gpu_links, 2), 2)
    peers = ceil_div(inter_switch_links(pattern, nodes), 2)
    cpu = ceil_div(ceil_div(nodes * pattern.cpu_links, 2), 800 // pattern.cpu_gbps)
    return gpu + peers + cpu + SHARED_CAGES


def is_converged(pattern: Pattern, nodes: int) -> bool:
    """Whether GPU and CPU traffic share the two core switches.

    >>> [is_converged(PATTERNS["2-8-5-200"], su * 4) for su in (5, 6)]
    [True, False]
    """
    return not pattern.has_own_gpu_leaves and core_cages(pattern, nodes) <= CORE_CAGES


def out_of_band_switches(pattern: Pattern, nodes: int) -> int:
    """SN2201 switches: the planning ports of whole units over 48, at least two.

    >>> [out_of_band_switches(PATTERNS["2-8-9-400"], su * 4) for su in (1, 2, 3, 4)]
    [2, 2, 3, 4]
    """
    units = ceil_div(nodes, NODES_PER_SU)
    ports = units * NODES_PER_SU * pattern.oob_planning_ports
    return max(2, ceil_div(ports, 48))
