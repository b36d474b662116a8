from __future__ import annotations

import gzip
import re
from urllib.parse import urlencode

import pytest
from django.urls import reverse
from django.utils.html import escape

from fabrics.calculator import TrafficForm, nvlink_pairs, time_words
from fabrics.engine import COLLECTIVES
from fabrics.guide import claims

SWAP = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "estimate"}

pytestmark = pytest.mark.django_db


def get(client, asked=None, **headers):
    return client.get(f"{reverse('fabrics:guide')}?{urlencode(asked or {})}", **headers)


def calculated(**changes: str) -> TrafficForm:
    form = TrafficForm({**TrafficForm.START, **changes})
    form.is_valid()
    return form


def test_the_guide_cites_every_claim_and_lists_its_source(client):
    html = get(client).content.decode()

    for claim in claims().values():
        assert f'href="#claim-{claim.number}"' in html, claim.key
        assert f'id="claim-{claim.number}"' in html
    assert "style=" not in html
    assert len(gzip.compress(html.encode())) <= 20_000


def test_a_vendors_claim_is_marked_where_it_is_made(client):
    html = get(client).content.decode()

    for claim in claims().values():
        cited = re.findall(rf'#claim-{claim.number}".*?</a>(.{{0,60}})', html, re.S)
        assert cited
        assert all(
            ("Vendor&#x27;s" in c or "Vendor's" in c) == claim.vendor_claim
            for c in cited
        )


def test_every_claim_says_where_it_comes_from():
    for claim in claims().values():
        assert claim.source
        assert claim.value


def test_the_guide_asks_few_queries(client, django_assert_max_num_queries):
    with django_assert_max_num_queries(3):
        get(client)


def test_nvlink_makes_an_all_reduce_quicker():
    with_nvlink, without = calculated().results

    assert with_nvlink.estimate.seconds < without.estimate.seconds / 5
    assert without.length == "100.0"


@pytest.mark.parametrize("collective", COLLECTIVES)
@pytest.mark.parametrize("pair", [key for key, _name in nvlink_pairs()])
def test_every_collective_runs_on_every_pair_with_nvlink(collective, pair):
    gpus = "2" if collective == "point-to-point" else "64"
    form = calculated(collective=collective, pair=pair, gpus=gpus)

    assert form.errors == {}
    assert all(result.estimate.seconds > 0 for result in form.results)


def test_the_readers_own_speed_takes_the_place_of_the_designs():
    slow = calculated(nvlink_gb_per_s="160", fabric_gb_per_s="50").results[0]
    quick = calculated().results[0]

    assert slow.estimate.seconds > quick.estimate.seconds


def test_a_swap_brings_the_result_alone(client):
    response = get(client, {**TrafficForm.START, "amount": "1,000"}, **SWAP)

    assert response.status_code == 200
    assert response.content.decode().strip().startswith('<div id="estimate"')
    assert b"<input" not in response.content


@pytest.mark.parametrize(
    "changes",
    [
        {"amount": "x"},
        {"amount": "-1"},
        {"gpus": "1"},
        {"gpus": "nan"},
        {"gpus": "999999"},
        {"efficiency": "0"},
        {"pair": "abacus/string"},
        {"collective": "gossip"},
        {"fabric_latency_us": "inf"},
    ],
)
def test_a_number_that_is_none_is_told_and_breaks_nothing(client, changes):
    response = get(client, {**TrafficForm.START, **changes})

    assert response.status_code == 422
    assert "That cannot be worked out." in response.content.decode()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0 µs"), (0.00018, "180 µs"), (0.0026, "2.6 ms"), (12.5, "12.5 s")],
)
def test_a_time_is_written_in_the_unit_that_suits_it(seconds, words):
    assert time_words(seconds) == words


def test_a_link_carries_the_readers_numbers(client):
    asked = {**TrafficForm.START, "nvlink_gb_per_s": "160", "fabric_gb_per_s": ""}
    response = get(client, asked, **SWAP)
    link = response["HX-Replace-Url"]

    assert link.endswith("#calculator")
    assert "nvlink_gb_per_s=160" in link
    assert "fabric_gb_per_s" not in link
    assert f'data-copy="http://testserver{escape(link)}"' in response.content.decode()
    opened = client.get(link.partition("#")[0]).content.decode()
    assert calculated(**asked).results[0].time in opened
    assert 'value="160"' in opened


def test_a_number_that_is_none_makes_no_link(client):
    response = get(client, {**TrafficForm.START, "gpus": "1"}, **SWAP)

    assert "HX-Replace-Url" not in response
    assert b"data-copy" not in response.content
