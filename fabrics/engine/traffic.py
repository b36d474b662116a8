"""How long a collective takes on a design: the alpha-beta model, on paper.

A transfer of S bytes over a link takes alpha + S / B. The result is a bound for the
links alone: real libraries choose other algorithms, overlap, and lose some to headers.
Bandwidths come from the design; latencies and efficiency are the reader's numbers, and
the defaults are round figures, not measurements.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, isfinite, log2

from fabrics.engine.design import FabricDesign
from fabrics.engine.reading import SpecError

ALL_REDUCE = "all-reduce"
ALL_GATHER = "all-gather"
REDUCE_SCATTER = "reduce-scatter"
ALL_TO_ALL = "all-to-all"
BROADCAST = "broadcast"
POINT_TO_POINT = "point-to-point"
COLLECTIVES = (
    ALL_REDUCE,
    ALL_GATHER,
    REDUCE_SCATTER,
    ALL_TO_ALL,
    BROADCAST,
    POINT_TO_POINT,
)
_MOST_BYTES = 10**15
_MOST_GB_PER_S = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """One collective. `gpus` take part, filling NVLink domains one after another.

    `size_bytes` is the whole vector for all-reduce and broadcast, the whole result for
    all-gather, the whole input for reduce-scatter, and what one GPU sends for
    all-to-all and point-to-point. Speeds are GB/s each way for one GPU: None takes the
    design's own, and a number is the reader's.
    """

    collective: str
    size_bytes: int
    gpus: int
    nvlink_latency_us: float = 1.0
    fabric_latency_us: float = 5.0
    efficiency: float = 1.0
    in_network: bool = False
    nvlink_gb_per_s: float | None = None
    fabric_gb_per_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Seconds by where they go. `steps` is the working, in order."""

    seconds: float
    nvlink_seconds: float
    fabric_seconds: float
    latency_seconds: float
    bottleneck: str
    algorithm_gb_per_s: float
    steps: tuple[str, ...] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Links:
    """What the traffic runs on, in bytes and seconds."""

    domain: int
    groups: int
    nvlink: float
    fabric: float
    nvlink_alpha: float
    fabric_alpha: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One stage: bytes over one kind of link, and the latencies beside them."""

    where: str
    bytes_moved: float
    bandwidth: float
    latency: float
    text: str

    @property
    def transfer(self) -> float:
        return self.bytes_moved / self.bandwidth if self.bytes_moved else 0.0


NVLINK = "NVLink"
FABRIC = "scale-out"


def estimate(design: FabricDesign, traffic: Traffic) -> Estimate:
    """Time of a collective over NVLink inside a domain and the fabric between.

    Raises SpecError for traffic that the design cannot carry or a number that is none.
    """
    _check(design, traffic)
    links = _links(design, traffic)
    parts = _PLANS[traffic.collective](traffic, links)
    together = traffic.collective == ALL_TO_ALL
    return _add_up(traffic, parts, together=together)


def _check(design: FabricDesign, traffic: Traffic) -> None:
    most = design.compute.gpus or design.compute.nodes
    if traffic.collective not in COLLECTIVES:
        raise SpecError(f"collective must be one of {', '.join(COLLECTIVES)}")
    if not 1 <= traffic.size_bytes <= _MOST_BYTES:
        raise SpecError(f"size must be from 1 to {_MOST_BYTES:,} bytes")
    if not 2 <= traffic.gpus <= most:
        raise SpecError(f"participants must be from 2 to {most:,} for this design")
    latencies = (traffic.nvlink_latency_us, traffic.fabric_latency_us)
    if not all(isfinite(us) and 0 <= us <= 10_000 for us in latencies):
        raise SpecError("latency must be from 0 to 10,000 microseconds")
    if not 0 < traffic.efficiency <= 1:
        raise SpecError("efficiency must be over 0 and at most 1")
    speeds = (traffic.nvlink_gb_per_s, traffic.fabric_gb_per_s)
    if not all(speed is None or 0 < speed <= _MOST_GB_PER_S for speed in speeds):
        raise SpecError(f"speed must be over 0 and at most {_MOST_GB_PER_S:,} GB/s")


def _links(design: FabricDesign, traffic: Traffic) -> _Links:
    """Bandwidth each way per GPU; an oversubscribed leaf gives less beyond it."""
    platform = design.spec.platform
    domain = min(platform.nvlink_domain or 1, traffic.gpus)
    nvlink = traffic.nvlink_gb_per_s or platform.nvlink_gb_per_s
    if domain > 1 and nvlink is None:
        raise SpecError(f"the NVLink speed of {platform.name} is not on file")
    per_gpu = traffic.fabric_gb_per_s or _own_speed(design)
    giga = 1e9 * traffic.efficiency
    return _Links(
        domain=domain,
        groups=ceil(traffic.gpus / domain),
        nvlink=(nvlink or 1) * giga,
        fabric=per_gpu * giga * _share(design, traffic),
        nvlink_alpha=traffic.nvlink_latency_us / 1e6,
        fabric_alpha=traffic.fabric_latency_us / 1e6,
    )


def _own_speed(design: FabricDesign) -> float:
    """Scale-out GB/s of one GPU, or of one host whose GPUs are not known."""
    per_gpu = design.bandwidth.scale_out_gb_per_s_per_gpu
    if per_gpu is not None:
        return per_gpu
    return design.compute.ports_per_node * design.compute.link_gbps / 8


def _share(design: FabricDesign, traffic: Traffic) -> float:
    """The part of a GPU's bandwidth left beyond its leaf group, 1 inside it.

    Traffic of one rail inside one group stays on one leaf, whatever the uplinks.
    """
    tree = design.compute.tree
    if tree is None or not tree.spines:
        return 1.0
    per_node = design.spec.platform.gpus_per_node or 1
    if traffic.gpus <= tree.down * per_node:
        return 1.0
    return min(1.0, tree.up / tree.down)


def _ring(
    where: str, links: _Links, count: int, size: float, rounds: int, name: str
) -> list[_Part]:
    """A ring of `count`: each round moves (n - 1) / n of the vector in n - 1 steps."""
    if count < 2:
        return []
    is_nvlink = where == NVLINK
    moved = rounds * size * (count - 1) / count
    alpha = links.nvlink_alpha if is_nvlink else links.fabric_alpha
    return [
        _Part(
            where=where,
            bytes_moved=moved,
            bandwidth=links.nvlink if is_nvlink else links.fabric,
            latency=rounds * (count - 1) * alpha,
            text=f"{name} of {count:,} over {where}: {moved:,.0f} bytes a GPU",
        )
    ]


def _all_reduce(traffic: Traffic, links: _Links) -> list[_Part]:
    """Reduce-scatter in the domain, all-reduce of each shard across, all-gather."""
    size, domain = float(traffic.size_bytes), links.domain
    across = _across_reduce(traffic, links, size / domain)
    return [
        *_ring(NVLINK, links, domain, size, 1, REDUCE_SCATTER),
        *across,
        *_ring(NVLINK, links, domain, size, 1, ALL_GATHER),
    ]


def _across_reduce(traffic: Traffic, links: _Links, shard: float) -> list[_Part]:
    """Between domains: a ring, or one pass up and down when switches reduce."""
    if not traffic.in_network:
        return _ring(FABRIC, links, links.groups, shard, 2, ALL_REDUCE)
    if links.groups < 2:
        return []
    return [
        _Part(
            where=FABRIC,
            bytes_moved=shard,
            bandwidth=links.fabric,
            latency=2 * links.fabric_alpha,
            text=f"{ALL_REDUCE} in the switches: {shard:,.0f} bytes a GPU",
        )
    ]


def _all_gather(traffic: Traffic, links: _Links) -> list[_Part]:
    """Each rail gathers across the domains, then the domain shares over NVLink."""
    size = float(traffic.size_bytes)
    return [
        *_ring(FABRIC, links, links.groups, size / links.domain, 1, ALL_GATHER),
        *_ring(NVLINK, links, links.domain, size, 1, ALL_GATHER),
    ]


def _reduce_scatter(traffic: Traffic, links: _Links) -> list[_Part]:
    size = float(traffic.size_bytes)
    return [
        *_ring(NVLINK, links, links.domain, size, 1, REDUCE_SCATTER),
        *_ring(FABRIC, links, links.groups, size / links.domain, 1, REDUCE_SCATTER),
    ]


def _all_to_all(traffic: Traffic, links: _Links) -> list[_Part]:
    """What stays in the domain and what leaves it move at the same time."""
    size, domain, count = float(traffic.size_bytes), links.domain, traffic.gpus
    inside = size * (domain - 1) / count
    outside = size * (count - domain) / count
    parts = [
        _Part(
            where=NVLINK,
            bytes_moved=inside,
            bandwidth=links.nvlink,
            latency=(domain - 1) * links.nvlink_alpha,
            text=f"to {domain - 1:,} GPUs of the domain: {inside:,.0f} bytes",
        ),
        _Part(
            where=FABRIC,
            bytes_moved=outside,
            bandwidth=links.fabric,
            latency=(count - domain) * links.fabric_alpha,
            text=f"to {count - domain:,} GPUs beyond it: {outside:,.0f} bytes",
        ),
    ]
    return [part for part in parts if part.bytes_moved]


def _broadcast(traffic: Traffic, links: _Links) -> list[_Part]:
    """Pipelined down a tree: the whole vector once over each kind of link."""
    size = float(traffic.size_bytes)
    parts = []
    if links.groups > 1:
        depth = ceil(log2(links.groups))
        parts.append(_once(FABRIC, links, size / links.domain, depth))
    if links.domain > 1:
        parts.append(_once(NVLINK, links, size, 1))
    return parts


def _once(where: str, links: _Links, size: float, hops: int) -> _Part:
    is_nvlink = where == NVLINK
    alpha = links.nvlink_alpha if is_nvlink else links.fabric_alpha
    return _Part(
        where=where,
        bytes_moved=size,
        bandwidth=links.nvlink if is_nvlink else links.fabric,
        latency=hops * alpha,
        text=f"{size:,.0f} bytes over {where}, {hops} deep",
    )


def _point_to_point(traffic: Traffic, links: _Links) -> list[_Part]:
    """Two GPUs of one domain use NVLink; a third puts them in two domains."""
    where = NVLINK if links.groups == 1 and links.domain > 1 else FABRIC
    return [_once(where, links, float(traffic.size_bytes), 1)]


def _add_up(traffic: Traffic, parts: list[_Part], *, together: bool) -> Estimate:
    nvlink = sum(part.transfer for part in parts if part.where == NVLINK)
    fabric = sum(part.transfer for part in parts if part.where == FABRIC)
    join = max if together else sum
    seconds = join([part.transfer + part.latency for part in parts])
    latency = join([part.latency for part in parts])
    slow = {NVLINK: nvlink, FABRIC: fabric, "latency": latency}
    return Estimate(
        seconds=seconds,
        nvlink_seconds=nvlink,
        fabric_seconds=fabric,
        latency_seconds=latency,
        bottleneck=max(slow, key=lambda name: slow[name]),
        algorithm_gb_per_s=traffic.size_bytes / seconds / 1e9 if seconds else 0.0,
        steps=tuple(_told(part) for part in parts),
    )


def _told(part: _Part) -> str:
    speed = part.bandwidth / 1e9
    return (
        f"{part.text} at {speed:g} GB/s = {part.transfer * 1e6:,.1f} us, "
        f"and {part.latency * 1e6:,.1f} us of latency"
    )


_PLANS = {
    ALL_REDUCE: _all_reduce,
    ALL_GATHER: _all_gather,
    REDUCE_SCATTER: _reduce_scatter,
    ALL_TO_ALL: _all_to_all,
    BROADCAST: _broadcast,
    POINT_TO_POINT: _point_to_point,
}
