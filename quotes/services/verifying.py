"""What a fingerprint is: which document of ours, and whether it still counts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from quotes.models import Acceptance, Order, Revision
from quotes.services.manifests import RECORD
from quotes.services.orders import CONFIRMATION
from quotes.services.sending import QUOTATION
from quotes.states import BOUGHT, RevisionStatus
from sourceit.clock import singapore_date
from sourceit.models import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the verify page may say: no price, no name, nothing of who bought."""

    kind: str
    number: str
    revision: int
    on: date
    standing: str
    is_in_force: bool


def identify(sha256: str, now: datetime) -> Verdict | None:
    """Return what a fingerprint belongs to; None for what is not ours."""
    documents = Document.objects.filter(sha256=sha256, status=Document.Status.READY)
    # The kinds are named: nothing of the desk's own is told to the public.
    known = documents.filter(kind__in=FINDERS).order_by("pk").first()
    if known is not None:
        return FINDERS[known.kind](known.subject_id, now)
    acceptance = Acceptance.objects.filter(manifest_sha256=sha256).first()
    if acceptance is not None:
        return _of_record(acceptance.pk, now, kind="Record of acceptance (JSON)")
    revision = Revision.objects.shown_to_customer().filter(content_sha256=sha256)
    found = revision.first()
    return (
        _of_quotation(found.pk, now, kind="Content of a quotation") if found else None
    )


def _of_quotation(
    pk: int, now: datetime, *, kind: str = "Quotation (PDF)"
) -> Verdict | None:
    revision = Revision.objects.select_related("quote").filter(pk=pk).first()
    if revision is None or revision.sent_at is None:
        return None
    standing, is_in_force = _standing(revision, now)
    return Verdict(
        kind=kind,
        number=revision.quote.number,
        revision=revision.n,
        on=singapore_date(revision.sent_at),
        standing=standing,
        is_in_force=is_in_force,
    )


def _of_record(
    pk: int, now: datetime, *, kind: str = "Record of acceptance (PDF)"
) -> Verdict | None:
    rows = Acceptance.objects.select_related("revision__quote")
    acceptance = rows.filter(pk=pk).first()
    if acceptance is None:
        return None
    revision = acceptance.revision
    is_in_force = acceptance.voided_at is None and revision.status in BOUGHT
    return Verdict(
        kind=kind,
        number=revision.quote.number,
        revision=revision.n,
        on=singapore_date(acceptance.at),
        standing="This acceptance stands."
        if is_in_force
        else "This acceptance no longer stands.",
        is_in_force=is_in_force,
    )


def _standing(revision: Revision, now: datetime) -> tuple[str, bool]:
    """Say whether a revision is the live one, without a hint of what replaced it."""
    if revision.has_expired(now):
        return "It was the live revision when its validity ended.", False
    if revision.status == RevisionStatus.SENT:
        until = f" and valid until {revision.valid_until:%-d %b %Y}"
        return f"It is the live revision{until if revision.valid_until else ''}.", True
    if revision.status in BOUGHT:
        return "It is the revision that was accepted.", True
    return "It is not the live revision: it was replaced, declined or withdrawn.", False


def _of_order(pk: int, now: datetime) -> Verdict | None:
    rows = Order.objects.select_related("acceptance__revision__quote")
    order = rows.filter(pk=pk).exclude(confirmed_at=None).first()
    if order is None:
        return None
    revision = order.acceptance.revision
    is_in_force = order.replaced_at is None
    words = "This order stands." if is_in_force else "A later order took its place."
    return Verdict(
        kind=f"Order confirmation {order.number} (PDF) of",
        number=revision.quote.number,
        revision=revision.n,
        on=singapore_date(order.created_at),
        standing=words,
        is_in_force=is_in_force,
    )


FINDERS = {
    QUOTATION: _of_quotation,
    RECORD: _of_record,
    CONFIRMATION: _of_order,
}
