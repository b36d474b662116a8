"""Reasons for sending in spite of a check, in the next revision."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.urls import reverse

from catalog.models import Notice
from quotes.models import CheckOverride, Revision
from quotes.problems import Problem
from quotes.services.checks import find_problems
from quotes.services.overrides import let_go
from quotes.services.quotes import revise_quote
from quotes.states import RevisionStatus
from sourceit.events import events_of
from tests.factories import make_line, make_product, make_revision, make_staff

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)
LATER = NOW + timedelta(days=3)
BARE = {"lead_weeks_min": None, "lead_weeks_max": None}


def blocking(revision) -> list[Problem]:
    whole = Revision.objects.with_lines().get(pk=revision.pk)
    return [one for one in find_problems(whole, LATER) if one.is_blocking]


def release(revision, by) -> None:
    """Let everything go that may be, and have it sent."""
    whole = Revision.objects.with_lines().get(pk=revision.pk)
    codes = [one.code for one in find_problems(whole, NOW) if one.can_be_let_go]
    let_go(revision=whole, codes=codes, reason="They know", by=by, now=NOW)
    Revision.objects.filter(pk=revision.pk).update(status=RevisionStatus.SENT)


@pytest.fixture
def first(sam):
    """A revision with two lines, the second without lead time."""
    revision = make_revision(author=sam, lines=2, valid_until=date(2026, 12, 15))
    revision.lines.filter(position=1).update(**BARE)
    return revision


def revise(revision, by) -> Revision:
    fresh = Revision.objects.get(pk=revision.pk)
    return revise_quote(revision=fresh, by=by, now=LATER)


def test_what_is_still_so_stays_let_go_by_whom_it_was(first, sam) -> None:
    release(first, sam)
    raj = make_staff()

    second = revise(first, raj)

    assert blocking(second) == []
    kept = CheckOverride.objects.get(revision=second)
    line = second.lines.get(position=1)
    assert (kept.code, kept.words) == (f"lead-{line.pk}", "Line 2: enter a lead time.")
    assert (kept.reason, kept.by, kept.at) == ("They know", sam, NOW)
    event = events_of(second).get(kind="check_carried")
    assert event.is_internal
    assert f"{sam} let it go in revision 1" in event.text
    third = Revision.objects.filter(pk=second.pk)
    third.update(status=RevisionStatus.SENT)
    assert blocking(revise(second, raj)) == [], "and so on, from each to the next"


def test_what_is_mended_meanwhile_is_dropped_with_a_note(first, sam) -> None:
    release(first, sam)
    first.lines.update(lead_weeks_min=4)

    second = revise(first, sam)

    assert not CheckOverride.objects.filter(revision=second).exists()
    event = events_of(second).get(kind="check_dropped")
    assert event.is_internal
    assert event.text == (
        "Not carried over from revision 1: Line 2: enter a lead time. (They know)"
    )


def test_a_reason_for_some_lines_holds_for_no_others(first, sam) -> None:
    first.lines.update(warranty="", product=make_product(), lead_weeks_min=4)
    release(first, sam)
    first.lines.filter(position=0).update(warranty="1 year")

    second = revise(first, sam)

    (problem,) = blocking(second)
    assert problem.message == "Line 2: no warranty and no support term."


def test_a_reason_for_many_lines_is_carried_as_one(first, sam) -> None:
    product = make_product()
    for position in range(2, 80):
        make_line(first, position=position)
    first.lines.update(warranty="", product=product, lead_weeks_min=4)
    release(first, sam)

    assert blocking(revise(first, sam)) == []


def test_another_end_of_validity_asks_again(first, sam) -> None:
    first.lines.update(lead_weeks_min=4)
    promotion = Notice.objects.create(
        kind=Notice.Kind.PRICE, title="Promotion", text="x", ends_at=NOW.replace(day=10)
    )
    first.notices.add(promotion)
    release(first, sam)
    assert first.overrides.count() == 1

    second = revise(first, sam)

    assert blocking(second) == [], "it ends within the promotion"
    assert not second.overrides.exists()


def test_a_code_is_made_of_the_lines_that_it_is_about() -> None:
    one = Problem(message="", anchor="", kind="lead", lines=(7,))
    many = Problem(message="", anchor="", kind="support", lines=tuple(range(999)))

    assert one.code == "lead-7"
    assert len(many.code) <= 200
    assert one.code_among({7: 3}) == "lead-3"
    assert one.code_among({}) == ""
    assert Problem(message="", anchor="", code="fabric-x-1-2").code_among({}) == (
        "fabric-x-1-2"
    )


def test_the_desk_reads_what_was_not_carried_over(sam_client, first, sam) -> None:
    release(first, sam)
    first.lines.update(lead_weeks_min=4)

    page = sam_client.post(
        reverse("desk:quote_revise", args=[first.pk]), follow=True
    ).content.decode()

    assert "Not carried over from revision 1: Line 2: enter a lead time." in page
