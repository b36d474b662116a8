"""The only code that writes a status: compare, swap, and leave an event."""

from __future__ import annotations

from typing import Any

from quotes.errors import QuoteError
from quotes.models import QuoteRequest, Revision
from quotes.states import (
    REQUEST_MOVES,
    REVISION_MOVES,
    Actor,
    Move,
    RequestStatus,
    RevisionStatus,
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
    """Move a request by its table, with `fields` written in the same update.

    Raises:
        QuoteError: the table does not allow it, or somebody was quicker.
    """
    move = _check(REQUEST_MOVES, request, action, actor)
    before = request.status
    after = move.target or before
    rows = QuoteRequest.objects.filter(pk=request.pk, status=before)
    _swap(rows.update(status=after, **fields), request)
    _set(request, status=after, **fields)
    record_event(
        request,
        f"request_{action}",
        text,
        by=by,
        by_name=by_name,
        internal=internal,
        before=before,
        after=after,
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
    move = _check(REVISION_MOVES, revision, action, actor)
    before = revision.status
    after = move.target or before
    rows = Revision.objects.filter(pk=revision.pk, status=before)
    _swap(rows.update(status=after, **fields), revision)
    _set(revision, status=after, **fields)
    record_event(
        revision,
        f"quote_{action}",
        text,
        by=by,
        by_name=by_name,
        internal=internal,
        before=before,
        after=after,
    )


def _check(
    moves: tuple[Move, ...], thing: QuoteRequest | Revision, action: str, actor: Actor
) -> Move:
    if not may(moves, thing.status, action, {actor}):
        words = RequestStatus if isinstance(thing, QuoteRequest) else RevisionStatus
        state = words(thing.status).label.lower()
        raise QuoteError(f"{thing} is {state}, so this cannot be done now.")
    return find_move(moves, action)


def _swap(updated: int, thing: QuoteRequest | Revision) -> None:
    """Refuse unless exactly this row was still in the state that was checked."""
    if updated != 1:
        raise QuoteError(f"{thing} was changed by somebody else. Load the page again.")


def _set(thing: QuoteRequest | Revision, **fields: Any) -> None:
    for name, value in fields.items():
        setattr(thing, name, value)
