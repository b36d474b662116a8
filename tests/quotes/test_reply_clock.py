from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotes.reply_clock import (
    WORKING_DAY,
    due_at,
    is_working_day,
    waited,
    working_time,
)
from sourceit.clock import SINGAPORE


def sgt(day: int, hour: int, minute: int = 0, month: int = 12) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=SINGAPORE)


# 1 December 2026 is a Tuesday; 25 December is Christmas Day, a Friday.
@pytest.mark.parametrize(
    ("start", "end", "hours"),
    [
        (sgt(1, 10), sgt(1, 12), 2),
        (sgt(1, 8), sgt(1, 19), 9),
        (sgt(1, 17), sgt(2, 10), 2),
        (sgt(4, 17), sgt(7, 10), 2),
        (sgt(5, 10), sgt(6, 10), 0),
        (sgt(24, 17), sgt(28, 10), 2),
        (sgt(2, 10), sgt(1, 10), 0),
    ],
)
def test_only_working_hours_count(start, end, hours) -> None:
    assert working_time(start, end) == timedelta(hours=hours)


def test_the_zone_of_the_clock_does_not_matter() -> None:
    start, end = sgt(1, 10), sgt(2, 12)

    assert working_time(start.astimezone(UTC), end.astimezone(UTC)) == timedelta(
        hours=11
    )


def test_the_customers_own_time_does_not_count() -> None:
    pauses = [(sgt(1, 11), sgt(1, 15)), (sgt(2, 10), None)]

    assert waited(sgt(1, 10), sgt(2, 17), pauses) == timedelta(hours=5)


def test_one_working_day_from_friday_afternoon_is_monday_afternoon() -> None:
    assert due_at(sgt(4, 17), WORKING_DAY) == sgt(7, 17)


def test_the_desk_may_rest_and_work_against_the_calendar() -> None:
    assert not is_working_day(date(2026, 12, 1), {date(2026, 12, 1): False})
    assert is_working_day(date(2026, 12, 25), {date(2026, 12, 25): True})
    assert not is_working_day(date(2026, 12, 25))


@given(
    minutes=st.integers(0, 60 * 24 * 20),
    allowed=st.integers(1, 60 * 40),
)
def test_due_is_when_exactly_the_allowed_time_was_worked(minutes, allowed) -> None:
    start = sgt(1, 0) + timedelta(minutes=minutes)
    due = due_at(start, timedelta(minutes=allowed))

    assert working_time(start, due) == timedelta(minutes=allowed)
