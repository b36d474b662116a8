"""What stands around a revision on a day: read in one query, for the checks."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from catalog.models import Notice
from quotes.models import Revision, RevisionDesign, Terms
from quotes.states import BOUGHT
from sourceit.clock import singapore_date
from sourceit.tax import gst_subquery


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What the checks ask of other rows.

    `gst_now` is today's rate in percent, None before the first; `is_overtaken`: another
    revision of the quote was accepted, and this one does not amend it;
    `has_ending_prices`: it prints a notice about a price that ends.
    """

    gst_now: Decimal | None
    is_overtaken: bool
    newest_terms: int | None
    has_designs: bool
    has_ending_prices: bool


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
        has_ending_prices=Exists(_ending_prices()),
    )
    return Around(**rows.values(*(one.name for one in fields(Around))).get())


def _ending_prices() -> QuerySet[Any]:
    return Revision.notices.through.objects.filter(
        revision=OuterRef("pk"),
        notice__kind=Notice.Kind.PRICE,
        notice__ends_at__isnull=False,
    )
