"""Numbers of documents: RFQ-2026-0001, Q-2026-0001. No number is given twice."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F

from sourceit.models import Counter


@transaction.atomic
def take_number(series: str, year: int) -> str:
    """Take the next number of a series and year.

    The update holds the row until the caller's transaction ends (SQLite: the whole
    database), so fifty callers get fifty numbers, and a rolled-back one leaves no gap.
    """
    counter, _created = Counter.objects.get_or_create(series=series, year=year)
    Counter.objects.filter(pk=counter.pk).update(value=F("value") + 1)
    counter.refresh_from_db(fields=["value"])
    return f"{series}-{year}-{counter.value:04d}"
