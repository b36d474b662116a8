"""How long a customer has waited: Singapore working hours, less what they held up.

No database. A working day is Monday to Friday, 9:00 to 18:00 in Singapore, without the
public holidays (the `holidays` library's Singapore calendar) and with the desk's own
changes on top.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta

import holidays

from sourceit.clock import SINGAPORE

OPENS = time(9)
CLOSES = time(18)
WORKING_DAY = timedelta(hours=9)

# A day the desk works or rests against the calendar: {date: is_working}.
Overrides = Mapping[date, bool]


def is_working_day(day: date, overrides: Overrides | None = None) -> bool:
    """True for a day on which the desk answers."""
    if overrides and day in overrides:
        return overrides[day]
    return day.weekday() < 5 and day not in _holidays(day.year)


def working_time(
    start: datetime, end: datetime, overrides: Overrides | None = None
) -> timedelta:
    """Return the working time between two instants; nothing when `end` is earlier."""
    total = timedelta()
    start, end = start.astimezone(SINGAPORE), end.astimezone(SINGAPORE)
    day = start.date()
    while day <= end.date():
        if is_working_day(day, overrides):
            opens, closes = _hours(day)
            total += max(min(end, closes) - max(start, opens), timedelta())
        day += timedelta(days=1)
    return total


def waited(
    submitted: datetime,
    now: datetime,
    pauses: Iterable[tuple[datetime, datetime | None]] = (),
    overrides: Overrides | None = None,
) -> timedelta:
    """Return the working time since `submitted` that was ours to use.

    `pauses` are the times the customer had the pen; an open one has no end yet. They
    must not overlap.
    """
    total = working_time(submitted, now, overrides)
    for start, end in pauses:
        total -= working_time(max(start, submitted), min(end or now, now), overrides)
    return max(total, timedelta())


def due_at(
    submitted: datetime, allowed: timedelta, overrides: Overrides | None = None
) -> datetime:
    """Return when `allowed` working time after `submitted` is over.

    One working day from Friday 17:00 is Monday 17:00.
    """
    left = allowed
    moment = submitted.astimezone(SINGAPORE)
    day = moment.date()
    while True:
        if is_working_day(day, overrides):
            opens, closes = _hours(day)
            begin = max(moment, opens)
            available = closes - begin
            if left <= available:
                return begin + left
            left -= max(available, timedelta())
        day += timedelta(days=1)


def _hours(day: date) -> tuple[datetime, datetime]:
    opens = datetime.combine(day, OPENS, tzinfo=SINGAPORE)
    return opens, datetime.combine(day, CLOSES, tzinfo=SINGAPORE)


def holidays_between(first: date, last: date) -> list[tuple[date, str]]:
    """Return the public holidays of Singapore in a span of days, with their names."""
    years = range(first.year, last.year + 1)
    days = [(day, name) for year in years for day, name in _holidays(year).items()]
    return sorted((day, name) for day, name in days if first <= day <= last)


_calendars: dict[int, holidays.HolidayBase] = {}


def _holidays(year: int) -> holidays.HolidayBase:
    if year not in _calendars:
        _calendars[year] = holidays.country_holidays("SG", years=year)
    return _calendars[year]
