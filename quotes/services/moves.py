"""The only code that writes a status: compare, swap, and leave an event."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from quotes.errors import QuoteError
from quotes.models import QuoteRequest, Revision, SupplierInquiry
from quotes.services.clock import clock_fields
from quotes.states import (
    INQUIRY_MOVES,
    REQUEST_MOVES,
    REVISION_MOVES,
    Actor,
    Move,
    find_move,
    may,
)
from sourceit.events import record_event
from sourceit.models import User


def actors_of(user: User) -> set[Actor]:
    """Return what a signed-in member of staff may act as."""
    actors = set()
    if user.has_perm("quotes.build_quote"):
        actors.add(Actor.SALES)
    if user.has_perm("quotes.approve_quote"):
        actors.add(Actor.APPROVER)
    return actors


def move_request(
    request: QuoteRequest,
    action: str,
    text: str,
    *,
    actor: Actor,
    by: User | None = None,
    by_name: str = "",
    internal: bool = False,
    **fields: Any,
) -> None:
    """Move a request and its reply clock, with `fields` written in the same update.

    Raises:
        QuoteError: the table does not allow it, or somebody was quicker.
    """
    fields |= clock_fields(request, action, fields.get("submitted_at", timezone.now()))
    before = _swap(REQUEST_MOVES, request, action, actor, fields)
    record_event(
        request,
        f"request_{action}",
        text,
        by=by,
        by_name=by_name,
        internal=internal,
        before=before,
        after=request.status,
    )


def move_revision(
    revision: Revision,
    action: str,
    text: str,
    *,
    actor: Actor,
    by: User | None = None,
    by_name: str = "",
    internal: bool = False,
    **fields: Any,
) -> None:
    """Move a revision by its table, with `fields` written in the same update.

    Raises:
        QuoteError: the table does not allow it, or somebody was quicker.
    """
    before = _swap(REVISION_MOVES, revision, action, actor, fields)
    record_event(
        revision,
        f"quote_{action}",
        text,
        by=by,
        by_name=by_name,
        internal=internal,
        before=before,
        after=revision.status,
    )


def move_inquiry(
    inquiry: SupplierInquiry,
    action: str,
    text: str,
    *,
    actor: Actor,
    by: User | None = None,
    by_name: str = "",
    **fields: Any,
) -> None:
    """Move an inquiry by its table; its events are for the desk alone.

    Raises:
        QuoteError: the table does not allow it, or somebody was quicker.
    """
    before = _swap(INQUIRY_MOVES, inquiry, action, actor, fields)
    record_event(
        inquiry,
        f"inquiry_{action}",
        text,
        by=by,
        by_name=by_name,
        before=before,
        after=inquiry.status,
    )


def _swap(
    moves: tuple[Move, ...],
    thing: QuoteRequest | Revision | SupplierInquiry,
    action: str,
    actor: Actor,
    fields: dict[str, Any],
) -> str:
    """Check the table, write the new status and fields, return the status before.

    The update finds the row only while it is still in the state that was checked.
    """
    before = thing.status
    if not may(moves, before, action, {actor}):
        state = thing.get_status_display().lower()
        raise QuoteError(f"{thing} is {state}, so this cannot be done now.")
    fields = {**fields, "status": find_move(moves, action).target or before}
    rows = type(thing)._default_manager.filter(pk=thing.pk, status=before)
    if rows.update(**fields) != 1:
        raise QuoteError(f"{thing} was changed by somebody else. Load the page again.")
    for name, value in fields.items():
        setattr(thing, name, value)
    return before
