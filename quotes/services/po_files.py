"""A customer's purchase order: its number and file, with the yes or sent later."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.core.files.base import File
from django.db import transaction
from django.urls import reverse

from quotes.errors import QuoteError
from quotes.models import Acceptance, PurchaseOrder, Revision
from quotes.states import BOUGHT
from quotes.typed import clean_words
from sourceit.events import record_event
from sourceit.mail import queue_email
from sourceit.models import Upload, User
from sourceit.uploads import UploadRefused, store_upload, uploads_of

PURCHASE_ORDER = "purchase_order"


def keep_po_file(
    acceptance: Acceptance, file: File[bytes] | None, *, by: User | None
) -> None:
    """Store the file, if there is one, in the transaction of the acceptance.

    Raises:
        QuoteError: the file is not taken; its message says why.
    """
    if file:
        _store(acceptance, file, by=by, by_name=acceptance.name, now=acceptance.at)


def _store(
    acceptance: Acceptance,
    file: File[bytes],
    *,
    by: User | None,
    by_name: str,
    now: datetime,
) -> Upload:
    try:
        return store_upload(
            file,
            subject=acceptance,
            kind=PURCHASE_ORDER,
            by=by,
            by_name=by_name,
            now=now,
        )
    except UploadRefused as error:
        raise QuoteError(str(error)) from error


@transaction.atomic
def add_purchase_order(
    *,
    acceptance: Acceptance,
    number: str,
    file: File[bytes] | None,
    by: User | None,
    by_name: str,
    now: datetime,
) -> PurchaseOrder:
    """Keep a number or a file that came after the yes, and tell the desk.

    The same number again without a file is the first one: a second click.

    Raises:
        QuoteError: there is neither, the file is not taken, or the acceptance does not
            stand any more.
    """
    number = clean_words(number, "purchase order number", 80)
    if not (number or file):
        raise QuoteError("Enter the number of your purchase order, or choose its file.")
    # Held, so that nobody voids the yes meanwhile.
    revision = Revision.objects.select_for_update().get(pk=acceptance.revision_id)
    standing = Acceptance.objects.filter(pk=acceptance.pk, voided_at=None)
    if revision.status not in BOUGHT or not standing.exists():
        raise QuoteError("This acceptance does not stand any more.")
    latest = acceptance.purchase_orders.first()
    if latest is not None and latest.number == number and not file:
        return latest
    kept = None
    if file:
        kept = _store(acceptance, file, by=by, by_name=by_name, now=now)
    order = PurchaseOrder.objects.create(
        acceptance=acceptance,
        number=number or po_number_of(acceptance),
        file=kept,
        by=by,
        by_name=by_name[:120],
        at=now,
    )
    text = f"{_named(number, kept)} from {by_name}"
    record_event(revision, "po_received", text, by=by)
    if by is None or not by.is_staff:
        _tell_desk(order, revision)
    return order


def _named(number: str, file: Upload | None) -> str:
    text = f"Purchase order {number}".strip()
    return f"{text} ({file.name})" if file else text


def _tell_desk(order: PurchaseOrder, revision: Revision) -> None:
    acceptance = order.acceptance
    owner = revision.quote.request.owner
    address = reverse("desk:po_check", args=[acceptance.pk])
    queue_email(
        revision,
        "po_received_desk",
        to=owner.email if owner else settings.SALES_EMAIL,
        reply_to=acceptance.email,
        occasion=f"po-{order.pk}",
        context={
            "order": order,
            "revision": revision,
            "request": revision.quote.request,
            "desk_url": settings.SITE_URL + address,
        },
    )


@dataclass(frozen=True, slots=True)
class Po:
    """What is known of the customer's order: the last number and the last file."""

    number: str
    file: Upload | None


def po_of(acceptance: Acceptance) -> Po:
    """Return the number and file that count (two queries)."""
    return Po(po_number_of(acceptance), po_file_of(acceptance))


def po_number_of(acceptance: Acceptance) -> str:
    """Return the order's number as it was sent last, or as it came with the yes."""
    latest = acceptance.purchase_orders.exclude(number="").first()
    return latest.number if latest else acceptance.po_number


def po_file_of(acceptance: Acceptance, *, pk: int | None = None) -> Upload | None:
    """Return the file that came last, or one of the acceptance's by its id, or None."""
    files = uploads_of(acceptance, kind=PURCHASE_ORDER)
    return files.last() if pk is None else files.filter(pk=pk).first()
