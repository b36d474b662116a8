"""The sections of a draft: add, rename, remove."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Max

from quotes.errors import QuoteError
from quotes.models import Line, Revision, Section
from quotes.services.lines import touch
from sourceit.models import User


@transaction.atomic
def add_section(*, revision: Revision, title: str, by: User, now: datetime) -> Section:
    """Add a section at the end."""
    touch(revision, by=by, now=now)
    last = Section.objects.filter(revision=revision).aggregate(last=Max("position"))
    position = 0 if last["last"] is None else last["last"] + 1
    return Section.objects.create(
        revision=revision, title=title.strip()[:120] or "Section", position=position
    )


@transaction.atomic
def rename_section(*, section: Section, title: str, by: User, now: datetime) -> None:
    """Give a section another title; an empty one is refused."""
    if not title.strip():
        raise QuoteError("Enter a title for the section.")
    touch(section.revision, by=by, now=now)
    section.title = title.strip()[:120]
    section.save(update_fields=["title"])


@transaction.atomic
def remove_section(*, section: Section, by: User, now: datetime) -> None:
    """Remove a section; its lines stay, without one."""
    touch(section.revision, by=by, now=now)
    Line.objects.filter(section=section).update(section=None)
    section.delete()
