"""Asking suppliers: an inquiry drafted from a quote, sent once, asked again, closed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string

from catalog.models import Supplier
from quotes.errors import QuoteError
from quotes.models import InquiryLine, Line, Revision, SupplierInquiry, SupplierInvite
from quotes.pricing import Kind
from quotes.services.moves import move_inquiry
from quotes.services.papers import Paper, make_paper, papers_due
from quotes.states import Actor, InquiryStatus
from sourceit.clock import has_ended, singapore_date
from sourceit.documents import await_document, document_of, retry_document
from sourceit.events import record_event
from sourceit.links import issue_link, revoke_links
from sourceit.mail import queue_email
from sourceit.models import Delivery, Document, User
from sourceit.numbers import take_number
from sourceit.pdf import render_pdf

INQUIRY = "supplier_inquiry"
# The secret link's purpose is the name of its address.
SUPPLIER = "supplier"
REPLY_DAYS = 5
MAX_SUPPLIERS = 20
ASKABLE = (Kind.STANDARD, Kind.OPTIONAL, Kind.ALTERNATIVE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the desk writes on a draft: per line (by id) quantity and note, and whom."""

    reply_by: date | None
    message: str
    # Lines that are not in it are taken out.
    lines: Mapping[int, tuple[Decimal, str]]
    suppliers: Iterable[Supplier]


@transaction.atomic
def draft_inquiry(
    *, revision: Revision, lines: Iterable[Line], by: User, now: datetime
) -> SupplierInquiry:
    """Start an inquiry for lines of a quote, in the quote's order.

    Suppliers that the lines name already, or that sell their products, are asked.

    Raises:
        QuoteError: none of the lines is something to buy.
    """
    wanted = {line.pk for line in lines}
    chosen = [
        line
        for line in revision.lines_in_order()
        if line.pk in wanted and line.kind in ASKABLE
    ]
    if not chosen:
        raise QuoteError("Tick the lines to ask suppliers for.")
    inquiry = SupplierInquiry.objects.create(
        request=revision.quote.request,
        author=by,
        reply_by=singapore_date(now) + timedelta(days=REPLY_DAYS),
        created_at=now,
    )
    InquiryLine.objects.bulk_create(
        _ask_for(inquiry, line, place) for place, line in enumerate(chosen)
    )
    set_suppliers(inquiry, _known_suppliers(chosen))
    text = f"Inquiry to suppliers started for {len(chosen)} lines of {revision}"
    record_event(revision, "inquiry_started", text, by=by, inquiry=inquiry.pk)
    return inquiry


def _ask_for(inquiry: SupplierInquiry, line: Line, place: int) -> InquiryLine:
    """Copy what is asked for; the note to the customer and every price stay here."""
    return InquiryLine(
        inquiry=inquiry,
        position=place,
        source=line,
        product_id=line.product_id,
        maker=line.maker,
        mpn=line.mpn,
        description=line.description,
        quantity=line.quantity_max or line.quantity,
        unit=line.unit,
    )


def _known_suppliers(lines: list[Line]) -> list[Supplier]:
    products = [line.product_id for line in lines if line.product_id]
    named = [line.supplier_id for line in lines if line.supplier_id]
    selling = Supplier.objects.filter(parts__product__in=products)
    known = selling | Supplier.objects.filter(pk__in=named)
    return list(known.distinct()[:MAX_SUPPLIERS])


def set_suppliers(inquiry: SupplierInquiry, suppliers: Iterable[Supplier]) -> None:
    """Ask just these suppliers, each at the e-mail it has now.

    Raises:
        QuoteError: more than an inquiry may go to.
    """
    wanted = {supplier.pk: supplier for supplier in suppliers}
    if len(wanted) > MAX_SUPPLIERS:
        raise QuoteError(f"Ask at most {MAX_SUPPLIERS} suppliers at a time.")
    inquiry.invites.exclude(supplier__in=wanted).delete()
    there = set(inquiry.invites.values_list("supplier", flat=True))
    SupplierInvite.objects.bulk_create(
        SupplierInvite(
            inquiry=inquiry,
            supplier=supplier,
            email=supplier.email,
            name=supplier.contact_name,
        )
        for pk, supplier in wanted.items()
        if pk not in there
    )


@transaction.atomic
def save_inquiry(*, inquiry: SupplierInquiry, asked: Asked, by: User) -> None:
    """Write a draft as it was typed.

    Raises:
        QuoteError: it was sent meanwhile, nothing is asked, or too many suppliers.
    """
    _hold_draft(inquiry, "edit", "Inquiry edited", by)
    if not asked.lines:
        raise QuoteError("Keep at least one line.")
    inquiry.reply_by, inquiry.message = asked.reply_by, asked.message
    inquiry.save(update_fields=["reply_by", "message"])
    inquiry.lines.exclude(pk__in=asked.lines).delete()
    for line in inquiry.lines.all():
        line.quantity, line.note = asked.lines[line.pk]
        line.save(update_fields=["quantity", "note"])
    set_suppliers(inquiry, asked.suppliers)


def _hold_draft(inquiry: SupplierInquiry, action: str, text: str, by: User) -> None:
    """Lock a draft for a change; two people's edits come one after the other."""
    held = SupplierInquiry.objects.select_for_update().get(pk=inquiry.pk)
    move_inquiry(held, action, text, actor=Actor.SALES, by=by)


@transaction.atomic
def discard_inquiry(*, inquiry: SupplierInquiry, by: User) -> None:
    """Throw a draft away.

    Raises:
        QuoteError: it was sent meanwhile.
    """
    _hold_draft(inquiry, "discard", "Inquiry discarded", by)
    inquiry.delete()


@transaction.atomic
def send_inquiry(*, inquiry: SupplierInquiry, by: User, now: datetime) -> None:
    """Number an inquiry and have its PDF made; the e-mails go with the PDF.

    Raises:
        QuoteError: it was sent already, or something is missing.
    """
    if not inquiry.invites.exists():
        raise QuoteError("Choose at least one supplier to ask.")
    if not inquiry.lines.exists():
        raise QuoteError("There is no line to ask for.")
    if inquiry.reply_by is None or has_ended(inquiry.reply_by, now):
        raise QuoteError("Enter a day to answer by that is not over.")
    number = take_number("SI", singapore_date(now).year)
    move_inquiry(
        inquiry,
        "send",
        f"Inquiry {number} sent to {inquiry.invites.count()} suppliers",
        actor=Actor.SALES,
        by=by,
        number=number,
        sent_at=now,
    )
    await_document(inquiry, INQUIRY, f"Inquiry {number}")


@transaction.atomic
def close_inquiry(*, inquiry: SupplierInquiry, by: User, now: datetime) -> None:
    """End an inquiry: suppliers' links say so and take nothing more.

    Raises:
        QuoteError: it is a draft, or closed already.
    """
    move_inquiry(
        inquiry,
        "close",
        f"{inquiry} closed by {by}",
        actor=Actor.SALES,
        by=by,
        closed_at=now,
    )


@transaction.atomic
def ask_again(*, inquiry: SupplierInquiry, by: User, now: datetime) -> SupplierInquiry:
    """Copy an inquiry into a new draft to the same suppliers; the old one stays.

    Raises:
        QuoteError: it was never sent.
    """
    held = SupplierInquiry.objects.select_for_update().get(pk=inquiry.pk)
    move_inquiry(held, "ask_again", "Asked again", actor=Actor.SALES, by=by)
    again = SupplierInquiry.objects.create(
        request_id=inquiry.request_id,
        author=by,
        again_of=inquiry,
        message=inquiry.message,
        reply_by=singapore_date(now) + timedelta(days=REPLY_DAYS),
        created_at=now,
    )
    copies = list(inquiry.lines.all())
    for line in copies:
        line.pk, line.inquiry = None, again
    InquiryLine.objects.bulk_create(copies)
    asked = Supplier.objects.filter(invites__inquiry=inquiry)
    set_suppliers(again, asked)
    return again


# The paper and the e-mails


def print_inquiry(pk: int, now: datetime) -> bool:
    """Print an inquiry and queue its e-mails, unless another worker has it."""
    inquiry = SupplierInquiry.objects.select_related("author").filter(pk=pk).first()
    if inquiry is None:
        return False

    def tell(document: Document) -> None:
        for invite in inquiry.invites.select_related("supplier").exclude(email=""):
            write_to_supplier(inquiry, invite, document)

    return make_paper(inquiry, INQUIRY, now, write=lambda: _print(inquiry), then=tell)


def inquiries_due(now: datetime) -> list[int]:
    return papers_due(INQUIRY, SupplierInquiry.objects.all(), now)


def write_to_supplier(
    inquiry: SupplierInquiry, invite: SupplierInvite, document: Document
) -> Delivery:
    """Queue the e-mail with a supplier's own link, once."""
    link = issue_link(invite, purpose=SUPPLIER, email=invite.email, name=invite.name)
    return queue_email(
        invite,
        INQUIRY,
        to=invite.email,
        context={"inquiry": inquiry, "invite": invite, "seller": settings.SELLER},
        reply_to=inquiry.author.email,
        link=link,
        document=document,
    )


def _print(inquiry: SupplierInquiry) -> Paper:
    html = render_to_string("pdf/inquiry.html", inquiry_context(inquiry))
    assert inquiry.sent_at is not None
    pdf = render_pdf(html, identifier=inquiry.number, created=inquiry.sent_at)
    return Paper(pdf, f"SourceIT-Inquiry-{inquiry.number}.pdf")


def inquiry_context(inquiry: SupplierInquiry) -> dict[str, Any]:
    """Return what is printed: nothing of the customer, nor of other suppliers."""
    now = inquiry.sent_at or inquiry.created_at
    return {
        "inquiry": inquiry,
        "lines": list(inquiry.lines.all()),
        "seller": {**settings.SELLER, "site": settings.SITE_URL},
        "salesperson": {
            "name": inquiry.author.name,
            "email": inquiry.author.email,
            "phone": inquiry.author.phone or settings.SALES_PHONE,
        },
        "is_draft": inquiry.status == InquiryStatus.DRAFT,
        "paper": {
            "title": "Request for quotation",
            "ref": inquiry.number or "Draft",
            "meta": [
                ("Date", f"{singapore_date(now):%-d %b %Y}"),
                ("Answer by", f"{inquiry.reply_by:%-d %b %Y}"),
            ],
        },
    }


def retry_inquiry(*, inquiry: SupplierInquiry, by: User) -> None:
    """Let an inquiry that could not be printed be printed again.

    Raises:
        QuoteError: there is nothing to retry.
    """
    with transaction.atomic():
        document = document_of(inquiry, INQUIRY)
        if document is None or not retry_document(document):
            raise QuoteError("There is no failed document to make again.")
        text = f"{by} asked to make the inquiry again"
        record_event(inquiry, "document_retried", text, by=by)


def revoke_invite(invite: SupplierInvite) -> None:
    """End a supplier's link."""
    revoke_links(invite, purpose=SUPPLIER)
