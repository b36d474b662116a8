"""The reply clock of a request: it starts, stands still, goes on, rings, and stops."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from itertools import pairwise

import pytest
import time_machine

from quotes.models import DeskDay
from quotes.reply_clock import WORKING_DAY
from quotes.services.clock import change_day, forget_day, ring_clocks
from quotes.services.moves import move_request
from quotes.states import Actor, RequestStatus
from sourceit.clock import SINGAPORE
from sourceit.models import Delivery
from tests.factories import make_request

pytestmark = pytest.mark.django_db


def sgt(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 12, day, hour, minute, tzinfo=SINGAPORE)


def move(request, action, at, actor=Actor.SALES):
    with time_machine.travel(at, tick=False):
        move_request(request, action, action, actor=actor)


@pytest.fixture
def asked(sam):
    """In progress since Tuesday 1 December, 10:00: due on Wednesday at 10:00."""
    return make_request(
        status=RequestStatus.IN_PROGRESS, owner=sam, submitted_at=sgt(1, 10)
    )


def test_it_starts_when_the_request_comes_in() -> None:
    request = make_request(status=RequestStatus.DRAFT, number="RFQ-2026-0001")
    assert request.reply_due_at is None
    move(request, "submit", sgt(1, 10), Actor.CUSTOMER)
    assert request.reply_due_at == sgt(2, 10)


def test_it_stands_still_while_the_customer_has_the_pen(asked) -> None:
    move(asked, "ask", sgt(1, 12))
    assert asked.reply_due_at is None
    assert asked.clock_left == WORKING_DAY - timedelta(hours=2)
    move(asked, "answer", sgt(7, 9), Actor.CUSTOMER)
    # Seven hours were left, on Monday.
    assert asked.reply_due_at == sgt(7, 16)


def test_questions_in_turn_never_give_back_time(asked) -> None:
    moments = [sgt(1, 11), sgt(1, 12), sgt(1, 14), sgt(2, 9), sgt(2, 17)]
    lefts = []
    for n, moment in enumerate(moments):
        action, actor = (
            ("ask", Actor.SALES) if n % 2 == 0 else ("answer", Actor.CUSTOMER)
        )
        move(asked, action, moment, actor)
        lefts.append(asked.clock_left)
    assert all(before >= after for before, after in pairwise(lefts))
    # Used: 10 to 11, 12 to 14, and 9 to 17 of the nine hours.
    assert lefts[-1] == timedelta()


@pytest.mark.parametrize(
    ("action", "actor"),
    [
        ("quote", Actor.SYSTEM),
        ("decline", Actor.SALES),
        ("cancel", Actor.CUSTOMER),
    ],
)
def test_it_stops_with_the_answer_or_the_end(asked, action, actor) -> None:
    move(asked, action, sgt(1, 12), actor)
    asked.refresh_from_db()
    assert (asked.clock_from, asked.reply_due_at) == (None, None)


def test_a_day_the_desk_is_closed_moves_what_is_due(asked) -> None:
    changed = change_day(day=date(2026, 12, 2), is_working=False, note="Office move")
    asked.refresh_from_db()
    assert asked.reply_due_at == sgt(3, 10)

    forget_day(changed=changed)
    asked.refresh_from_db()
    assert asked.reply_due_at == sgt(2, 10)


def test_a_holiday_the_desk_works_counts(sam) -> None:
    asked = make_request(owner=sam, submitted_at=sgt(24, 10))
    assert asked.reply_due_at == sgt(28, 10)
    change_day(day=date(2026, 12, 25), is_working=True, note="")
    asked.refresh_from_db()
    assert asked.reply_due_at == sgt(25, 10)


def test_the_owner_is_written_to_once_when_a_reply_is_late(asked, sam) -> None:
    assert ring_clocks(sgt(2, 9, 59)) == 0
    for minute in (0, 10, 20):
        ring_clocks(sgt(2, 10, minute))
    letter = Delivery.objects.get(kind="no_quote_yet")
    assert letter.recipient == sam.email
    assert asked.number in letter.email_subject


def test_nobody_s_request_rings_at_the_team_s_address(settings) -> None:
    make_request(submitted_at=sgt(1, 10))
    ring_clocks(sgt(3, 10))
    assert Delivery.objects.get().recipient == settings.SALES_EMAIL


def test_what_was_quoted_or_waits_for_the_customer_does_not_ring(asked) -> None:
    move(asked, "ask", sgt(1, 12))
    make_request(status=RequestStatus.QUOTED, submitted_at=sgt(1, 10))
    assert ring_clocks(sgt(30, 10)) == 0


def test_the_alert_can_be_turned_off(asked, settings) -> None:
    settings.NO_QUOTE_YET_ALERT = False
    assert ring_clocks(sgt(3, 10)) == 0
    assert not Delivery.objects.exists()


@time_machine.travel(sgt(1, 9), tick=False)
def test_the_calendar_page_adds_and_removes_a_day(sam_client) -> None:
    page = sam_client.get("/desk/calendar/").content.decode()
    assert "Fri 25 Dec 2026, Christmas Day" in page

    data = {"day": "24 Dec 2026", "is_working": "", "note": "Half the team away"}
    page = sam_client.post("/desk/calendar/", data, follow=True).content.decode()
    assert "24 Dec 2026: closed" in page
    day = DeskDay.objects.get()
    sam_client.post(f"/desk/calendar/{day.pk}/forget/")
    assert not DeskDay.objects.exists()


@time_machine.travel(sgt(1, 9), tick=False)
@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", "Enter the day"),
        ("Christmas", "Enter the day like"),
        ("30 Nov 2026", "not over"),
    ],
)
def test_a_day_that_cannot_be_is_named(sam_client, typed, words) -> None:
    response = sam_client.post("/desk/calendar/", {"day": typed, "note": "Kept"})
    assert response.status_code == 422
    assert words in response.content.decode()
    assert "Kept" in response.content.decode()
