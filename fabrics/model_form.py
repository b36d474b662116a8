"""What a model sends: the reader's numbers, and the rows worked out from them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django import forms

from fabrics.calculator import TypedNumber, time_words
from fabrics.engine import SpecError
from fabrics.engine.model_traffic import NVLINK, Flow, Layout, Model, model_flows
from fabrics.words import plain_words

_FILE = Path(__file__).parent / "data" / "models.json"
_WHERE = (("gpus", "GPUs"), ("expert", "xpert"), ("global_batch", "batch"))
_SPEEDS = {
    "nvlink": "1",
    "infiniband": "5",
    "spectrum": "5",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A public model: its form filled in, and where its sizes were published."""

    name: str
    source: str
    query: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One flow with its time on each network, in words."""

    flow: Flow
    sent: str
    step: str
    times: tuple[str, ...]


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
    is_sharded = forms.BooleanField(label="Shard the optimiser (ZeRO)", required=False)

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
    }
    rows: tuple[Row, ...] = ()

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = self.cleaned_data
        if not self.errors:
            try:
                self.rows = tuple(_row(flow, cleaned) for flow in _flows(cleaned))
            except SpecError as error:
                self.add_error(_field_of(str(error)), plain_words(str(error)))
        return cleaned

    @property
    def summary(self) -> str:
        """What a salesperson says first: how much, and how much stays on NVLink."""
        flows = [row.flow for row in self.rows]
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


def _row(flow: Flow, asked: dict[str, Any]) -> Row:
    return Row(
        flow=flow,
        sent=byte_words(flow.sent_bytes),
        step=byte_words(flow.step_bytes),
        times=tuple(
            time_words(flow.seconds(asked[name], float(alpha)))
            for name, alpha in _SPEEDS.items()
        ),
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
