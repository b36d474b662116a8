"""A choice as it is written down with the acceptance: sections, totals and words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from quotes.choosing import Chosen, groups_of, lines_of
from quotes.content import write_sums
from quotes.pricing import Kind

Content = Mapping[str, Any]
MAX_WORDS = 240


def write_chosen(content: Content, chosen: Chosen) -> dict[str, Any]:
    """Return what was chosen as JSON: it takes the place of those parts of a content.

    An alternative stands where the line it replaces stood; options have a section of
    their own. What was still open in the lines is settled.
    """
    return {
        "is_as_quoted": chosen.is_as_quoted,
        "words": list(choice_words(content, chosen)),
        "sections": _sections(content, chosen),
        "options": [],
        "choices": [],
        "totals": write_sums(chosen.sums),
    }


def _sections(content: Content, chosen: Chosen) -> list[dict[str, Any]]:
    counted = {line["number"]: _settled(line) for line in chosen.lines}
    stands_for = {
        group["default"]: number
        for group in groups_of(content)
        for number in group["lines"]
        if number in counted
    }
    found = []
    for part in content["sections"]:
        lines = []
        for line in part["lines"]:
            number = stands_for.get(line["number"], line["number"])
            if line["kind"] == Kind.TEXT:
                lines.append(line)
            elif number in counted:
                lines.append(counted.pop(number))
        if lines:
            found.append(_section(part["title"], lines))
    if counted:
        found.append(_section("Options", list(counted.values())))
    return found


def _settled(line: Content) -> dict[str, Any]:
    return {**line, "choice": "", "range": None, "breaks": []}


def _section(title: str, lines: list[Any]) -> dict[str, Any]:
    nets = (Decimal(line["net"]) for line in lines if line["net"])
    net = sum(nets, start=Decimal("0.00"))
    return {"title": title, "lines": lines, "net": str(net)}


def choice_words(content: Content, chosen: Chosen) -> Iterator[str]:
    """Say how a choice differs from what was quoted, line by line."""
    counted = {line["number"]: line for line in chosen.lines}
    defaults = {
        number: group["default"]
        for group in groups_of(content)
        for number in group["lines"]
    }
    for line in lines_of(content):
        number, taken = line["number"], counted.get(line["number"])
        is_standing = line["kind"] == Kind.STANDARD
        if taken and not is_standing:
            words = f"{taken['quantity']} × {_name(line)} (line {number})"
            if number in defaults:
                yield f"{words} instead of line {defaults[number]}"
            else:
                yield f"with the option {words}"
        elif taken and taken["quantity"] != line["quantity"]:
            yield (
                f"{taken['quantity']} instead of {line['quantity']} × {_name(line)} "
                f"(line {number})"
            )
        elif is_standing and not taken and number not in defaults:
            yield f"without {_name(line)} (line {number})"


def _name(line: Content) -> str:
    return str(line["description"] or line["mpn"])


def short_words(words: list[str]) -> str:
    """Join the words for a line of the timeline, at most so many characters."""
    text = "; ".join(words)
    return text if len(text) <= MAX_WORDS else f"{text[: MAX_WORDS - 1]}…"
