"""Days end in Singapore: the one place that turns a date into an instant."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

SINGAPORE = ZoneInfo("Asia/Singapore")


def end_of_day(day: date) -> datetime:
    """Return the last microsecond of `day` in Singapore, in UTC."""
    return datetime.combine(day, time.max, tzinfo=SINGAPORE).astimezone(UTC)


def has_ended(day: date, now: datetime) -> bool:
    """True once `day` is over in Singapore; through its last microsecond it is not."""
    return now > end_of_day(day)


def singapore_date(now: datetime) -> date:
    """Return the calendar date in Singapore at `now`."""
    return now.astimezone(SINGAPORE).date()


def days_left(day: date, now: datetime) -> int:
    """Return whole days from today in Singapore to `day`; negative once past."""
    return (day - singapore_date(now)).days
