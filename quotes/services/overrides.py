"""Let a check go with a reason: who, why, and which very thing; also in revisions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from django.db import transaction

from quotes.errors import QuoteError
from quotes.models import CheckOverride, Revision
from quotes.services.checks import find_problems
from quotes.services.lines import touch
from quotes.typed import clean_words
from sourceit.events import record_event
from sourceit.models import User

DROPPED = "check_dropped"


@transaction.atomic
def let_go(
    *, revision: Revision, codes: Collection[str], reason: str, by: User, now: datetime
) -> None:
    """Let problems of a draft go for one reason; that counts as an edit.

    Raises:
        QuoteError: there is no reason, no such problem, or it must be mended.
    """
    reason = clean_words(reason, "reason", 300)
    if not reason:
        raise QuoteError("Enter a reason.")
    if not codes:
        raise QuoteError("Tick what you let go.")
    whole = Revision.objects.with_lines().get(pk=revision.pk)
    problems = {one.code: one for one in find_problems(whole, now) if one.can_be_let_go}
    if not problems.keys() >= set(codes):
        raise QuoteError("That is not wrong any more. Check the quote again.")
    touch(revision, by=by, now=now)
    for code in dict.fromkeys(codes):
        words = problems[code].message
        CheckOverride.objects.create(
            revision=revision, code=code, words=words, reason=reason, by=by, at=now
        )
        text = f"{by} lets it go: {words} Reason: {reason}"
        record_event(revision, "check_let_go", text, by=by, code=code)


def carry_over(
    *,
    source: Revision,
    draft: Revision,
    copied_from: Mapping[int, int],
    by: User,
    now: datetime,
) -> None:
    """Keep the reasons of a revision in its successor where the very thing is still so.

    `copied_from` says of each line of the draft which one it was copied from. A reason
    stays whose it was; of one that holds no more an event says so.
    """
    overrides = list(source.overrides.select_related("by"))
    if not overrides:
        return
    whole = Revision.objects.with_lines().get(pk=draft.pk)
    open_now = {
        problem.code_among(copied_from): problem
        for problem in find_problems(whole, now)
        if problem.can_be_let_go
    }
    for override in overrides:
        problem = open_now.get(override.code)
        if problem is None:
            text = f"Not carried over from revision {source.n}: {override}"
            record_event(draft, DROPPED, text, by=by)
            continue
        CheckOverride.objects.create(
            revision=draft,
            code=problem.code,
            words=problem.message,
            reason=override.reason,
            by=override.by,
            at=override.at,
        )
        text = f"{override.by} let it go in revision {source.n}: {override}"
        record_event(draft, "check_carried", text, by=by, code=problem.code)
