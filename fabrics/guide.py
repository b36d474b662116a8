"""The guide's facts: claims with their sources, numbered as the guide lists them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FILE = Path(__file__).parent / "data" / "guide.json"


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


@cache
def claims() -> dict[str, Claim]:
    """Every claim by its key; the numbers are those of the list of sources."""
    rows = json.loads(_FILE.read_text(encoding="utf-8"))["claims"]
    return {
        row["key"]: Claim(**row, number=number)
        for number, row in enumerate(rows, start=1)
    }
