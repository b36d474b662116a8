"""What training a model sends: bytes a GPU and step, by collective and network.

Tensor parallelism: two all-reduces of the activations a layer forward, two backward
(Shoeybi et al., Megatron-LM, 2019); with sequence parallelism a reduce-scatter and an
all-gather of the same bytes (Korthikanti et al., 2022). Pipeline: activations forward,
gradients back, a microbatch (Narayanan et al., 2021). Data parallelism: ZeRO
(Rajbhandari et al., 2019). Experts: a dispatch and a combine a layer (DeepSeek-V3
report, 2024). A ring sends (n - 1) / n of its vector a pass (NCCL tests,
performance notes). Ranks fill NVLink domains in order: tensor, data, pipeline; experts
take data x tensor.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, isfinite

from fabrics.engine.reading import SpecError

NVLINK, SCALE_OUT, BOTH = "NVLink", "scale-out", "NVLink and scale-out"


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
    is_sharded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """One kind of collective. `sent_bytes` is what a GPU sends in one of `count`."""

    what: str
    collective: str
    group: int
    count: int
    sent_bytes: float
    rounds: int
    network: str
    working: str

    @property
    def step_bytes(self) -> float:
        return self.count * self.sent_bytes

    def seconds(self, gb_per_s: float, latency_us: float = 0.0) -> float:
        """Time a step if all of it used one network: count x (alpha + bytes / speed).

        >>> ring = ring_flow("gradients", 8, 2**30)
        >>> f"{ring.sent_bytes / 1e9:.3f} GB, {ring.seconds(900) * 1e3:.2f} ms"
        '1.879 GB, 2.09 ms'
        """
        alpha = self.rounds * latency_us / 1e6
        return self.count * (alpha + self.sent_bytes / (gb_per_s * 1e9))


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
    name = "all-reduce" if passes == 2 else "reduce-scatter or all-gather"
    return Flow(
        what=what,
        collective=name,
        group=group,
        count=count if group > 1 else 0,
        sent_bytes=passes * vector * (group - 1) / group,
        rounds=passes * (group - 1),
        network=_network(group, stride, domain),
        working=f"{passes} x ({group:,} - 1) / {group:,} x {vector:,.0f} bytes",
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
    sizes = (layout.tensor, layout.pipeline, layout.data, layout.expert, layout.domain)
    counts = (model.layers, model.hidden, model.sequence, model.global_batch)
    if min(*sizes, *counts, model.micro_batch, model.experts) < 1:
        raise SpecError("every size must be at least 1")
    if not (isfinite(model.parameters) and model.parameters > 0):
        raise SpecError("parameters must be over 0")
    if not 0 <= model.expert_parameters <= model.parameters:
        raise SpecError("parameters in experts must be part of all parameters")
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
        collective="all-to-all",
        group=group,
        count=4 * layers * _microbatches(model, layout) if group > 1 else 0,
        sent_bytes=tokens * (group - 1) / group,
        rounds=group - 1,
        network=_network(group, 1, layout.domain),
        working=(
            f"{_activation(model):,} bytes / {layout.tensor:,} x "
            f"{model.active_experts:,} x ({group:,} - 1) / {group:,}"
        ),
    )


def _gradients(model: Model, layout: Layout) -> tuple[Flow, ...]:
    """Once a step; sharded (ZeRO 1 and 2), two passes again: the same bytes or less."""
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
    values = held / layout.pipeline
    if not layout.is_sharded:
        passes = [(what, model.gradient_bytes, 2)]
    else:
        passes = [
            (f"{what}: reduce-scatter", model.gradient_bytes, 1),
            (f"{what}: all-gather of weights", model.value_bytes, 1),
        ]
    return tuple(
        ring_flow(
            name,
            group,
            values * size,
            passes=count,
            stride=stride,
            domain=layout.domain,
        )
        for name, size, count in passes
    )
