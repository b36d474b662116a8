"""One thing to buy, and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass

from fabrics.engine.sources import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Something to buy. `opn` is the maker's ordering number where one is known.

    A module has a `medium`, so many `links` of `link_gbps`, and the `shape` of the
    cage it fits; a fibre has a medium and a shape, straight or splitter.
    """

    key: str
    opn: str
    description: str
    source: Source
    maker: str = "NVIDIA"
    ports: int = 0
    port_gbps: int = 0
    rack_units: int | None = None
    watts: int | None = None
    weight_kg: float | None = None
    reach_m: float | None = None
    medium: str = ""
    links: int = 0
    link_gbps: int = 0
    shape: str = ""
    doubt: str = ""


def table(*parts: Part) -> dict[str, Part]:
    """The parts by their key."""
    return {part.key: part for part in parts}
