"""The basket's pages: what goes in, comes out and comes back, guest or signed in."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from fabrics.engine import FabricSpec
from fabrics.services import save_design
from quotes.models import QuoteRequest, RequestLine
from quotes.states import RequestStatus
from tests.factories import make_product, make_request
from tests.quotes.test_customer_views import fill_basket

pytestmark = pytest.mark.django_db


def test_an_item_goes_into_the_basket_and_is_counted(client) -> None:
    fill_basket(client)

    page = client.get(reverse("quotes:basket")).content.decode()

    assert "NVIDIA Spectrum-2 SN3700" in page
    assert 'id="basket-count">(1)' in page
    assert RequestLine.objects.get().quantity == 4


def test_the_same_item_twice_is_one_line(client) -> None:
    product = fill_basket(client, "4")
    client.post(reverse("quotes:basket_add"), {"product": product.pk, "quantity": "2"})

    assert RequestLine.objects.get().quantity == 6


@pytest.mark.parametrize(
    "quantity", ["0", "-5", "many", "1.5", "10000000", "１２", "9" * 40]
)
def test_a_quantity_that_is_none_is_refused_and_kept(client, quantity) -> None:
    fill_basket(client)
    line = RequestLine.objects.get()

    response = client.post(
        reverse("quotes:basket_line", args=[line.pk]),
        {"quantity": quantity, "note": "x"},
    )

    assert response.status_code == 422
    assert f'value="{quantity}"' in response.content.decode()
    assert "Enter a quantity from 1 to 1,000,000." in response.content.decode()
    line.refresh_from_db()
    assert line.quantity == 4


def test_words_with_our_part_number_become_that_item(client) -> None:
    product = make_product(mpn="MSN3700-VS2F")

    client.post(
        reverse("quotes:basket_add_text"),
        {"description": "msn3700-vs2f", "quantity": "2"},
    )

    assert RequestLine.objects.get().product == product


def test_what_was_typed_survives_a_mistake(client) -> None:
    response = client.post(
        reverse("quotes:basket_add_text"),
        {"description": "400 m of fibre", "quantity": "lots", "note": "blue"},
    )

    page = response.content.decode()
    assert response.status_code == 422
    assert 'value="400 m of fibre"' in page
    assert 'value="blue"' in page


def test_a_removed_line_comes_back(client) -> None:
    fill_basket(client)
    line = RequestLine.objects.get()

    client.post(reverse("quotes:basket_remove", args=[line.pk]))
    assert client.session["basket_count"] == 0
    client.post(reverse("quotes:basket_restore", args=[line.pk]))

    assert client.session["basket_count"] == 1


def test_another_visitors_line_is_not_found(client) -> None:
    line = make_request(status=RequestStatus.DRAFT, number="").lines.get()
    for name in ("basket_line", "basket_remove", "basket_restore"):
        response = client.post(reverse(f"quotes:{name}", args=[line.pk]))
        assert response.status_code == 404


def test_a_guests_basket_survives_signing_in(client, carol) -> None:
    fill_basket(client)
    own = QuoteRequest.objects.create(user=carol)
    RequestLine.objects.create(request=own, description="Waiting here")

    client.login(username=carol.email, password="let me in please")
    page = client.get(reverse("quotes:basket")).content.decode()

    assert "SN3700" in page
    assert "Waiting here" in page
    assert QuoteRequest.objects.filter(status=RequestStatus.DRAFT).count() == 1


@pytest.mark.parametrize("lines", [2, 12])
def test_the_basket_takes_as_many_queries_for_many_lines(
    client, django_assert_max_num_queries, lines
) -> None:
    for number in range(lines):
        client.post(
            reverse("quotes:basket_add_text"),
            {"description": f"Thing {number}", "quantity": "1"},
        )

    with django_assert_max_num_queries(5):
        client.get(reverse("quotes:basket"))


def test_a_design_goes_into_the_basket_from_the_configurator(client) -> None:
    fields = {
        "system": "gb300-nvl72",
        "fabric": "quantum-x800",
        "design": "superpod",
        "gpus": "576",
    }

    client.post(reverse("quotes:basket_add_design"), fields)

    line = RequestLine.objects.get()
    assert line.design.result["compute"]["leaf"] == 8
    assert "576 GPUs" in line.description
    assert "576 GPUs" in client.get(reverse("quotes:basket")).content.decode()


def test_a_saved_design_goes_in_once_and_an_unknown_one_is_not_found(client) -> None:
    spec = FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-x800", gpus=576)
    saved = save_design(spec=spec, owner=None)
    add = reverse("quotes:basket_add_design")

    for _ in range(2):
        client.post(add, {"saved": str(saved.design_id), "version": "1"})

    assert RequestLine.objects.get().design == saved
    for wrong in ({"saved": str(uuid4())}, {"version": "2"}, {"version": "x"}):
        asked = {"saved": str(saved.design_id), "version": "1", **wrong}
        assert client.post(add, asked).status_code == 404
    assert client.post(add, {"saved": "nonsense"}).status_code == 404
