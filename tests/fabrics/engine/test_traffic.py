"""The alpha-beta model: sums done by hand, and properties that must hold."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabrics.engine import COLLECTIVES, FabricSpec, SpecError, Traffic, estimate, size

GB = 10**9


def design(system="gb300-nvl72", fabric="quantum-x800", **options):
    return size(FabricSpec.from_sizes(system=system, fabric=fabric, **options))


UNIT = design(gpus=576)
TAPERED = design(gpus=1152, oversubscription=2)


def run(collective, sized=UNIT, **numbers):
    numbers = {"nvlink_latency_us": 0, "fabric_latency_us": 0, **numbers}
    return estimate(sized, Traffic(collective=collective, **numbers))


def test_an_all_reduce_inside_a_rack_uses_nvlink_alone():
    """2 x 71/72 x 9 GB at 900 GB/s is 19.72 ms."""
    done = run("all-reduce", size_bytes=9 * GB, gpus=72)

    assert done.seconds == pytest.approx(2 * 71 / 72 * 9 / 900)
    assert done.fabric_seconds == 0
    assert done.bottleneck == "NVLink"


def test_an_all_reduce_across_racks_sends_a_72nd_over_each_link():
    """8 racks: 2 x 7/8 x (9 GB / 72) at 100 GB/s beside the same NVLink time."""
    done = run("all-reduce", size_bytes=9 * GB, gpus=576)

    assert done.nvlink_seconds == pytest.approx(2 * 71 / 72 * 9 / 900)
    assert done.fabric_seconds == pytest.approx(2 * 7 / 8 * 9 / 72 / 100)


def test_reducing_in_the_switches_moves_each_byte_once():
    ring = run("all-reduce", size_bytes=9 * GB, gpus=576)
    switches = run("all-reduce", size_bytes=9 * GB, gpus=576, in_network=True)

    assert switches.fabric_seconds == pytest.approx(9 / 72 / 100)
    assert switches.fabric_seconds < ring.fabric_seconds


def test_an_all_to_all_is_as_slow_as_its_slower_part():
    """71/576 stays in the rack at 900 GB/s; 504/576 leaves at 100."""
    done = run("all-to-all", size_bytes=576_000_000, gpus=576)

    assert done.nvlink_seconds == pytest.approx(0.071 / 900)
    assert done.fabric_seconds == pytest.approx(0.504 / 100)
    assert done.seconds == done.fabric_seconds
    assert done.bottleneck == "scale-out"


def test_a_node_of_eight_crosses_the_fabric_where_a_rack_does_not():
    nodes = design("dgx-b300", nodes=72)

    small = run("all-to-all", nodes, size_bytes=GB, gpus=72)
    rack = run("all-to-all", size_bytes=GB, gpus=72)

    assert rack.fabric_seconds == 0
    assert small.seconds > 8 * rack.seconds


def test_latency_counts_every_step_of_a_ring():
    done = run(
        "all-reduce", size_bytes=1, gpus=144, nvlink_latency_us=1, fabric_latency_us=5
    )

    assert done.latency_seconds == pytest.approx((2 * 71 * 1 + 2 * 1 * 5) / 1e6)
    assert done.bottleneck == "latency"


def test_an_oversubscribed_leaf_slows_only_what_leaves_its_group():
    inside = run("all-reduce", TAPERED, size_bytes=GB, gpus=288)
    beyond = run("all-reduce", TAPERED, size_bytes=GB, gpus=576)

    assert inside.fabric_seconds == pytest.approx(2 * 3 / 4 / 72 / 100)
    assert beyond.fabric_seconds == pytest.approx(2 * 7 / 8 / 72 / 50)


def test_two_stations_have_the_network_only():
    pair = design("dgx-station-gb300", "direct", nodes=2)

    done = run("point-to-point", pair, size_bytes=GB, gpus=2)

    assert done.seconds == pytest.approx(1 / 100)
    assert done.nvlink_seconds == 0


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from(COLLECTIVES),
    st.integers(1, 10**12),
    st.integers(2, 576),
    st.floats(0.1, 1),
)
def test_more_bytes_or_less_efficiency_never_take_less_time(kind, bytes_, gpus, eff):
    base = run(kind, size_bytes=bytes_, gpus=gpus)

    assert run(kind, size_bytes=bytes_ * 2, gpus=gpus).seconds >= base.seconds
    slower = run(kind, size_bytes=bytes_, gpus=gpus, efficiency=eff)
    assert slower.seconds >= base.seconds
    assert base.seconds > 0
    assert base.steps


@pytest.mark.parametrize(
    "bad",
    [
        {"collective": "gossip"},
        {"size_bytes": 0},
        {"size_bytes": 10**16},
        {"gpus": 1},
        {"gpus": 577},
        {"nvlink_latency_us": float("nan")},
        {"fabric_latency_us": -1},
        {"efficiency": 0},
        {"efficiency": float("nan")},
        {"nvlink_gb_per_s": 0},
        {"fabric_gb_per_s": float("nan")},
    ],
)
def test_numbers_that_are_none_are_refused_in_one_line(bad):
    numbers = {"collective": "all-reduce", "size_bytes": 1, "gpus": 2, **bad}

    with pytest.raises(SpecError) as refused:
        estimate(UNIT, Traffic(**numbers))

    assert "\n" not in str(refused.value)


def test_an_nvlink_speed_that_is_not_known_is_not_guessed():
    rubin = design("dgx-rubin-nvl8", nodes=72)

    with pytest.raises(SpecError, match="not on file"):
        run("all-reduce", rubin, size_bytes=1, gpus=8)


def test_the_reader_may_bring_speeds_of_their_own():
    """DeepSeek-V3's H800: 160 GB/s of NVLink against 50 of InfiniBand."""
    nodes = design("dgx-h100", "quantum-2", nodes=31)

    own = run(
        "all-to-all",
        nodes,
        size_bytes=GB,
        gpus=64,
        nvlink_gb_per_s=160,
        fabric_gb_per_s=50,
    )

    assert own.nvlink_seconds == pytest.approx(7 / 64 / 160)
    assert own.fabric_seconds == pytest.approx(56 / 64 / 50)
