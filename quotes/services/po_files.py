"""The file of a customer's purchase order, kept with the acceptance."""

from __future__ import annotations

from django.core.files.base import File

from quotes.errors import QuoteError
from quotes.models import Acceptance
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
    if not file:
        return
    try:
        store_upload(
            file,
            subject=acceptance,
            kind=PURCHASE_ORDER,
            by=by,
            by_name=acceptance.name,
            now=acceptance.at,
        )
    except UploadRefused as error:
        raise QuoteError(str(error)) from error


def po_file_of(acceptance: Acceptance) -> Upload | None:
    """Return the purchase order that came with an acceptance, if one did."""
    return uploads_of(acceptance, kind=PURCHASE_ORDER).first()
