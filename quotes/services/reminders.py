"""Remind a customer, once each, three days and one day before a quote runs out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from decimal import Decimal

from django.contrib.contenttypes.models import ContentType

from quotes.errors import QuoteError
from quotes.models import QuoteRequest, Revision
from quotes.services.sending import issue_answer_link
from quotes.states import RevisionStatus
from sourceit.clock import SINGAPORE, days_left, singapore_date
from sourceit.mail import queue_email
from sourceit.models import Delivery
from sourceit.money import format_money

REMINDER = "quote_reminder"
DAYS_BEFORE = (3, 1)
# In Singapore: nobody is reminded at night.
AT = time(9)


def remind_customers(now: datetime) -> int:
    """Queue the reminders that are due and were not queued yet; return how many.

    A day that was missed is made up for, but never with two reminders at once. Whoever
    asked for a change waits for us, and is left alone.
    """
    found = list(_running_out(now))
    done = _reminded(found)
    count = 0
    for revision in found:
        days = _due_reminder(revision, now)
        if days and (revision.pk, _occasion(days)) not in done:
            _queue(revision, _occasion(days), now)
            count += 1
    return count


def remind_by_hand(*, request: QuoteRequest, now: datetime) -> None:
    """Remind a customer of the quote they have not answered, once a day at most.

    Raises:
        QuoteError: there is none to answer, it has run out, or it was done today.
    """
    live = Revision.objects.filter(quote__request=request, status=RevisionStatus.SENT)
    revision = live.exclude(to_email="").order_by("-pk").first()
    if revision is None or revision.has_expired(now):
        raise QuoteError(f"{request} has no quote that waits for an answer.")
    occasion = f"by-hand-{singapore_date(now).isoformat()}"
    if (revision.pk, occasion) in _reminded([revision]):
        raise QuoteError(f"{request}: the customer was reminded today already.")
    _queue(revision, occasion, now)


def _running_out(now: datetime) -> Iterator[Revision]:
    today = singapore_date(now)
    last = today + timedelta(days=max(DAYS_BEFORE))
    yield from Revision.objects.filter(
        status=RevisionStatus.SENT,
        valid_until__range=(today, last),
        change_requests=None,
    ).exclude(to_email="")


def _reminded(revisions: list[Revision]) -> set[tuple[int, str]]:
    rows = Delivery.objects.filter(
        kind=REMINDER,
        subject_type=ContentType.objects.get_for_model(Revision),
        subject_id__in=[revision.pk for revision in revisions],
    )
    return set(rows.values_list("subject_id", "occasion"))


def _due_reminder(revision: Revision, now: datetime) -> int | None:
    """Return for which day before the end a reminder is due: the latest that is."""
    if revision.valid_until is None or revision.sent_at is None:
        return None
    for days in sorted(DAYS_BEFORE):
        day = revision.valid_until - timedelta(days=days)
        due = datetime.combine(day, AT, tzinfo=SINGAPORE)
        if due <= now:
            # One sent so late that it began with fewer days has just been read.
            return days if revision.sent_at < due else None
    return None


def _queue(revision: Revision, occasion: str, now: datetime) -> None:
    content, last_day = revision.content, revision.valid_until
    if content is None or last_day is None:
        return
    left = days_left(last_day, now)
    gross = format_money(Decimal(content["totals"]["gross"]), content["currency"])
    queue_email(
        revision,
        REMINDER,
        to=revision.to_email,
        reply_to=content["salesperson"]["email"],
        link=issue_answer_link(revision, revision.to_email, revision.to_name, last_day),
        occasion=occasion,
        context={
            "number": content["number"],
            "n": revision.n,
            "to_name": revision.to_name,
            "salesperson": content["salesperson"],
            "valid_until": last_day,
            "when": {0: "today", 1: "tomorrow"}.get(left, f"in {left} days"),
            "facts": [
                ("Total including GST", gross),
                (
                    "Valid until",
                    f"{last_day:%-d %b %Y}, end of day, Singapore time (SGT)",
                ),
            ],
        },
    )


def _occasion(days: int) -> str:
    return f"{days}-days-before"
