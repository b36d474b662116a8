"""What training a model sends: bytes a GPU and step, by collective and network.

Tensor parallelism: two all-reduces of the activations a layer forward, two backward
(Shoeybi et al., Megatron-LM, 2019); with sequence parallelism a reduce-scatter and an
all-gather of the same bytes (Korthikanti et al., 2022). Pipeline: activations forward,
gradients back, a microbatch (Narayanan et al., 2021). Data parallelism: ZeRO
(Rajbhandari et al., 2019): stage 1 shares the optimiser out, 2 gradients too, 3
weights too. Experts: a dispatch and a combine a layer (DeepSeek-V3 report, 2024). A
ring sends (n - 1) / n of its vector a pass (NCCL tests, performance notes). A group
over several NVLink domains may work in two levels, inside each and between them, for
the same bytes in all: as `traffic.py` has it. SHARP, where switches add up, sends a
vector once: NVIDIA's claim (Graham et al., SHArP, 2016). Ranks fill NVLink domains in
order: tensor, data, pipeline; experts take data x tensor.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, isfinite

from fabrics.engine.reading import SpecError

NVLINK, SCALE_OUT, BOTH = "NVLink", "scale-out", "NVLink and scale-out"
ALL_REDUCE, ALL_TO_ALL = "all-reduce", "all-to-all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """Sizes of a model and its batch. `expert_parameters` are part of `parameters`.

    `global_batch` and `micro_batch` count sequences of `sequence` tokens.
    """

    parameters: float
    layers: int
    hidden: int
    sequence: int
    global_batch: int
    micro_batch: int = 1
    value_bytes: int = 2
    gradient_bytes: int = 4
    moe_layers: int = 0
    experts: int = 1
    active_experts: int = 1
    expert_parameters: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Parallel sizes. `gpus` must be tensor x pipeline x data; `domain` is NVLink's."""

    gpus: int
    tensor: int
    pipeline: int
    data: int
    expert: int = 1
    domain: int = 72
    zero: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """What a GPU sends of one collective inside its NVLink domain, and between domains.

    Bytes and rounds of one collective; `count` of them make a step.
    """

    count: int
    inner_bytes: float
    inner_rounds: int
    outer_bytes: float
    outer_rounds: int

    def seconds(self, inner: tuple[float, float], outer: tuple[float, float]) -> float:
        """Time a step, one level after the other; each has (GB/s, latency in us)."""
        inside = _seconds(self.inner_bytes, self.inner_rounds, *inner)
        return self.count * (
            inside + _seconds(self.outer_bytes, self.outer_rounds, *outer)
        )


def _seconds(sent: float, rounds: int, gb_per_s: float, latency_us: float) -> float:
    return rounds * latency_us / 1e6 + sent / (gb_per_s * 1e9)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """One kind of collective. `sent_bytes` is what a GPU sends in one of `count`.

    `vector` is the bytes it works on, in `passes`; `inside` the members of a group that
    share an NVLink domain.
    """

    what: str
    collective: str
    group: int
    count: int
    sent_bytes: float
    rounds: int
    network: str
    working: str
    vector: float = 0.0
    passes: int = 1
    inside: int = 1

    @property
    def levels(self) -> Levels | None:
        """How a group over several domains shares its work; None for any other.

        A ring leaves 1 / inside of its vector to send between domains. Of an
        all-to-all, what is for the other members of the domain stays inside.

        >>> both = ring_flow("gradients", 16, 1600, domain=8).levels
        >>> both.inner_bytes, both.outer_bytes
        (2800.0, 200.0)
        """
        n, d = self.group, self.inside
        if self.network != BOTH or d == 1:
            return None
        if self.collective == ALL_TO_ALL:
            inner, outer = self.vector * (d - 1) / n, self.vector * (n - d) / n
            rounds = (d - 1, n - d)
        else:
            domains = n // d
            inner = self.passes * self.vector * (d - 1) / d
            outer = self.passes * self.vector / d * (domains - 1) / domains
            rounds = (self.passes * (d - 1), self.passes * (domains - 1))
        return Levels(
            count=self.count,
            inner_bytes=inner,
            inner_rounds=rounds[0],
            outer_bytes=outer,
            outer_rounds=rounds[1],
        )

    def reduced_in_switches(self) -> Flow | None:
        """The same all-reduce with SHARP, a vendor's claim; None for any other.

        The switches add up: each GPU sends its vector once, which is half of what a
        long ring sends. Steps are counted as the ring's: no figure of SHARP's own.
        """
        if self.collective != ALL_REDUCE:
            return None
        return replace(
            self, sent_bytes=self.vector, working=f"1 x {self.vector:,.0f} bytes"
        )

    @property
    def step_bytes(self) -> float:
        return self.count * self.sent_bytes

    def seconds(self, gb_per_s: float, latency_us: float = 0.0) -> float:
        """Time a step if all of it used one network: count x (alpha + bytes / speed).

        >>> ring = ring_flow("gradients", 8, 2**30)
        >>> f"{ring.sent_bytes / 1e9:.3f} GB, {ring.seconds(900) * 1e3:.2f} ms"
        '1.879 GB, 2.09 ms'
        """
        once = _seconds(self.sent_bytes, self.rounds, gb_per_s, latency_us)
        return self.count * once


def ring_flow(
    what: str,
    group: int,
    vector: float,
    *,
    count: int = 1,
    passes: int = 2,
    stride: int = 1,
    domain: int = 72,
) -> Flow:
    """An all-reduce (two passes), or a reduce-scatter or all-gather (one)."""
    name = ALL_REDUCE if passes == 2 else "reduce-scatter or all-gather"
    return Flow(
        what=what,
        collective=name,
        group=group,
        count=count if group > 1 else 0,
        sent_bytes=passes * vector * (group - 1) / group,
        rounds=passes * (group - 1),
        network=_network(group, stride, domain),
        working=f"{passes} x ({group:,} - 1) / {group:,} x {vector:,.0f} bytes",
        vector=vector,
        passes=passes,
        inside=_inside(group, stride, domain),
    )


def model_flows(model: Model, layout: Layout) -> tuple[Flow, ...]:
    """Every flow of one training step, for a GPU of a middle pipeline stage.

    Raises SpecError for a layout that does not fit the GPUs, batch or experts.
    """
    _check(model, layout)
    flows = (
        _tensor(model, layout),
        _pipeline(model, layout),
        _experts(model, layout),
        *_gradients(model, layout),
    )
    return tuple(flow for flow in flows if flow.count)


def _check(model: Model, layout: Layout) -> None:
    _check_sizes(model, layout)
    _check_split(model, layout)


def _check_sizes(model: Model, layout: Layout) -> None:
    sizes = (layout.tensor, layout.pipeline, layout.data, layout.expert, layout.domain)
    counts = (model.layers, model.hidden, model.sequence, model.global_batch)
    if min(*sizes, *counts, model.micro_batch, model.experts) < 1:
        raise SpecError("every size must be at least 1")
    if not (isfinite(model.parameters) and model.parameters > 0):
        raise SpecError("parameters must be over 0")
    if not 0 <= model.expert_parameters <= model.parameters:
        raise SpecError("parameters in experts must be part of all parameters")
    if layout.zero not in range(4):
        raise SpecError("ZeRO has the stages 0 to 3")


def _check_split(model: Model, layout: Layout) -> None:
    product = layout.tensor * layout.pipeline * layout.data
    if product != layout.gpus:
        raise SpecError(
            f"tensor x pipeline x data is {product:,}, but there are "
            f"{layout.gpus:,} GPUs"
        )
    if layout.data * layout.tensor % layout.expert:
        raise SpecError("expert parallelism must divide data x tensor")
    if model.experts % layout.expert:
        raise SpecError("expert parallelism must divide the experts")
    if model.active_experts > model.experts or model.moe_layers > model.layers:
        raise SpecError("active experts and expert layers cannot exceed the model's")
    if layout.pipeline > model.layers:
        raise SpecError("there are more pipeline stages than layers")
    if model.global_batch % (layout.data * model.micro_batch):
        raise SpecError("the global batch must divide by data x micro batch")


def _microbatches(model: Model, layout: Layout) -> int:
    return model.global_batch // (layout.data * model.micro_batch)


def _activation(model: Model) -> int:
    """Bytes of one microbatch between two layers."""
    return model.micro_batch * model.sequence * model.hidden * model.value_bytes


def _network(group: int, stride: int, domain: int) -> str:
    if group * stride <= domain:
        return NVLINK
    return SCALE_OUT if stride >= domain else BOTH


def _inside(group: int, stride: int, domain: int) -> int:
    """Members of a group that share a domain: a size that divides the group."""
    most = max(1, min(group, domain // stride))
    return next(size for size in range(most, 0, -1) if group % size == 0)


def _tensor(model: Model, layout: Layout) -> Flow:
    """Four a layer and microbatch; two where experts are spread, kept whole."""
    layers = ceil(model.layers / layout.pipeline)
    spread = ceil(model.moe_layers / layout.pipeline) if layout.expert > 1 else 0
    return ring_flow(
        "Tensor parallelism: activations",
        layout.tensor,
        _activation(model),
        count=(4 * layers - 2 * spread) * _microbatches(model, layout),
        domain=layout.domain,
    )


def _pipeline(model: Model, layout: Layout) -> Flow:
    """Each GPU of a stage sends its share, 1 / tensor, on and back."""
    sent = _activation(model) / layout.tensor
    stages = layout.pipeline
    stride = layout.tensor * layout.data
    inside = stages * stride <= layout.domain
    return Flow(
        what="Pipeline: activations and their gradients",
        collective="point-to-point",
        group=stages,
        count=2 * _microbatches(model, layout) if stages > 1 else 0,
        sent_bytes=sent,
        rounds=1,
        network=NVLINK if inside else SCALE_OUT,
        working=f"{_activation(model):,} bytes / {layout.tensor:,}",
    )


def _experts(model: Model, layout: Layout) -> Flow:
    """Dispatch and combine, forward and backward: four a layer and microbatch."""
    group = layout.expert
    tokens = _activation(model) / layout.tensor * model.active_experts
    layers = ceil(model.moe_layers / layout.pipeline)
    return Flow(
        what="Experts: dispatch and combine",
        collective=ALL_TO_ALL,
        group=group,
        count=4 * layers * _microbatches(model, layout) if group > 1 else 0,
        sent_bytes=tokens * (group - 1) / group,
        rounds=group - 1,
        network=_network(group, 1, layout.domain),
        working=(
            f"{_activation(model):,} bytes / {layout.tensor:,} x "
            f"{model.active_experts:,} x ({group:,} - 1) / {group:,}"
        ),
        vector=tokens,
        inside=_inside(group, 1, layout.domain),
    )


def _gradients(model: Model, layout: Layout) -> tuple[Flow, ...]:
    """Once a step; with ZeRO two passes again, the more often the less is kept."""
    shared = (model.parameters - model.expert_parameters) / layout.tensor
    experts = model.expert_parameters / layout.expert
    copies = layout.data * layout.tensor // layout.expert
    if layout.expert == 1:
        shared, experts = model.parameters / layout.tensor, 0.0
    flows = _reduced(model, layout, "Gradients", layout.data, shared, layout.tensor)
    if experts:
        flows += _reduced(
            model, layout, "Experts' gradients", copies, experts, layout.expert
        )
    return flows


def _reduced(
    model: Model, layout: Layout, what: str, group: int, held: float, stride: int
) -> tuple[Flow, ...]:
    """The data-parallel collectives of what a GPU holds, by ZeRO's stage.

    Stage 1 reduces once a step. From stage 2 a GPU keeps only its part of the
    gradients, so each microbatch reduces its own; stage 3 (FSDP) keeps only its part
    of the weights, and gathers them for each forward and backward pass.
    """
    values = held / layout.pipeline
    batches = _microbatches(model, layout)
    if layout.zero == 0:
        passes = [(what, model.gradient_bytes, 2, 1)]
    else:
        reduces = batches if layout.zero > 1 else 1
        gathers = 2 * batches if layout.zero > 2 else 1
        passes = [
            (f"{what}: reduce-scatter", model.gradient_bytes, 1, reduces),
            (f"{what}: all-gather of weights", model.value_bytes, 1, gathers),
        ]
    return tuple(
        ring_flow(
            name,
            group,
            values * size,
            count=times,
            passes=rounds,
            stride=stride,
            domain=layout.domain,
        )
        for name, size, rounds, times in passes
    )
