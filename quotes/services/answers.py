"""The customer's answer to a quote: yes, no, or something else."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction

from quotes.content import hash_content
from quotes.errors import QuoteError
from quotes.models import Acceptance, ChangeRequest, QuoteRequest, Revision
from quotes.services.moves import move_request, move_revision
from quotes.services.requests import tracking_link
from quotes.states import REVISION_MOVES, Actor, RequestStatus, RevisionStatus, may
from sourceit.events import record_event
from sourceit.mail import queue_email
from sourceit.models import AccessLink, User
from sourceit.money import format_money


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """Who says yes, and from where."""

    name: str
    job_title: str
    email: str
    words: str
    po_number: str = ""
    address: str = ""
    agent: str = ""
    user: User | None = None


def accept_quote(
    *, revision: Revision, signature: Signature, now: datetime
) -> Acceptance:
    """Accept a sent revision, once: a second time returns the first acceptance.

    Raises:
        QuoteError: it has expired, is not the one that stands, or was changed.
    """
    first = Acceptance.objects.filter(revision=revision).first()
    if first is not None:
        return first
    try:
        return _accept(revision, signature, now)
    except (IntegrityError, QuoteError):
        # Somebody may have been quicker with the same yes.
        first = Acceptance.objects.filter(revision=revision).first()
        if first is None:
            raise
        return first


@transaction.atomic
def _accept(revision: Revision, signature: Signature, now: datetime) -> Acceptance:
    current = _lock(revision)
    _check_acceptable(current, now)
    move_revision(
        current,
        "accept",
        f"Accepted by {signature.name}, {signature.job_title}",
        actor=Actor.CUSTOMER,
        by=signature.user,
        by_name=signature.name,
    )
    assert current.gross is not None
    assert current.document is not None
    acceptance = Acceptance.objects.create(
        revision=current,
        name=signature.name,
        job_title=signature.job_title,
        email=signature.email,
        po_number=signature.po_number,
        words=signature.words,
        gross=current.gross,
        currency=current.currency,
        content_sha256=current.content_sha256,
        pdf_sha256=current.document.sha256,
        address=signature.address,
        agent=signature.agent[:200],
        at=now,
    )
    request = current.quote.request
    if request.status == RequestStatus.QUOTED:
        move_request(
            request,
            "win",
            f"{current} accepted",
            actor=Actor.SYSTEM,
            by_name=signature.name,
            closed_at=now,
        )
    revision.status = current.status
    _tell_both(current, "quote_accepted", {"acceptance": acceptance}, signature.email)
    return acceptance


def _lock(revision: Revision) -> Revision:
    """Load the revision as it is now, held until the transaction ends.

    SQLite has no row locks and needs none here: its transaction is the only writer.
    """
    rows = Revision.objects.select_related("quote__request__owner", "document")
    return rows.select_for_update(of=("self",)).get(pk=revision.pk)


def _check_acceptable(revision: Revision, now: datetime) -> None:
    if revision.status == RevisionStatus.SUPERSEDED:
        raise QuoteError("This quotation has been replaced. Use the latest one.")
    if revision.has_expired(now):
        raise QuoteError(
            "This quotation has expired. Ask for a new price: it takes one click."
        )
    is_whole = (
        revision.content is not None
        and hash_content(revision.content) == revision.content_sha256
        and revision.content["totals"]["gross"] == str(revision.gross)
    )
    if revision.status == RevisionStatus.SENT and not is_whole:
        raise QuoteError("This quotation cannot be accepted online. Please call us.")


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
    """Decline a sent revision; the request is lost with it.

    Raises:
        QuoteError: it is not waiting for an answer.
    """
    current = _lock(revision)
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
    _tell_both(current, "quote_declined", {"reason": words}, email)


def _has_live_quote(request: QuoteRequest) -> bool:
    sent = Revision.objects.filter(quote__request=request, status=RevisionStatus.SENT)
    return sent.exists()


@transaction.atomic
def ask_for_change(
    *,
    revision: Revision,
    text: str,
    email: str,
    name: str,
    user: User | None,
    now: datetime,
) -> ChangeRequest:
    """Note what the customer would like changed; the quote stays acceptable.

    Raises:
        QuoteError: it is not waiting for an answer.
    """
    current = _lock(revision)
    if not may(REVISION_MOVES, current.status, "ask_for_change", {Actor.CUSTOMER}):
        raise QuoteError("This quotation is closed. Please send a new request.")
    change = ChangeRequest.objects.create(
        revision=current, name=name, email=email, text=text, at=now
    )
    record_event(
        current,
        "quote_ask_for_change",
        f"Change asked: {text}",
        by=user,
        by_name=name,
        internal=False,
    )
    occasion = f"change-{change.pk}"
    _tell_both(current, "change_asked", {"change": change}, email, occasion=occasion)
    return change


def _tell_both(
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
    context = {**context, "revision": revision, "request": request, "total": total}
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
