"""What a sized design says, read from its frozen JSON: figures, checks, sources.

Nothing is sized here and no database is asked, so an old design reads as it was saved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from fabrics.chapters import LEAVES, OTHERS
from fabrics.engine import CHECK, NOTE, STOP
from fabrics.engine import sources as known_sources
from fabrics.engine.sources import Source
from fabrics.headline import (
    Figure,
    Result,
    SpeedBar,
    bandwidth,
    headline,
    plural,
    site,
    size_words,
    speeds,
    switch_count,
)
from fabrics.words import joined_name


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRef:
    number: int
    text: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckLine:
    message: str
    source: SourceRef | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckGroup:
    """Checks of one level. `colour` is a tag's and a callout's; the title says it."""

    level: str
    title: str
    colour: str
    lines: list[CheckLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkRow:
    name: str
    switches: str
    links: str
    working: str
    source: SourceRef | None
    rule: str = OTHERS


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignView:
    """A design as the pages tell it."""

    name: str
    headline: list[Figure]
    verdict: str
    verdict_colour: str
    groups: list[CheckGroup]
    networks: list[NetworkRow]
    speeds: list[SpeedBar]
    bandwidth: list[Figure]
    site: list[Figure]
    not_known: list[str]
    explain: list[str]
    sources: list[SourceRef]
    status: str
    is_buildable: bool


class Sources:
    """Numbers the documents of a design in the order they are first cited."""

    def __init__(self) -> None:
        self.refs: dict[str, SourceRef] = {}

    def cite(self, text: str) -> SourceRef | None:
        if not text:
            return None
        if text not in self.refs:
            self.refs[text] = SourceRef(
                number=len(self.refs) + 1, text=text, url=_url_of(text)
            )
        return self.refs[text]


def _url_of(text: str) -> str:
    """A document's public address; our own arithmetic is on the page of rules."""
    if text == str(known_sources.ARITHMETIC):
        return reverse("fabrics:rules")
    return _URLS.get(text, "")


_URLS = {
    str(source): source.url
    for source in vars(known_sources).values()
    if isinstance(source, Source)
}


def read_design(result: Result) -> DesignView:
    """Read a frozen design for a page; its parts cite the same source numbers."""
    cites = Sources()
    for line in result["bom"]:
        cites.cite(line["source"])
    groups = list(_groups(result, cites))
    verdict, colour = _verdict(result)
    figures = list(headline(result))
    return DesignView(
        name=design_name(result),
        headline=figures,
        verdict=verdict,
        verdict_colour=colour,
        groups=groups,
        networks=list(_networks(result, cites)),
        speeds=speeds(result["bandwidth"]),
        bandwidth=list(bandwidth(result)),
        site=list(site(result)),
        not_known=list(result.get("not_known", [])),
        explain=list(result.get("explain", [])),
        sources=list(cites.refs.values()),
        status=f"{size_words(result)}, {plural(switch_count(result), 'switch')}.",
        is_buildable=colour != "bad",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLine:
    """A line of the frozen parts list with the number of its document."""

    section: str
    number: str
    description: str
    quantity: int
    because: str
    source: SourceRef | None


def part_lines(result: Result) -> list[PartLine]:
    """The parts list as it was frozen; it cites the numbers of `read_design`."""
    cites = Sources()
    return [
        PartLine(
            section=line["section"],
            number=line["opn"] or line["part"],
            description=line["description"],
            quantity=line["quantity"],
            because=line["because"],
            source=cites.cite(line["source"]),
        )
        for line in result["bom"]
    ]


def design_name(result: Result) -> str:
    spec = result["spec"]
    return joined_name(size_words(result), spec["system"], spec["fabric"])


def _verdict(result: Result) -> tuple[str, str]:
    """One sentence on the whole, and the colour of it."""
    stops = [c["message"] for c in result["checks"] if c["level"] == STOP]
    if stops:
        return f"Cannot be built as asked: {stops[0].rstrip('.')}.", "bad"
    compute = result["compute"]
    if not compute["leaf"]:
        return "No switch is needed: the ports join each other.", "ok"
    if not compute["spine"]:
        joined = compute["leaf_leaf_cables"]
        leaves = "Two joined leaves carry" if joined else "One leaf a plane carries"
        return f"Non-blocking. {leaves} every link: no spine is needed.", "ok"
    ports = f"Each leaf has {compute['down']} ports down and {compute['up']} up."
    if compute["up"] >= compute["down"]:
        return f"Non-blocking. {ports}", "ok"
    ratio = result["spec"]["oversubscription"]
    return f"Oversubscribed {ratio}:1. {ports}", "warn"


_LEVELS = (
    (STOP, "Cannot be built", "bad"),
    (CHECK, "To confirm", "warn"),
    (NOTE, "Good to know", "info"),
)


def _groups(result: Result, cites: Sources) -> Iterator[CheckGroup]:
    """Stop, Check, Note, those that say something; equal lines once."""
    for level, title, colour in _LEVELS:
        lines = {
            check["message"]: CheckLine(
                message=check["message"], source=cites.cite(check["source"])
            )
            for check in result["checks"]
            if check["level"] == level
        }
        if lines:
            yield CheckGroup(
                level=level, title=title, colour=colour, lines=list(lines.values())
            )


_NETWORKS = (
    ("compute", "Scale-out"),
    ("storage", "Storage"),
    ("front_end", "Front end"),
    ("out_of_band", "Out of band"),
)


def _networks(result: Result, cites: Sources) -> Iterator[NetworkRow]:
    for key, name in _NETWORKS:
        network = result.get(key)
        if network:
            yield NetworkRow(
                name=name,
                switches=_switches(network),
                links=_links(key, network),
                working=_working(key, network, result),
                source=cites.cite(network.get("source", "")),
                rule=LEAVES if key == "compute" else OTHERS,
            )
    management = result.get("management")
    if management and any(management[key] for key in ("ufm", "nmx_m", "netq")):
        yield NetworkRow(
            name="Management",
            switches=", ".join(_managers(management)),
            links="",
            working=management["working"],
            source=cites.cite(management["source"]),
        )


def _switches(network: Mapping[str, Any]) -> str:
    kinds = (("leaf", "leaf"), ("spine", "spine"), ("core", "core"))
    counts = [f"{network[key]:,} {word}" for key, word in kinds if network.get(key)]
    if not counts:
        return "Shares the front end" if network.get("shared") else "None"
    if network.get("demand_rj45") is not None or "uplinks_100g" in network:
        counts = [f"{network['leaf']:,}"]
    return f"{network['switch']}: {' + '.join(counts)}"


def _links(key: str, network: Mapping[str, Any]) -> str:
    speed = f" x {network['link_gbps']}G" if network.get("link_gbps") else ""
    if key == "out_of_band":
        return f"{network['uplinks_100g']:,} uplinks of 100G"
    node = network.get("node_leaf_cables", 0)
    inner = sum(
        network.get(f"{name}_cables", 0)
        for name in ("leaf_spine", "spine_core", "leaf_leaf")
    )
    if key == "compute" and network.get("links_400g"):
        links = network["links_400g"]
        node = links["node_leaf"]
        inner = sum(links.values()) - node
    if not node and not inner:
        return ""
    if not network.get("leaf"):
        return f"{node:,} direct{speed}"
    said = f"{node:,} to nodes"
    return f"{said}, {inner:,} between switches{speed}" if inner else f"{said}{speed}"


def _working(key: str, network: Mapping[str, Any], result: Result) -> str:
    if key == "compute":
        planes = network["planes"]
        if not network["tiers"]:
            return "port to port"
        tiers = plural(network["tiers"], "tier")
        rails = plural(network["rails"], "rail")
        return f"{tiers}, {rails}" + (f", {planes} planes" if planes > 1 else "")
    if key == "storage":
        speeds = (network.get("read_gb_per_s"), network.get("write_gb_per_s"))
        if None not in speeds:
            return f"{speeds[0]:,g} GB/s read, {speeds[1]:,g} GB/s write"
    return str(network.get("working", ""))


def _managers(management: Mapping[str, Any]) -> Iterator[str]:
    for key, word in (("ufm", "UFM"), ("nmx_m", "NMX-M"), ("netq", "NetQ")):
        if management[key]:
            yield f"{management[key]} {word}"
