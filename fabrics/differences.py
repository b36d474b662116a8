"""What differs between two frozen designs: figures and parts, in words. No database.

Both sides are read as they were saved, so a later engine changes no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from fabrics.headline import Result, link_count, power_words, rate_words
from fabrics.words import DESIGNS, OPTICS, network_name, system_name

MOST_WORDS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class PartChange:
    """One part whose total differs, over all networks and spares."""

    part: str
    opn: str
    description: str
    before: int
    after: int

    @property
    def change(self) -> int:
        return self.after - self.before

    @property
    def number(self) -> str:
        return self.opn or self.part


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureChange:
    """One figure or choice that differs; `words` say it in a sentence's part."""

    label: str
    before: str
    after: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    figures: list[FigureChange]
    parts: list[PartChange]

    def __bool__(self) -> bool:
        return bool(self.figures or self.parts)

    @property
    def summary(self) -> str:
        """The difference in one line: "8 more leaf switches, 576 more GPUs, ...".

        What figures do not tell, the parts do; what is left is counted.
        """
        words = [figure.words for figure in self.figures]
        if not words:
            words = [part_words(change) for change in self.parts]
        if not words:
            return "nothing differs"
        left = len(words) - MOST_WORDS
        told = ", ".join(words[:MOST_WORDS])
        return f"{told} and {left} more" if left > 0 else told


def difference(before: Result, after: Result) -> Difference:
    """Tell what `after` has otherwise than `before`."""
    return Difference(
        figures=list(_figures(before, after)), parts=part_changes(before, after)
    )


def part_changes(before: Result, after: Result) -> list[PartChange]:
    """Parts whose totals differ, in the order they first appear."""
    old, new = _totals(before), _totals(after)
    changes = []
    for key in dict.fromkeys((*old, *new)):
        was, now = old.get(key), new.get(key)
        line = now or was or {}
        change = PartChange(
            part=line["part"],
            opn=line.get("opn", ""),
            description=line["description"],
            before=was["quantity"] if was else 0,
            after=now["quantity"] if now else 0,
        )
        if change.change:
            changes.append(change)
    return changes


def _totals(result: Result) -> dict[tuple[str, str], dict[str, Any]]:
    """Lines by part and ordering number, their quantities added up."""
    totals: dict[tuple[str, str], dict[str, Any]] = {}
    for line in result.get("bom", []):
        key = (line["part"], line.get("opn", ""))
        seen = totals.setdefault(key, {**line, "quantity": 0})
        seen["quantity"] += line["quantity"]
    return totals


def part_words(change: PartChange) -> str:
    """Say a change of one part: "1,152 more MFP7E30-N030"."""
    return f"{_more(change.change)} {change.number}"


def _more(change: float) -> str:
    return f"{abs(change):,} {'more' if change > 0 else 'fewer'}"


def _figures(before: Result, after: Result) -> Iterator[FigureChange]:
    if "compute" not in before or "compute" not in after:
        return
    yield from _choices(before["spec"], after["spec"])
    yield from _counts(before, after)
    yield from _power(before, after)
    for key in ("bisection", "injection"):
        was, now = (each["bandwidth"][f"{key}_tb_per_s"] for each in (before, after))
        if was != now:
            yield FigureChange(
                label=f"{key.capitalize()}, each way",
                before=rate_words(was),
                after=rate_words(now),
                words=f"{rate_words(now)} {key} instead of {rate_words(was)}",
            )


def _power(before: Result, after: Result) -> Iterator[FigureChange]:
    was, now = before["power_kw"], after["power_kw"]
    if was != now and was and now:
        word = "more" if now > was else "less"
        yield FigureChange(
            label="Power",
            before=power_words(was),
            after=power_words(now),
            words=f"{power_words(abs(now - was))} {word} power",
        )


def _told(label: str, was: str, now: str) -> FigureChange:
    words = f"{label[:1].lower()}{label[1:]} {now} instead of {was}"
    return FigureChange(label=label, before=was, after=now, words=words)


def _design_word(key: str) -> str:
    return DESIGNS[key][0] if key in DESIGNS else key


def _optics_word(key: str) -> str:
    return OPTICS.get(key, key)


_NAMED: dict[str, tuple[str, Callable[[str], str]]] = {
    "system": ("System", system_name),
    "fabric": ("Network", network_name),
    "design": ("Reference design", _design_word),
    "optics": ("Links", _optics_word),
}
_PLAIN = {
    "oversubscription": ("Oversubscription", ":1"),
    "storage_tier": ("Storage", ""),
    "cable_metres": ("Longest cable run", " m"),
    "spares_percent": ("Spares", "%"),
    "ports_per_host": ("Ports a host", ""),
}
# A design without a floor plan has none of these.
_FLOOR = {
    "racks_per_row": ("Racks a row", ""),
    "rack_pitch": ("Rack pitch", " m"),
    "row_pitch": ("Row pitch", " m"),
    "tray_height": ("Tray above the racks", " m"),
    "cable_slack": ("Slack of a cable", " m"),
}
_SWITCHED = {"front_end": "Front-end network", "out_of_band": "Out-of-band network"}


def _choices(before: Result, after: Result) -> Iterator[FigureChange]:
    """What was asked for otherwise. A choice that an older engine lacked is skipped."""
    for key, (label, name) in _NAMED.items():
        if _both_differ(before, after, key):
            yield _told(label, name(before[key]), name(after[key]))
    for key, (label, unit) in _PLAIN.items():
        if _both_differ(before, after, key):
            yield _told(label, f"{before[key]}{unit}", f"{after[key]}{unit}")
    for key, (label, unit) in _FLOOR.items():
        was, now = before.get(key), after.get(key)
        if was != now:
            yield _told(label, _given(was, unit), _given(now, unit))
    for key, label in _SWITCHED.items():
        if _both_differ(before, after, key):
            words = "with" if after[key] else "without"
            yield FigureChange(
                label=label,
                before="Yes" if before[key] else "No",
                after="Yes" if after[key] else "No",
                words=f"{words} the {label[:1].lower()}{label[1:]}",
            )


def _given(value: object, unit: str) -> str:
    return "not given" if value is None else f"{value}{unit}"


def _both_differ(before: Result, after: Result, key: str) -> bool:
    return key in before and key in after and before[key] != after[key]


def _counts(before: Result, after: Result) -> Iterator[FigureChange]:
    old, new = before["compute"], after["compute"]
    pairs = (
        ("GPUs", "GPU", old["gpus"] or 0, new["gpus"] or 0),
        ("Leaf switches", "leaf switch", old["leaf"], new["leaf"]),
        ("Spine switches", "spine switch", old["spine"], new["spine"]),
        ("Core switches", "core switch", old["core"], new["core"]),
        ("Links", "link", link_count(before), link_count(after)),
    )
    for label, word, was, now in pairs:
        if was != now:
            change = now - was
            yield FigureChange(
                label=label,
                before=f"{was:,}",
                after=f"{now:,}",
                words=f"{_more(change)} {_plural(word, abs(change))}",
            )


def _plural(word: str, count: int) -> str:
    if count == 1:
        return word
    return f"{word}es" if word.endswith("ch") else f"{word}s"
