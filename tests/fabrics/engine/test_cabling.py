"""The cabling list: every link once, every port once, every spine alike."""

from __future__ import annotations

import itertools
import tracemalloc
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabrics.engine import (
    CABLE_NETWORKS,
    FabricSpec,
    cable_count,
    cabling,
    network_counts,
    optic_names,
    pairs,
    profiles_of,
    size,
)

OPTICS = "Optics and cables"
SCALE_OUT = "Scale-out"
# The parts list keeps storage and front end in one section.
SECTIONS = {
    SCALE_OUT: OPTICS,
    "Storage": "Front end and storage",
    "Front end": "Front end and storage",
    "Out of band": "Out of band",
}


def design(system="gb300-nvl72", fabric="quantum-x800", **options):
    return size(FabricSpec.from_sizes(system=system, fabric=fabric, **options))


@st.composite
def designs(draw):
    """A design of any pair, small enough to list."""
    system, fabric = draw(st.sampled_from(pairs())).split("/")
    profile = draw(st.sampled_from(profiles_of(system, fabric)))
    unit, most = {
        "gb300-nvl72": ("racks", 40),
        "gb200-nvl72": ("racks", 40),
        "host-200g": ("hosts", 256),
        "dgx-station-gb300": ("nodes", 2 if fabric == "direct" else 256),
    }.get(system, ("nodes", 300))
    ports = draw(st.sampled_from([1, 2])) if fabric == "spectrum-2" else 1
    ratio = draw(st.sampled_from(["1", "1", "1.5", "2", "3", "4"]))
    spec = FabricSpec.from_sizes(
        system=system,
        fabric=fabric,
        design=profile.design,
        ports_per_host=ports,
        oversubscription=ratio if fabric != "direct" else "1",
        optics=draw(st.sampled_from(optic_names(profile))),
        cable_metres=2,
        **{unit: draw(st.integers(1, most))},
    )
    return size(spec)


@settings(max_examples=60, deadline=None)
@given(designs())
def test_no_port_is_used_twice(sized):
    ports = Counter()
    for cable in cabling(sized):
        ports[cable.a_device, cable.a_port] += 1
        ports[cable.b_device, cable.b_port] += 1

    assert all(times == 1 for times in ports.values())


@settings(max_examples=60, deadline=None)
@given(designs())
def test_the_list_has_a_row_for_each_link_sized(sized):
    kinds = Counter(cable.kind for cable in cabling(sized, SCALE_OUT))
    compute = sized.compute

    assert kinds.total() == cable_count(sized, SCALE_OUT)
    assert kinds["leaf to spine"] == compute.leaf_spine_links
    assert kinds["spine to core"] == compute.spine_core_links
    assert kinds["node to leaf"] + kinds["direct"] == compute.node_links


@settings(max_examples=60, deadline=None)
@given(designs())
def test_each_leaf_gives_each_spine_it_reaches_the_same_number_of_links(sized):
    links = Counter(
        (cable.a_device, cable.b_device)
        for cable in cabling(sized, SCALE_OUT)
        if cable.kind == "leaf to spine"
    )

    assert len(set(links.values())) <= 1
    if sized.compute.tiers == 2:
        assert len(links) == sized.compute.leaf * sized.compute.spine_per_plane


@settings(max_examples=40, deadline=None)
@given(designs())
def test_no_switch_has_more_links_than_ports(sized):
    radix = sized.spec.profile.radix
    used = Counter()
    for cable in cabling(sized, SCALE_OUT):
        used.update((cable.a_device, cable.b_device))

    switches = {d: n for d, n in used.items() if "leaf" in d or "spine" in d}
    assert all(count <= radix for count in switches.values())
    expected = sized.compute.leaf + sized.compute.spine
    assert len(switches) <= expected


@settings(max_examples=60, deadline=None)
@given(designs())
def test_no_switch_of_storage_or_front_end_has_more_ports_in_use_than_it_has(sized):
    for name, network in (("Storage", sized.storage), ("Front end", sized.front_end)):
        used = Counter()
        for row in cabling(sized, name):
            # Tails of a splitter, named swp1s0 and swp1s1, share a port of the radix.
            used[row.b_device] += 1
            used[row.a_device] += row.a_device.startswith(("storage-l", "front-end"))
        shared = 2 if network and network.link_gbps == 200 else 1
        switches = {n: c for n, c in used.items() if "leaf" in n or "spine" in n}
        assert all(n <= network.radix * shared for n in switches.values())


def test_storage_appliances_and_servers_are_listed_by_their_ends():
    sized = design("dgx-h100", "quantum-2", nodes=127)
    rows = [r for r in cabling(sized, "Storage") if r.part == "MFA7U10"]

    assert Counter(row.kind for row in rows) == {
        "appliance to leaf": 2 * 48,
        "server to leaf": 2 * 4,
    }
    assert len({row.label.split("/")[0] for row in rows}) == 48 + 4
    ends = [(r.a_device, r.a_port) for r in rows if r.kind == "server to leaf"]
    assert sorted(ends) == [
        (f"server-{number:02d}", f"storage {port}")
        for number in range(5, 9)
        for port in (1, 2)
    ]
    leaves = {}
    for row in rows[-8:]:
        leaves.setdefault(row.a_device, set()).add(row.b_device)
    assert all(len(two) == 2 for two in leaves.values())


def cables(rows):
    """How many cables of each part; links of one cable share its label."""
    labels = {(c.part, c.label.split("/")[0]) for c in rows}
    return Counter(part for part, _label in labels)


def bought(sized, section):
    parts = Counter()
    for line in sized.bom:
        if line.section == section:
            parts[line.part] += line.quantity
    return parts


@settings(max_examples=150, deadline=None)
@given(designs())
def test_cables_listed_are_the_cables_bought_of_every_network(sized):
    listed = {section: Counter() for section in SECTIONS.values()}
    for network, section in SECTIONS.items():
        listed[section] += cables(cabling(sized, network))

    for section, counts in listed.items():
        parts = bought(sized, section)
        if section == OPTICS and not sized.is_buildable:
            continue
        assert counts == {part: parts[part] for part in counts}
        assert not {p for p in parts if p.startswith(FIBRES)} - set(counts)


FIBRES = ("MFP", "MCA", "MCP", "AOC", "CAT")


@settings(max_examples=100, deadline=None)
@given(designs())
def test_modules_listed_are_the_modules_bought_beside_scale_out(sized):
    ends = Counter()
    cages = set()
    for cable in itertools.chain(
        cabling(sized, "Storage"), cabling(sized, "Front end")
    ):
        if cable.kind in ("node to leaf", "UFM to leaf"):
            ends[cable.a_module] += 1
        else:
            cages.add((cable.a_module, cable.a_device, cage_of(cable.a_port)))
        cages.add((cable.b_module, cable.b_device, cage_of(cable.b_port)))
    ends.update(module for module, _device, _cage in cages)

    parts = bought(sized, "Front end and storage")
    assert all(parts[module] == n for module, n in ends.items() if module)


def cage_of(port):
    return port.split("/")[0].split("s")[-2 if port.count("s") > 1 else -1]


@settings(max_examples=100, deadline=None)
@given(designs())
def test_each_network_has_the_rows_it_counts(sized):
    rows = Counter(cable.network for cable in cabling(sized))

    assert dict(rows) == network_counts(sized)
    assert cable_count(sized) == rows.total()
    assert [*rows] == [name for name in CABLE_NETWORKS if name in rows]


@settings(max_examples=100, deadline=None)
@given(designs())
def test_no_label_names_two_links(sized):
    labels = Counter(cable.label for cable in cabling(sized))

    assert max(labels.values(), default=1) == 1


PORTS_OF = {"QM9700": 64, "SN5600": 128, "SN5600D": 128, "SN4600C": 64, "SN2201": 52}


@settings(max_examples=100, deadline=None)
@given(designs())
def test_no_switch_of_another_network_has_more_links_than_ports(sized):
    for network in sized.networks():
        used = Counter()
        for cable in cabling(sized, network.name.replace("_", " ").capitalize()):
            used.update((cable.a_device, cable.b_device))
        own = {d: n for d, n in used.items() if "leaf" in d or "spine" in d}
        share = 2 if network.link_gbps == 200 else 1

        assert all(n <= PORTS_OF[network.switch] * share for n in own.values())


@settings(max_examples=40, deadline=None)
@given(designs())
def test_every_node_reaches_every_leaf_of_its_group_once_a_plane(sized):
    if sized.compute.rails == 1 or (sized.compute.tree and sized.compute.peer_links):
        return
    leaves = Counter(
        (cable.a_device, cable.b_device)
        for cable in cabling(sized, SCALE_OUT)
        if cable.kind == "node to leaf"
    )

    assert all(times == 1 for times in leaves.values())


def test_the_list_is_the_same_every_time():
    sized = design(gpus=576)

    assert list(cabling(sized)) == list(cabling(sized))


def test_a_row_names_both_ends_with_their_modules():
    first = next(cabling(design(gpus=576)))

    assert (first.a_rack, first.a_device) == ("C0001", "rack-0001-tray-01")
    assert (first.a_port, first.a_module) == ("NIC 1", "MMS4A20")
    assert (first.b_rack, first.b_device) == ("N0001", "leaf-0001")
    assert (first.b_port, first.b_module) == ("1/1", "MMS4A00")
    assert first.network == SCALE_OUT
    assert (first.metres, first.part) == ("30", "MFP7E30")


def test_labels_are_unique():
    labels = Counter(c.label for c in cabling(design(fabric="spectrum-x", racks=4)))

    assert max(labels.values()) == 1


def test_ufm_takes_the_ports_of_the_position_left_to_it():
    sized = design("dgx-h100", "quantum-2", nodes=31)

    rows = [c for c in cabling(sized, SCALE_OUT) if c.kind == "UFM to leaf"]
    assert [(r.b_device, r.b_port) for r in rows] == [
        (f"leaf-{rail:04d}", "16/2") for rail in (1, 2, 3, 4)
    ]


def test_odd_nics_go_to_core_1_and_even_to_core_2():
    sized = design("dgx-b200", "spectrum-x", nodes=12)

    ends = {
        (int(c.a_port.split()[1]) % 2, c.b_device)
        for c in cabling(sized, SCALE_OUT)
        if c.kind == "node to leaf"
    }
    assert ends == {(1, "leaf-0001"), (0, "leaf-0002")}


@pytest.mark.parametrize(
    "options",
    [
        {"system": "gb200-nvl72", "fabric": "quantum-2", "racks": 24},
        {"system": "dgx-b200", "fabric": "quantum-2", "nodes": 32 * 9},
        {"system": "dgx-b300", "fabric": "spectrum-x", "nodes": 64 * 17},
        {"gpus": 10_944},
    ],
)
def test_three_tiers_fill_cores_without_a_port_used_twice(options):
    sized = design(**options)

    links = [c for c in cabling(sized) if c.kind == "spine to core"]
    ports = Counter((c.b_device, c.b_port) for c in links)
    pairs_of = Counter((c.a_device, c.b_device) for c in links)

    assert sized.compute.tiers == 3
    assert max(ports.values()) == 1
    assert max(pairs_of.values()) - min(pairs_of.values()) <= 1
    assert len({c.b_device for c in links}) == sized.compute.core


def test_a_long_list_is_streamed_without_growing():
    sized = design(gpus=746_496)

    tracemalloc.start()
    rows = sum(1 for _ in itertools.islice(cabling(sized), 50_000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert rows == 50_000
    assert peak < 2_000_000


@pytest.mark.parametrize(
    ("system", "fabric", "options", "links"),
    [
        ("gb300-nvl72", "quantum-x800", {"racks": 8}, 32),
        ("gb200-nvl72", "quantum-2", {"racks": 16}, 64),
        ("dgx-b300", "quantum-x800", {"nodes": 40}, 32),
        ("gb300-nvl72", "quantum-x800", {"racks": 8, "storage_tier": "none"}, 0),
    ],
)
def test_links_to_storage_on_the_front_end_are_listed(system, fabric, options, links):
    rows = list(cabling(design(system, fabric, **options), "Front end"))
    storage = [row for row in rows if row.kind == "appliance to leaf"]

    assert [row.a_port for row in storage] == [f"port {n + 1}" for n in range(links)]
    assert {(r.a_module, r.b_module, r.part) for r in storage} <= {
        ("", "MMS4X00-NM", "MFP7E30")
    }
    # Dealt over every leaf, as the nodes are.
    leaves = {row.b_device for row in rows if row.kind == "node to leaf"}
    assert not storage or {row.b_device for row in storage} == leaves


@pytest.mark.parametrize("nodes", [1, 31, 127])
def test_h100_servers_have_two_links_on_two_leaves(nodes):
    rows = list(cabling(design("dgx-h100", "quantum-2", nodes=nodes), "Front end"))
    servers = {}
    for row in rows:
        if row.kind == "server to leaf":
            servers.setdefault(row.a_device, set()).add((row.a_port, row.b_device))

    assert sorted(servers) == [f"server-{n:02d}" for n in range(5, 9)]
    for ends in servers.values():
        assert {port for port, _leaf in ends} == {"front end 1", "front end 2"}
        assert len({leaf for _port, leaf in ends}) == 2
    assert sum(row.a_device == "nfs-storage" for row in rows) == 8
