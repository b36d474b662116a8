"""Write down what happened; the timeline pages read nothing else."""

from __future__ import annotations

from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db import models

from sourceit.models import Event, User


def record_event(
    subject: models.Model,
    kind: str,
    text: str,
    *,
    by: User | None = None,
    by_name: str = "",
    internal: bool = True,
    before: str = "",
    after: str = "",
    **detail: Any,
) -> Event:
    """Add an event about `subject`, in the transaction of its cause.

    `text` is a sentence a person reads. `internal=False` shows it to the customer, so
    it must then hold no cost, margin, supplier or note.
    """
    return Event.objects.create(
        subject=subject,
        kind=kind,
        text=text[:500],
        by=by,
        by_name=by_name or (str(by) if by else "SourceIT"),
        is_internal=internal,
        before=before,
        after=after,
        detail=detail,
    )


def events_of(*subjects: models.Model) -> models.QuerySet[Event]:
    """Return the events of several objects, oldest first, in one query."""
    wanted = models.Q(pk__in=[])
    for subject in subjects:
        kind = ContentType.objects.get_for_model(subject)
        wanted |= models.Q(subject_type=kind, subject_id=subject.pk)
    return Event.objects.filter(wanted).select_related("by")
