"""What may follow what, and who may do it: one table for each machine.

Views, templates, services and jobs all ask `allowed_actions`; nothing else decides.
Expired and viewed are computed from dates and the view log, never stored.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from django.db import models


class RequestStatus(models.TextChoices):
    """States of a request, in the words of the desk."""

    DRAFT = "draft", "Basket"
    SUBMITTED = "submitted", "New"
    IN_PROGRESS = "in_progress", "In progress"
    AWAITING = "awaiting_customer", "Waiting for customer"
    QUOTED = "quoted", "Quoted"
    WON = "won", "Won"
    LOST = "lost", "Lost"
    DECLINED = "declined", "Declined"
    CANCELLED = "cancelled", "Cancelled"
    SPAM = "spam", "Spam"


class RevisionStatus(models.TextChoices):
    """States of one revision of a quote, in the words of the desk."""

    DRAFT = "draft", "Draft"
    PENDING_APPROVAL = "pending_approval", "Waiting for approval"
    APPROVED = "approved", "Approved"
    SENDING = "sending", "Sending"
    SENT = "sent", "Sent"
    ACCEPTED = "accepted", "Accepted"
    DECLINED = "declined", "Declined"
    WITHDRAWN = "withdrawn", "Withdrawn"
    SUPERSEDED = "superseded", "Replaced"
    CONVERTED = "converted", "Ordered"


class InquiryStatus(models.TextChoices):
    """States of an inquiry to suppliers."""

    DRAFT = "draft", "Draft"
    SENT = "sent", "Sent"
    AWARDED = "awarded", "Awarded"
    CLOSED = "closed", "Closed"


OPEN_REQUESTS = (
    RequestStatus.SUBMITTED,
    RequestStatus.IN_PROGRESS,
    RequestStatus.AWAITING,
    RequestStatus.QUOTED,
)
# What the builder may still edit, and what a customer may never reach.
EDITABLE = (RevisionStatus.DRAFT, RevisionStatus.APPROVED)
# What a customer has accepted and is held to.
BOUGHT = (RevisionStatus.ACCEPTED, RevisionStatus.CONVERTED)
UNSENT = (*EDITABLE, RevisionStatus.PENDING_APPROVAL, RevisionStatus.SENDING)

# The same states in the customer's words.
CUSTOMER_REQUEST_WORDS: dict[str, str] = {
    RequestStatus.DRAFT: "Not sent yet",
    RequestStatus.SUBMITTED: "Received",
    RequestStatus.IN_PROGRESS: "We are working on it",
    RequestStatus.AWAITING: "Waiting for your reply",
    RequestStatus.QUOTED: "Quotation sent",
    RequestStatus.WON: "Accepted",
    RequestStatus.LOST: "Closed",
    RequestStatus.DECLINED: "We could not quote",
    RequestStatus.CANCELLED: "Cancelled",
    RequestStatus.SPAM: "Received",
}
CUSTOMER_REVISION_WORDS: dict[str, str] = {
    RevisionStatus.SENT: "Waiting for your reply",
    RevisionStatus.ACCEPTED: "Accepted",
    RevisionStatus.CONVERTED: "Accepted",
    RevisionStatus.DECLINED: "Declined",
    RevisionStatus.WITHDRAWN: "Withdrawn",
    RevisionStatus.SUPERSEDED: "Replaced",
}


class Actor(StrEnum):
    """Who is asking; a person may be several (a salesperson who also approves)."""

    CUSTOMER = "customer"
    SALES = "sales"
    SUPPLIER = "supplier"
    APPROVER = "approver"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One row of a machine: from any of `sources`, `actors` may do it, to `target`.

    `target` None leaves the state as it is (a message, a change request).
    """

    action: str
    sources: tuple[str, ...]
    target: str | None
    actors: tuple[Actor, ...]


_R = RequestStatus
_V = RevisionStatus
_SALES = (Actor.SALES,)
_CUSTOMER = (Actor.CUSTOMER,)
_SYSTEM = (Actor.SYSTEM,)
_UNANSWERED = (_R.SUBMITTED, _R.IN_PROGRESS, _R.AWAITING)


def _move(
    action: str, sources: Iterable[str], target: str | None, actors: tuple[Actor, ...]
) -> Move:
    return Move(action=action, sources=tuple(sources), target=target, actors=actors)


REQUEST_MOVES: tuple[Move, ...] = (
    # Sales enter what came by phone or e-mail on the customer's behalf.
    _move("submit", [_R.DRAFT], _R.SUBMITTED, (Actor.CUSTOMER, Actor.SALES)),
    _move("take", [_R.SUBMITTED], _R.IN_PROGRESS, _SALES),
    _move("assign", [_R.SUBMITTED], _R.IN_PROGRESS, _SALES),
    _move("hand_over", [_R.IN_PROGRESS, _R.AWAITING, _R.QUOTED], None, _SALES),
    _move("mark_spam", [_R.SUBMITTED], _R.SPAM, _SALES),
    _move("ask", [_R.IN_PROGRESS], _R.AWAITING, _SALES),
    _move("answer", [_R.AWAITING], _R.IN_PROGRESS, _CUSTOMER),
    _move("quote", [*_UNANSWERED, _R.QUOTED], _R.QUOTED, _SYSTEM),
    _move("decline", _UNANSWERED, _R.DECLINED, _SALES),
    _move("cancel", OPEN_REQUESTS, _R.CANCELLED, _CUSTOMER),
    _move("win", [_R.QUOTED], _R.WON, _SYSTEM),
    _move("lose", [_R.QUOTED], _R.LOST, (Actor.SYSTEM, Actor.SALES)),
    _move("reopen", [_R.WON, _R.LOST], _R.QUOTED, _SYSTEM),
)

REVISION_MOVES: tuple[Move, ...] = (
    _move("edit", EDITABLE, _V.DRAFT, _SALES),
    _move("discard", EDITABLE, None, _SALES),
    _move("submit", [_V.DRAFT], _V.PENDING_APPROVAL, _SALES),
    _move("approve", [_V.PENDING_APPROVAL], _V.APPROVED, (Actor.APPROVER,)),
    _move("reject", [_V.PENDING_APPROVAL], _V.DRAFT, (Actor.APPROVER,)),
    _move("recall", [_V.PENDING_APPROVAL, _V.APPROVED], _V.DRAFT, _SALES),
    _move("send", EDITABLE, _V.SENDING, _SALES),
    # Back to what it was: which of the two, the standing approval says.
    _move("undo", [_V.SENDING], _V.DRAFT, _SALES),
    _move("undo_approved", [_V.SENDING], _V.APPROVED, _SALES),
    _move("dispatch", [_V.SENDING], _V.SENT, _SYSTEM),
    _move("accept", [_V.SENT], _V.ACCEPTED, (Actor.CUSTOMER, Actor.SALES)),
    _move("decline", [_V.SENT], _V.DECLINED, _CUSTOMER),
    _move("ask_for_change", [_V.SENT], None, _CUSTOMER),
    _move("withdraw", [_V.SENT], _V.WITHDRAWN, _SALES),
    _move("cancel", [_V.SENT], _V.WITHDRAWN, _SYSTEM),
    _move("supersede", [_V.SENT], _V.SUPERSEDED, _SYSTEM),
    _move("restore", [_V.SUPERSEDED], _V.SENT, _SYSTEM),
    # A change that the customer accepts takes the place of what was accepted before.
    _move("amend", [_V.ACCEPTED, _V.CONVERTED], _V.SUPERSEDED, _SYSTEM),
    _move("void", [_V.ACCEPTED], _V.SENT, (Actor.APPROVER,)),
    # The same, where the offer cannot stand again: its date is over, or another stands.
    _move("void_late", [_V.ACCEPTED], _V.WITHDRAWN, (Actor.APPROVER,)),
    _move("convert", [_V.ACCEPTED], _V.CONVERTED, _SALES),
)

_I = InquiryStatus
_ASKED = (_I.SENT, _I.AWARDED)

INQUIRY_MOVES: tuple[Move, ...] = (
    _move("edit", [_I.DRAFT], None, _SALES),
    _move("discard", [_I.DRAFT], None, _SALES),
    _move("send", [_I.DRAFT], _I.SENT, _SALES),
    # After an award too: a dearer offer must be heard of.
    _move("offer", _ASKED, None, (Actor.SUPPLIER, Actor.SALES)),
    _move("decline", _ASKED, None, (Actor.SUPPLIER, Actor.SALES)),
    _move("award", _ASKED, _I.AWARDED, _SALES),
    _move("close", _ASKED, _I.CLOSED, _SALES),
    _move("ask_again", [*_ASKED, _I.CLOSED], None, _SALES),
)

# A customer cannot do these once the quote has run out, by any door.
ENDS_WITH_VALIDITY = frozenset({"accept"})


def find_move(moves: tuple[Move, ...], action: str) -> Move:
    """Return the row of an action.

    Raises:
        KeyError: the machine has no such action.
    """
    for move in moves:
        if move.action == action:
            return move
    raise KeyError(action)


def may(
    moves: tuple[Move, ...], status: str, action: str, actors: Iterable[Actor]
) -> bool:
    """True where the table lets one of `actors` do `action` from `status`."""
    move = find_move(moves, action)
    return status in move.sources and not set(move.actors).isdisjoint(actors)


def allowed_actions(
    moves: tuple[Move, ...],
    status: str,
    actors: Iterable[Actor],
    *,
    has_expired: bool = False,
) -> set[str]:
    """Return every action that `actors` may do from `status`.

    With `has_expired`, a customer loses what ends with the validity; staff keep it (an
    acceptance on the customer's behalf after expiry needs a reason).
    """
    who = set(actors)
    actions = {move.action for move in moves if may(moves, status, move.action, who)}
    if has_expired and who <= {Actor.CUSTOMER}:
        actions -= ENDS_WITH_VALIDITY
    return actions
