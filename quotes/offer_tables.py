"""How a content's options, choices and price breaks are laid out. No database.

The page and the PDF show the same tables, made here from the frozen content.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from quotes.choosing import groups_of, lines_of, range_of

Content = Mapping[str, Any]


def plain_options(content: Content) -> list[dict[str, Any]]:
    """Return the lines beside the total that belong to no choice of one."""
    chosen = {number for group in groups_of(content) for number in group["lines"]}
    return [line for line in content["options"] if line["number"] not in chosen]


def choice_tables(content: Content) -> list[dict[str, Any]]:
    """Return each choice of one: its name, its lines and which of them counts."""
    known = {line["number"]: line for line in lines_of(content)}
    return [
        {
            "name": group["name"],
            "default": group["default"],
            "lines": [known[number] for number in group["lines"]],
        }
        for group in groups_of(content)
    ]


def break_tables(content: Content) -> list[dict[str, Any]]:
    """Return the lines with price breaks, each with its rows (range and price).

    Below the first break, the quoted price stands where it was quoted for fewer.
    """
    return [
        {"line": line, "rows": list(break_rows(line))}
        for line in lines_of(content)
        if line.get("breaks")
    ]


def break_rows(line: Content) -> Iterator[dict[str, str]]:
    """Yield a row of words and price for each span of quantities."""
    breaks = line["breaks"]
    if line["unit_price"] and Decimal(line["quantity"]) < Decimal(breaks[0]["from"]):
        yield {"words": f"under {breaks[0]['from']}", "unit_price": line["unit_price"]}
    for one in breaks:
        yield {"words": f"from {one['from']}", "unit_price": one["unit_price"]}


def range_words(line: Content) -> str:
    """Say which quantities may be chosen: "2 to 8, in steps of 2"; "" for fixed."""
    bounds = range_of(line)
    if bounds is None:
        return ""
    words = f"{bounds['min']} to {bounds['max']}"
    return words if bounds["step"] == "1" else f"{words}, in steps of {bounds['step']}"
