"""The figures of a frozen design, each with its working and the rule it follows.

Read from the engine's JSON: nothing is sized here and no database is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fabrics.chapters import FIGURES, LEAVES, SIZES

Result = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number with its name. `because` is its working, `note` what it means.

    `rule` is the chapter of the rules that it follows.
    """

    label: str
    value: str
    note: str = ""
    because: str = ""
    rule: str = FIGURES


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedBar:
    """A speed each way, and its length out of 100 beside the quickest."""

    label: str
    value: str
    length: str


def switch_count(result: Result) -> int:
    """Scale-out switches of every tier and plane."""
    compute = result["compute"]
    return int(compute["leaf"] + compute["spine"] + compute["core"])


def link_count(result: Result) -> int:
    """Scale-out links of every kind; on two planes the 400G links, not the twins."""
    compute = result["compute"]
    links = compute.get("links_400g")
    if links:
        return int(sum(links.values()))
    names = ("node_leaf", "leaf_spine", "spine_core", "leaf_leaf")
    return int(sum(compute.get(f"{name}_cables", 0) for name in names))


def size_words(result: Result) -> str:
    compute = result["compute"]
    if compute["gpus"] is None:
        return plural(compute["nodes"], "host")
    return plural(compute["gpus"], "GPU")


def plural(count: int, word: str) -> str:
    if count == 1:
        return f"1 {word}"
    return f"{count:,} {word}{'es' if word.endswith('ch') else 's'}"


def headline(result: Result) -> Iterator[Figure]:
    """What a page says first."""
    compute, band = result["compute"], result["bandwidth"]
    gpus, nodes = compute["gpus"], compute["nodes"]
    if gpus is not None:
        yield Figure(
            label="GPUs", value=f"{gpus:,}", because=_gpus_why(compute), rule=SIZES
        )
    if "nvl72" in result["spec"]["system"]:
        racks = compute["racks"]
        yield Figure(
            label="Racks",
            value=f"{racks:,}",
            because=f"{nodes:,} trays / {nodes // racks} a rack",
            rule=SIZES,
        )
    elif nodes != gpus:
        word = "Hosts" if gpus is None else "Nodes"
        yield Figure(label=word, value=f"{nodes:,}", because="As asked", rule=SIZES)
    yield Figure(
        label="Switches",
        value=f"{switch_count(result):,}",
        because=_switches_why(compute),
        rule=LEAVES,
    )
    yield Figure(
        label="Links",
        value=f"{link_count(result):,}",
        because=_links_why(compute),
        rule=LEAVES,
    )
    yield Figure(
        label="Bisection",
        value=rate_words(band["bisection_tb_per_s"]),
        because=_bisection_why(result),
    )
    if result["power_kw"]:
        yield _power(result)


def _gpus_why(compute: Mapping[str, Any]) -> str:
    gpus, nodes = compute["gpus"], compute["nodes"]
    return f"{plural(nodes, 'node')} x {gpus // nodes}" if nodes else ""


def _switches_why(compute: Mapping[str, Any]) -> str:
    """ "8 leaf + 4 spine", and how often where there are planes."""
    kinds = [
        f"{compute[f'{kind}_per_plane']:,} {kind}"
        for kind in ("leaf", "spine", "core")
        if compute[kind]
    ]
    if not kinds:
        return "None is needed"
    each = " + ".join(kinds)
    planes = compute["planes"]
    return f"{planes} planes x ({each})" if planes > 1 else each


_LINKS = {
    "node_leaf": "to nodes",
    "leaf_spine": "leaf to spine",
    "spine_core": "spine to core",
    "leaf_leaf": "leaf to leaf",
}


def _links_why(compute: Mapping[str, Any]) -> str:
    links = compute.get("links_400g") or {
        name: compute.get(f"{name}_cables", 0) for name in _LINKS
    }
    parts = [f"{links[name]:,} {word}" for name, word in _LINKS.items() if links[name]]
    return " + ".join(parts)


def _bisection_why(result: Result) -> str:
    compute = result["compute"]
    half = f"{rate_words(result['bandwidth']['injection_tb_per_s'])} in / 2"
    if compute["spine"] and compute["up"] < compute["down"]:
        return f"{half} x {compute['up']} / {compute['down']}"
    return half


def _power(result: Result) -> Figure:
    place = result["facility"]
    return Figure(
        label="Power",
        value=power_words(result["power_kw"]),
        because=f"{power_words(place['compute_kw'])} systems + "
        f"{power_words(place['network_kw'])} network",
    )


def rate_words(tb_per_s: float) -> str:
    if 0 < tb_per_s < 1:
        return f"{tb_per_s * 1000:,.4g} GB/s"
    if tb_per_s >= 1000:
        return f"{tb_per_s / 1000:,.4g} PB/s"
    return f"{tb_per_s:,.6g} TB/s"


def power_words(power: float) -> str:
    if power >= 10_000:
        return f"{power / 1000:,.1f} MW"
    return f"{power:,.0f} kW" if power >= 100 else f"{power:,.1f} kW"


def speeds(band: Mapping[str, Any]) -> list[SpeedBar]:
    """NVLink beside scale-out, for one GPU, each way."""
    named = (
        ("NVLink", band["nvlink_gb_per_s_per_gpu"]),
        ("Scale-out", band["scale_out_gb_per_s_per_gpu"]),
    )
    known = [(label, speed) for label, speed in named if speed]
    most = max((speed for _, speed in known), default=1)
    return [
        SpeedBar(
            label=label,
            value=f"{speed:,g} GB/s",
            length=f"{100 * speed / most:.1f}",
        )
        for label, speed in known
    ]


def bandwidth(result: Result) -> Iterator[Figure]:
    band, up = result["bandwidth"], result.get("scale_up")
    nvlink, out = band["nvlink_gb_per_s_per_gpu"], band["scale_out_gb_per_s_per_gpu"]
    if up and up["gpus_per_domain"] > 1:
        each = up["gpus_per_domain"]
        yield Figure(
            label="NVLink domains",
            value=f"{up['domains']:,} of {each} GPUs",
            because=f"{plural(result['compute']['gpus'], 'GPU')} / {each}",
            rule=SIZES,
        )
    if nvlink and out:
        yield Figure(
            label="NVLink over scale-out",
            value=f"{nvlink / out:,.3g} times",
            because=f"{nvlink:,g} / {out:,g} GB/s",
        )
    yield Figure(
        label="Injection, each way",
        value=rate_words(band["injection_tb_per_s"]),
        note="every port sending",
        because=_injection_why(result),
    )
    yield Figure(
        label="Bisection, each way",
        value=rate_words(band["bisection_tb_per_s"]),
        note="between two halves",
        because=_bisection_why(result),
    )


def _injection_why(result: Result) -> str:
    gbps = result["compute"]["link_gbps"]
    ports = round(result["bandwidth"]["injection_tb_per_s"] * 8000 / gbps)
    return f"{ports:,} ports x {gbps} Gb/s / 8"


def site(result: Result) -> Iterator[Figure]:
    """What the room must give. What is not known adds nothing and is named."""
    place = result["facility"]
    if result["power_kw"]:
        yield _power(result)
    if result["rack_units"]:
        network = place["network_rack_units"]
        yield Figure(
            label="Rack units",
            value=f"{result['rack_units']:,} U",
            because=f"{result['rack_units'] - network:,} U systems + "
            f"{network:,} U network",
        )
    if place["weight_kg"]:
        yield Figure(
            label="Weight",
            value=f"{place['weight_kg']:,.0f} kg",
            because="the sum of every part's figure",
        )
