"""What was asked of the engine, checked: a FabricSpec that exists can be sized."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from decimal import Decimal

from fabrics.engine.floor_spec import FLOOR_OPTIONS, FloorSpec, read_floor
from fabrics.engine.platforms import PLATFORMS, Platform
from fabrics.engine.profiles import (
    PROFILES,
    Profile,
    find_profile,
    pairs,
    profiles_of,
)
from fabrics.engine.reading import (
    SpecError,
    is_given,
    number,
    plain_number,
    shown,
    whole_number,
    yes_or_no,
)
from fabrics.engine.topology import ceil_div, three_tier_limit

SYSTEMS = tuple(PLATFORMS)
FABRICS = tuple(dict.fromkeys(p.fabric for p in PROFILES))
SIZE_UNITS = ("gpus", "racks", "nodes", "hosts")
NO_STORAGE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricSpec:
    """A question for `size`. Make one with `from_sizes`, which checks every field."""

    system: str
    fabric: str
    design: str
    unit: str
    count: int
    oversubscription: Decimal = Decimal(1)
    storage_tier: str = "standard"
    cable_metres: Decimal = Decimal(30)
    optics: str = "fibre"
    spares_percent: Decimal = Decimal(0)
    ports_per_host: int = 1
    most_tiers: int = 3
    front_end: bool = True
    out_of_band: bool = True
    floor: FloorSpec | None = None

    @classmethod
    def from_sizes(
        cls,
        *,
        system: object,
        fabric: object,
        design: object = None,
        gpus: object = None,
        racks: object = None,
        nodes: object = None,
        hosts: object = None,
        **options: object,
    ) -> FabricSpec:
        """Check the words and numbers of a form or a command line.

        Numbers may be text. Raises SpecError, in one line that names the bound.
        """
        profile = _find_profile(system, fabric, design)
        sizes = {"gpus": gpus, "racks": racks, "nodes": nodes, "hosts": hosts}
        unit, amount = _one_size(sizes, PLATFORMS[profile.system])
        asked = _known_options(options)
        ports = whole_number("ports per host", asked.get("ports_per_host", 1), 1, 2, "")
        return cls(
            system=profile.system,
            fabric=profile.fabric,
            design=profile.design,
            unit=unit,
            count=_count(unit, amount, profile, ports),
            oversubscription=_oversubscription(asked, profile),
            storage_tier=_storage_tier(asked.get("storage_tier"), profile),
            cable_metres=number(
                "cable metres", asked.get("cable_metres", 30), "0.5", 10_000
            ),
            optics=_optics(asked.get("optics", optic_names(profile)[0]), profile),
            spares_percent=number(
                "spares percent", asked.get("spares_percent", 0), 0, 100
            ),
            ports_per_host=ports,
            most_tiers=whole_number("most tiers", asked.get("most_tiers", 3), 1, 3, ""),
            front_end=yes_or_no("front end", asked.get("front_end", True)),
            out_of_band=yes_or_no("out of band", asked.get("out_of_band", True)),
            floor=read_floor(asked),
        )

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> FabricSpec:
        """Read back what `to_json` wrote, checking it again."""
        known = {field.name for field in fields(cls)} - {"floor"}
        known |= {"racks", "nodes", "gpus", *FLOOR_OPTIONS}
        unknown = sorted(str(key) for key in set(data) - known)
        if unknown:
            raise SpecError(f"unknown field in the spec: {shown(unknown[0])}")
        unit = str(data.get("unit", ""))
        if unit not in SIZE_UNITS:
            raise SpecError(f"unit must be one of {', '.join(SIZE_UNITS)}")
        sizes = dict.fromkeys(SIZE_UNITS)
        options = {
            name: value
            for name, value in data.items()
            if name not in {"system", "fabric", "design", "unit", "count", *sizes}
        }
        return cls.from_sizes(
            system=data.get("system"),
            fabric=data.get("fabric"),
            design=data.get("design"),
            **{**sizes, unit: data.get("count")},
            **options,
        )

    def to_json(self) -> dict[str, object]:
        """The normalised question: plain types, with the whole sizes it means."""
        return {
            "system": self.system,
            "fabric": self.fabric,
            "design": self.design,
            "unit": self.unit,
            "count": self.count,
            "gpus": self.gpus,
            "racks": self.racks,
            "nodes": self.nodes,
            "oversubscription": plain_number(self.oversubscription),
            "storage_tier": self.storage_tier,
            "cable_metres": plain_number(self.cable_metres),
            "optics": self.optics,
            "spares_percent": plain_number(self.spares_percent),
            "ports_per_host": self.ports_per_host,
            "most_tiers": self.most_tiers,
            "front_end": self.front_end,
            "out_of_band": self.out_of_band,
            **(self.floor.to_json() if self.floor else {}),
        }

    @property
    def profile(self) -> Profile:
        return find_profile(self.system, self.fabric, self.design)

    @property
    def platform(self) -> Platform:
        return PLATFORMS[self.system]

    @property
    def nodes(self) -> int:
        """Whole nodes (trays of an NVL72 rack): a size that does not fill rounds up."""
        return nodes_for(self.platform, self.unit, self.count)

    @property
    def racks(self) -> int:
        """Racks of systems, whole. A deskside station or a host has none of ours."""
        if self.platform.key in ("dgx-station-gb300", "host-200g"):
            return 0
        return ceil_div(self.nodes, self.platform.nodes_per_rack)

    @property
    def gpus(self) -> int | None:
        """GPUs of the whole nodes, or None for hosts, whose GPUs are not known."""
        per_node = self.platform.gpus_per_node
        return None if per_node is None else self.nodes * per_node

    @property
    def ports_per_node(self) -> int:
        """Links of one node into each plane."""
        if self.fabric == "spectrum-2":
            return self.ports_per_host
        return self.profile.rails


def nodes_for(platform: Platform, unit: str, count: int) -> int:
    """Nodes that hold `count` of a unit; an NVL72 rack is never split.

    >>> nodes_for(PLATFORMS["gb300-nvl72"], "gpus", 577)
    162
    >>> nodes_for(PLATFORMS["dgx-b300"], "gpus", 577)
    73
    """
    if unit == "racks":
        return count * platform.nodes_per_rack
    if unit != "gpus":
        return count
    nodes = ceil_div(count, platform.gpus_per_node or 1)
    if platform.is_rack:
        return ceil_div(nodes, platform.nodes_per_rack) * platform.nodes_per_rack
    return nodes


def most_nodes(profile: Profile, ports_per_host: int = 1) -> int:
    """The most nodes that a profile's switches can join."""
    if profile.fabric == "direct":
        return 2
    if profile.fabric == "spectrum-2":
        return profile.down * profile.radix // ports_per_host
    if profile.rail_pods:
        # The tiers' own limit; `checks` stops sizes whose pods cannot meet earlier.
        return profile.radix**3 // 4 // profile.rails
    unit_leaves = profile.rails * ceil_div(profile.su_nodes, profile.down)
    limit = three_tier_limit(
        unit_leaves=unit_leaves, down=profile.down, up=profile.up, radix=profile.radix
    )
    return limit // profile.rails - profile.ufm_positions


def _find_profile(system: object, fabric: object, design: object) -> Profile:
    if system not in SYSTEMS:
        raise SpecError(
            f"unknown system {shown(system)}: choose one of {', '.join(SYSTEMS)}"
        )
    if fabric not in FABRICS:
        raise SpecError(
            f"unknown fabric {shown(fabric)}: choose one of {', '.join(FABRICS)}"
        )
    found = profiles_of(str(system), str(fabric))
    if not found:
        raise SpecError(
            f"{system} is not sized on {fabric}; the pairs are {', '.join(pairs())}"
        )
    if not is_given(design):
        return found[0]
    for profile in found:
        if profile.design == design:
            return profile
    designs = ", ".join(p.design for p in found)
    raise SpecError(
        f"{system} on {fabric} has no design {shown(design)}: choose {designs}"
    )


def _one_size(sizes: Mapping[str, object], platform: Platform) -> tuple[str, object]:
    """The one size that was given and its unit."""
    ways = " or ".join(platform.sized_by)
    given = [(unit, size) for unit, size in sizes.items() if is_given(size)]
    if len(given) != 1:
        raise SpecError(f"give one size for {platform.key}: {ways}")
    unit, amount = given[0]
    if unit not in platform.sized_by:
        raise SpecError(f"{platform.key} is sized by {ways}, not by {unit}")
    return unit, amount


def _oversubscription(asked: Mapping[str, object], profile: Profile) -> Decimal:
    """r of r:1, from non-blocking to one uplink a leaf."""
    most = max(profile.down, 1)
    return number("oversubscription", asked.get("oversubscription", 1), 1, most)


def _count(unit: str, value: object, profile: Profile, ports: int) -> int:
    platform = PLATFORMS[profile.system]
    limit = most_nodes(profile, ports)
    most = {
        "gpus": limit * (platform.gpus_per_node or 1),
        "racks": limit // platform.nodes_per_rack,
    }.get(unit, limit)
    return whole_number(
        unit, value, 1, most, f" for {profile.system} on {profile.fabric}"
    )


_OPTIONS = (
    "oversubscription",
    "storage_tier",
    "cable_metres",
    "optics",
    "spares_percent",
    "ports_per_host",
    "most_tiers",
    "front_end",
    "out_of_band",
    *FLOOR_OPTIONS,
)


def _known_options(options: Mapping[str, object]) -> dict[str, object]:
    """The options that were given a value; an unknown name is refused."""
    unknown = sorted(set(options) - set(_OPTIONS))
    if unknown:
        raise SpecError(f"unknown option {shown(unknown[0])}")
    return {name: value for name, value in options.items() if is_given(value)}


def storage_tiers(profile: Profile) -> tuple[str, ...]:
    """The storage tiers a document gives for this system, and none."""
    table = PLATFORMS[profile.system].storage
    return (*(table.tiers if table else ()), NO_STORAGE)


def default_storage_tier(profile: Profile) -> str:
    """Standard where the document has one, else none."""
    return "standard" if "standard" in storage_tiers(profile) else NO_STORAGE


def _storage_tier(value: object, profile: Profile) -> str:
    tiers = storage_tiers(profile)
    if value is None:
        return default_storage_tier(profile)
    if value in tiers:
        return str(value)
    raise SpecError(
        f"storage tier must be one of {', '.join(tiers)} for {profile.system}, "
        f"not {shown(value)}"
    )


def optic_names(profile: Profile) -> tuple[str, ...]:
    """The kinds of link a profile can be built with, as published first."""
    return tuple(o.name for o in profile.optics) or ("fibre",)


def _optics(value: object, profile: Profile) -> str:
    names = optic_names(profile)
    if value in names:
        return str(value)
    raise SpecError(
        f"optics must be one of {', '.join(names)} for {profile.system} on "
        f"{profile.fabric}, not {shown(value)}"
    )
