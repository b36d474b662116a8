"""The customer asks for a change, or for a new price after the date."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from quotes.errors import QuoteError
from quotes.models import ChangeRequest, Revision
from quotes.services.answers import lock_revision, tell_both
from quotes.states import REVISION_MOVES, Actor, may
from sourceit.events import record_event
from sourceit.models import User

MAX_EVENT = 480
# What the one button of a quotation that has run out asks for.
NEW_PRICE = "Please send a new price: we are still interested."


@transaction.atomic
def ask_for_change(
    *,
    revision: Revision,
    text: str,
    email: str,
    name: str,
    user: User | None,
    now: datetime,
    lines: Sequence[dict[str, Any]] = (),
) -> ChangeRequest:
    """Note what the customer would like changed; the quote stays acceptable.

    The same words again within the hour are the first wish, not a second one.

    Raises:
        QuoteError: it is not waiting for an answer.
    """
    current = lock_revision(revision)
    if not may(REVISION_MOVES, current.status, "ask_for_change", {Actor.CUSTOMER}):
        raise QuoteError("This quotation is closed. Please send a new request.")
    since = now - timedelta(hours=1)
    for twin in current.change_requests.filter(email=email, text=text, at__gt=since):
        if twin.lines == list(lines):
            return twin
    change = ChangeRequest.objects.create(
        revision=current, name=name, email=email, text=text, lines=list(lines), at=now
    )
    record_event(
        current,
        "quote_ask_for_change",
        f"Change asked: {change.words}"[:MAX_EVENT],
        by=user,
        by_name=name,
        internal=False,
    )
    occasion = f"change-{change.pk}"
    tell_both(current, "change_asked", {"change": change}, email, occasion=occasion)
    return change
