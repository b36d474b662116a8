"""How long a quote may be valid: up to the earliest end of what it rests on."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from django.db import connection
from django.db.models import prefetch_related_objects
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from catalog.models import Notice
from quotes.errors import QuoteError
from quotes.models import Revision
from quotes.services.checks import find_problems
from quotes.services.overrides import let_go
from quotes.services.quotes import build_quote, revise_quote
from quotes.services.validity import validity_cap, validity_limits
from sourceit.clock import SINGAPORE, last_whole_day
from tests.factories import make_request, make_revision
from tests.quotes.test_currencies import FX

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)
LAST = date(2026, 12, 14)


def sgt(day: int, hour: int = 0, minute: int = 0, second: int = 0) -> datetime:
    return datetime(2026, 12, day, hour, minute, second, tzinfo=SINGAPORE)


def promote(revision=None, *, ends_at=None, **fields) -> Notice:
    """A promotion that ends with 14 Dec, printed on the quote."""
    defaults = {
        "kind": "price",
        "title": "SN3700 promotion",
        "text": "Less",
    }
    ends_at = ends_at or sgt(15)
    notice = Notice.objects.create(**(defaults | fields), ends_at=ends_at)
    if revision is not None:
        revision.notices.add(notice)
    return notice


@pytest.fixture
def revision(sam) -> Revision:
    return make_revision(author=sam, valid_until=date(2026, 12, 31))


def blocking(revision, now=NOW):
    whole = Revision.objects.with_lines().get(pk=revision.pk)
    return [one for one in find_problems(whole, now) if one.is_blocking]


@pytest.mark.parametrize(
    ("ends_at", "day"),
    [
        (sgt(14, 23, 58, 59), 13),
        (sgt(14, 23, 59), 14),
        (sgt(14, 23, 59, 59), 14),
        (sgt(15), 14),
        (sgt(15, 0, 1), 14),
        (sgt(15, 12), 14),
        (datetime(2026, 12, 14, 16, 0, tzinfo=UTC), 14),
        (datetime(2026, 12, 14, 15, 0, tzinfo=UTC), 13),
    ],
)
def test_the_last_day_is_one_that_ends_before_the_price_does(revision, ends_at, day):
    promote(revision, ends_at=ends_at)

    assert last_whole_day(ends_at) == date(2026, 12, day)
    assert validity_cap(revision, NOW).day == date(2026, 12, day)


@pytest.mark.parametrize(("day", "is_refused"), [(13, False), (14, False), (15, True)])
def test_valid_through_the_last_day_and_no_longer(revision, day, is_refused):
    promote(revision)
    Revision.objects.filter(pk=revision.pk).update(valid_until=date(2026, 12, day))

    told = [one.message for one in blocking(revision)]

    words = "The quote may be valid until 14 Dec 2026: “SN3700 promotion” ends."
    assert told == ([words] if is_refused else [])


def test_an_end_in_the_day_is_said_with_its_time(revision):
    promote(revision, ends_at=sgt(15, 18))

    assert str(validity_cap(revision, NOW)) == (
        "14 Dec 2026: “SN3700 promotion” ends at 18:00 on 15 Dec 2026"
    )


@pytest.mark.parametrize(
    "fields", [{"kind": "supply"}, {"kind": "service"}], ids=lambda each: each["kind"]
)
def test_only_notices_about_a_price_limit_it(revision, fields):
    promote(revision, **fields)
    promote()  # not on this quote

    assert validity_cap(revision, NOW) is None
    assert blocking(revision) == []


def test_the_earliest_of_all_limits_is_the_cap_and_each_is_checked(sam):
    revision = make_revision(
        author=sam,
        valid_until=date(2026, 12, 31),
        fx_locked_until=date(2026, 12, 20),
        **FX,
    )
    promote(revision)
    promote(revision, ends_at=sgt(11), title="Cable promotion")

    days = [limit.day.day for limit in validity_limits(revision, NOW)]

    assert days == [10, 14, 20]
    assert "Cable promotion" in validity_cap(revision, NOW).words
    assert (
        len([one for one in blocking(revision) if "may be valid" in one.message]) == 3
    )


def test_the_rate_of_another_time_does_not_limit_a_quote_in_sgd(revision):
    revision.fx_locked_until = date(2026, 12, 2)

    assert validity_cap(revision, NOW) is None


def test_a_price_is_held_beyond_its_end_with_a_reason_for_just_that(revision):
    notice = promote(revision)
    (problem,) = blocking(revision)

    let_go(
        revision=revision,
        codes=[problem.code],
        reason="We honour it",
        by=revision.author,
        now=NOW,
    )
    assert blocking(revision) == []

    Notice.objects.filter(pk=notice.pk).update(ends_at=sgt(10))
    assert len(blocking(revision)) == 1


def test_the_hold_of_a_bank_cannot_be_let_go(sam):
    revision = make_revision(
        author=sam, valid_until=date(2026, 12, 31), fx_locked_until=LAST, **FX
    )
    told = [one for one in blocking(revision) if "may be valid" in one.message]

    assert [one.can_be_let_go for one in told] == [False]
    with pytest.raises(QuoteError, match="not wrong any more"):
        let_go(
            revision=revision,
            codes=["validity-rate"],
            reason="Sure",
            by=revision.author,
            now=NOW,
        )


@pytest.mark.parametrize(
    ("ends_at", "day"),
    [(None, 14), (sgt(15, 12), 14), (sgt(20), 15), (sgt(1, 9), 15), (sgt(2), 1)],
    ids=["midnight", "noon", "later than 14 days", "over already", "today"],
)
def test_a_new_quote_ends_with_its_promotion_at_the_latest(sam, ends_at, day):
    promote(ends_at=ends_at, starts_at=sgt(1))
    asked = make_request(status="submitted", owner=sam)
    draft = build_quote(request=asked, by=sam, now=sgt(1, 8))

    assert draft.notices.count() == 1
    draft.refresh_from_db()
    assert draft.valid_until == date(2026, 12, day)


def test_a_revision_starts_with_the_hold_of_the_rate_it_copies(sam):
    sent = make_revision(
        author=sam,
        status="sent",
        content={"totals": {}},
        fx_locked_until=date(2026, 12, 5),
        **FX,
    )

    draft = revise_quote(revision=sent, by=sam, now=NOW)

    draft.refresh_from_db()
    assert draft.valid_until == date(2026, 12, 5)


def test_the_builder_names_the_limit_beside_the_field(sam_client, revision):
    year = timezone.localdate().year + 1
    end = datetime(year, 12, 15, tzinfo=SINGAPORE)
    page = reverse("desk:quote", args=[revision.pk])
    assert 'id="validity-cap"></span>' in sam_client.get(page).content.decode()

    promote(revision, ends_at=end)

    html = sam_client.get(page).content.decode()
    assert f"At most 14 Dec {year}: “SN3700 promotion” ends." in html


def test_ticking_a_notice_says_its_limit_at_once(sam_client, revision):
    end = datetime(timezone.localdate().year + 1, 12, 15, tzinfo=SINGAPORE)
    notice = promote(ends_at=end)
    page = sam_client.get(reverse("desk:quote", args=[revision.pk]))
    form = page.context["form"]
    data = {name: form[name].value() or "" for name in form.fields}
    data |= {"cc": "", "notices": [notice.pk], "stamp": form.stamp}

    answer = sam_client.post(
        reverse("desk:quote_details", args=[revision.pk]),
        data,
        headers={"HX-Request": "true"},
    )

    html = answer.content.decode()
    assert answer.status_code == 200
    assert '<span class="hint" id="validity-cap" hx-swap-oob="true">At most' in html


def test_without_ending_prices_it_costs_no_query_beside_the_lines(revision):
    prefetch_related_objects([revision], "lines", "sections")

    with CaptureQueriesContext(connection) as queries:
        assert validity_cap(revision, NOW, has_ending_prices=False) is None

    assert len(queries) == 0
