"""The reply clock of a request: when it runs, stands still, and rings."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from quotes.models import DeskDay, QuoteRequest
from quotes.reply_clock import WORKING_DAY, due_at, working_time
from quotes.states import RequestStatus
from sourceit.mail import queue_email

UNANSWERED = (RequestStatus.SUBMITTED, RequestStatus.IN_PROGRESS)
STOPPED = {"clock_from": None, "reply_due_at": None}
ALERT = "no_quote_yet"


def clock_fields(request: QuoteRequest, action: str, now: datetime) -> dict[str, Any]:
    """Return what a move of a request does to its clock (one query, or none).

    It starts when the request comes in, stands still while the customer has the pen,
    goes on with what was left, and stops for good with the quote or the end.
    """
    match action:
        case "submit":
            return _running(now, WORKING_DAY)
        case "ask":
            return {**STOPPED, "clock_left": _left(request, now)}
        case "answer":
            left = request.clock_left
            return _running(now, WORKING_DAY if left is None else left)
        case "quote" | "decline" | "cancel" | "mark_spam":
            return dict(STOPPED)
        case _:
            return {}


def _running(start: datetime, left: timedelta) -> dict[str, Any]:
    due = due_at(start, left, changed_days())
    return {"clock_from": start, "clock_left": left, "reply_due_at": due}


def _left(request: QuoteRequest, now: datetime) -> timedelta:
    left = WORKING_DAY if request.clock_left is None else request.clock_left
    if request.clock_from is None:
        return left
    used = working_time(request.clock_from, now, changed_days())
    return max(left - used, timedelta())


def changed_days() -> dict[date, bool]:
    """Return the days the desk works or rests against the calendar (one query)."""
    return dict(DeskDay.objects.values_list("day", "is_working"))


@transaction.atomic
def change_day(*, day: date, is_working: bool, note: str) -> DeskDay:
    """Work or rest on a day; every reply still owed is due by the new calendar."""
    changed, _created = DeskDay.objects.update_or_create(
        day=day, defaults={"is_working": is_working, "note": note[:80]}
    )
    set_clocks()
    return changed


@transaction.atomic
def forget_day(*, changed: DeskDay) -> None:
    """Follow the calendar again on a day."""
    changed.delete()
    set_clocks()


def set_clocks() -> None:
    """Work out anew when the reply of every running clock is due."""
    days = changed_days()
    running = list(_running_clocks())
    for request in running:
        assert request.clock_from is not None
        left = WORKING_DAY if request.clock_left is None else request.clock_left
        request.reply_due_at = due_at(request.clock_from, left, days)
    QuoteRequest.objects.bulk_update(running, ["reply_due_at"], batch_size=500)


def _running_clocks() -> QuerySet[QuoteRequest]:
    rows = QuoteRequest.objects.filter(status__in=UNANSWERED)
    return rows.exclude(clock_from=None)


def ring_clocks(now: datetime) -> int:
    """Write to the owner, or to sales, of each request whose reply is late, once.

    Answered late again after a question, it is late again. Return how many were late.
    """
    if not settings.NO_QUOTE_YET_ALERT:
        return 0
    late = list(_running_clocks().filter(reply_due_at__lte=now).select_related("owner"))
    for request in late:
        assert request.reply_due_at is not None
        owner = request.owner
        queue_email(
            request,
            ALERT,
            to=owner.email if owner else settings.SALES_EMAIL,
            occasion=f"{request.reply_due_at:%Y%m%d%H%M}",
            context={"request": request, "due": request.reply_due_at},
        )
    return len(late)
