"""The customer's answer to a quote: yes, no, or something else."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.core.files.base import File
from django.db import IntegrityError, transaction

from quotes.choosing import AS_QUOTED, Choice
from quotes.chosen import short_words
from quotes.content import hash_content, sums_at
from quotes.errors import QuoteError
from quotes.models import Acceptance, Order, QuoteRequest, Revision
from quotes.services.choices import settle_choice
from quotes.services.manifests import record_acceptance
from quotes.services.moves import move_request, move_revision
from quotes.services.po_files import keep_po_file
from quotes.services.requests import tracking_link
from quotes.services.risks import find_risks
from quotes.states import (
    BOUGHT,
    Actor,
    RequestStatus,
    RevisionStatus,
)
from sourceit.links import find_links, revoke_links
from sourceit.mail import queue_email
from sourceit.models import AccessLink, Document, User
from sourceit.money import format_money


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """Who says yes, and from where; `entered_by` wrote it down on their behalf."""

    name: str
    job_title: str
    email: str
    words: str
    po_number: str = ""
    address: str = ""
    agent: str = ""
    user: User | None = None
    entered_by: User | None = None
    entered_reason: str = ""
    po_file: File[bytes] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Yes:
    """What is accepted: a choice of what is offered, and the total that was shown."""

    choice: Choice = AS_QUOTED
    total_shown: Decimal | None = None


def accept_quote(
    *, revision: Revision, signature: Signature, now: datetime, yes: Yes | None = None
) -> Acceptance:
    """Accept a sent revision, once: a second time returns the first acceptance.

    Without a `yes` of its own it is accepted as quoted.

    Raises:
        QuoteError: it has expired, is not the one that stands, was changed, or the
            choice is not offered or comes to another total than was shown.
    """
    first = acceptance_of(revision)
    if first is not None:
        return first
    try:
        return _accept(revision, signature, yes or Yes(), now)
    except (IntegrityError, QuoteError):
        # Somebody may have been quicker with the same yes.
        first = acceptance_of(revision)
        if first is None:
            raise
        return first


def acceptance_of(revision: Revision) -> Acceptance | None:
    """Return the acceptance that stands; a voided one is history, not an answer."""
    rows = Acceptance.objects.filter(revision=revision, voided_at=None)
    return rows.filter(revision__status__in=BOUGHT).first()


@transaction.atomic
def _accept(
    revision: Revision, signature: Signature, yes: Yes, now: datetime
) -> Acceptance:
    current = lock_revision(revision)
    desk = signature.entered_by
    _check_acceptable(current, now, may_be_late=desk is not None)
    chosen = settle_choice(current, yes.choice, total_shown=yes.total_shown)
    text = _told(signature, chosen["words"])
    move_revision(
        current,
        "accept",
        f"{text}; entered by {desk}" if desk else text,
        actor=Actor.SALES if desk else Actor.CUSTOMER,
        by=desk or signature.user,
        by_name=str(desk) if desk else signature.name,
    )
    _amend_before(current, now)
    acceptance = _write_down(current, signature, chosen, now)
    keep_po_file(acceptance, signature.po_file, by=desk or signature.user)
    record_acceptance(acceptance)
    _win(current, signature, now)
    # What it stands on is looked at now: the desk learns of an offer that ended.
    find_risks(now, revision=current)
    revision.status = current.status
    tell_both(
        current,
        "quote_accepted",
        {
            "acceptance": acceptance,
            "total": format_money(acceptance.gross, acceptance.currency),
        },
        signature.email,
        occasion=f"acceptance-{acceptance.pk}",
    )
    return acceptance


def _amend_before(revision: Revision, now: datetime) -> None:
    """End what was accepted before: the customer has accepted this in its place."""
    # Held, so that an order that is being made of it now is ended too.
    before = Revision.objects.select_for_update().exclude(pk=revision.pk)
    for old in before.filter(quote=revision.quote_id, status__in=BOUGHT):
        text = f"Changed by revision {revision.n}, which was accepted"
        move_revision(old, "amend", text, actor=Actor.SYSTEM)
        revoke_links(old, purpose="answer")
        orders = Order.objects.filter(acceptance__revision=old, replaced_at=None)
        orders.update(replaced_at=now)


def _told(signature: Signature, words: list[str]) -> str:
    text = f"Accepted by {signature.name}, {signature.job_title}"
    return f"{text}: {short_words(words)}" if words else text


def _write_down(
    revision: Revision, signature: Signature, chosen: dict[str, Any], now: datetime
) -> Acceptance:
    assert revision.document is not None, "checked before"
    return Acceptance.objects.create(
        revision=revision,
        name=signature.name,
        job_title=signature.job_title,
        email=signature.email,
        user=signature.user,
        po_number=signature.po_number,
        words=signature.words,
        chosen=chosen,
        gross=Decimal(chosen["totals"]["gross"]),
        currency=revision.currency,
        content_sha256=revision.content_sha256,
        pdf_sha256=revision.document.sha256,
        address=signature.address[:45],
        agent=signature.agent[:200],
        entered_by=signature.entered_by,
        entered_reason=signature.entered_reason[:500],
        at=now,
    )


def _win(revision: Revision, signature: Signature, now: datetime) -> None:
    """Close the request as won; one that the desk had given up comes back first."""
    request = revision.quote.request
    if request.status == RequestStatus.LOST:
        text = f"{revision} accepted after all"
        move_request(request, "reopen", text, actor=Actor.SYSTEM, closed_at=None)
    if request.status == RequestStatus.QUOTED:
        move_request(
            request,
            "win",
            f"{revision} accepted",
            actor=Actor.SYSTEM,
            by_name=signature.name,
            closed_at=now,
        )


def lock_revision(revision: Revision) -> Revision:
    """Load the revision as it is now, held until the transaction ends.

    SQLite has no row locks and needs none here: its transaction is the only writer.
    """
    rows = Revision.objects.select_related("quote__request__owner", "document")
    return rows.select_for_update(of=("self",)).get(pk=revision.pk)


def _check_acceptable(
    revision: Revision, now: datetime, *, may_be_late: bool = False
) -> None:
    """Refuse whatever is not the standing offer, whole, in time and as it was sent."""
    if revision.status == RevisionStatus.SUPERSEDED or _has_successor(revision):
        raise QuoteError("This quotation has been replaced. Use the latest one.")
    if revision.has_expired(now) and not may_be_late:
        raise QuoteError(
            "This quotation has expired. Ask for a new price: it takes one click."
        )
    if revision.quote.request.status == RequestStatus.CANCELLED:
        raise QuoteError("The request was cancelled. Please send a new one.")
    if revision.status == RevisionStatus.SENT and not _is_as_sent(revision):
        raise QuoteError("This quotation cannot be accepted online. Please call us.")


def _has_successor(revision: Revision) -> bool:
    later = Revision.objects.filter(quote=revision.quote_id, n__gt=revision.n)
    return later.filter(status__in=[RevisionStatus.SENT, *BOUGHT]).exists()


def _is_as_sent(revision: Revision) -> bool:
    """True when content, lines and stored totals still tell the one same story.

    The lines are added up again at the frozen GST rate; the PDF must be there, for its
    fingerprint is part of the acceptance.
    """
    content, document = revision.content, revision.document
    if content is None or document is None or document.status != Document.Status.READY:
        return False
    if hash_content(content) != revision.content_sha256:
        return False
    sums = sums_at(revision, Decimal(content["gst_percent"]))
    frozen = content["totals"]
    return (
        (sums.totals.net, sums.totals.gst, sums.totals.gross)
        == (revision.net, revision.gst, revision.gross)
        == (Decimal(frozen["net"]), Decimal(frozen["gst"]), Decimal(frozen["gross"]))
    )


@transaction.atomic
def decline_quote(
    *,
    revision: Revision,
    reason: str,
    comment: str,
    email: str,
    name: str,
    user: User | None,
    now: datetime,
) -> None:
    """Decline a sent revision, once; with its last live quote the request is lost.

    Raises:
        QuoteError: it is not waiting for an answer.
    """
    current = lock_revision(revision)
    if current.status == RevisionStatus.DECLINED:
        return
    words = f"{reason}: {comment}" if comment else reason
    move_revision(
        current,
        "decline",
        f"Declined. {words}",
        actor=Actor.CUSTOMER,
        by=user,
        by_name=name,
        closed_reason=words[:500],
    )
    request = current.quote.request
    if request.status == RequestStatus.QUOTED and not _has_live_quote(request):
        move_request(
            request,
            "lose",
            f"{current} declined: {reason}",
            actor=Actor.SYSTEM,
            by_name=name,
            close_reason=reason[:200],
            closed_at=now,
        )
    revision.status = current.status
    tell_both(current, "quote_declined", {"reason": words}, email)


def _has_live_quote(request: QuoteRequest) -> bool:
    sent = Revision.objects.filter(quote__request=request, status=RevisionStatus.SENT)
    return sent.exists()


def tell_both(
    revision: Revision,
    kind: str,
    context: dict[str, Any],
    email: str,
    *,
    occasion: str = "",
) -> None:
    """Queue the customer's copy and the desk's, each with the other to reply to."""
    request = revision.quote.request
    owner = request.owner
    total = format_money(revision.gross, revision.currency) if revision.gross else ""
    context = {"total": total, **context, "revision": revision, "request": request}
    queue_email(
        revision,
        kind,
        to=email,
        context=context,
        reply_to=owner.email if owner else settings.SALES_EMAIL,
        link=tracking_link_for(request, email),
        document=revision.document if kind == "quote_accepted" else None,
        occasion=occasion,
    )
    queue_email(
        revision,
        f"{kind}_desk",
        to=owner.email if owner else settings.SALES_EMAIL,
        context=context,
        reply_to=email,
        occasion=occasion,
    )


def tracking_link_for(request: QuoteRequest, email: str) -> AccessLink | None:
    """Return the tracking link when `email` is the person who asked, else None."""
    if request.email.lower() != email.lower():
        return None
    return tracking_link(request)


def send_link_again(*, number: str, email: str, now: datetime) -> bool:
    """E-mail a recipient's own link to the standing revision of a quote to them again.

    Only a link that is in force: one that was revoked is not given back.
    """
    revision = (
        Revision.objects.shown_to_customer()
        .exclude(status=RevisionStatus.SUPERSEDED)
        .filter(quote__number=number)
        .select_related("quote__request__owner")
        .order_by("-n")
        .first()
    )
    if revision is None:
        return False
    link = find_links([revision], purpose="answer", email=email).get(revision.pk)
    if link is None:
        return False
    owner = revision.quote.request.owner
    queue_email(
        revision,
        "link_again",
        to=email,
        context={"revision": revision},
        reply_to=owner.email if owner else settings.SALES_EMAIL,
        link=link,
        occasion=f"{now:%Y%m%d%H%M%S}",
    )
    return True
