"""Two networks for one system and size, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fabrics.choices import START_SYSTEM, Choice, start_size
from fabrics.differences import difference
from fabrics.engine import FabricDesign
from fabrics.engine.platforms import PLATFORMS
from fabrics.engine.profiles import PROFILES, Profile
from fabrics.forms import FabricForm, spec_query
from fabrics.side_by_side import needs, side_groups
from fabrics.words import DESIGNS, NETWORKS, UNITS


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two: its design, or why there is none."""

    key: str
    name: str
    problem: str = ""
    query: str = ""
    design: FabricDesign | None = None


def comparable_systems() -> list[str]:
    """Systems with at least two networks or designs to choose from."""
    return [key for key in PLATFORMS if len(_profiles(key)) > 1]


def compare_context(query: Mapping[str, str]) -> dict[str, Any]:
    """The form's lists and both sides; the table only when both can be built."""
    systems = comparable_systems()
    system = query.get("system", "")
    system = system if system in systems else START_SYSTEM
    keys = {_key(profile): profile for profile in _profiles(system)}
    left, right = _two(list(keys), query)
    size = _size(system, query)
    sides = [_side(keys[key], size) for key in (left, right)]
    context: dict[str, Any] = {
        "systems": [
            Choice(value=key, label=PLATFORMS[key].name, is_chosen=key == system)
            for key in systems
        ],
        "units": [
            Choice(value=unit, label=UNITS[unit], is_chosen=unit == size["unit"])
            for unit in PLATFORMS[system].sized_by
        ],
        "size": size["size"],
        "left_choices": _choices(keys, left),
        "right_choices": _choices(keys, right),
        "sides": sides,
    }
    if sides[0].design and sides[1].design:
        context |= _compared(sides[0].design, sides[1].design)
    return context


def _compared(left: FabricDesign, right: FabricDesign) -> dict[str, Any]:
    found = difference(left.to_json(), right.to_json())
    return {
        "groups": side_groups(left, right),
        "needs": needs(left, right),
        "difference": found,
    }


def _profiles(system: str) -> list[Profile]:
    return [profile for profile in PROFILES if profile.system == system]


def _key(profile: Profile) -> str:
    return f"{profile.fabric}/{profile.design}"


def _two(keys: list[str], query: Mapping[str, str]) -> tuple[str, str]:
    """What was asked for where the system has it, else the first that is left."""
    left = query.get("left", "")
    left = left if left in keys else keys[0]
    right = query.get("right", "")
    others = [key for key in keys if key != left]
    return left, right if right in keys else others[0]


def _size(system: str, query: Mapping[str, str]) -> dict[str, str]:
    unit, count = start_size(system)
    asked = query.get("unit", "")
    if asked in PLATFORMS[system].sized_by and query.get("size", "").strip():
        return {"unit": asked, "size": query["size"]}
    return {"unit": unit, "size": f"{count:,}"}


def _side(profile: Profile, size: Mapping[str, str]) -> Side:
    asked = {
        "system": profile.system,
        "fabric": profile.fabric,
        "design": profile.design,
        **size,
    }
    form = FabricForm(asked)
    name = _name(profile)
    if not form.is_valid():
        return Side(key=_key(profile), name=name, problem=form.problem)
    return Side(
        key=_key(profile),
        name=name,
        query=spec_query(form.spec),
        design=form.engine_design,
    )


def _name(profile: Profile) -> str:
    words = NETWORKS[profile.fabric]
    design, _ = DESIGNS[profile.design]
    return f"{words.full}, {design}"


def _choices(keys: Mapping[str, Profile], chosen: str) -> list[Choice]:
    return [
        Choice(value=key, label=_name(profile), is_chosen=key == chosen)
        for key, profile in keys.items()
    ]
