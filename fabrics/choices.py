"""What the configurator offers, and which choice fits which system and network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fabrics.engine import (
    FABRICS,
    FLOOR_OPTIONS,
    SYSTEMS,
    FloorSpec,
    most_nodes,
    optic_names,
    profiles_of,
)
from fabrics.engine.platforms import PLATFORMS
from fabrics.engine.profiles import PROFILES, Profile
from fabrics.engine.spec import NO_STORAGE, default_storage_tier
from fabrics.words import DESIGNS, NETWORKS, OPTICS, UNITS

START_SYSTEM = "gb300-nvl72"
# No floor plan until racks a row are given; the distances wait for it.
START_FLOOR = {
    "racks_per_row": "",
    **{
        name: f"{getattr(FloorSpec(racks_per_row=1), name):f}"
        for name in FLOOR_OPTIONS
        if name != "racks_per_row"
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One option. `fits` names the systems or pairs ("system/fabric") that have it."""

    value: str
    label: str
    note: str = ""
    fits: str = ""
    is_shown: bool = True
    is_chosen: bool = False


def networks_of(system: str) -> list[str]:
    """The networks a system is sized on, the default first."""
    return [fabric for fabric in FABRICS if profiles_of(system, fabric)]


def start_network(system: str) -> str:
    """The first network in the table of profiles."""
    return next((p.fabric for p in PROFILES if p.system == system), "")


def start_size(system: str) -> tuple[str, int]:
    """A size to begin with: one whole unit of the system's first profile."""
    profile = next(p for p in PROFILES if p.system == system)
    if profile.fabric == "spectrum-2":
        return "hosts", 2 * profile.down
    gpus_per_node = PLATFORMS[system].gpus_per_node
    nodes = profile.su_nodes - profile.ufm_positions
    if gpus_per_node is None or profile.fabric == "direct":
        return "nodes", nodes
    return "gpus", nodes * gpus_per_node


def size_hint(profile: Profile, ports_per_host: int = 1) -> str:
    """The bounds beside the size field: "1 to 746,496 GPUs, in racks of 72"."""
    platform = PLATFORMS[profile.system]
    most = most_nodes(profile, ports_per_host)
    per_node = platform.gpus_per_node
    if per_node is None:
        return f"1 to {most:,} hosts"
    if profile.fabric == "direct" or per_node == 1:
        return f"1 to {most:,} {platform.node_word}s"
    if platform.is_rack:
        per_rack = per_node * platform.nodes_per_rack
        return f"1 to {most * per_node:,} GPUs, in racks of {per_rack}"
    return f"1 to {most * per_node:,} GPUs, {per_node} a node"


def choices(asked: Mapping[str, str]) -> dict[str, list[Choice]]:
    """Every option of every list, those that do not fit what was asked hidden."""
    system, fabric = asked.get("system", ""), asked.get("fabric", "")
    here = {system, f"{system}/{fabric}"}

    def listed(name: str, options: Iterable[tuple[str, str, str, set[str]]]) -> None:
        chosen = asked.get(name, "")
        made[name] = [
            Choice(
                value=value,
                label=label,
                note=note,
                fits=" ".join(sorted(fits)),
                is_shown=not fits or value == chosen or bool(fits & here),
                is_chosen=value == chosen,
            )
            for value, label, note, fits in options
        ]

    made: dict[str, list[Choice]] = {}
    listed("system", _systems())
    listed("fabric", _networks())
    listed("unit", _units())
    listed("design", _designs())
    listed("storage_tier", _tiers())
    listed("optics", _optics())
    return made


def _systems() -> Iterable[tuple[str, str, str, set[str]]]:
    for system in SYSTEMS:
        unit, count = start_size(system)
        yield system, PLATFORMS[system].name, f"{count} {unit}", set()


def _networks() -> Iterable[tuple[str, str, str, set[str]]]:
    for fabric in FABRICS:
        words = NETWORKS[fabric]
        fits = {p.system for p in PROFILES if p.fabric == fabric}
        yield fabric, words.full, words.note, fits


def _units() -> Iterable[tuple[str, str, str, set[str]]]:
    for unit, word in UNITS.items():
        fits = {key for key, p in PLATFORMS.items() if unit in p.sized_by}
        yield unit, word, "", fits


def _designs() -> Iterable[tuple[str, str, str, set[str]]]:
    """Only the pairs that have more than one design."""
    for design in dict.fromkeys(p.design for p in PROFILES):
        fits = {
            f"{p.system}/{p.fabric}"
            for p in PROFILES
            if p.design == design and len(profiles_of(p.system, p.fabric)) > 1
        }
        if fits:
            label, note = DESIGNS[design]
            yield design, label, note, fits


def _tiers() -> Iterable[tuple[str, str, str, set[str]]]:
    tables = {key: p.storage.tiers if p.storage else {} for key, p in PLATFORMS.items()}
    for tier in dict.fromkeys(tier for table in tables.values() for tier in table):
        fits = {key for key, table in tables.items() if tier in table}
        yield tier, tier.capitalize(), "", fits
    yield NO_STORAGE, "None", "", set()


def _optics() -> Iterable[tuple[str, str, str, set[str]]]:
    names = {f"{p.system}/{p.fabric}": optic_names(p) for p in PROFILES}
    for optics in dict.fromkeys(name for each in names.values() for name in each):
        fits = {pair for pair, each in names.items() if optics in each}
        yield optics, OPTICS.get(optics, optics.capitalize()), "", fits


def start_options(profile: Profile) -> dict[str, str]:
    """What the other fields say at first."""
    return {
        "design": profile.design,
        "oversubscription": "1",
        "storage_tier": default_storage_tier(profile),
        "cable_metres": "30",
        "optics": optic_names(profile)[0],
        "spares_percent": "0",
        "ports_per_host": "1",
        "front_end": "yes",
        "out_of_band": "yes",
        **START_FLOOR,
    }
