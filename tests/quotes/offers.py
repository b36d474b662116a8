"""Frozen contents for tests, made of lines without a database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from quotes.content import write_sums
from quotes.pricing import Kind, Tax, add_up, line_net


@dataclass(frozen=True, kw_only=True)
class Offered:
    """A line as it is offered; all numbers are written as in the content."""

    kind: str = Kind.STANDARD
    unit_price: Any = "100.0000"
    quantity: Any = "1"
    discount: str = "0"
    tax: str = Tax.STANDARD
    choice: str = ""
    limits: tuple[str, str, str] | None = None
    breaks: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        price = Decimal(self.unit_price) if self.unit_price else None
        object.__setattr__(self, "unit_price", price)
        object.__setattr__(self, "quantity", Decimal(self.quantity))

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> Offered:
        return cls(
            unit_price=entry["unit_price"],
            quantity=entry["quantity"],
            discount=entry["discount_percent"],
            tax=entry["tax"],
        )

    @property
    def discount_percent(self) -> Decimal:
        return Decimal(self.discount)

    def entry(self, number: int) -> dict[str, Any]:
        net = line_net(self)
        names = ("min", "max", "step")
        return {
            "number": number,
            "kind": str(self.kind),
            "description": f"Thing {number}",
            "maker": "",
            "mpn": f"PART-{number}",
            "quantity": str(self.quantity),
            "unit": "pc",
            "unit_price": "" if self.unit_price is None else str(self.unit_price),
            "discount_percent": self.discount,
            "net": "" if net is None else str(net),
            "tax": str(self.tax),
            "choice": self.choice,
            "range": dict(zip(names, self.limits, strict=True))
            if self.limits
            else None,
            "breaks": [
                {"from": low, "unit_price": price} for low, price in self.breaks
            ],
        }


def content_of_lines(*lines: Offered, rounding: str = "0.00") -> dict[str, Any]:
    """Return the parts of a content that a choice is made from, at 9% GST."""
    entries = [line.entry(number) for number, line in enumerate(lines, start=1)]
    counted = [line for line in lines if line.kind == Kind.STANDARD]
    if Decimal(rounding):
        counted.append(Offered(kind=Kind.ROUNDING, unit_price=rounding))
    sums = add_up(counted, gst_percent=Decimal(9))
    groups: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        if entry["choice"]:
            groups.setdefault(entry["choice"], []).append(entry)
    standing = [entry for entry in entries if entry["kind"] == Kind.STANDARD]
    return {
        "currency": "SGD",
        "gst_percent": "9",
        "sections": [{"title": "", "lines": standing, "net": str(sums.totals.net)}],
        "options": [entry for entry in entries if entry not in standing],
        "choices": [
            {
                "name": name,
                "default": next(e["number"] for e in group if e in standing),
                "lines": [entry["number"] for entry in group],
            }
            for name, group in groups.items()
        ],
        "totals": write_sums(sums),
    }
