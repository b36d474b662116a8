from __future__ import annotations

from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from django.urls import reverse

from fabrics.model_form import ModelForm, presets

pytestmark = pytest.mark.django_db
SWAP = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "sent"}


def asked(**changes: str) -> str:
    values = QueryDict(presets()[1].query).dict()
    return f"{reverse('fabrics:model')}?{urlencode({**values, **changes})}"


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.name)
def test_every_public_model_is_worked_out(preset):
    form = ModelForm(QueryDict(preset.query))

    assert form.is_valid(), form.errors
    assert form.rows


def test_the_page_shows_the_traffic_of_experts(client):
    html = client.get(asked()).content.decode()

    assert "Experts: dispatch and combine" in html
    assert "NVLink and scale-out" in html
    assert "style=" not in html


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"gpus": "2000"}, "gpus"), ({"expert": "3"}, "expert"), ({"layers": "x"}, "")],
)
def test_bad_input_is_told_and_kept(client, changes, field):
    response = client.get(asked(**changes))

    assert response.status_code == 422
    assert f'value="{next(iter(changes.values()))}"' in response.content.decode()
    assert not field or field in response.context["form"].errors


def test_a_swap_brings_the_outputs_alone_and_the_address(client):
    response = client.get(asked(), **SWAP)

    assert b"<input" not in response.content
    assert b'id="id_gpus_errors" hx-swap-oob="true"' in response.content
    assert "deepseek" not in response["HX-Replace-Url"]
    assert "layers=61" in response["HX-Replace-Url"]


def test_a_swap_tells_what_is_wrong_beside_its_field(client):
    html = client.get(asked(gpus="2000"), **SWAP).content.decode()

    place = html.split('id="id_gpus_errors"')[1].split("</div>")[0]
    assert "there are 2,000 GPUs" in place


def test_latencies_are_the_readers(client):
    near, far = (
        ModelForm.of(QueryDict(asked(nvlink_us=us).split("?")[1])) for us in ("0", "9")
    )
    assert near.is_valid()
    assert far.is_valid()

    assert near.rows[0].times[0] != far.rows[0].times[0]
    assert near.rows[0].times[1:] == far.rows[0].times[1:]


def test_a_link_of_before_is_read_as_it_was(client):
    query = QueryDict(presets()[1].query).copy()
    for name in ("nvlink_us", "infiniband_us", "spectrum_us", "zero"):
        del query[name]
    query["is_sharded"] = "on"

    form = ModelForm.of(query)

    assert form.is_valid(), form.errors
    assert form.cleaned_data["zero"] == 1
    assert form.cleaned_data["infiniband_us"] == 5


def test_sharp_is_a_vendors_claim_over_infiniband_alone():
    form = ModelForm.of(QueryDict(presets()[2].query))
    assert form.is_valid()

    claims = [row for row in form.rows if row.is_claim]

    assert claims
    assert all(row.times[0] == row.times[2] == "" for row in claims)
    assert all(row.times[1] for row in claims)
