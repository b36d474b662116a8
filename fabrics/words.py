"""How pages name the engine's keys: systems, networks, units, options."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fabrics.engine import FabricSpec
from fabrics.engine.platforms import PLATFORMS


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkWords:
    """A scale-out network: its short name and one line that tells it apart."""

    name: str
    note: str
    kind: str = ""

    @property
    def full(self) -> str:
        return f"{self.name} {self.kind}".strip()


NETWORKS = {
    "quantum-x800": NetworkWords(
        name="Quantum-X800", kind="InfiniBand", note="XDR, 800 Gb/s a GPU"
    ),
    "quantum-2": NetworkWords(
        name="Quantum-2", kind="InfiniBand", note="NDR, 400 Gb/s a GPU"
    ),
    "spectrum-x": NetworkWords(
        name="Spectrum-X", kind="Ethernet", note="SN5600 switches, RoCE"
    ),
    "spectrum-2": NetworkWords(
        name="Spectrum-2", kind="Ethernet", note="SN3700 switches, 200 GbE"
    ),
    "direct": NetworkWords(
        name="Direct links", note="Two stations, port to port, no switch"
    ),
}
UNITS = {"gpus": "GPUs", "racks": "racks", "nodes": "nodes", "hosts": "hosts"}
DESIGNS = {
    "superpod": ("SuperPOD", "Whole scalable units, room to grow"),
    "enterprise": ("Enterprise", "Only the switches this size uses"),
    "pair": ("Pair", ""),
    "small": ("Small", ""),
}
OPTICS = {
    "fibre": "Optics and fibre",
    "single-mode": "Single-mode optics",
    "copper": "Copper, short runs",
}


def network_name(fabric: str) -> str:
    """Name a network, also one that an older engine knew."""
    words = NETWORKS.get(fabric)
    return words.name if words else fabric


def system_name(system: str) -> str:
    platform = PLATFORMS.get(system)
    return platform.name if platform else system


def size_words(spec: FabricSpec) -> str:
    """Say a size: "576 GPUs", or "32 hosts" where GPUs are not known."""
    if spec.gpus is None:
        return f"{spec.nodes:,} {'host' if spec.nodes == 1 else 'hosts'}"
    return f"{spec.gpus:,} {'GPU' if spec.gpus == 1 else 'GPUs'}"


def name_of(spec: FabricSpec) -> str:
    """Say a design in a few words: "576 GPUs, GB300 NVL72 on Quantum-X800"."""
    return joined_name(size_words(spec), spec.system, spec.fabric)


def joined_name(size: str, system: str, fabric: str) -> str:
    """Name a design by its size, system and network.

    >>> joined_name("40 hosts", "host-200g", "spectrum-2")
    '40 hosts with 200GbE on Spectrum-2'
    """
    network = "direct links" if fabric == "direct" else network_name(fabric)
    if system == "host-200g":
        return f"{size} with 200GbE on {network}"
    return f"{size}, {system_name(system)} on {network}"


_KEYS = {
    **{key: platform.name for key, platform in PLATFORMS.items()},
    **{key: words.name for key, words in NETWORKS.items() if key != "direct"},
    "gpus": "GPUs",
    "on direct": "on direct links",
}
_ANY_KEY = re.compile(
    r"(?<![\w-])(" + "|".join(re.escape(key) for key in _KEYS) + r")(?![\w-])"
)


def plain_words(message: str) -> str:
    """Turn the engine's line into a sentence for a page.

    >>> plain_words("gpus must be a whole number from 1 to 8 for dgx-b300")
    'GPUs must be a whole number from 1 to 8 for DGX B300.'
    """
    said = _ANY_KEY.sub(lambda found: _KEYS[found.group()], message)
    end = "" if said.endswith((".", "?", "!")) else "."
    return f"{said[:1].upper()}{said[1:]}{end}"
