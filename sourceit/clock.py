"""Days end in Singapore: the one place that turns a date into an instant."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
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


def last_whole_day(ends_at: datetime) -> date:
    """Return the last day in Singapore that is over at `ends_at`.

    An end in the last minute of a day is that day's: people write 23:59.
    """
    return singapore_date(ends_at + timedelta(minutes=1)) - timedelta(days=1)


def days_left(day: date, now: datetime) -> int:
    """Return whole days from today in Singapore to `day`; negative once past."""
    return (day - singapore_date(now)).days
