"""What a model sends: the reader's numbers, and the rows worked out from them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict

from fabrics.calculator import TypedNumber, time_words
from fabrics.engine import SpecError
from fabrics.engine.model_traffic import (
    NVLINK,
    Flow,
    Layout,
    Levels,
    Model,
    model_flows,
)
from fabrics.words import plain_words

_FILE = Path(__file__).parent / "data" / "models.json"
_WHERE = (("gpus", "GPUs"), ("expert", "xpert"), ("global_batch", "batch"))
_NETWORKS = ("nvlink", "infiniband", "spectrum")
_STAGES = (
    (0, "0: none"),
    (1, "1: optimiser"),
    (2, "2: gradients"),
    (3, "3: weights (FSDP)"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A public model: its form filled in, and where its sizes were published."""

    name: str
    source: str
    query: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One flow with its time on each network, in words; or another way to do it.

    A network that the way does not use has no time.
    """

    flow: Flow
    what: str
    working: str
    sent: str
    step: str
    times: tuple[str, ...]
    is_other_way: bool = False
    is_claim: bool = False


class Whole(TypedNumber):
    """A whole number as people type it."""

    def __init__(self, label: str, most: int, least: int = 1) -> None:
        super().__init__(label=label, min_value=least, max_value=most)

    def clean(self, value: Any) -> int:
        number = super().clean(value)
        if number != int(number):
            raise forms.ValidationError("Enter a whole number.")
        return int(number)


class ModelForm(forms.Form):
    """A model, its batch, its layout and three networks' speeds."""

    parameters = TypedNumber(
        label="Parameters, billions", min_value=0.001, max_value=1_000_000
    )
    layers = Whole("Layers", 10_000)
    hidden = Whole("Hidden size", 1_000_000)
    sequence = Whole("Sequence length, tokens", 100_000_000)
    global_batch = Whole("Global batch, sequences", 100_000_000)
    micro_batch = Whole("Micro batch, sequences", 10_000)
    value_bytes = Whole("Bytes of an activation", 8)
    gradient_bytes = Whole("Bytes of a gradient", 8)
    moe_layers = Whole("Layers with experts", 10_000, 0)
    experts = Whole("Experts a layer", 100_000)
    active_experts = Whole("Experts a token uses", 1_000)
    expert_parameters = TypedNumber(
        label="Parameters in experts, billions", min_value=0, max_value=1_000_000
    )
    gpus = Whole("GPUs", 1_000_000)
    tensor = Whole("Tensor parallel", 10_000)
    pipeline = Whole("Pipeline parallel", 10_000)
    replicas = Whole("Data parallel", 1_000_000)
    expert = Whole("Expert parallel", 100_000)
    domain = Whole("GPUs in an NVLink domain", 1_000)
    nvlink = TypedNumber(label="NVLink, GB/s", min_value=1, max_value=100_000)
    infiniband = TypedNumber(label="InfiniBand, GB/s", min_value=1, max_value=100_000)
    spectrum = TypedNumber(label="Spectrum-X, GB/s", min_value=1, max_value=100_000)
    nvlink_us = TypedNumber(label="NVLink, µs a step", min_value=0, max_value=10_000)
    infiniband_us = TypedNumber(
        label="InfiniBand, µs a step", min_value=0, max_value=10_000
    )
    spectrum_us = TypedNumber(
        label="Spectrum-X, µs a step", min_value=0, max_value=10_000
    )
    zero = forms.TypedChoiceField(
        label="Sharding over data parallel (ZeRO)", choices=_STAGES, coerce=int
    )

    START = {
        "micro_batch": 1,
        "value_bytes": 2,
        "gradient_bytes": 4,
        "moe_layers": 0,
        "experts": 1,
        "active_experts": 1,
        "expert_parameters": 0,
        "expert": 1,
        "nvlink": 900,
        "infiniband": 100,
        "spectrum": 100,
        # Round figures of ours, for the reader to change.
        "nvlink_us": 1,
        "infiniband_us": 5,
        "spectrum_us": 5,
        "zero": 0,
    }
    rows: tuple[Row, ...] = ()

    @classmethod
    def of(cls, asked: QueryDict) -> ModelForm:
        """The form of an address; what one of before did not name is as it starts."""
        data = asked.copy()
        if data.get("is_sharded"):
            data.setdefault("zero", "1")
        for name, value in cls.START.items():
            data.setdefault(name, str(value))
        return cls(data)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = self.cleaned_data
        if not self.errors:
            try:
                self.rows = tuple(
                    row for flow in _flows(cleaned) for row in _rows(flow, cleaned)
                )
            except SpecError as error:
                self.add_error(_field_of(str(error)), plain_words(str(error)))
        return cleaned

    @property
    def summary(self) -> str:
        """What a salesperson says first: how much, and how much stays on NVLink."""
        flows = [row.flow for row in self.rows if not row.is_other_way]
        total = sum(flow.step_bytes for flow in flows)
        inside = sum(flow.step_bytes for flow in flows if flow.network == NVLINK)
        if not total:
            return "One copy on one GPU sends nothing."
        share = 100 * inside / total
        return (
            f"Each GPU sends {byte_words(total)} a step; {share:.1f} % of it in groups "
            "that fit one NVLink domain."
        )


def _flows(asked: dict[str, Any]) -> tuple[Flow, ...]:
    numbers = {**asked}
    for name in ("parameters", "expert_parameters"):
        numbers[name] = asked[name] * 1e9
    model = {key: numbers[key] for key in Model.__dataclass_fields__}
    numbers["data"] = asked["replicas"]  # a form has a `data` of its own
    layout = {key: numbers[key] for key in Layout.__dataclass_fields__}
    return model_flows(Model(**model), Layout(**layout))


def _rows(flow: Flow, asked: dict[str, Any]) -> Iterator[Row]:
    """A flow as if one network carried it, then the other ways that it may go."""
    speeds = {name: (asked[name], asked[f"{name}_us"]) for name in _NETWORKS}
    yield Row(
        flow=flow,
        what=flow.what,
        working=f"{flow.collective}: {flow.working}",
        sent=byte_words(flow.sent_bytes),
        step=byte_words(flow.step_bytes),
        times=tuple(time_words(flow.seconds(*speeds[name])) for name in _NETWORKS),
    )
    if flow.levels is not None:
        yield _in_two_levels(flow, flow.levels, speeds)
    if flow.network != NVLINK and (summed := flow.reduced_in_switches()):
        yield Row(
            flow=summed,
            what="The same, added up by the switches (SHARP)",
            working=summed.working,
            sent=byte_words(summed.sent_bytes),
            step=byte_words(summed.step_bytes),
            times=("", time_words(summed.seconds(*speeds["infiniband"])), ""),
            is_other_way=True,
            is_claim=True,
        )


def _in_two_levels(
    flow: Flow, levels: Levels, speeds: dict[str, tuple[float, float]]
) -> Row:
    inner, outer = byte_words(levels.inner_bytes), byte_words(levels.outer_bytes)
    times = [
        time_words(levels.seconds(speeds["nvlink"], speeds[name]))
        for name in _NETWORKS[1:]
    ]
    return Row(
        flow=flow,
        what="The same, inside each NVLink domain and then between them",
        working=f"{flow.inside:,} of {flow.group:,} share a domain",
        sent=f"{inner} inside, {outer} between",
        step=byte_words(flow.step_bytes),
        times=("", *times),
        is_other_way=True,
    )


def _field_of(problem: str) -> str | None:
    return next((field for field, word in _WHERE if word in problem), None)


def byte_words(count: float) -> str:
    """Write bytes in decimal units.

    >>> byte_words(1_879_048_192), byte_words(88_000)
    ('1.88 GB', '88 kB')
    """
    for scale, unit in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= scale:
            return f"{count / scale:,.3g} {unit}"
    return f"{count:,.0f} bytes"


@cache
def presets() -> tuple[Preset, ...]:
    """The public models on file."""
    rows = json.loads(_FILE.read_text(encoding="utf-8"))["models"]
    return tuple(
        Preset(
            name=row["name"],
            source=row["source"],
            query=urlencode({**ModelForm.START, **row["values"]}),
        )
        for row in rows
    )
