from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabrics.engine import SpecError
from fabrics.engine.model_traffic import (
    BOTH,
    NVLINK,
    SCALE_OUT,
    Layout,
    Model,
    model_flows,
    ring_flow,
)

GPT3 = Model(
    parameters=175e9, layers=96, hidden=12_288, sequence=2_048, global_batch=1_536
)
ON_1024 = Layout(gpus=1_024, tensor=8, pipeline=8, data=16, domain=8)
MOE = replace(
    GPT3, moe_layers=48, experts=16, active_experts=2, expert_parameters=100e9
)


def test_one_gib_over_eight_gpus():
    """2 x 7/8 x 1,073,741,824 = 1,879,048,192; / 900e9 = 2.09 ms, / 100e9 = 18.8."""
    ring = ring_flow("gradients", 8, 2**30)

    assert ring.sent_bytes == 1_879_048_192
    assert ring.seconds(900) * 1e3 == pytest.approx(2.0878, abs=1e-4)
    assert ring.seconds(100) * 1e3 == pytest.approx(18.790, abs=1e-3)
    assert ring.seconds(100) / ring.seconds(900) == pytest.approx(9)


def test_deepseeks_h800_has_3_2_times_the_speed_inside():
    ring = ring_flow("any", 8, 2**30)

    assert ring.seconds(50) / ring.seconds(160) == pytest.approx(3.2)


def test_gpt3_by_hand():
    """1 x 2,048 x 12,288 x 2 = 50,331,648 bytes an activation; 1,536 / 16 = 96
    microbatches; 96 / 8 = 12 layers a stage; 175e9 / 64 x 4 = 10.9375e9 bytes.
    """
    tensor, pipeline, gradients = model_flows(GPT3, ON_1024)

    assert tensor.count == 4 * 12 * 96
    assert tensor.sent_bytes == 1.75 * 50_331_648
    assert (pipeline.count, pipeline.sent_bytes) == (2 * 96, 50_331_648 / 8)
    assert gradients.sent_bytes == 2 * 15 / 16 * 10.9375e9
    assert [each.network for each in (tensor, pipeline, gradients)] == [
        NVLINK,
        SCALE_OUT,
        SCALE_OUT,
    ]


def test_experts_send_to_the_experts_of_each_token():
    """50,331,648 / 8 x 2 active x 15/16; 4 x 6 layers x 96; copies 128 / 16 = 8."""
    flows = {f.what: f for f in model_flows(MOE, replace(ON_1024, expert=16))}
    sent = flows["Experts: dispatch and combine"]

    assert sent.sent_bytes == 50_331_648 / 8 * 2 * 15 / 16
    assert (sent.count, sent.network) == (4 * 6 * 96, BOTH)
    assert flows["Experts' gradients"].group == 8
    assert flows["Experts' gradients"].sent_bytes == 1.75 * 100e9 / 16 / 8 * 4


@pytest.mark.parametrize(
    "changes", [{"gpus": 1_000}, {"expert": 3}, {"tensor": 0}, {"pipeline": -8}]
)
def test_a_layout_that_does_not_fit_is_refused(changes):
    with pytest.raises(SpecError):
        model_flows(MOE, replace(ON_1024, **changes))


def test_one_gpu_sends_nothing():
    alone = Layout(gpus=1, tensor=1, pipeline=1, data=1)

    assert model_flows(MOE, alone) == ()


@given(st.integers(2, 4_096), st.integers(1, 10**12), st.integers(2, 9))
def test_bytes_grow_in_line_with_the_vector(group, vector, times):
    once, more = ring_flow("x", group, vector), ring_flow("x", group, vector * times)

    assert more.sent_bytes == pytest.approx(times * once.sent_bytes)


@given(st.sampled_from([1, 2, 4, 8, 16]))
def test_sharding_the_optimiser_never_sends_more(data):
    layout = Layout(gpus=data, tensor=1, pipeline=1, data=data)
    whole = sum(f.step_bytes for f in model_flows(GPT3, layout))
    sharded = model_flows(GPT3, replace(layout, zero=1))

    assert sum(f.step_bytes for f in sharded) <= whole


def test_a_ring_over_two_domains_works_in_two_levels():
    """16 GPUs in domains of 8, 1,600 bytes: 7/8 in and out, then 1/8 between two."""
    levels = ring_flow("x", 16, 1600, domain=8).levels

    assert levels is not None
    assert levels.inner_bytes == 2 * 1600 * 7 / 8
    assert levels.outer_bytes == 2 * 200 * 1 / 2
    assert (levels.inner_rounds, levels.outer_rounds) == (14, 2)
    # 2,800 B at 1 GB/s and 14 us; 200 B at 0.1 GB/s and 2 x 5 us.
    seconds = levels.seconds((1, 1), (0.1, 5))
    assert seconds == pytest.approx(2.8e-6 + 14e-6 + 2e-6 + 10e-6)


def test_inside_or_outside_one_domain_has_no_levels():
    assert ring_flow("x", 8, 1600, domain=8).levels is None
    assert ring_flow("x", 4, 1600, stride=8, domain=8).levels is None


@given(st.integers(2, 512), st.integers(1, 64), st.integers(1, 128))
def test_two_levels_send_the_same_bytes(group, stride, domain):
    for passes in (1, 2):
        flow = ring_flow("x", group, 1e9, passes=passes, stride=stride, domain=domain)
        if (levels := flow.levels) is not None:
            assert group % flow.inside == 0
            assert flow.inside * stride <= domain
            sent = levels.inner_bytes + levels.outer_bytes
            assert sent == pytest.approx(flow.sent_bytes)


def test_experts_over_domains_keep_the_near_ones_inside():
    layout = Layout(gpus=64, tensor=1, pipeline=1, data=64, expert=16, domain=8)
    (flow,) = [f for f in model_flows(MOE, layout) if f.collective == "all-to-all"]

    levels = flow.levels

    assert levels is not None
    assert levels.inner_bytes == pytest.approx(flow.vector * 7 / 16)
    assert levels.outer_bytes == pytest.approx(flow.vector * 8 / 16)


def test_sharp_sends_a_vector_once():
    flow = ring_flow("x", 8, 2**30)
    summed = flow.reduced_in_switches()

    assert summed is not None
    assert (flow.sent_bytes, summed.sent_bytes) == (1_879_048_192, 2**30)
    assert ring_flow("x", 8, 2**30, passes=1).reduced_in_switches() is None


@pytest.mark.parametrize(
    ("zero", "reduces", "gathers"), [(1, 1, 1), (2, 3, 1), (3, 3, 6)]
)
def test_the_less_is_kept_the_more_often_it_is_sent(zero, reduces, gathers):
    """Three microbatches: gradients of each, weights forward and backward of each."""
    layout = Layout(gpus=8, tensor=1, pipeline=1, data=8, zero=zero)
    flows = model_flows(replace(GPT3, global_batch=24), layout)

    counts = {flow.what.split(": ")[1]: flow.count for flow in flows}

    assert counts == {"reduce-scatter": reduces, "all-gather of weights": gathers}


def test_another_stage_is_refused():
    with pytest.raises(SpecError, match="stages 0 to 3"):
        model_flows(GPT3, Layout(gpus=8, tensor=1, pipeline=1, data=8, zero=4))
