from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.core import mail

from quotes.content import build_content
from quotes.models import ChangeRequest, Revision
from quotes.services.reminders import remind_customers
from quotes.states import RevisionStatus
from sourceit.models import Delivery
from tests.factories import make_revision

pytestmark = pytest.mark.django_db

# 15 Dec 2026 is the last day; 09:00 in Singapore is 01:00 UTC.
LAST_DAY = date(2026, 12, 15)
SENT = datetime(2026, 12, 1, 2, tzinfo=UTC)
THREE_BEFORE = datetime(2026, 12, 12, 1, tzinfo=UTC)
ONE_BEFORE = datetime(2026, 12, 14, 1, tzinfo=UTC)


@pytest.fixture
def sent(sam) -> Revision:
    revision = make_revision(author=sam, valid_until=LAST_DAY)
    whole = Revision.objects.with_lines().get(pk=revision.pk)
    whole.content = build_content(whole, now=SENT) | {"number": "Q-2026-0001"}
    whole.status, whole.sent_at = RevisionStatus.SENT, SENT
    whole.save()
    return whole


def test_two_reminders_go_out_once_each(sent, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        counts = [
            remind_customers(SENT + timedelta(hours=hour)) for hour in range(24 * 16)
        ]

    assert sum(counts) == 2
    assert [message.subject for message in mail.outbox] == [
        "Quotation Q-2026-0001 runs out in 3 days",
        "Quotation Q-2026-0001 runs out tomorrow",
    ]
    assert all(message.to == ["carol@example.com"] for message in mail.outbox)
    assert all("/q/" in message.body for message in mail.outbox)


@pytest.mark.parametrize(
    ("now", "count"),
    [
        (THREE_BEFORE - timedelta(seconds=1), 0),
        (THREE_BEFORE, 1),
        (ONE_BEFORE - timedelta(seconds=1), 1),
        (ONE_BEFORE, 1),
        (datetime(2026, 12, 15, 15, 59, tzinfo=UTC), 1),
        (datetime(2026, 12, 15, 16, 0, tzinfo=UTC), 0),
    ],
)
def test_a_reminder_is_due_from_nine_in_singapore_to_the_end(sent, now, count):
    assert remind_customers(now) == count


def test_a_missed_day_is_not_made_up_for_twice(sent):
    assert remind_customers(ONE_BEFORE) == 1
    assert remind_customers(ONE_BEFORE + timedelta(hours=1)) == 0
    assert Delivery.objects.get().occasion == "1-days-before"


def test_a_quote_sent_late_gets_no_reminder_of_what_was_just_read(sent):
    Revision.objects.update(sent_at=THREE_BEFORE + timedelta(hours=1))

    assert remind_customers(THREE_BEFORE + timedelta(hours=2)) == 0
    assert remind_customers(ONE_BEFORE) == 1


@pytest.mark.parametrize(
    "status", [one for one in RevisionStatus.values if one != RevisionStatus.SENT]
)
def test_only_a_quote_that_waits_for_an_answer_is_reminded_of(sent, status):
    Revision.objects.update(status=status)

    assert remind_customers(ONE_BEFORE) == 0


def test_who_asked_for_a_change_is_left_alone(sent):
    ChangeRequest.objects.create(revision=sent, email="carol@example.com", text="More")

    assert remind_customers(ONE_BEFORE) == 0


def test_no_reminder_costs_more_queries_for_more_quotes(
    sent, django_assert_max_num_queries
):
    remind_customers(ONE_BEFORE)

    with django_assert_max_num_queries(2):
        remind_customers(ONE_BEFORE)
