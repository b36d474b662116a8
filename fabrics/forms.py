"""The configurator's form: text in, a checked FabricSpec out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django import forms

from fabrics.choices import (
    START_SYSTEM,
    Choice,
    choices,
    networks_of,
    size_hint,
    start_network,
    start_options,
    start_size,
)
from fabrics.engine import (
    FLOOR_OPTIONS,
    SIZE_UNITS,
    FabricDesign,
    FabricSpec,
    SpecError,
    profiles_of,
    size,
)
from fabrics.engine.platforms import PLATFORMS
from fabrics.words import NETWORKS, UNITS, network_name, plain_words, system_name

OPTIONS = (
    "oversubscription",
    "storage_tier",
    "cable_metres",
    "optics",
    "spares_percent",
    "ports_per_host",
    "front_end",
    "out_of_band",
)
ALL_OPTIONS = (*OPTIONS, *FLOOR_OPTIONS)
_THOUSANDS = re.compile(r"[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?")
_METRES = ("cable_metres", "rack_pitch", "row_pitch", "tray_height", "cable_slack")
_SUFFIXES = {
    "oversubscription": ":1",
    "spares_percent": "%",
    **dict.fromkeys(_METRES, "m"),
}


def _text(label: str) -> forms.CharField:
    return forms.CharField(label=label, required=False, max_length=60)


class FabricForm(forms.Form):
    """What was typed, and the spec it means or one line that says why not.

    A size is `size` with its `unit`, as the page has it, or one of `gpus`, `racks`,
    `nodes` and `hosts`, as an address has it.
    """

    system = _text("System")
    fabric = _text("Scale-out network")
    design = _text("Design")
    size = _text("Size")
    unit = _text("Unit")
    gpus = _text("GPUs")
    racks = _text("Racks")
    nodes = _text("Nodes")
    hosts = _text("Hosts")
    oversubscription = _text("Oversubscription")
    storage_tier = _text("Storage")
    cable_metres = _text("Longest cable run")
    optics = _text("Links")
    spares_percent = _text("Spares")
    ports_per_host = _text("Ports a host")
    front_end = _text("Front-end network")
    out_of_band = _text("Out-of-band network")
    racks_per_row = _text("Racks a row")
    rack_pitch = _text("From rack to rack")
    row_pitch = _text("From row to row")
    tray_height = _text("Cable tray over the racks")
    cable_slack = _text("Slack a link")

    _design: FabricDesign | None = None

    @classmethod
    def of_page(cls, query: Mapping[str, str]) -> FabricForm:
        """Read an address: what it leaves out is what the page starts on."""
        asked = {name: query[name] for name in query if name in cls.base_fields}
        system = asked.setdefault("system", START_SYSTEM)
        asked.setdefault("fabric", start_network(system))
        given = next((unit for unit in SIZE_UNITS if asked.get(unit)), None)
        if given and "size" not in asked:
            asked["unit"], asked["size"] = given, _with_commas(asked[given])
        elif "size" not in asked and system in PLATFORMS:
            unit, count = start_size(system)
            asked["unit"], asked["size"] = unit, f"{count:,}"
        found = profiles_of(system, asked["fabric"])
        for name, value in start_options(found[0]).items() if found else ():
            asked.setdefault(name, value)
        for unit in SIZE_UNITS:
            asked.pop(unit, None)
        return cls(asked)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = self.cleaned_data
        if self.errors:
            return cleaned
        try:
            self._design = size(FabricSpec.from_sizes(**_asked(cleaned)))
        except SpecError as error:
            self.add_error(*_told(str(error), cleaned))
        return cleaned

    @property
    def engine_design(self) -> FabricDesign:
        """The sized design. Ask `is_valid` first."""
        assert self._design is not None, "Ask is_valid() first."
        return self._design

    @property
    def spec(self) -> FabricSpec:
        return self.engine_design.spec

    @property
    def problem(self) -> str:
        """The first error, in one line."""
        return next((str(texts[0]) for texts in self.errors.values()), "")

    @property
    def choices(self) -> dict[str, list[Choice]]:
        return choices(self.data)

    @property
    def size_hint(self) -> str:
        found = profiles_of(self.data.get("system", ""), self.data.get("fabric", ""))
        ports = 2 if str(self.data.get("ports_per_host", "")).strip() == "2" else 1
        return size_hint(found[0], ports) if found else ""

    @property
    def has_designs(self) -> bool:
        """Whether the system and network have more than one reference design."""
        data = self.data
        return len(profiles_of(data.get("system", ""), data.get("fabric", ""))) > 1

    @property
    def more_is_open(self) -> bool:
        """Whether something under "Storage, cables, spares" was changed or is wrong."""
        found = profiles_of(self.data.get("system", ""), self.data.get("fabric", ""))
        start = start_options(found[0]) if found else {}
        names = [name for name in OPTIONS if name != "oversubscription"]
        return any(
            name in self.errors or self.data.get(name) != start.get(name)
            for name in names
        )

    @property
    def floor_is_open(self) -> bool:
        """Whether a floor plan was asked for or something in it is wrong."""
        given = str(self.data.get("racks_per_row", "")).strip()
        return bool(given) or any(name in self.errors for name in FLOOR_OPTIONS)

    @property
    def ways_out(self) -> list[tuple[str, str]]:
        """Links that lead from an impossible design to possible ones: text, query."""
        system = self.data.get("system", "")
        if system not in PLATFORMS:
            return [(f"Start with {system_name(START_SYSTEM)}", "")]
        return [_way_out(system, fabric) for fabric in networks_of(system)]


def _with_commas(text: str) -> str:
    is_whole = text.isascii() and text.isdigit() and len(text) < 12
    return f"{int(text):,}" if is_whole else text


def _way_out(system: str, fabric: str) -> tuple[str, str]:
    unit, count = start_size(system)
    if fabric == "spectrum-2" and unit == "nodes":
        unit, count = "hosts", 16
    text = f"{count:,} {UNITS[unit]} of {system_name(system)} on {network_name(fabric)}"
    return text, urlencode({"system": system, "fabric": fabric, unit: count})


def _asked(cleaned: Mapping[str, str]) -> dict[str, object]:
    """The engine's arguments: numbers without the spaces and signs people type."""
    asked: dict[str, object] = {
        name: _tidy(name, cleaned[name]) or None for name in ALL_OPTIONS
    }
    if asked["racks_per_row"] is None:
        # The distances are on the page before a floor plan is asked for.
        asked |= dict.fromkeys(FLOOR_OPTIONS)
    for name in ("system", "fabric", "design"):
        asked[name] = cleaned[name] or None
    if len(profiles_of(cleaned["system"], cleaned["fabric"])) == 1:
        # A design that another network has is not meant for this one.
        asked["design"] = None
    for unit in SIZE_UNITS:
        asked[unit] = _tidy(unit, cleaned[unit]) or None
    if cleaned["size"] or cleaned["unit"]:
        if cleaned["unit"] not in SIZE_UNITS:
            raise SpecError(f"the unit must be one of {', '.join(SIZE_UNITS)}")
        asked[cleaned["unit"]] = _tidy("size", cleaned["size"]) or None
    return asked


def _tidy(name: str, text: str) -> str:
    """Drop spaces, thousands' commas and a field's own sign: "1 152", "10 %", "2:1"."""
    tidy = "".join(text.split())
    suffix = _SUFFIXES.get(name, "")
    if suffix:
        tidy = tidy.removesuffix(suffix)
    return tidy.replace(",", "") if _THOUSANDS.fullmatch(tidy) else tidy


def _told(message: str, cleaned: Mapping[str, str]) -> tuple[str | None, str]:
    """The field that an engine's error belongs to, and the words for it."""
    if " is not sized on " in message:
        return "fabric", _no_such_pair(cleaned["system"], cleaned["fabric"])
    if message.startswith("give one size"):
        return "size", "Enter a size: a whole number."
    said = plain_words(message)
    for start, field in _FIELD_STARTS.items():
        if message.startswith(start):
            return field, said
    for part, field in _FIELD_PARTS.items():
        if part in message:
            return field, said
    return None, said


_FIELD_STARTS = {
    "unknown system": "system",
    "unknown fabric": "fabric",
    "the unit": "unit",
    # Before the sizes: "racks per row" begins as "racks" does.
    **{name.replace("_", " "): name for name in FLOOR_OPTIONS},
    **dict.fromkeys(SIZE_UNITS, "size"),
    **{name.replace("_", " "): name for name in OPTIONS},
}
_FIELD_PARTS = {
    " is sized by ": "unit",
    " has no design ": "design",
    " need a fourth tier ": "size",
}


def _no_such_pair(system: str, fabric: str) -> str:
    names = [network_name(each) for each in networks_of(system)]
    return (
        f"{system_name(system)} is not sized on {NETWORKS[fabric].name}. "
        f"Choose {' or '.join(names)}."
    )


def spec_fields(spec: FabricSpec) -> dict[str, str]:
    """A spec as form fields, with only the options that differ from the start."""
    asked = {
        "system": spec.system,
        "fabric": spec.fabric,
        "design": spec.design,
        spec.unit: str(spec.count),
    }
    start = start_options(spec.profile)
    for name in OPTIONS:
        value = _written(getattr(spec, name))
        if value != start[name]:
            asked[name] = value
    for name in FLOOR_OPTIONS if spec.floor else ():
        value = _written(getattr(spec.floor, name))
        if value != start[name]:
            asked[name] = value
    return asked


def spec_query(spec: FabricSpec, **more: str) -> str:
    """The shortest address of a design: what the page starts on is left out."""
    asked = spec_fields(spec)
    unit, count = start_size(spec.system)
    if spec.unit == unit and spec.count == count:
        del asked[unit]
    if spec.design == profiles_of(spec.system, spec.fabric)[0].design:
        del asked["design"]
    if spec.fabric == start_network(spec.system):
        del asked["fabric"]
    if spec.system == START_SYSTEM:
        del asked["system"]
    return urlencode({**asked, **more})


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    return str(value)
