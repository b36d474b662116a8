"""A row of the cabling list."""

from __future__ import annotations

from typing import NamedTuple

# Networks as the list names them, in its order.
SCALE_OUT = "Scale-out"
STORAGE = "Storage"
FRONT_END = "Front end"
OUT_OF_BAND = "Out of band"
NETWORKS = (SCALE_OUT, STORAGE, FRONT_END, OUT_OF_BAND)

NODE_LEAF = "node to leaf"
LEAF_SPINE = "leaf to spine"
SPINE_CORE = "spine to core"
SPINE_SPINE = "spine to spine"
LEAF_LEAF = "leaf to leaf"
UFM_LEAF = "UFM to leaf"
APPLIANCE_LEAF = "appliance to leaf"
SERVER_LEAF = "server to leaf"
DIRECT = "direct"
MANAGEMENT = "management port"
UPLINK = "uplink"


class Cable(NamedTuple):
    """One link. `a` is the end nearer to the GPUs; a module is "" on a fixed cable.

    Links that share one cable share its label up to the slash: "NL0000001/2".
    """

    network: str
    label: str
    kind: str
    a_rack: str
    a_device: str
    a_port: str
    a_module: str
    b_rack: str
    b_device: str
    b_port: str
    b_module: str
    metres: str
    part: str


CABLE_HEADINGS = (
    "Network",
    "Label",
    "Link",
    "Rack A",
    "Device A",
    "Port A",
    "Module A",
    "Rack B",
    "Device B",
    "Port B",
    "Module B",
    "Metres",
    "Part",
)
