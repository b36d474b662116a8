"""Is a fabric whole: its design against the lines, modules against cables and ports.

No database: lines and frozen designs in, shortages and remarks out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, Protocol

from fabrics.part_numbers import is_cable, is_module, is_switch, is_system, part_of
from quotes.pricing import Kind

ZERO = Decimal(0)


class Offered(Protocol):
    """What is read of a line."""

    @property
    def kind(self) -> str: ...
    @property
    def mpn(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def quantity(self) -> Decimal: ...


class Sort(StrEnum):
    """What a line is of a fabric."""

    SWITCH = "switch"
    MODULE = "module"
    CABLE = "cable"
    CARD = "card"
    SYSTEM = "system"
    SERVICE = "service"
    OTHER = "other"


# What the catalogue's forms are of a fabric.
_SORT_OF_FORM = {
    "switch": Sort.SWITCH,
    "module": Sort.MODULE,
    "cable": Sort.CABLE,
    "card": Sort.CARD,
    "server": Sort.SYSTEM,
    "rack": Sort.SYSTEM,
    "tower": Sort.SYSTEM,
}
# Free text, asked in this order: "switch cable" is a cable.
_WORDS = (
    (Sort.SERVICE, r"support|warrant|subscription|licen[cs]e|installation|service"),
    (Sort.MODULE, r"transceiver|optical module|\boptics?\b"),
    (Sort.CABLE, r"\bcables?\b|\bfib(?:re|er)s?\b|\bDACs?\b|\bAOCs?\b|\bMPO\b"),
    (Sort.SYSTEM, r"NVL\d+|\bservers?\b|\bDGX\b|\bHGX\b|workstation|\bGPU node"),
    (Sort.SWITCH, r"\bswitch(?:es)?\b"),
    (Sort.CARD, r"\bNICs?\b|ConnectX|SuperNIC|\bDPUs?\b|\badapters?\b"),
)
_SORTERS = [(sort, re.compile(words, re.IGNORECASE)) for sort, words in _WORDS]
# Needs a term of support on a quote.
EQUIPMENT = (Sort.SWITCH, Sort.SYSTEM, Sort.CARD)


def sort_of(line: Offered, form: str = "") -> Sort:
    """Say what a line is: by its product's form, its part number, then its words."""
    if form in _SORT_OF_FORM:
        return _SORT_OF_FORM[form]
    part = part_of(line.mpn)
    if part is not None:
        tests = (
            (is_switch, Sort.SWITCH),
            (is_module, Sort.MODULE),
            (is_cable, Sort.CABLE),
            (is_system, Sort.SYSTEM),
        )
        return next((sort for test, sort in tests if test(part)), Sort.CARD)
    for sort, words in _SORTERS:
        if words.search(line.description):
            return sort
    return Sort.OTHER


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A part of which the lines hold another number than the designs need."""

    part: str
    description: str
    needed: int
    offered: Decimal

    @property
    def is_short(self) -> bool:
        return self.offered < self.needed

    @property
    def words(self) -> str:
        """Say it: "The design needs 1,536 × ...; the quote has 1,500."."""
        has = f"{self.offered.normalize():,f}" if self.offered else "none"
        return (
            f"The design needs {self.needed:,} × {self.description}; "
            f"the quote has {has}."
        )


def find_gaps(
    designs: Iterable[tuple[Mapping[str, Any], int]], lines: Iterable[Offered]
) -> list[Gap]:
    """Compare what designs need, each so many times, with the lines that count.

    `designs` are frozen results with their quantities. A part is found by the maker's
    ordering number or the engine's name for it; one without a number by its words.
    """
    counted = [line for line in lines if line.kind == Kind.STANDARD]
    offered: dict[str, Decimal] = {}
    for line in counted:
        key = _key(line.mpn) or line.description.strip().upper()
        offered[key] = offered.get(key, ZERO) + line.quantity
    gaps = []
    for part, (row, needed) in _needs_of(designs).items():
        names = {part, _key(row["part"]), _key(row["opn"])} - {""}
        names.add(row["description"][:500].strip().upper())
        have = sum((offered.get(name, ZERO) for name in names), start=ZERO)
        if have != needed:
            gaps.append(
                Gap(
                    part=part,
                    description=row["description"],
                    needed=needed,
                    offered=have,
                )
            )
    return gaps


def _needs_of(
    designs: Iterable[tuple[Mapping[str, Any], int]],
) -> dict[str, tuple[Mapping[str, Any], int]]:
    needs: dict[str, tuple[Mapping[str, Any], int]] = {}
    for result, times in designs:
        for row in result.get("bom", []):
            part = _key(row["opn"]) or _key(row["part"])
            _row, before = needs.get(part, (row, 0))
            needs[part] = (row, before + row["quantity"] * times)
    return needs


def _key(number: str) -> str:
    return number.strip().upper()


def find_remarks(lines: Sequence[Offered], forms: Sequence[str] = ()) -> list[str]:
    """Say what does not fit together among the lines that count, design or not."""
    padded = [*forms, *[""] * (len(lines) - len(forms))]
    pairs = zip(lines, padded, strict=False)
    sorts = [
        (line, sort_of(line, form))
        for line, form in pairs
        if line.kind == Kind.STANDARD
    ]
    found = {sort for _line, sort in sorts}
    remarks = []
    if Sort.MODULE in found and not found & {Sort.SWITCH, Sort.CARD, Sort.SYSTEM}:
        remarks.append("Transceivers, but no switch, server or card to put them in.")
    if Sort.MODULE in found and Sort.CABLE not in found:
        remarks.append("Transceivers, but no cables.")
    if Sort.SWITCH in found and not found & {Sort.MODULE, Sort.CABLE}:
        remarks.append("Switches, but neither transceivers nor cables.")
    remarks += _count_ends([line for line, _sort in sorts])
    return remarks


def _count_ends(lines: Iterable[Offered]) -> list[str]:
    """Count the ends of known modules against fibres, and the modules against ports.

    A straight fibre has two ends; nothing is said where a splitter is among them.
    """
    ends: dict[str, Decimal] = {}
    fibres: dict[str, Decimal] = {}
    twins = ports = ZERO
    has_splitter = has_switch = False
    for line in lines:
        part = part_of(line.mpn)
        if part is None:
            continue
        if is_module(part) and part.medium:
            ends[part.medium] = ends.get(part.medium, ZERO) + line.quantity * part.links
            # Only a switch has cages for finned twin-port modules.
            if part.links > 1 and "finned" in part.shape:
                twins += line.quantity * part.links * part.link_gbps
        elif is_cable(part) and part.medium:
            has_splitter |= part.shape != "straight"
            fibres[part.medium] = fibres.get(part.medium, ZERO) + line.quantity
        elif is_switch(part) and part.ports:
            has_switch = True
            ports += line.quantity * part.ports * part.port_gbps
    remarks = [] if has_splitter else list(_unpaired(ends, fibres))
    if has_switch and twins > ports:
        remarks.append(
            f"The twin-port transceivers carry {twins / 1000:,.1f} Tb/s, "
            f"the switches' ports {ports / 1000:,.1f}: some fit in no switch."
        )
    return remarks


def _unpaired(
    ends: Mapping[str, Decimal], fibres: Mapping[str, Decimal]
) -> Iterable[str]:
    for medium, count in fibres.items():
        have = ends.get(medium, ZERO)
        if have != count * 2:
            yield (
                f"{_n(count)} {medium} fibres have {_n(count * 2)} ends; the "
                f"transceivers take {_n(have)}."
            )


def _n(number: Decimal) -> str:
    return f"{number.normalize():,f}"


def site_remarks(result: Mapping[str, Any], name: str, words: str) -> list[str]:
    """Name what a design needs of the site that the quote's words do not speak of.

    `words` are the quote's lines, exclusions and message: where one of them says who
    provides it, nothing is missing.
    """
    said = words.lower()
    remarks = []
    power, units = result.get("power_kw"), result.get("rack_units")
    if power and not re.search(r"power|pdu|feed", said):
        remarks.append(
            f"{name} draws {power:,.0f} kW: say who provides the power feeds."
        )
    if units and not re.search(r"rack (?:space|unit)|cabinet|racks? ", said):
        remarks.append(f"{name} takes {units:,} rack units: say who provides them.")
    checks = " ".join(check.get("message", "") for check in result.get("checks", []))
    if "liquid" in checks.lower() and "cool" not in said:
        remarks.append(f"{name} is liquid-cooled: say who provides the cooling.")
    return remarks
