"""The PDF report of a version: asked for once, made by a worker, kept and hashed."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from fabrics.models import DesignVersion
from fabrics.report import file_name, render_report
from sourceit.documents import (
    await_document,
    claim_document,
    document_of,
    drop_file,
    fail_document,
    finish_document,
    nudge_due,
    release_stale,
    retry_document,
    store_file,
)
from sourceit.models import Document

REPORT = "design_report"


class _ClaimLost(Exception):
    """Another worker took this report over; its result counts, not ours."""


def report_of(version: DesignVersion) -> Document | None:
    return document_of(version, REPORT)


@transaction.atomic
def ask_report(version: DesignVersion) -> Document:
    """Ask for a version's report: one is made once, a failed one is made again."""
    document = report_of(version)
    if document is None:
        return await_document(version, REPORT, file_name(version))
    retry_document(document)
    return document


def find_due_reports(now: datetime) -> list[int]:
    """Return ids of versions whose report waits; lets go of what dead workers held."""
    release_stale(REPORT, now)
    return nudge_due(REPORT, DesignVersion.objects.all(), now)


def make_report(pk: int, now: datetime) -> bool:
    """Make a report that waits; False when there is nothing to do or it failed.

    The claim makes a repeated task harmless. What breaks is written on the document,
    for the reader to see and to try again.
    """
    version = DesignVersion.objects.filter(pk=pk).first()
    document = claim_document(version, REPORT, now) if version else None
    if version is None or document is None:
        return False
    try:
        _make(version, document)
    except _ClaimLost:
        drop_file(document)
        return False
    except Exception as error:
        # Also the soft time limit and a full disk. The file goes only with the claim.
        if fail_document(document, error):
            drop_file(document)
        return False
    return True


def _make(version: DesignVersion, document: Document) -> None:
    pdf = render_report(version)
    store_file(document, pdf.data, file_name(version))
    if not finish_document(document, pages=pdf.pages):
        raise _ClaimLost
