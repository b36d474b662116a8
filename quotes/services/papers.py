"""PDFs about a quotation that are made after it: the record of a yes, an order.

Asked for in the transaction of their cause, made by a worker outside any transaction,
and found by the sweep when a worker or the broker was down.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db import models, transaction

from sourceit.documents import (
    claim_document,
    drop_file,
    fail_document,
    finish_document,
    nudge_due,
    release_stale,
    store_file,
)
from sourceit.models import Document
from sourceit.pdf import Pdf


class _ClaimLost(Exception):
    """Another worker took this document over; its result counts, not ours."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A file that was made, and what it is called."""

    pdf: Pdf
    name: str


def make_paper(
    subject: models.Model,
    kind: str,
    now: datetime,
    *,
    write: Callable[[], Paper],
    then: Callable[[Document], object] | None = None,
) -> bool:
    """Make a waiting paper; `then` joins the short transaction that makes it final.

    False when there is nothing to make, or it could not be made: that is written on
    the document, for a person to see and retry.
    """
    document = claim_document(subject, kind, now)
    if document is None:
        return False
    try:
        paper = write()
        store_file(document, paper.pdf.data, paper.name)
        with transaction.atomic():
            if not finish_document(document, pages=paper.pdf.pages):
                raise _ClaimLost
            if then is not None:
                then(document)
    except _ClaimLost:
        drop_file(document)
        return False
    except Exception as error:
        if fail_document(document, error):
            drop_file(document)
        return False
    return True


def papers_due(
    kind: str, subjects: models.QuerySet[models.Model], now: datetime
) -> list[int]:
    """Return ids of subjects whose paper waits; lets go of what dead workers held."""
    release_stale(kind, now)
    return nudge_due(kind, subjects, now)
