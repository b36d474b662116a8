"""The platform profiles: for a system, fabric and design, the numbers the rules read.

To add a platform, add it to `platforms.py` and its row here; the rules stay as they
are. `down` and `up` are ports of one leaf in one plane, `su_nodes` the nodes of one
scalable unit.
"""

from __future__ import annotations

from dataclasses import dataclass

from fabrics.engine import sources as src
from fabrics.engine.sources import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class OpticSet:
    """Modules and fibre of one kind of link.

    `nic_links` is how many links one module in the node carries. A switch module is
    always a twin: two links.
    """

    name: str
    switch_module: str
    nic_module: str
    fibre: str
    nic_links: int
    ufm_module: str = ""
    ufm_fibre: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CableSet:
    """A cable with its ends fixed on: a copper splitter from a switch cage to two
    NICs and a twin from cage to cage, or an active optical cable of one link.
    """

    name: str
    node_cable: str
    switch_cables: tuple[str, ...]
    links: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One row of the table in docs/fabric-rules.md."""

    system: str
    fabric: str
    design: str
    rails: int
    link_gbps: int
    switch: str
    radix: int
    down: int
    up: int
    su_nodes: int
    source: Source
    planes: int = 1
    buys_full_su: bool = True
    least_spines: int = 1
    ufm_positions: int = 0
    ufm_links: int = 0
    pair_nodes: int = 0
    rail_pods: bool = False
    spine_down: int = 0
    tested_endpoints: int = 0
    two_tier_units: int = 0
    optics: tuple[OpticSet | CableSet, ...] = ()
    front_end: str = ""
    pattern: str = ""
    adapters: tuple[tuple[str, int], ...] = ()

    @property
    def pod_spine_down(self) -> int:
        """Ports down of a spine in three tiers: half, unless the document says."""
        return self.spine_down or self.radix // 2


XDR = OpticSet(
    name="fibre",
    switch_module="MMS4A00",
    nic_module="MMS4A20",
    fibre="MFP7E30",
    nic_links=1,
)
XDR_COPPER = CableSet(name="copper", node_cable="MCA7K10", switch_cables=("MCA4K50",))
STATION_PAIR = OpticSet(
    name="fibre",
    switch_module="",
    nic_module="MMA1Z00-NS400",
    fibre="MFP7E10",
    nic_links=1,
)
AOC_200G = CableSet(
    name="fibre", node_cable="AOC-200G", switch_cables=("AOC-200G",), links=1
)
NDR_COPPER = CableSet(
    name="copper", node_cable="MCP7Y00", switch_cables=("MCP4Y10", "MCA4J80")
)


def _ndr(nic_links: int) -> tuple[OpticSet | CableSet, ...]:
    """NDR optics: multimode as published, single-mode for longer runs, copper.

    A copper splitter ends in two NICs of one rail, so it needs a cage for each NIC:
    the twin cages of a DGX node would put two rails on one leaf.
    """
    multimode = {2: "MMA4Z00-NS-FLT", 1: "MMA4Z00-NS400"}
    single_mode = {2: "MMS4X00-NM-FLT", 1: "MMS4X00-NS400"}
    fibres = (
        OpticSet(
            name="fibre",
            switch_module="MMA4Z00-NS",
            nic_module=multimode[nic_links],
            fibre="MFP7E10",
            nic_links=nic_links,
            ufm_module="MMA4Z00-NS400",
            ufm_fibre="MFP7E20",
        ),
        OpticSet(
            name="single-mode",
            switch_module="MMS4X00-NM",
            nic_module=single_mode[nic_links],
            fibre="MFP7E30",
            nic_links=nic_links,
            ufm_module="MMS4X00-NS400",
            ufm_fibre="MFP7E40",
        ),
    )
    return fibres if nic_links == 2 else (*fibres, NDR_COPPER)


def _ethernet(nic: str, nic_links: int) -> OpticSet:
    """Spectrum-4 optics at 400G: 100 m to a NIC, 500 m between switches."""
    return OpticSet(
        name="fibre",
        switch_module="MMS4X00-NM",
        nic_module=nic,
        fibre="MFP7E30",
        nic_links=nic_links,
    )


_TWIN_NIC = (_ethernet("MMS4X00-NM-FLT", 2),)
_SINGLE_NIC = (_ethernet("MMS1X00-NS400", 1),)


def _xdr_superpod(system: str, source: Source) -> Profile:
    return Profile(
        system=system,
        fabric="quantum-x800",
        design="superpod",
        rails=8,
        link_gbps=800,
        switch="Q3400-RA",
        radix=144,
        down=72,
        up=72,
        su_nodes=72,
        source=source,
        optics=(XDR, XDR_COPPER),
        front_end="converged-53",
    )


def _ndr_superpod(
    system: str, source: Source, nic_links: int, ufm: int, front_end: str
) -> Profile:
    return Profile(
        system=system,
        fabric="quantum-2",
        design="superpod",
        rails=8,
        link_gbps=400,
        switch="QM9700",
        radix=64,
        down=32,
        up=32,
        su_nodes=32,
        source=source,
        ufm_positions=1 if ufm else 0,
        ufm_links=ufm,
        optics=_ndr(nic_links),
        front_end=front_end,
    )


def _enterprise(
    system: str,
    planes: int,
    optics: tuple[OpticSet | CableSet, ...],
    pattern: str,
    adapters: tuple[tuple[str, int], ...] = (),
) -> Profile:
    return Profile(
        system=system,
        fabric="spectrum-x",
        design="enterprise",
        rails=8,
        planes=planes,
        link_gbps=400,
        switch="SN5600",
        radix=128,
        down=64,
        up=64,
        su_nodes=4,
        source=src.HGX_ENTERPRISE,
        buys_full_su=False,
        least_spines=2,
        pair_nodes=16,
        optics=optics,
        front_end="enterprise",
        pattern=pattern,
        adapters=adapters,
    )


def _small(system: str, source: Source) -> Profile:
    return Profile(
        system=system,
        fabric="spectrum-2",
        design="small",
        rails=1,
        link_gbps=200,
        switch="SN3700",
        radix=32,
        down=16,
        up=16,
        su_nodes=1,
        source=source,
        buys_full_su=False,
        optics=(AOC_200G,),
    )


PROFILES: tuple[Profile, ...] = (
    Profile(
        system="gb300-nvl72",
        fabric="quantum-x800",
        design="superpod",
        rails=4,
        link_gbps=800,
        switch="Q3400-RD",
        radix=144,
        down=72,
        up=72,
        su_nodes=144,
        source=src.GB300_SUPERPOD,
        optics=(XDR, XDR_COPPER),
        front_end="converged-53",
    ),
    Profile(
        system="gb300-nvl72",
        fabric="spectrum-x",
        design="enterprise",
        rails=4,
        planes=2,
        link_gbps=400,
        switch="SN5600",
        radix=128,
        down=36,
        up=36,
        su_nodes=18,
        source=src.NVL72_ENTERPRISE,
        buys_full_su=False,
        least_spines=2,
        tested_endpoints=1024,
        optics=_TWIN_NIC,
        front_end="enterprise",
        pattern="2-4-5-800",
    ),
    Profile(
        system="gb200-nvl72",
        fabric="quantum-2",
        design="superpod",
        rails=4,
        link_gbps=400,
        switch="QM9700",
        radix=64,
        down=18,
        up=18,
        su_nodes=144,
        source=src.GB200_SUPERPOD,
        rail_pods=True,
        spine_down=24,
        two_tier_units=1,
        optics=_ndr(1),
        front_end="converged-53",
    ),
    _xdr_superpod("dgx-b300", src.B300_XDR_SUPERPOD),
    Profile(
        system="dgx-b300",
        fabric="spectrum-x",
        design="superpod",
        rails=8,
        planes=2,
        link_gbps=400,
        switch="SN5600",
        radix=128,
        down=64,
        up=64,
        su_nodes=64,
        source=src.B300_SPECTRUM_SUPERPOD,
        optics=_TWIN_NIC,
        front_end="converged-53",
    ),
    _enterprise("dgx-b300", 2, _TWIN_NIC, "2-8-9-800"),
    _ndr_superpod("dgx-b200", src.B200_SUPERPOD, 2, 0, "in-band-sn5600"),
    _enterprise("dgx-b200", 1, _TWIN_NIC, "2-8-9-400"),
    _ndr_superpod("dgx-h200", src.H100_SUPERPOD, 2, 4, "in-band-sn4600c"),
    _enterprise("dgx-h200", 1, _TWIN_NIC, "2-8-9-400"),
    _ndr_superpod("dgx-h100", src.H100_SUPERPOD, 2, 4, "in-band-sn4600c"),
    _ndr_superpod("sr680a-v3-b200", src.B200_SUPERPOD, 1, 0, "in-band-sn5600"),
    _enterprise(
        "sr680a-v3-b200", 1, _SINGLE_NIC, "2-8-9-400", (("B3140H", 8), ("B3220", 1))
    ),
    _xdr_superpod("dgx-rubin-nvl8", src.RUBIN_SUPERPOD),
    Profile(
        system="dgx-station-gb300",
        fabric="direct",
        design="pair",
        rails=2,
        link_gbps=400,
        switch="",
        radix=0,
        down=0,
        up=0,
        su_nodes=2,
        source=src.STATION_PAGE,
        buys_full_su=False,
        optics=(STATION_PAIR,),
    ),
    _small("dgx-station-gb300", src.STATION_PAGE),
    _small("host-200g", src.SN3700_NOTES),
)


def profiles_of(system: str, fabric: str) -> list[Profile]:
    """The profiles of a pair, its default design first."""
    return [p for p in PROFILES if p.system == system and p.fabric == fabric]


def find_profile(system: str, fabric: str, design: str) -> Profile:
    """The profile of a triple that a FabricSpec has already been checked for."""
    return next(p for p in profiles_of(system, fabric) if p.design == design)


def pairs() -> list[str]:
    """Every pair that exists, as `system/fabric`, in the table's order.

    >>> pairs()[:2]
    ['gb300-nvl72/quantum-x800', 'gb300-nvl72/spectrum-x']
    """
    return list(dict.fromkeys(f"{p.system}/{p.fabric}" for p in PROFILES))
