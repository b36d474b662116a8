"""A frozen fabric design as the rows of an annex. No database, nothing sized anew."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.safestring import mark_safe

from fabrics.drawing import in_print
from fabrics.words import network_name, system_name

Content = dict[str, Any]

NETWORKS = (
    ("compute", "Scale-out"),
    ("storage", "Storage"),
    ("front_end", "Front end"),
    ("out_of_band", "Out of band"),
)
SPEC_WORDS = (
    ("gpus", "GPUs", ""),
    ("racks", "Racks of systems", ""),
    ("nodes", "Nodes", ""),
    ("oversubscription", "Oversubscription at the leaf", ":1"),
    ("storage_tier", "Storage tier", ""),
    ("cable_metres", "Cable run", " m"),
    ("optics", "Optics", ""),
    ("spares_percent", "Spare modules and cables", "%"),
    ("racks_per_row", "Racks a row on the floor", ""),
    ("rack_pitch", "From rack to rack", " m"),
    ("row_pitch", "From row to row", " m"),
    ("tray_height", "Cable tray over the racks", " m"),
    ("cable_slack", "Slack a link", " m"),
)


def annex_of(design: Content) -> Content:
    """Return what the annex of one design shows."""
    result = design["result"]
    sources = [item["source"] for item in (*result["bom"], *result["checks"])]
    return {
        **design,
        "asked": list(_asked(result["spec"])),
        "figures": list(_figures(result)),
        "networks": list(_networks(result)),
        # Kept with the version. Our own SVG: its texts were escaped when drawn.
        "drawing": mark_safe(in_print(design.get("drawing", ""))),
        "sources": list(dict.fromkeys(sources)),
    }


def _asked(spec: Content) -> Iterator[Content]:
    asked = f"{system_name(spec['system'])} on {network_name(spec['fabric'])}"
    yield {"name": "System and fabric", "value": asked}
    for field, name, unit in SPEC_WORDS:
        value = spec.get(field)
        if value not in (None, "", 0):
            yield {"name": name, "value": f"{_count(value)}{unit}"}


def _figures(result: Content) -> Iterator[Content]:
    compute, bandwidth = result["compute"], result["bandwidth"]
    switches = compute["leaf"] + compute["spine"] + compute["core"]
    if compute["gpus"]:
        yield {"name": "GPUs", "value": _count(compute["gpus"])}
    yield {"name": "Scale-out switches", "value": _count(switches)}
    links = compute["node_leaf_cables"] + compute["leaf_spine_cables"]
    links += compute["spine_core_cables"] + compute["leaf_leaf_cables"]
    yield {"name": "Scale-out cables a plane", "value": _count(links)}
    bisection = f"{bandwidth['bisection_tb_per_s']:,} TB/s"
    yield {"name": "Bisection, each way", "value": bisection}
    yield {"name": "Power, what is known", "value": f"{result['power_kw']:,.1f} kW"}
    yield {"name": "Rack units", "value": _count(result["rack_units"])}


def _networks(result: Content) -> Iterator[Content]:
    for key, name in NETWORKS:
        network = result.get(key)
        if not network or network.get("shared"):
            continue
        switch_links = sum(
            network.get(f"{pair}_cables", 0)
            for pair in ("leaf_spine", "spine_core", "leaf_leaf")
        )
        link = network.get("link_gbps", 0)
        yield {
            "name": name,
            "switch": network["switch"],
            "leaf": _count(network["leaf"]),
            "spine": _count(network["spine"]),
            "core": _count(network.get("core", 0)),
            "link": f"{link}G" if link else "",
            # Out of band, the links are the RJ45 ports asked for and 100G uplinks.
            "node_links": _count(
                network["node_leaf_cables"] or network.get("demand_rj45", 0)
            ),
            "switch_links": _count(switch_links or network.get("uplinks_100g", 0)),
        }


def _count(value: Any) -> str:
    """Write a count; "" where it is not known."""
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else str(value)
