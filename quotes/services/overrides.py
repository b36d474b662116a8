"""Let a check go with a reason: who, why, and which very thing."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from quotes.errors import QuoteError
from quotes.models import CheckOverride, Revision
from quotes.services.checks import find_problems
from quotes.services.lines import touch
from quotes.typed import clean_words
from sourceit.events import record_event
from sourceit.models import User


@transaction.atomic
def let_go(
    *, revision: Revision, code: str, reason: str, by: User, now: datetime
) -> None:
    """Let one problem of a draft go; that counts as an edit.

    Raises:
        QuoteError: there is no reason, no such problem, or it must be mended.
    """
    reason = clean_words(reason, "reason", 300)
    if not reason:
        raise QuoteError("Enter a reason.")
    whole = Revision.objects.with_lines().get(pk=revision.pk)
    problems = {one.code: one for one in find_problems(whole, now) if one.can_be_let_go}
    problem = problems.get(code)
    if problem is None:
        raise QuoteError("That is not wrong any more. Check the quote again.")
    touch(revision, by=by, now=now)
    CheckOverride.objects.create(
        revision=revision,
        code=code,
        words=problem.message,
        reason=reason,
        by=by,
        at=now,
    )
    text = f"{by} lets it go: {problem.message} Reason: {reason}"
    record_event(revision, "check_let_go", text, by=by, code=code)
