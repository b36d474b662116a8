"""What stands around a revision on a day: read in one query, for the checks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Exists, OuterRef, Subquery

from quotes.models import Revision, RevisionDesign, Terms
from quotes.states import BOUGHT
from sourceit.clock import singapore_date
from sourceit.tax import gst_subquery


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What the checks ask of other rows.

    `gst_now` is today's rate in percent, None before the first; `is_overtaken`: another
    revision of the quote was accepted, and this one does not amend it.
    """

    gst_now: Decimal | None
    is_overtaken: bool
    newest_terms: int | None
    has_designs: bool


def look_around(revision: Revision, now: datetime) -> Around:
    """Read it (one query)."""
    today = singapore_date(now)
    accepted = Revision.objects.filter(quote=OuterRef("quote"), status__in=BOUGHT)
    others = accepted.exclude(pk=OuterRef("pk"))
    if revision.amends_id is not None:
        others = others.exclude(pk=revision.amends_id)
    rows = Revision.objects.filter(pk=revision.pk).annotate(
        gst_now=gst_subquery(today),
        is_overtaken=Exists(others),
        newest_terms=Subquery(Terms.objects.in_force(today).values("pk")[:1]),
        has_designs=Exists(RevisionDesign.objects.filter(revision=OuterRef("pk"))),
    )
    names = ("gst_now", "is_overtaken", "newest_terms", "has_designs")
    return Around(**rows.values(*names).get())
