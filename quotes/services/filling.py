"""Fill in for many lines at once what most of them have in common."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F

from quotes.errors import QuoteError
from quotes.models import Line, Revision
from quotes.pricing import Kind
from quotes.services.lines import touch
from sourceit.clock import singapore_date
from sourceit.events import record_event
from sourceit.models import User


@transaction.atomic
def fill_in(
    *,
    revision: Revision,
    weeks: tuple[int | None, int | None],
    warranty: str,
    by: User,
    now: datetime,
) -> int:
    """Give the lines without a lead time, or without a warranty, the one that is given.

    What a line has already stays. Return how many lines were filled in.

    Raises:
        QuoteError: nothing is given, or the revision is no longer a draft.
    """
    touch(revision, by=by, now=now)
    low, high = weeks
    has_weeks = low is not None or high is not None
    if not has_weeks and not warranty:
        raise QuoteError("Enter a lead time or a warranty to fill in.")
    edited = {"row_version": F("row_version") + 1, "edited_at": now, "edited_by": by}
    goods = Line.objects.filter(revision=revision)
    goods = goods.exclude(kind__in=[Kind.TEXT, Kind.ROUNDING])
    filled: set[int] = set()
    if has_weeks:
        bare = goods.filter(lead_weeks_min=None, lead_weeks_max=None)
        filled |= set(bare.values_list("pk", flat=True))
        bare.update(
            lead_weeks_min=low,
            lead_weeks_max=high,
            lead_as_of=singapore_date(now),
            **edited,
        )
    if warranty:
        bare = goods.filter(warranty="")
        filled |= set(bare.values_list("pk", flat=True))
        bare.update(warranty=warranty, **edited)
    record_event(revision, "lines_filled", f"{by} filled in {len(filled)} lines", by=by)
    return len(filled)
