"""Transceivers, cables and fibres of the scale-out network, and how far they reach."""

from __future__ import annotations

from decimal import Decimal

from fabrics.engine import sources as src
from fabrics.engine.bom import OPTICS, line
from fabrics.engine.compatibility import pair_reach
from fabrics.engine.design import CHECK, STOP, BomLine, Check, Compute
from fabrics.engine.names import plain
from fabrics.engine.parts import PARTS
from fabrics.engine.profiles import CableSet, OpticSet
from fabrics.engine.spec import FabricSpec
from fabrics.engine.topology import FatTree, ceil_div

# Lengths in metres that each cable is listed in; a run takes the next longer one.
STOCK_METRES: dict[str, tuple[str, ...]] = {
    "MFP7E10": ("3", "5", "7", "10", "15", "20", "30", "50"),
    "MFP7E20": ("3", "5", "10", "20", "30"),
    "MFP7E30": ("3", "5", "30", "50"),
    "MCA7K10": ("1", "1.5", "2"),
    "MCA4K50": ("1", "1.5", "2", "2.5", "3"),
    "MCP7Y00": ("1", "1.5", "2", "2.5", "3"),
    "MCP4Y10": ("0.5", "1", "1.5", "2"),
    "MCA4J80": ("3", "4", "5"),
    "AOC-200G": ("30",),
    "AOC-100G": ("30",),
    "MFA7U10": ("30",),
}
_OPNS: dict[str, tuple[str, ...]] = {
    "MCA7K10": ("980-9IAO5-00X001", "980-9IAO5-00X01A", "980-9IAO5-00X002"),
    "MCA4K50": (
        "980-9IAM5-00X001",
        "980-9IAM5-00X01A",
        "980-9IAM3-00X002",
        "980-9IAM3-00X02A",
        "980-9IAM3-00X003",
    ),
    "MCP7Y00": (
        "980-9I432-00N001",
        "980-9I926-00N01A",
        "980-9I924-00N002",
        "980-9I92O-00N02A",
        "980-9I92N-00N003",
    ),
    "MCP4Y10": (
        "980-9IA0K-00N00A",
        "980-9IA0F-00N001",
        "980-9IA0Q-00N01A",
        "980-9IA0I-00N002",
    ),
    "MCA4J80": ("980-9I60Z-00N003", "980-9I601-00N004", "980-9I602-00N005"),
}


def chosen_optics(spec: FabricSpec) -> OpticSet | CableSet:
    """The kind of link the spec asks for, of those the profile allows."""
    return next(o for o in spec.profile.optics if o.name == spec.optics)


def stock_length(part: str, metres: Decimal) -> tuple[str, str]:
    """The next listed length and its ordering number, or "" for one made to order.

    >>> stock_length("MFP7E30", Decimal(12))
    ('30', 'MFP7E30-N030')
    >>> stock_length("MFP7E30", Decimal(80))
    ('', '')
    """
    for place, length in enumerate(STOCK_METRES.get(part, ())):
        if metres <= Decimal(length):
            opns = _OPNS.get(part)
            if opns:
                return length, opns[place]
            return length, _length_opn(part, length)
    return "", ""


def run_length(part: str, metres: Decimal) -> str:
    """The length a cable is bought in, or the run itself when made to order."""
    return stock_length(part, metres)[0] or plain(metres)


def _length_opn(part: str, length: str) -> str:
    """Fibre is ordered as `MFP7E30-N030`; an optical cable by its own number."""
    known = PARTS[part].opn
    return f"{part}-N{int(length):03d}" if known == part else known


def optics_lines(spec: FabricSpec, compute: Compute) -> list[BomLine]:
    """Modules and cables of every scale-out link, the UFM's included."""
    optics = chosen_optics(spec)
    if compute.tree is None:
        return _pair_lines(spec, optics, compute)
    if isinstance(optics, CableSet):
        return _cable_lines(spec, optics, compute, compute.tree)
    return _fibre_lines(spec, optics, compute, compute.tree)


def leaf_ends(spec: FabricSpec, compute: Compute, tree: FatTree) -> int:
    """Twin modules, or splitters, for the used node side of all leaves and planes.

    Every leaf of a rail is full but the last, which holds what is left.
    """
    if tree.peer_links or compute.rails == 1:
        links = spec.nodes * spec.ports_per_node
        low, more = divmod(links, tree.leaves)
        fuller = more * ceil_div(low + 1, 2)
        return compute.planes * (fuller + (tree.leaves - more) * ceil_div(low, 2))
    full, rest = divmod(spec.nodes, tree.down)
    ends = full * ceil_div(tree.down, 2) + ceil_div(rest, 2)
    return compute.planes * compute.rails * ends


def _switch_ends(tree: FatTree) -> int:
    """Twin modules at both ends of the links between switches, in one plane."""
    if tree.peer_links:
        return 2 * ceil_div(tree.peer_links, 2)
    if not tree.spines:
        return 0
    per_spine = ceil_div(tree.leaf_spine_links, tree.spines)
    ends = tree.leaves * ceil_div(tree.up, 2) + tree.spines * ceil_div(per_spine, 2)
    if tree.cores:
        per_core = ceil_div(tree.spine_core_links, tree.cores)
        ends += tree.spines * ceil_div(tree.spine_up, 2)
        ends += tree.cores * ceil_div(per_core, 2)
    return ends


def _fibre_lines(
    spec: FabricSpec, optics: OpticSet, compute: Compute, tree: FatTree
) -> list[BomLine]:
    node_ends, why = node_side(spec, compute, tree)
    between = _switch_ends(tree) * compute.planes
    per_node = ceil_div(spec.ports_per_node * compute.planes, optics.nic_links)
    switch_links = (
        compute.leaf_spine_links + compute.spine_core_links + compute.peer_links
    )
    lines = [
        line(
            OPTICS,
            optics.switch_module,
            node_ends + between,
            f"{why}, and {between:,} for links between switches",
            src.CABLE_MANUAL,
        ),
        line(
            OPTICS,
            optics.nic_module,
            per_node * spec.nodes,
            f"{spec.nodes:,} x {per_node} a {spec.platform.node_word}",
            src.CABLE_MANUAL,
        ),
        cable_line(
            optics.fibre,
            compute.node_links + switch_links,
            f"one a link: {compute.node_links:,} to nodes and "
            f"{switch_links:,} between switches",
            spec.cable_metres,
        ),
    ]
    return lines + _ufm_lines(spec, optics, compute)


def node_side(spec: FabricSpec, compute: Compute, tree: FatTree) -> tuple[int, str]:
    """Leaf modules towards nodes: every cage of a SuperPOD unit, else what is used."""
    if spec.profile.buys_full_su:
        count = compute.leaf * ceil_div(tree.down, 2)
        each = ceil_div(tree.down, 2)
        return count, f"{compute.leaf:,} leaf x {each} cages down, all filled"
    count = leaf_ends(spec, compute, tree)
    return count, f"{count:,} leaf cages used, two links each"


def _ufm_lines(spec: FabricSpec, optics: OpticSet, compute: Compute) -> list[BomLine]:
    """UFM's own links: a module each, and a splitter fibre for two."""
    links = compute.ufm_links
    if not links:
        return []
    why = f"{links} links from UFM to leaf ports"
    return [
        line(OPTICS, optics.ufm_module, links, why, src.H100_SUPERPOD),
        cable_line(optics.ufm_fibre, ceil_div(links, 2), why, spec.cable_metres),
    ]


def _cable_lines(
    spec: FabricSpec, cables: CableSet, compute: Compute, tree: FatTree
) -> list[BomLine]:
    """Copper or optical cables with fixed ends: a twin carries two links."""
    nodes = compute.node_links
    if cables.links == 2:
        nodes = leaf_ends(spec, compute, tree)
    between = _switch_cables(tree, cables.links) * compute.planes
    part = switch_cable(cables, spec.cable_metres)
    if part == cables.node_cable:
        why = f"one a link: {nodes:,} to nodes and {between:,} between switches"
        return [cable_line(part, nodes + between, why, spec.cable_metres)]
    lines = [
        cable_line(
            cables.node_cable,
            nodes,
            f"{compute.node_links:,} node links, {cables.links} a cable",
            spec.cable_metres,
        )
    ]
    if between:
        why = f"links between switches, {cables.links} a cable"
        lines.append(cable_line(part, between, why, spec.cable_metres))
    return lines


def switch_cable(cables: CableSet, metres: Decimal) -> str:
    """The first cable between switches that is long enough, else the longest."""
    for part in cables.switch_cables:
        if metres <= Decimal(STOCK_METRES[part][-1]):
            return part
    return cables.switch_cables[-1]


def _switch_cables(tree: FatTree, links: int) -> int:
    """Cables between switches of one plane: whole cables for every pair of switches."""
    if not tree.spines:
        return ceil_div(tree.peer_links, links)
    pairs = tree.leaves * tree.spines_per_pod
    count = pairs * ceil_div(tree.links_per_pair, links)
    return count + ceil_div(tree.spine_core_links, links)


def _pair_lines(
    spec: FabricSpec, optics: OpticSet | CableSet, compute: Compute
) -> list[BomLine]:
    """Two stations face to face: a module at each end of each link."""
    links = compute.node_links
    if not links or isinstance(optics, CableSet):
        return []
    why = f"{links} links of 400G between the two stations"
    return [
        line(
            OPTICS, optics.nic_module, 2 * links, f"{why}, both ends", src.STATION_PAGE
        ),
        cable_line(optics.fibre, links, why, spec.cable_metres),
    ]


def cable_line(part: str, quantity: int, because: str, metres: Decimal) -> BomLine:
    """A cable line with the length it is bought in."""
    length, opn = stock_length(part, metres)
    known = PARTS[part].description
    shown = f"{length} m" if length else f"{plain(metres)} m, made to order"
    return line(
        OPTICS,
        part,
        quantity,
        because,
        src.CABLE_MANUAL,
        description=f"{known}, {shown}",
        opn=opn,
    )


def reach_checks(spec: FabricSpec, compute: Compute) -> list[Check]:
    """A Stop for each kind of link whose run is longer than its pair of ends reaches.

    Reach belongs to the two modules and the medium together, over the whole channel
    with at most two junctions.
    """
    spans = _spans(chosen_optics(spec), compute, spec.cable_metres)
    over = [s for s in spans if spec.cable_metres > Decimal(str(s[1]))]
    metres = f"{plain(spec.cable_metres)} m"
    return [*_twin_checks(spec, compute), *(_over_reach(metres, *s) for s in over)]


def _twin_checks(spec: FabricSpec, compute: Compute) -> list[Check]:
    """A twin cable joins a whole cage to a whole cage: two links of the same pair."""
    optics = chosen_optics(spec)
    tree = compute.tree
    if not isinstance(optics, CableSet) or optics.links == 1 or tree is None:
        return []
    if tree.cores:
        why = "a spine deals its uplinks singly to the core switches"
    elif tree.links_per_pair % 2:
        why = f"a leaf has {tree.links_per_pair} links to a spine, an odd number"
    else:
        return []
    message = f"Twin copper cables join whole cages, and {why}: take optics."
    return [Check(level=STOP, message=message, source=src.CABLE_MANUAL)]


def _over_reach(metres: str, what: str, reach: float, is_known: bool) -> Check:
    if is_known:
        level = STOP
        message = f"{metres} is over the {reach:g} m reach of {what}"
    else:
        level = CHECK
        message = f"{metres} is over the {reach:g} m on file for {what}: confirm it"
    return Check(level=level, message=message, source=src.CABLE_MANUAL)


def _spans(
    optics: OpticSet | CableSet, compute: Compute, metres: Decimal
) -> list[tuple[str, float, bool]]:
    """What joins two ends, the metres it reaches, and whether that is its limit."""
    between = compute.leaf_spine_links or compute.peer_links
    if isinstance(optics, CableSet):
        names = [optics.node_cable]
        if between:
            names.append(switch_cable(optics, metres))
        return [_cable_span(name) for name in dict.fromkeys(names)]
    spans: list[tuple[str, float, bool]] = []
    if compute.node_links:
        ends = f"{optics.switch_module or optics.nic_module} to {optics.nic_module}"
        near = optics.switch_module or optics.nic_module
        reach = pair_reach(near, optics.nic_module, optics.fibre)
        spans.append((f"{ends} on {optics.fibre}", reach, True))
    if between:
        twin = f"{optics.switch_module} to {optics.switch_module}"
        reach = pair_reach(optics.switch_module, optics.switch_module, optics.fibre)
        spans.append((f"{twin} on {optics.fibre}", reach, True))
    return spans


def _cable_span(name: str) -> tuple[str, float, bool]:
    reach = PARTS[name].reach_m
    if reach is None:
        return name, float(STOCK_METRES[name][-1]), False
    return name, reach, True
