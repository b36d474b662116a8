"""What changed between two revisions, from their frozen contents. No database.

Used for "What changed since revision 2" on the page and as an annex of the PDF, so it
speaks the customer's words and can hold nothing that the customer does not see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, TypeVar

from sourceit.money import format_money

Content = Mapping[str, Any]
Key = tuple[str, str, int]
L = TypeVar("L")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference: `what` changed, from `old` to `new` ("" for none)."""

    what: str
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """All that differs between two revisions; empty when nothing does."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[tuple[str, tuple[Change, ...]], ...]
    conditions: tuple[Change, ...]
    totals: tuple[Change, ...]

    def __bool__(self) -> bool:
        return bool(
            self.added or self.removed or self.changed or self.conditions or self.totals
        )


# What is compared of a line, and the customer's word for it.
LINE_FIELDS = (
    ("description", "Description"),
    ("quantity", "Quantity"),
    ("unit_price", "Unit price"),
    ("discount_percent", "Discount"),
    ("net", "Amount before GST"),
    ("tax", "GST treatment"),
    ("lead_time", "Lead time"),
    ("warranty", "Warranty"),
    ("our_part", "Our part number"),
    ("origin", "Country of origin"),
    ("hs_code", "HS code"),
    ("note", "Note"),
    ("may_be_repriced", "May be re-priced by the maker"),
    ("kind", "Counted as"),
    ("choice", "One of"),
    ("range", "Quantity to choose"),
    ("breaks", "Price breaks"),
)
CONDITION_FIELDS = (
    ("valid_until", "Valid until"),
    ("currency", "Currency"),
    ("delivery_terms", "Delivery"),
    ("payment_terms", "Payment"),
    ("excluded", "Not included"),
)
TOTAL_FIELDS = (
    ("discount", "Discount on the whole"),
    ("net", "Before GST"),
    ("gst", "GST"),
    ("rounding", "Rounding"),
    ("gross", "Total"),
)
_MONEY = {"discount", "unit_price", "net", "gst", "rounding", "gross"}
_DATES = {"valid_until"}


def compare_contents(old: Content, new: Content) -> Comparison:
    """Compare two frozen contents, line by line.

    Lines are the same line when maker and part number agree (the description, where a
    line has no part number); repeats of one part are paired in their order.
    """
    before, after = _keyed_lines(old), _keyed_lines(new)
    shared = [key for key in after if key in before]
    changed = (
        (_name(after[key]), _changes(before[key], after[key], new["currency"]))
        for key in shared
    )
    return Comparison(
        added=tuple(_told(after[key]) for key in after if key not in before),
        removed=tuple(_told(before[key]) for key in before if key not in after),
        changed=tuple((name, changes) for name, changes in changed if changes),
        conditions=_conditions(old, new),
        totals=tuple(_differences(old["totals"], new["totals"], TOTAL_FIELDS, new)),
    )


def _keyed_lines(content: Content) -> dict[Key, Content]:
    return pair_keys(
        _all_lines(content),
        lambda line: (line["maker"], line["mpn"] or line["description"]),
    )


def pair_keys(
    lines: Iterable[L], identity: Callable[[L], tuple[str, str]]
) -> dict[Key, L]:
    """Key lines by what they are, and the how many-th of that they are."""
    found: dict[Key, L] = {}
    count: Counter[tuple[str, str]] = Counter()
    for line in lines:
        name = identity(line)
        found[(*name, count[name])] = line
        count[name] += 1
    return found


def _all_lines(content: Content) -> Iterator[Content]:
    for section in content["sections"]:
        yield from section["lines"]
    yield from content["options"]


def _name(line: Content) -> str:
    return str(line["description"] or line["mpn"])


def _told(line: Content) -> str:
    return f"{line['quantity']} x {_name(line)}"


def _changes(old: Content, new: Content, currency: str) -> tuple[Change, ...]:
    return tuple(_differences(old, new, LINE_FIELDS, {"currency": currency}))


def _conditions(old: Content, new: Content) -> tuple[Change, ...]:
    changes = list(_differences(old, new, CONDITION_FIELDS, new))
    if old["terms"]["version"] != new["terms"]["version"]:
        changes.append(
            Change(
                what="Terms and conditions",
                old=old["terms"]["version"],
                new=new["terms"]["version"],
            )
        )
    return tuple(changes)


def _differences(
    old: Content, new: Content, fields: tuple[tuple[str, str], ...], frame: Content
) -> Iterator[Change]:
    for field, word in fields:
        before, after = _read(old, field), _read(new, field)
        if before != after:
            yield Change(
                what=word,
                old=_write(field, before, frame["currency"]),
                new=_write(field, after, frame["currency"]),
            )


def _read(values: Content, field: str) -> Any:
    """Return a value, "" for none: contents from before a field do not have it."""
    value = values.get(field, "")
    return "" if value is None or value == [] else value


def _write(field: str, value: Any, currency: str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if field == "discount" and not value:
        return "none"
    if field in _MONEY:
        return format_money(Decimal(value), currency) if value else "price on request"
    if field in _DATES and value:
        return f"{date.fromisoformat(value):%-d %b %Y}"
    if field == "discount_percent":
        return f"{value}%"
    if field == "range" and value:
        return f"{value['min']} to {value['max']} in steps of {value['step']}"
    if field == "breaks":
        prices = ((one["from"], Decimal(one["unit_price"])) for one in value)
        return ", ".join(f"from {low}: {price:,.4f}" for low, price in prices)
    return str(value).replace("_", " ")
