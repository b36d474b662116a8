"""Files gathered with the basket: kept, removed and put back, then frozen."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from quotes.errors import QuoteError
from quotes.models import QuoteRequest
from quotes.services.baskets import add_text, make_basket
from quotes.services.files import attach_file, detach_file, files_of
from quotes.states import RequestStatus
from sourceit.models import Upload
from tests.files import HTML_BYTES, PDF_BYTES, read_file, upload

pytestmark = pytest.mark.django_db


def attach(client, *files):
    return client.post(reverse("quotes:basket_attach"), {"files": list(files)})


def test_a_file_is_kept_with_the_basket_and_read_by_its_visitor_alone(client):
    attach(client, upload("plan.pdf", PDF_BYTES))
    file = Upload.objects.get()
    path = reverse("quotes:basket_file", args=[file.pk])

    assert "plan.pdf" in client.get(reverse("quotes:basket")).content.decode()
    assert read_file(client.get(path)) == PDF_BYTES
    stranger = Client()
    attach(stranger, upload("own.pdf", PDF_BYTES))
    for name in ("basket_file", "basket_detach", "basket_put_back"):
        theirs = reverse(f"quotes:{name}", args=[file.pk])
        for verb in ("get", "head", "post", "put", "patch", "delete"):
            assert getattr(stranger, verb)(theirs).status_code in (404, 405)


def test_one_refused_file_leaves_the_others(client):
    response = attach(
        client, upload("plan.pdf", PDF_BYTES), upload("page.pdf", HTML_BYTES)
    )

    assert response.status_code == 422
    assert "page.pdf: This file is named .pdf" in response.content.decode()
    assert [each.name for each in Upload.objects.all()] == ["plan.pdf"]


def test_no_file_is_said(client):
    assert "Choose a file first." in attach(client).content.decode()


def test_a_removed_file_can_be_put_back(client):
    attach(client, upload("plan.pdf", PDF_BYTES))
    file = Upload.objects.get()

    page = client.post(reverse("quotes:basket_detach", args=[file.pk]))

    put_back = reverse("quotes:basket_put_back", args=[file.pk])
    assert put_back in page.content.decode()
    path = reverse("quotes:basket_file", args=[file.pk])
    assert client.get(path).status_code == 404
    client.post(put_back)
    assert [each.pk for each in files_of(QuoteRequest.objects.get())] == [file.pk]


def test_signing_in_keeps_the_guests_files(client, carol):
    own = make_basket(user=carol)
    add_text(basket=own, description="Rack", quantity=1)
    attach(client, upload("plan.pdf", PDF_BYTES))

    client.force_login(carol)
    client.get(reverse("quotes:basket"))

    assert [each.name for each in files_of(own)] == ["plan.pdf"]


def test_a_sent_request_keeps_its_files_as_they_were(carol):
    basket = make_basket(user=carol)
    now = timezone.now()
    file = attach_file(
        basket=basket, file=upload("plan.pdf", PDF_BYTES), by=carol, now=now
    )
    QuoteRequest.objects.filter(pk=basket.pk).update(
        status=RequestStatus.SUBMITTED, number="RFQ-2026-000001"
    )

    with pytest.raises(QuoteError):
        detach_file(basket=basket, upload=file, now=now)
    with pytest.raises(QuoteError):
        attach_file(basket=basket, file=upload("b.pdf", PDF_BYTES), by=carol, now=now)
    assert files_of(basket) == [file]
