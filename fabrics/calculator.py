"""The guide's calculator: how long a collective takes, with the reader's numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django import forms

from fabrics.engine import (
    COLLECTIVES,
    Estimate,
    FabricDesign,
    FabricSpec,
    SpecError,
    Traffic,
    estimate,
    size,
)
from fabrics.engine.platforms import PLATFORMS
from fabrics.engine.profiles import pairs
from fabrics.words import network_name, plain_words, system_name

MEGA, GIGA = "MB", "GB"
_BYTES = {MEGA: 10**6, GIGA: 10**9}
_GROUPED = re.compile(r"[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One way to carry the traffic; `length` is its time out of 100 of the longest."""

    label: str
    estimate: Estimate
    length: str

    @property
    def time(self) -> str:
        return time_words(self.estimate.seconds)


class TypedNumber(forms.FloatField):
    """A number as people type it: spaces and thousands' commas are dropped."""

    def __init__(self, **options: Any) -> None:
        widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
        super().__init__(**{"widget": widget, **options})

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str):
            value = "".join(value.split())
            value = value.replace(",", "") if _GROUPED.fullmatch(value) else value
        return super().to_python(value)


def nvlink_pairs() -> list[tuple[str, str]]:
    """Pairs whose GPUs have NVLink with a speed on file: key and name."""
    named = []
    for pair in pairs():
        system, fabric = pair.split("/")
        if PLATFORMS[system].nvlink_domain and PLATFORMS[system].nvlink_gb_per_s:
            named.append((pair, f"{system_name(system)} on {network_name(fabric)}"))
    return named


class TrafficForm(forms.Form):
    """One collective on one cluster; a speed left empty is the design's own."""

    collective = forms.ChoiceField(choices=[(c, c.capitalize()) for c in COLLECTIVES])
    amount = TypedNumber(label="Size", min_value=0.001, max_value=1_000_000)
    amount_unit = forms.ChoiceField(
        label="Unit of size", choices=[(MEGA, "MB"), (GIGA, "GB")]
    )
    pair = forms.ChoiceField(label="Cluster", choices=nvlink_pairs)
    gpus = TypedNumber(label="GPUs taking part", min_value=2, max_value=1_000_000)
    nvlink_gb_per_s = TypedNumber(
        label="NVLink, GB/s each way", required=False, min_value=1, max_value=100_000
    )
    fabric_gb_per_s = TypedNumber(
        label="Scale-out, GB/s each way", required=False, min_value=1, max_value=100_000
    )
    nvlink_latency_us = TypedNumber(
        label="NVLink latency, µs", min_value=0, max_value=10_000
    )
    fabric_latency_us = TypedNumber(
        label="Scale-out latency, µs", min_value=0, max_value=10_000
    )
    efficiency = TypedNumber(
        label="Efficiency of the links, %", min_value=1, max_value=100
    )
    in_network = forms.BooleanField(
        label="Switches add up an all-reduce (SHARP, a vendor's claim)", required=False
    )

    START = {
        "collective": COLLECTIVES[0],
        "amount": "1",
        "amount_unit": GIGA,
        "pair": "gb300-nvl72/quantum-x800",
        "gpus": "576",
        "nvlink_latency_us": "1",
        "fabric_latency_us": "5",
        "efficiency": "80",
    }
    results: tuple[Result, ...] = ()

    @property
    def query(self) -> str:
        """What was typed, as an address carries it; empty fields left out."""
        typed = {name: self.data.get(name, "") for name in self.fields}
        return urlencode({name: value for name, value in typed.items() if value})

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = self.cleaned_data
        if not self.errors:
            try:
                self.results = tuple(_results(cleaned))
            except SpecError as error:
                self.add_error(None, plain_words(str(error)))
        return cleaned


def _results(asked: dict[str, Any]) -> list[Result]:
    """The design as it is, and the same GPUs with scale-out at every hop."""
    system, fabric = asked["pair"].split("/")
    gpus = int(asked["gpus"])
    spec = FabricSpec.from_sizes(system=system, fabric=fabric, gpus=gpus)
    design = size(spec)
    traffic = Traffic(
        collective=asked["collective"],
        size_bytes=round(asked["amount"] * _BYTES[asked["amount_unit"]]),
        gpus=gpus,
        nvlink_latency_us=asked["nvlink_latency_us"],
        fabric_latency_us=asked["fabric_latency_us"],
        efficiency=asked["efficiency"] / 100,
        in_network=asked["in_network"],
        nvlink_gb_per_s=asked["nvlink_gb_per_s"],
        fabric_gb_per_s=asked["fabric_gb_per_s"],
    )
    told = {
        "NVLink in the domain, scale-out between": estimate(design, traffic),
        "Scale-out at every hop": estimate(design, _without_nvlink(design, traffic)),
    }
    longest = max(each.seconds for each in told.values()) or 1.0
    return [
        Result(
            label=label,
            estimate=each,
            length=f"{max(100 * each.seconds / longest, 0.5):.1f}",
        )
        for label, each in told.items()
    ]


def _without_nvlink(design: FabricDesign, traffic: Traffic) -> Traffic:
    """The same traffic with NVLink's place taken by a scale-out port."""
    speed = traffic.fabric_gb_per_s or design.bandwidth.scale_out_gb_per_s_per_gpu
    return replace(
        traffic, nvlink_gb_per_s=speed, nvlink_latency_us=traffic.fabric_latency_us
    )


def time_words(seconds: float) -> str:
    """Write a time in the unit that suits it.

    >>> time_words(0.00018), time_words(0.0026), time_words(12.5)
    ('180 µs', '2.6 ms', '12.5 s')
    """
    for limit, scale, unit in ((1e-3, 1e6, "µs"), (1, 1e3, "ms")):
        if seconds < limit:
            return f"{seconds * scale:,.3g} {unit}"
    return f"{seconds:,.4g} s"
