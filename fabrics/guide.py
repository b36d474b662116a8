"""The guide's facts: claims with their sources, and the table that rests on them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parent / "data" / "guide.json"
TABLE_HEADINGS = ("Fact", "NVLink 5 (scale-up)", "Quantum-X800 InfiniBand (scale-out)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One fact. `vendor_claim` is shown as the vendor's word, not as ours."""

    key: str
    subject: str
    value: str
    source: str
    date: str
    vendor_claim: bool
    number: int

    @property
    def origin(self) -> str:
        """The source and its date, or that it states none."""
        return f"{self.source}, {self.date or 'no date given'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What one network does, and the claims that say so."""

    words: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One row of the table: a fact about both networks."""

    fact: str
    nvlink: Cell
    infiniband: Cell

    @property
    def sources(self) -> tuple[Claim, ...]:
        """The claims of both cells, each once."""
        return tuple(dict.fromkeys((*self.nvlink.claims, *self.infiniband.claims)))


@cache
def claims() -> dict[str, Claim]:
    """Every claim by its key; the numbers are those of the list of sources."""
    rows = _read()["claims"]
    return {
        row["key"]: Claim(**row, number=number)
        for number, row in enumerate(rows, start=1)
    }


@cache
def comparison() -> tuple[Comparison, ...]:
    """NVLink and InfiniBand side by side."""
    return tuple(
        Comparison(
            fact=row["fact"],
            nvlink=_cell(row["nvlink"]),
            infiniband=_cell(row["infiniband"]),
        )
        for row in _read()["comparison"]
    )


def comparison_rows() -> Iterator[tuple[str, str, str, str]]:
    """The table as data: both cells, and where they come from, as text."""
    for row in comparison():
        origins = "; ".join(_told(claim) for claim in row.sources)
        yield row.fact, row.nvlink.words, row.infiniband.words, origins


def _told(claim: Claim) -> str:
    mark = " (vendor's claim)" if claim.vendor_claim else ""
    return f"{claim.origin}{mark}"


def _cell(cell: dict[str, Any]) -> Cell:
    return Cell(
        words=cell["words"], claims=tuple(claims()[key] for key in cell["claims"])
    )


def _read() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    return read
