"""A purchase order that comes after the yes: kept, told, and what the order says."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from quotes.errors import QuoteError
from quotes.models import PurchaseOrder, Revision
from quotes.services.acceptances import void_acceptance
from quotes.services.answers import acceptance_of
from quotes.services.orders import convert_quote
from quotes.services.po_files import add_purchase_order, po_file_of, po_of
from sourceit.events import events_of
from sourceit.models import Delivery, Upload
from tests.factories import make_approver, make_bought
from tests.files import HTML_BYTES, PDF_BYTES
from tests.quotes.answering import address_of
from tests.quotes.answering import quick_pdf as quick_pdf

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def bought(sam) -> Revision:
    return make_bought(sam)


def pdf(data: bytes = PDF_BYTES, name: str = "PO 9.pdf") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def add(revision: Revision, number: str = "", file=None, by=None) -> PurchaseOrder:
    return add_purchase_order(
        acceptance=acceptance_of(revision),
        number=number,
        file=file,
        by=by,
        by_name="Carol Tan",
        now=timezone.now() + timedelta(seconds=PurchaseOrder.objects.count()),
    )


def test_the_customer_sends_it_later_and_both_sides_see_it(
    client, sam_client, bought
) -> None:
    page = client.get(address_of(bought)).content.decode()
    assert "Send another purchase order" in page  # PO-4711 came with the yes

    typed = {"po_number": "PO-9", "po_file": pdf()}
    response = client.post(address_of(bought, "po_send"), typed, follow=True)

    page = response.content.decode()
    assert "We have your purchase order" in page
    assert "purchase order PO-9" in page
    assert "PO 9.pdf" in page
    desk = sam_client.get(reverse("desk:quote", args=[bought.pk])).content.decode()
    assert "PO-4711" in desk, "what came with the yes stays"
    assert "PO-9" in desk
    letter = Delivery.objects.get(kind="po_received_desk")
    assert letter.recipient == bought.quote.request.owner.email
    assert "PO-9" in letter.body_text
    assert acceptance_of(bought).po_number == "PO-4711"
    assert events_of(bought).filter(kind="po_received").exists()


def test_the_newest_number_and_file_count_and_older_files_stay(
    client, sam_client, bought
) -> None:
    first = po_file_of(acceptance_of(bought))
    add(bought, "PO-9", pdf())
    add(bought, "PO-10")

    po = po_of(acceptance_of(bought))

    assert (po.number, po.file.name) == ("PO-10", "PO 9.pdf")
    path = reverse("desk:po_file", args=[acceptance_of(bought).pk])
    for query, name in (("", "PO 9.pdf"), (f"?file={first.pk}", first.name)):
        response = sam_client.get(path + query)
        assert b"".join(response.streaming_content)
        assert name in response["Content-Disposition"]
    other = Upload.objects.exclude(subject_id=acceptance_of(bought).pk).first()
    for query in ("?file=0", "?file=x", f"?file={other.pk if other else 999999}"):
        assert sam_client.get(path + query).status_code == 404


def test_a_file_alone_keeps_the_number(bought) -> None:
    add(bought, "", pdf())

    assert po_of(acceptance_of(bought)).number == "PO-4711"


def test_a_second_click_is_the_first(bought) -> None:
    assert add(bought, "PO-9") == add(bought, " PO-9 ")
    assert Delivery.objects.filter(kind="po_received_desk").count() == 1


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({}, "Enter the number of your purchase order"),
        ({"po_number": "x" * 81}, "at most 80"),
        ({"po_file": pdf(HTML_BYTES)}, "This file"),
    ],
)
def test_what_cannot_be_taken_is_said_beside_the_field(
    client, bought, typed, words
) -> None:
    response = client.post(address_of(bought, "po_send"), typed)

    assert response.status_code == 422
    assert words in response.content.decode()
    assert not PurchaseOrder.objects.exists()


def test_the_order_and_its_confirmation_say_the_newest_number(sam, bought) -> None:
    add(bought, "PO-9")

    order = convert_quote(revision=bought, by=sam, now=timezone.now())

    assert order.content["order"]["po_number"] == "PO-9"


def test_one_that_comes_after_the_order_is_named_there(sam, sam_client, bought) -> None:
    order = convert_quote(revision=bought, by=sam, now=timezone.now())
    add(Revision.objects.get(pk=bought.pk), "PO-9")

    page = sam_client.get(reverse("desk:order", args=[order.pk])).content.decode()

    assert "PO-9" in page
    assert "Came after this order was made" in page


def test_the_desk_enters_it_and_is_not_written_to(sam_client, bought) -> None:
    path = reverse("desk:po_add", args=[acceptance_of(bought).pk])

    page = sam_client.post(path, {"po_number": "PO-9"}, follow=True).content.decode()

    assert "The purchase order is kept" in page
    assert PurchaseOrder.objects.get().number == "PO-9"
    assert not Delivery.objects.filter(kind="po_received_desk").exists()
    again = sam_client.post(path, {}, follow=True).content.decode()
    assert "Enter the number" in again


def test_a_voided_yes_takes_none(client, bought) -> None:
    acceptance = acceptance_of(bought)
    void_acceptance(
        revision=bought, by=make_approver(), reason="No", now=timezone.now()
    )

    assert client.get(address_of(bought, "po_send")).status_code == 404
    with pytest.raises(QuoteError, match="does not stand"):
        add_purchase_order(
            acceptance=acceptance,
            number="PO-9",
            file=None,
            by=None,
            by_name="Carol",
            now=timezone.now(),
        )
