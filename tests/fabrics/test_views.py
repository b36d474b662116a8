from __future__ import annotations

import gzip
import re
from decimal import Decimal
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from fabrics.engine import FabricSpec
from fabrics.engine.profiles import PROFILES
from fabrics.models import Design
from fabrics.services import save_design
from tests.factories import make_product

SWAP = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "result"}
FOLD = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "topology"}
SPEC = FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-x800", gpus=576)
MOST_BYTES = 20_000
MOST_ELEMENTS = 1_500

pytestmark = pytest.mark.django_db


def get(client, query: str = "", **headers: str):
    return client.get(f"{reverse('fabrics:configure')}?{query}", **headers)


def text_of(response) -> str:
    return re.sub(r"\s+", " ", response.content.decode())


def test_the_first_visit_shows_the_576_gpu_design(client):
    text = text_of(get(client))

    assert "576 GPUs, 12 switches." in text
    assert "28.8 TB/s" in text
    assert "8 leaf + 4 spine" in text
    assert "No published row on file" in text
    assert "Request a quote for this design" in text


@pytest.mark.parametrize("profile", PROFILES, ids=lambda p: f"{p.system}-{p.design}")
def test_every_pair_has_a_page_within_its_bounds(client, profile):
    pair = {"system": profile.system, "fabric": profile.fabric}

    response = get(client, urlencode({**pair, "design": profile.design}))

    assert response.status_code == 200
    html = response.content.decode()
    assert "style=" not in html
    assert len(gzip.compress(response.content)) <= MOST_BYTES
    assert len(re.findall(r"<(?:rect|path|text|g|a|title)\b", html)) <= MOST_ELEMENTS


@pytest.mark.parametrize("gpus", ["72", "9216", "100000", "746496"])
def test_no_size_makes_the_page_heavy(client, gpus, django_assert_max_num_queries):
    with django_assert_max_num_queries(6):
        response = get(client, f"gpus={gpus}&open=2")

    assert response.status_code == 200
    assert len(gzip.compress(response.content)) <= MOST_BYTES


def test_a_swap_brings_outputs_and_no_input_and_puts_the_design_in_the_address(client):
    response = get(client, "system=gb300-nvl72&size=1152&unit=gpus", **SWAP)

    html = response.content.decode()
    assert response["HX-Replace-Url"] == "/fabrics/?gpus=1152"
    assert 'data-say="Updated. 1,152 GPUs, 24 switches."' in html
    assert not re.search(r'<(select|textarea)|<input (?!type="hidden")', html)
    assert 'id="save-fields" hx-swap-oob' in html


def test_the_starting_design_has_a_bare_address(client):
    response = get(client, "size=576&unit=gpus&cable_metres=30", **SWAP)

    assert response["HX-Replace-Url"] == "/fabrics/"


def test_without_scripts_the_form_leads_to_the_short_address(client):
    response = get(client, "system=gb300-nvl72&size=1%2C152&unit=gpus&front_end=no")

    assert response.status_code == 302
    assert response["Location"] == "/fabrics/?gpus=1152&front_end=no"


def test_a_swap_that_cannot_be_sized_says_why_and_leaves_the_design(client):
    response = get(client, "size=zero&unit=gpus", **SWAP)

    assert response.status_code == 422
    assert response["HX-Retarget"] == "#problem"
    assert "HX-Replace-Url" not in response
    assert "must be a whole number" in text_of(response)
    assert "<table" not in text_of(response)


def test_an_impossible_page_keeps_what_was_typed_and_the_last_design_greyed(client):
    last = "http://testserver/fabrics/?gpus=1152"

    response = get(client, "size=zero&unit=gpus", HTTP_REFERER=last)

    text = text_of(response)
    assert response.status_code == 422
    assert "<title>Error: " in text
    assert 'value="zero"' in text
    assert 'class="stack gap-5 stale"' in text
    assert "1,152 GPUs, 24 switches." in text


def test_a_pair_that_does_not_exist_is_explained_with_those_that_do(client):
    text = text_of(get(client, "system=dgx-h100&fabric=quantum-x800"))

    assert "DGX H100 is not sized on Quantum-X800. Choose Quantum-2." in text
    assert "system=dgx-h100&amp;fabric=quantum-2&amp;gpus=248" in text


def test_a_size_that_does_not_fill_racks_offers_both_whole_sizes(client):
    text = text_of(get(client, "gpus=577"))

    assert "577 GPUs do not fill whole racks: this is 648." in text
    assert '<a href="/fabrics/">576 GPUs</a>' in text
    assert '<a href="/fabrics/?gpus=648">648 GPUs</a>' in text


def test_typed_markup_is_text_on_the_page(client):
    response = get(client, urlencode({"size": '"><script>1</script>', "unit": "gpus"}))

    assert b"<script>1" not in response.content


def test_a_unit_opens_in_the_drawing_alone(client):
    response = get(client, "gpus=9216&open=3", **FOLD)

    html = response.content.decode()
    assert html.strip().startswith("<figure")
    assert 'aria-current="true"' in html
    assert 'hx-target="#topology"' in html
    assert "<table" not in html
    assert "HX-Replace-Url" not in response


@pytest.mark.parametrize("number", ["0", "-1", "99999999", "x", "²"])
def test_a_unit_that_is_not_there_folds_them_all(client, number):
    response = get(client, f"gpus=9216&open={number}")

    assert response.status_code == 200
    assert "All units</a>" not in text_of(response)


def test_parts_lead_to_the_catalogue_and_listed_ones_show_their_price(client):
    product = make_product(mpn="MSN3700-VS2F", price=Decimal("28523.25"))

    text = text_of(get(client, "system=host-200g&hosts=12"))

    assert f'<a href="{product.get_absolute_url()}"><code>SN3700</code></a>' in text
    assert "Listed items only: <strong>S$28,523.25</strong> with GST" in text
    assert "priced on request" in text


def test_a_design_with_no_listed_part_shows_no_sum(client):
    text = text_of(get(client))

    assert re.search(r"All \d+ lines are priced on request\.", text)
    assert "S$" not in text


def test_the_request_button_carries_the_design_shown(client):
    html = get(client, "gpus=1152", **SWAP).content.decode()

    form = re.search(
        r'<form method="post" action="/basket/add-design/">.*?</form>', html, re.S
    )
    assert form
    assert '<input type="hidden" name="gpus" value="1152">' in form.group()


def test_saving_freezes_the_design_for_its_owner(carol_client, carol):
    answer = carol_client.post(
        reverse("fabrics:save"),
        {"system": "dgx-b300", "fabric": "quantum-x800", "nodes": "40", "name": "Lab"},
    )

    saved = Design.objects.get()
    assert answer["Location"] == saved.get_absolute_url()
    version = saved.latest()
    assert (saved.name, saved.owner, version.n) == ("Lab", carol, 1)
    assert version.result["compute"]["leaf"] == 8


def test_people_find_their_own_designs_and_nobody_elses(
    carol_client, carol, mallory, django_assert_max_num_queries
):
    save_design(spec=SPEC, owner=carol, name="Carol's lab")
    save_design(spec=SPEC, owner=mallory, name="Mallory's lair")
    get(carol_client)

    with django_assert_max_num_queries(6):
        text = text_of(get(carol_client))

    assert "Carol&#x27;s lab" in text
    assert "Mallory" not in text


def test_a_guest_saves_by_link(client):
    client.post(
        reverse("fabrics:save"),
        {"system": "gb300-nvl72", "fabric": "quantum-x800", "racks": "8"},
    )

    saved = Design.objects.get()
    assert saved.owner is None
    assert client.get(saved.get_absolute_url()).status_code == 200


def test_saving_nonsense_is_refused_and_saves_nothing(client):
    answer = client.post(
        reverse("fabrics:save"),
        {"system": "gb300-nvl72", "fabric": "direct", "racks": "8"},
    )

    assert answer.status_code == 422
    assert not Design.objects.exists()


def test_saving_is_limited_and_only_by_post(client):
    asked = {"system": "gb300-nvl72", "fabric": "quantum-x800", "racks": "x"}
    answers = [client.post(reverse("fabrics:save"), asked) for _ in range(31)]

    assert answers[-1].status_code == 429
    assert client.get(reverse("fabrics:save")).status_code == 405


def test_a_saved_design_shows_what_was_frozen_whatever_the_engine_says(client):
    saved = save_design(spec=SPEC, owner=None)
    saved.result["compute"]["leaf"] = 9
    saved.result["bom"][1]["quantity"] = 13
    saved.engine_version = "0.9.0"
    saved.save()

    text = text_of(client.get(saved.get_absolute_url()))

    assert "Sized by engine 0.9.0" in text
    assert "576 GPUs, GB300 NVL72 on Quantum-X800" in text
    assert '<td class="n">13</td>' in text
    assert "Q3400-RD" in re.search(r"<figure.*?</figure>", text).group()


def test_a_saved_design_is_kept_from_indexes_and_other_sites(client):
    response = client.get(save_design(spec=SPEC, owner=None).get_absolute_url())

    assert response["X-Robots-Tag"] == "noindex"
    assert response["Referrer-Policy"] == "same-origin"
    assert '<meta name="robots" content="noindex">' in text_of(response)


def test_a_saved_design_asks_few_queries(client, django_assert_max_num_queries):
    saved = save_design(spec=SPEC, owner=None)
    client.get(saved.get_absolute_url())

    with django_assert_max_num_queries(8):
        client.get(saved.get_absolute_url())


def test_a_unit_of_a_saved_design_opens_alone(client):
    spec = FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-x800", gpus=2304)
    saved = save_design(spec=spec, owner=None)

    html = client.get(f"{saved.get_absolute_url()}?open=2", **FOLD).content.decode()

    assert html.strip().startswith("<figure")
    assert f'href="{saved.get_absolute_url()}?open=3#topology"' in html


def test_an_unknown_design_is_not_found(client):
    url = reverse("fabrics:detail", args=["00000000-0000-4000-8000-000000000000"])

    assert client.get(url).status_code == 404


def test_the_comparison_sets_infiniband_beside_spectrum_x(client):
    text = text_of(client.get(reverse("fabrics:compare")))

    assert "Quantum-X800 InfiniBand, SuperPOD" in text
    assert "Spectrum-X Ethernet, Enterprise" in text
    assert re.search(r"Leaf</th><td class=\"n\">8</td><td class=\"n\">32</td>", text)
    assert "+24 (+300%)" in text
    for words in ("Optical modules bought", "Network racks", "Bisection", "In short."):
        assert words in text


def test_the_comparison_says_what_each_network_needs(client):
    text = text_of(client.get(reverse("fabrics:compare")))

    infiniband, ethernet = text.split("What only Spectrum-X needs")
    assert "What only Quantum-X800 needs" in infiniband
    assert "UFM" in infiniband.split("What only Quantum-X800 needs")[1]
    assert "NetQ" in ethernet


@pytest.mark.parametrize(
    "query",
    [
        "system=dgx-b300&left=spectrum-x/superpod&right=spectrum-x/enterprise",
        "system=dgx-station-gb300&size=2&unit=nodes",
        "system=abacus&left=nothing&right=nothing",
    ],
)
def test_other_comparisons_open(client, query):
    assert client.get(f"{reverse('fabrics:compare')}?{query}").status_code == 200


def test_a_comparison_that_cannot_be_built_names_the_side(client):
    response = client.get(f"{reverse('fabrics:compare')}?size=x&unit=gpus")

    assert response.status_code == 422
    assert "Quantum-X800 InfiniBand, SuperPOD.</strong> GPUs must be" in text_of(
        response
    )


@pytest.mark.parametrize(
    ("rack", "words"),
    [("", "Compute tray 1"), ("n0001", "leaf-0001"), ("C0008", "SN2201")],
)
def test_a_rack_is_drawn_with_its_table(client, rack, words):
    response = client.get(f"{reverse('fabrics:racks')}?rack={rack}")

    assert response.status_code == 200
    assert words in text_of(response)
    assert "style=" not in text_of(response)


def test_racks_lead_to_their_neighbours(client):
    text = text_of(client.get(f"{reverse('fabrics:racks')}?rack=C0008"))

    assert "rack=C0007" in text
    assert "rack=N0001" in text


@pytest.mark.parametrize("rack", ["C0009", "N9999", "X1", "C", "C²"])
def test_a_rack_that_is_not_there_is_not_found(client, rack):
    assert client.get(f"{reverse('fabrics:racks')}?rack={rack}").status_code == 404


def test_stations_stand_on_desks(client):
    response = client.get(f"{reverse('fabrics:racks')}?system=dgx-station-gb300")

    assert response.status_code == 200
    assert "This design stands on desks: it has no rack." in text_of(response)
