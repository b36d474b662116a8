"""From a yes to an order: once, to the cent, and what to buy stays at the desk."""

from __future__ import annotations

import io
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from quotes.choosing import Choice
from quotes.errors import QuoteError
from quotes.models import Line, Order, OrderLine, Revision
from quotes.services.acceptances import void_acceptance
from quotes.services.answers import Signature, Yes, accept_quote
from quotes.services.orders import (
    CONFIRMATION,
    confirm_order,
    convert_quote,
    print_confirmation,
)
from quotes.states import RequestStatus, RevisionStatus
from quotes.tasks import sweep_papers
from sourceit.documents import document_of
from sourceit.models import Counter, Delivery, Document
from tests.factories import (
    make_approver,
    make_bought,
    make_line,
    make_order,
    make_request,
    make_revision,
)
from tests.quotes.answering import accept, address_of, dispatch
from tests.quotes.answering import quick_pdf as quick_pdf
from tests.quotes.test_races import race
from tests.quotes.test_secrecy import secrets_in

pytestmark = pytest.mark.django_db
SECRET_SUPPLIER = "Hidden Distribution Pte Ltd"


@pytest.fixture(autouse=True)
def _own_media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def bought(sam) -> Revision:
    return make_bought(sam, lines=2)


def convert(revision: Revision, by) -> Order:
    return convert_quote(revision=revision, by=by, now=timezone.now())


def url(name: str, *args) -> str:
    return reverse(f"desk:{name}", args=args)


# Converting


def test_an_order_copies_what_was_accepted_to_the_cent(sam) -> None:
    asked = make_request(owner=sam, status=RequestStatus.IN_PROGRESS)
    draft = make_revision(request=asked, author=sam, lines=0)
    for position in range(2):  # the same part twice: two lines, not one
        make_line(
            draft,
            position=position,
            quantity=Decimal("3"),
            unit_price=Decimal("0.3333"),
            unit_cost=Decimal("0.1000"),
            discount_percent=Decimal("2.5"),
        )
    sent = dispatch(draft)
    accept(sent)

    order = convert(sent, sam)

    lines = list(order.lines.all())
    frozen = sent.content["sections"][0]["lines"]
    assert [str(line.net) for line in lines] == [entry["net"] for entry in frozen]
    assert [line.source for line in lines] == list(sent.lines_in_order())
    assert (order.net, order.gst, order.gross) == (sent.net, sent.gst, sent.gross)
    assert sum(line.net for line in lines) == order.net


def test_todays_prices_play_no_part(bought, sam) -> None:
    Line.objects.filter(revision=bought).update(
        unit_price=Decimal("1"), description="Altered", quantity=Decimal(9)
    )

    order = convert(bought, sam)

    assert order.gross == bought.gross
    assert {line.description for line in order.lines.all()} == {
        "NVIDIA Spectrum-2 SN3700"
    }


def test_options_that_were_not_chosen_are_not_ordered(sam) -> None:
    asked = make_request(owner=sam, status=RequestStatus.IN_PROGRESS)
    draft = make_revision(request=asked, author=sam, lines=1)
    make_line(draft, position=1, kind="optional", description="An extra")
    make_line(draft, position=2, kind="text", description="A heading")
    sent = dispatch(draft)
    accept(sent)

    order = convert(sent, sam)

    assert [line.number for line in order.lines.all()] == [1]
    assert "An extra" not in str(order.content["options"])


def test_what_was_chosen_is_what_is_ordered_to_the_cent(sam) -> None:
    asked = make_request(owner=sam, status=RequestStatus.IN_PROGRESS)
    draft = make_revision(request=asked, author=sam, lines=0)
    ranged = {"quantity_min": 1, "quantity_max": 9, "quantity_step": 1}
    make_line(draft, **ranged)
    make_line(draft, position=1, kind="optional", description="An extra")
    sent = dispatch(draft)
    choice = Choice(options=frozenset({2}), quantities={1: Decimal(3)})
    signature = Signature(name="Carol", job_title="Buyer", email="c@e.com", words="Y")
    acceptance = accept_quote(
        revision=sent, signature=signature, now=timezone.now(), yes=Yes(choice=choice)
    )

    order = convert(sent, sam)

    lines = [(line.number, line.quantity) for line in order.lines.all()]
    assert lines == [(1, 3), (2, 1)]
    assert order.gross == acceptance.gross != sent.gross
    assert sum(line.net for line in order.lines.all()) == order.net
    assert len(acceptance.manifest["choice"]) == 2
    assert acceptance.manifest["totals"]["gross"] == str(order.gross)


def test_it_has_a_number_of_its_own_and_the_request_stays_won(bought, sam) -> None:
    order = convert(bought, sam)

    bought.refresh_from_db()
    assert order.number == f"OC-{timezone.localdate().year}-0001"
    assert bought.status == RevisionStatus.CONVERTED
    assert bought.quote.request.status == RequestStatus.WON


def test_twice_is_the_first_order_again(bought, sam) -> None:
    assert convert(bought, sam) == convert(bought, sam)

    assert Counter.objects.get(series="OC").value == 1
    with pytest.raises(IntegrityError), transaction.atomic():
        Order.objects.create(
            acceptance=bought.acceptances.get(),
            number="OC-1",
            content={},
            net=0,
            gst=0,
            gross=0,
            created_by=sam,
        )


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_ten_at_once_make_one_order(bought, sam) -> None:
    results = race(*[lambda: convert(Revision.objects.get(pk=bought.pk), sam)] * 10)

    assert set(results) == {Order.objects.get()}
    assert OrderLine.objects.count() == 2
    assert Counter.objects.get(series="OC").value == 1


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_of_an_order_and_a_void_one_counts(bought, sam) -> None:
    raj = make_approver()
    race(
        lambda: convert(Revision.objects.get(pk=bought.pk), sam),
        lambda: void_acceptance(
            revision=Revision.objects.get(pk=bought.pk),
            by=raj,
            reason="A mistake",
            now=timezone.now(),
        ),
    )

    bought.refresh_from_db()
    is_ordered = Order.objects.exists()
    assert bought.acceptances.get().voided_at is None or not is_ordered
    expected = RevisionStatus.CONVERTED if is_ordered else RevisionStatus.SENT
    assert bought.status == expected


@pytest.mark.parametrize("status", [s for s in RevisionStatus if s != "accepted"])
def test_only_what_is_accepted_becomes_an_order(bought, sam, status) -> None:
    Revision.objects.filter(pk=bought.pk).update(status=status)
    bought.refresh_from_db()

    with pytest.raises(QuoteError):
        convert(bought, sam)
    assert not Order.objects.exists()


def test_an_order_is_not_voided(bought, sam) -> None:
    convert(bought, sam)

    with pytest.raises(QuoteError):
        void_acceptance(
            revision=bought, by=make_approver(), reason="No", now=timezone.now()
        )


# Confirming


def test_the_confirmation_prints_what_was_accepted(bought, sam) -> None:
    order = make_order(bought, sam, is_confirmed=False)
    with order.document.file.open("rb") as file:
        pages = PdfReader(io.BytesIO(file.read())).pages
        text = "\n".join(page.extract_text() for page in pages)

    for words in (
        "Order confirmation",
        order.number,
        f"{bought.quote.number} rev 1",
        "PO-4711",
        f"S${order.gross:,}",
        "This is not a tax invoice",
    ):
        assert words in text
    assert secrets_in(text) == []
    assert "21,234" not in text


def test_the_sweep_prints_confirmations(bought, sam) -> None:
    order = convert(bought, sam)

    sweep_papers()

    assert document_of(order, CONFIRMATION).status == Document.Status.READY
    assert not print_confirmation(order.pk, timezone.now())


def test_the_customer_gets_it_once_with_the_file(bought, sam_client, sam) -> None:
    order = make_order(bought, sam, is_confirmed=False)
    for _ in range(2):
        sam_client.post(url("order_confirm", order.pk))

    letter = Delivery.objects.get(kind="order_confirmed")
    assert letter.recipient == "carol@example.com"
    assert letter.document == order.document
    assert f"S${order.gross:,}" in letter.body_text
    assert secrets_in(letter.body_text) == []


def test_nothing_is_sent_before_the_file_is_there(bought, sam_client, sam) -> None:
    order = convert(bought, sam)

    response = sam_client.post(url("order_confirm", order.pk))

    assert response.status_code == 409
    assert "still being made" in response.content.decode()
    assert not Delivery.objects.filter(kind="order_confirmed").exists()


def test_the_customer_reads_it_once_it_was_sent(client, bought, sam) -> None:
    order = make_order(bought, sam, is_confirmed=False)
    path = address_of(bought, "answer_order")
    assert client.get(path).status_code == 404
    assert order.number not in client.get(address_of(bought)).content.decode()

    confirm_order(order=order, by=sam, now=timezone.now())

    assert b"".join(client.get(path).streaming_content).startswith(b"%PDF")
    assert order.number in client.get(address_of(bought)).content.decode()


def test_a_confirmation_that_cannot_be_printed_is_retried(
    bought, sam, sam_client, monkeypatch
) -> None:
    order = convert(bought, sam)
    with monkeypatch.context() as broken:
        broken.setattr("quotes.services.orders.render_pdf", lambda *_, **__: 1 / 0)
        assert not print_confirmation(order.pk, timezone.now())
    page = sam_client.get(url("order", order.pk)).content.decode()
    assert "could not be made" in page

    sam_client.post(url("order_retry", order.pk))

    assert print_confirmation(order.pk, timezone.now())
