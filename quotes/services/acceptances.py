"""What the desk does about a yes: write down one that came on paper, void one."""

from __future__ import annotations

from datetime import datetime

from django.core.files.base import File
from django.db import transaction

from quotes.errors import QuoteError
from quotes.models import Acceptance, QuoteRequest, Revision
from quotes.services.answers import (
    Signature,
    Yes,
    accept_quote,
    acceptance_of,
    lock_revision,
    tell_both,
)
from quotes.services.moves import move_request, move_revision
from quotes.states import BOUGHT, Actor, RequestStatus, RevisionStatus
from sourceit.clock import has_ended
from sourceit.events import record_event
from sourceit.models import User


def accept_on_behalf(
    *,
    revision: Revision,
    by: User,
    name: str,
    job_title: str,
    email: str,
    po_number: str,
    reason: str,
    late_reason: str,
    now: datetime,
    po_file: File[bytes] | None = None,
    yes: Yes | None = None,
) -> Acceptance:
    """Write down a yes that reached the desk, also after the date with a reason.

    `reason` says how it came; the order's number or file is its evidence; `yes` is what
    they chose, without one all as quoted.

    Raises:
        QuoteError: there is no evidence, no reason for being late, or the quote does
            not stand as it was sent.
    """
    if not (po_number.strip() or po_file):
        raise QuoteError("Enter the purchase order's number, or attach its file.")
    if revision.has_expired(now) and not late_reason.strip():
        raise QuoteError("The quote has expired. Say why it is accepted all the same.")
    if acceptance_of(revision) is not None:
        raise QuoteError(f"{revision} is accepted already.")
    reasons = ". After its date: ".join(filter(None, [reason, late_reason.strip()]))
    signature = Signature(
        name=name,
        job_title=job_title,
        email=email.lower(),
        words=f"Entered by {by} on the customer's behalf. {reason}.",
        po_number=po_number.strip(),
        entered_by=by,
        entered_reason=reasons,
        po_file=po_file,
    )
    with transaction.atomic():
        acceptance = accept_quote(
            revision=revision, signature=signature, now=now, yes=yes
        )
        record_event(
            revision, "acceptance_entered", f"Entered for them: {reasons}", by=by
        )
    return acceptance


@transaction.atomic
def void_acceptance(
    *, revision: Revision, by: User, reason: str, now: datetime
) -> None:
    """Take an acceptance back: the offer stands again, or is withdrawn when it cannot.

    The acceptance stays as history, the request is open again and both sides are told
    why.

    Raises:
        QuoteError: there is no reason, an order was made of it, it changed what was
            accepted before, or it is not accepted.
    """
    reason = reason.strip()[:500]
    if not reason:
        raise QuoteError("Enter a reason.")
    current = lock_revision(revision)
    acceptance = acceptance_of(current)
    if acceptance is None:
        raise QuoteError(f"{current} is not accepted.")
    _refuse_amendment(current)
    move_revision(
        current,
        "void" if _can_stand_again(current, now) else "void_late",
        f"The acceptance by {acceptance.name} was voided: {reason}",
        actor=Actor.APPROVER,
        by=by,
    )
    Acceptance.objects.filter(pk=acceptance.pk).update(
        voided_at=now, voided_by=by, void_reason=reason
    )
    _reopen(current.quote.request, current)
    revision.status = current.status
    stands = current.status == RevisionStatus.SENT
    tell_both(
        current,
        "acceptance_voided",
        {"acceptance": acceptance, "reason": reason, "stands": stands, "by": by},
        acceptance.email,
        occasion=f"acceptance-{acceptance.pk}",
    )


def _refuse_amendment(revision: Revision) -> None:
    """What it changed was ended by it, and an ended offer cannot be in force again."""
    if revision.amends is None or revision.amends.status != RevisionStatus.SUPERSEDED:
        return
    raise QuoteError(
        f"{revision} changed what was accepted before, so its acceptance is not "
        "voided. Send the customer a new revision instead."
    )


def _can_stand_again(revision: Revision, now: datetime) -> bool:
    if revision.valid_until is None or has_ended(revision.valid_until, now):
        return False
    later = Revision.objects.filter(quote=revision.quote_id, n__gt=revision.n)
    return not later.filter(status=RevisionStatus.SENT).exists()


def _reopen(request: QuoteRequest, revision: Revision) -> None:
    """Open the request again, unless another quote of it was bought."""
    others = Revision.objects.filter(quote__request=request, status__in=BOUGHT)
    if request.status != RequestStatus.WON or others.exists():
        return
    text = f"The acceptance of {revision} was voided"
    move_request(
        request, "reopen", text, actor=Actor.SYSTEM, internal=True, closed_at=None
    )
