"""From a yes to an order: convert once, confirm to the customer, buy from suppliers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal

from django.conf import settings
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string

from catalog.models import SupplierPart
from quotes.bought import bought_content, bought_lines
from quotes.content import Content, hash_content
from quotes.errors import QuoteError
from quotes.models import Acceptance, Line, Order, OrderLine, Revision
from quotes.pdf import print_context
from quotes.pricing import Kind
from quotes.services.answers import (
    acceptance_of,
    lock_revision,
    tracking_link_for,
)
from quotes.services.listings import part_of, parts_of
from quotes.services.moves import move_revision
from quotes.services.papers import Paper, make_paper, papers_due
from quotes.services.po_files import po_number_of
from quotes.services.screening import refuse_held
from quotes.states import Actor
from sourceit.clock import singapore_date
from sourceit.documents import await_document, document_of, retry_document
from sourceit.events import record_event
from sourceit.mail import queue_email
from sourceit.models import Document, User
from sourceit.money import format_money
from sourceit.numbers import take_number
from sourceit.pdf import render_pdf

CONFIRMATION = "order_confirmation"


def convert_quote(*, revision: Revision, by: User, now: datetime) -> Order:
    """Make the order of an accepted revision, once: a second time returns the first.

    Raises:
        QuoteError: it is not accepted, its screening does not hold, or its lines do
            not come to what was accepted.
    """
    first = order_of(revision)
    if first is not None:
        return first
    try:
        return _convert(revision, by, now)
    except (IntegrityError, QuoteError):
        # Somebody may have been quicker.
        first = order_of(revision)
        if first is None:
            raise
        return first


def order_of(revision: Revision) -> Order | None:
    """Return the order of a revision; a voided acceptance never has one."""
    return Order.objects.filter(acceptance__revision=revision).first()


@transaction.atomic
def _convert(revision: Revision, by: User, now: datetime) -> Order:
    current = lock_revision(revision)
    acceptance = acceptance_of(current)
    if acceptance is None:
        raise QuoteError(f"{current} is not accepted, so it is no order yet.")
    refuse_held(current)
    number = take_number("OC", singapore_date(now).year)
    move_revision(
        current,
        "convert",
        f"Order {number} made",
        actor=Actor.SALES,
        by=by,
        internal=True,
    )
    order = _make_order(acceptance, number, by, now)
    await_document(order, CONFIRMATION, f"Order confirmation {number}")
    revision.status = current.status
    return order


def _make_order(acceptance: Acceptance, number: str, by: User, now: datetime) -> Order:
    content = _confirmation(acceptance, number, now)
    totals = content["totals"]
    if Decimal(totals["gross"]) != acceptance.gross:
        raise QuoteError("The lines do not come to what was accepted. Call for help.")
    order = Order.objects.create(
        acceptance=acceptance,
        number=number,
        content=content,
        content_sha256=hash_content(content),
        currency=acceptance.currency,
        net=Decimal(totals["net"]),
        gst=Decimal(totals["gst"]),
        gross=Decimal(totals["gross"]),
        created_by=by,
        created_at=now,
    )
    OrderLine.objects.bulk_create(_copy_lines(order, acceptance))
    return order


def _confirmation(acceptance: Acceptance, number: str, now: datetime) -> Content:
    """The content of the confirmation: what was accepted, under the order's number."""
    return {
        **bought_content(acceptance),
        "changes": None,
        "message": "",
        "designs": [],
        "order": {
            "number": number,
            "confirmed_on": singapore_date(now).isoformat(),
            "accepted_by": f"{acceptance.name}, {acceptance.job_title}",
            "accepted_on": singapore_date(acceptance.at).isoformat(),
            "po_number": po_number_of(acceptance),
        },
    }


def _copy_lines(order: Order, acceptance: Acceptance) -> Iterable[OrderLine]:
    """Copy the accepted entries; each points at the quote's line of its number."""
    sources = dict(enumerate(acceptance.revision.lines_in_order(), start=1))
    parts = parts_of(one.product_id for one in sources.values() if one.product_id)
    for entry in bought_lines(acceptance):
        if entry["kind"] == Kind.TEXT or not entry["unit_price"]:
            continue
        source = sources[entry["number"]]
        part = part_of(parts.get(source.product_id or 0, []), source.supplier_id)
        yield _copy_line(order, entry, source, part)


def _copy_line(
    order: Order, entry: Content, source: Line, part: SupplierPart | None
) -> OrderLine:
    return OrderLine(
        order=order,
        source=source,
        number=entry["number"],
        kind=entry["kind"],
        maker=entry["maker"],
        mpn=entry["mpn"],
        description=entry["description"],
        quantity=Decimal(entry["quantity"]),
        unit=entry["unit"],
        unit_price=Decimal(entry["unit_price"]),
        discount_percent=Decimal(entry["discount_percent"]),
        net=Decimal(entry["net"]),
        tax=entry["tax"],
        lead_time=entry["lead_time"][:200],
        unit_cost=source.unit_cost,
        supplier_id=source.supplier_id or (part.supplier_id if part else None),
        supplier_part=part.part_number if part else "",
    )


# The confirmation


def print_confirmation(pk: int, now: datetime) -> bool:
    """Print an order's confirmation, unless another worker has it."""
    order = Order.objects.filter(pk=pk).first()
    if order is None:
        return False

    def keep(document: Document) -> None:
        Order.objects.filter(pk=pk).update(document=document)

    return make_paper(order, CONFIRMATION, now, write=lambda: _print(order), then=keep)


def confirmations_due(now: datetime) -> list[int]:
    return papers_due(CONFIRMATION, Order.objects.all(), now)


def _print(order: Order) -> Paper:
    html = render_to_string("pdf/order.html", confirmation_context(order))
    pdf = render_pdf(html, identifier=order.number, created=order.created_at)
    return Paper(pdf, f"SourceIT-Order-Confirmation-{order.number}.pdf")


def confirmation_context(order: Order) -> Content:
    """Return what the confirmation prints: the order's content and its letterhead."""
    content = order.content
    facts = content["order"]
    return {
        **print_context(content),
        "paper": {
            "title": "Order confirmation",
            "ref": order.number,
            "meta": [
                ("Date", _day(facts["confirmed_on"])),
                ("Your order", facts["po_number"] or "as accepted online"),
                ("Quotation", f"{content['number']} rev {content['revision']}"),
                ("Accepted", f"{_day(facts['accepted_on'])}, {facts['accepted_by']}"),
            ],
        },
    }


def _day(iso: str) -> str:
    return f"{datetime.fromisoformat(iso):%-d %b %Y}"


@transaction.atomic
def confirm_order(*, order: Order, by: User, now: datetime) -> None:
    """E-mail the confirmation to who accepted, once.

    Raises:
        QuoteError: its PDF is not made yet, it was replaced, or a controlled item's
            screening is no longer true.
    """
    document = order.document
    if document is None or document.status != Document.Status.READY:
        raise QuoteError("The PDF is still being made. Try again in a moment.")
    if order.replaced_at is not None:
        raise QuoteError(f"{order} was changed, so it is not confirmed any more.")
    refuse_held(order.acceptance.revision)
    if not Order.objects.filter(pk=order.pk, confirmed_at=None).update(
        confirmed_at=now
    ):
        return
    revision = order.acceptance.revision
    _tell_customer(order, document)
    text = f"Order {order.number} confirmed to {order.acceptance.email}"
    record_event(revision, "order_confirmed", text, by=by, internal=False)


def _tell_customer(order: Order, document: Document) -> None:
    acceptance = order.acceptance
    revision = acceptance.revision
    request = revision.quote.request
    owner = request.owner
    queue_email(
        revision,
        "order_confirmed",
        to=acceptance.email,
        context={
            "order": order,
            "revision": revision,
            "total": format_money(order.gross, order.currency),
        },
        reply_to=owner.email if owner else settings.SALES_EMAIL,
        link=tracking_link_for(request, acceptance.email),
        document=document,
        occasion=order.number,
    )


def retry_confirmation(*, order: Order, by: User) -> None:
    """Let a confirmation that could not be printed be printed again.

    Raises:
        QuoteError: there is nothing to retry.
    """
    with transaction.atomic():
        document = document_of(order, CONFIRMATION)
        if document is None or not retry_document(document):
            raise QuoteError("There is no failed document to make again.")
        revision = order.acceptance.revision
        text = f"{by} asked to make the order confirmation again"
        record_event(revision, "document_retried", text, by=by)
