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
    assert "deepseek" not in response["HX-Replace-Url"]
    assert "layers=61" in response["HX-Replace-Url"]
