"""The purchase order's file: taken with the yes, kept, and handed to both sides."""

from __future__ import annotations

import hashlib

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from quotes.models import Acceptance, Revision
from quotes.states import RequestStatus
from sourceit.models import Upload
from tests.factories import make_request, make_revision
from tests.files import HTML_BYTES, PDF_BYTES
from tests.quotes.answering import address_of, dispatch, with_code
from tests.quotes.answering import quick_pdf as quick_pdf
from tests.quotes.test_acceptances import TYPED

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def sent(sam) -> Revision:
    asked = make_request(owner=sam, status=RequestStatus.IN_PROGRESS)
    return dispatch(make_revision(request=asked, author=sam))


def pdf(data: bytes = PDF_BYTES, name: str = "PO 9.pdf") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def body_of(response) -> bytes:
    return b"".join(response.streaming_content)


def test_the_file_goes_with_the_yes_and_into_its_record(client, sent) -> None:
    client.post(
        address_of(sent, "accept"), {**with_code(client, sent), "po_file": pdf()}
    )

    acceptance = Acceptance.objects.get()
    kept = acceptance.manifest["accepted"]["po_file"]
    assert kept["name"] == "PO 9.pdf"
    assert kept["sha256"] == hashlib.sha256(PDF_BYTES).hexdigest()
    page = client.get(address_of(sent)).content.decode()
    assert "PO 9.pdf" in page
    response = client.get(address_of(sent, "answer_po"))
    assert body_of(response) == PDF_BYTES
    assert response["Content-Disposition"].startswith("attachment")


def test_what_pretends_to_be_a_pdf_is_refused_and_nothing_accepted(
    client, sent
) -> None:
    typed = {**with_code(client, sent), "po_file": pdf(HTML_BYTES)}

    page = client.post(address_of(sent, "accept"), typed)

    assert page.status_code == 422
    assert "This file" in page.content.decode()
    assert not Acceptance.objects.exists()
    assert not Upload.objects.exists()


def test_the_desk_may_give_the_file_as_evidence(sam_client, sent) -> None:
    path = reverse("desk:quote_accept", args=[sent.pk])

    sam_client.post(path, {**TYPED, "po_number": "", "po_file": pdf()})

    acceptance = Acceptance.objects.get()
    assert acceptance.po_number == ""
    desk = reverse("desk:po_file", args=[acceptance.pk])
    assert body_of(sam_client.get(desk)) == PDF_BYTES


def test_there_is_no_file_where_none_was_given(client, sent) -> None:
    client.post(address_of(sent, "accept"), with_code(client, sent))

    assert Acceptance.objects.get().manifest["accepted"]["po_file"] is None
    assert client.get(address_of(sent, "answer_po")).status_code == 404
