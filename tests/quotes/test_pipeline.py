from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
import time_machine
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from quotes import pipeline
from quotes.models import Acceptance, ChangeRequest, RequestLine, Revision
from quotes.states import RequestStatus, RevisionStatus
from sourceit.models import Delivery, Document
from tests.factories import make_request, make_revision, make_staff

pytestmark = pytest.mark.django_db
# Tuesday noon in Singapore.
NOW = datetime(2026, 12, 1, 4, 0, tzinfo=UTC)
URL = "/desk/"


@pytest.fixture(autouse=True)
def _noon():
    with time_machine.travel(NOW, tick=False):
        yield


def make_quoted(days=14, *, status=RevisionStatus.SENT, gross="109.00", **fields):
    request = make_request(
        status=RequestStatus.QUOTED, submitted_at=NOW - timedelta(days=5), **fields
    )
    revision = make_revision(
        request=request,
        status=status,
        valid_until=date(2026, 12, 1) + timedelta(days=days),
        gross=Decimal(gross),
    )
    return request, revision


def rows_of(client, **query):
    response = client.get(URL, query)
    assert response.status_code == 200
    return response.context["page"].rows


def numbers_of(client, **query):
    return [row.request.number for row in rows_of(client, **query)]


def test_what_needs_action_is_unanswered_running_out_or_asked_to_change(sam_client):
    new = make_request(submitted_at=NOW)
    quiet, _revision = make_quoted(14)
    soon, _revision = make_quoted(3)
    over, _revision = make_quoted(-2)
    asked, revision = make_quoted(10)
    ChangeRequest.objects.create(revision=revision, email="c@example.com", text="More")

    found = numbers_of(sam_client)

    assert found == [over.number, new.number, soon.number, asked.number]
    assert quiet.number in numbers_of(sam_client, view="waiting")


def test_a_pdf_or_email_that_failed_needs_action(sam_client):
    _request, failed = make_quoted(14, status=RevisionStatus.SENDING)
    Document.objects.create(
        subject=failed, kind="quotation", name="x.pdf", status="failed"
    )
    _request, bounced = make_quoted(14)
    Delivery.objects.create(
        subject=bounced, kind="quote", recipient="c@example.com", status="failed"
    )

    assert {row.next for row in rows_of(sam_client)} == {
        "The PDF could not be made",
        "An e-mail did not go",
    }


def test_rows_say_what_is_next_and_by_when(sam_client):
    make_request(submitted_at=NOW - timedelta(days=7))
    make_request(submitted_at=NOW - timedelta(hours=20))
    make_request(submitted_at=NOW)
    make_quoted(0)
    make_quoted(1)
    make_quoted(-1)

    words = {row.next for row in rows_of(sam_client)}

    assert words == {
        "Reply overdue since Wed 25 Nov, 12:00",
        "Reply due today, 16:00",
        "Reply due Wed 2 Dec, 12:00",
        "Expires today",
        "1 day left",
        "Expired 1 day ago",
    }


def test_status_words_are_computed_where_they_are_not_stored(sam_client):
    make_quoted(-1)
    _request, revision = make_quoted(2)
    ChangeRequest.objects.create(revision=revision, email="c@example.com", text="More")

    assert {row.status for row in rows_of(sam_client)} == {"Expired", "Changes asked"}


def test_one_live_revision_of_a_thread_counts(sam_client):
    """Pitfall 125: older revisions and drafts were added up in the forecast."""
    request, old = make_quoted(14, status=RevisionStatus.SUPERSEDED, gross="999.00")
    live = make_revision(
        quote=old.quote, n=2, status=RevisionStatus.SENT, gross=Decimal("109.00")
    )
    make_revision(quote=old.quote, n=3)

    (row,) = rows_of(sam_client, view="open")

    assert (row.request, row.value, row.is_draft_value) == (request, live.gross, False)


def test_a_draft_is_worth_what_it_adds_up_to(sam_client):
    make_revision(lines=1)

    (row,) = rows_of(sam_client)

    assert (row.value, row.is_draft_value) == (Decimal("28523.25"), True)


def test_wants_counts_the_lines(sam_client):
    request = make_request(lines=3)
    RequestLine.objects.filter(request=request, position=2).update(removed_at=NOW)
    make_request(lines=0)

    assert [row.wants for row in rows_of(sam_client)] == [
        "1 × Thing 0 and 1 more",
        "See the message",
    ]


def test_mine_is_mine(sam_client, sam):
    raj = make_staff()
    make_request(status=RequestStatus.IN_PROGRESS, owner=raj)
    mine = make_request(status=RequestStatus.IN_PROGRESS, owner=sam)

    assert numbers_of(sam_client, view="mine") == [mine.number]


@pytest.mark.parametrize(
    ("view", "statuses"),
    [("won", ["won"]), ("lost", ["lost", "declined", "cancelled"])],
)
def test_closed_requests_stand_in_their_own_views(sam_client, view, statuses):
    for status in RequestStatus.values:
        make_request(status=status)

    assert {row.request.status for row in rows_of(sam_client, view=view)} == set(
        statuses
    )


def test_baskets_and_spam_are_nowhere(sam_client):
    make_request(status=RequestStatus.DRAFT)
    make_request(status=RequestStatus.SPAM)

    for view in (*pipeline.VIEWS, *pipeline.FIGURES):
        assert rows_of(sam_client, view=view) == []


def test_counts_on_tabs_and_figures_are_the_rows_behind_them(sam_client, sam):
    make_request(submitted_at=NOW - timedelta(days=3))
    make_request(status=RequestStatus.IN_PROGRESS, owner=sam, submitted_at=NOW)
    make_request(status=RequestStatus.WON)
    make_request(status=RequestStatus.LOST)
    make_quoted(2)
    make_quoted(12)

    context = sam_client.get(URL).context

    for view in (*pipeline.VIEWS, *pipeline.FIGURES):
        assert context["counts"][view] == len(rows_of(sam_client, view=view)), view
    assert context["counts"] == {
        "action": 3,
        "approval": 0,
        "mine": 1,
        "open": 4,
        "won": 1,
        "lost": 1,
        "new": 1,
        "due": 1,
        "waiting": 1,
        "expiring": 1,
    }


@pytest.mark.parametrize(
    ("submitted", "is_due"),
    [
        ("2026-11-30T17:00+08:00", True),  # yesterday: due today at 17:00
        ("2026-12-01T09:00+08:00", True),  # at opening: due today at closing
        ("2026-12-01T09:01+08:00", False),
    ],
)
def test_reply_due_today_agrees_with_the_reply_clock(sam_client, submitted, is_due):
    make_request(submitted_at=datetime.fromisoformat(submitted))

    assert bool(rows_of(sam_client, view="due")) is is_due


def test_won_this_month_adds_up_in_decimals(sam_client):
    for day, gross in (
        ("2026-12-01", "0.10"),
        ("2026-12-01", "0.20"),
        ("2026-11-30", "5"),
    ):
        _request, revision = make_quoted(status=RevisionStatus.ACCEPTED, gross=gross)
        Acceptance.objects.create(
            revision=revision,
            name="Carol",
            gross=Decimal(gross),
            currency="SGD",
            at=f"{day}T00:30:00+08:00",
        )

    assert sam_client.get(URL).context["won_value"] == Decimal("0.30")


def test_won_this_month_is_what_the_documents_say_in_sgd(sam_client):
    """Net and GST convert apart: 0.30 frozen, though the gross converts to 0.29."""
    totals = {"gross": "0.22", "sgd": {"gross": "0.30"}}
    for chosen in (None, {"totals": {"gross": "0.22", "sgd": {"gross": "0.28"}}}):
        _request, revision = make_quoted(status=RevisionStatus.ACCEPTED, gross="0.22")
        usd = {"currency": "USD", "fx_rate": Decimal("1.3333")}
        Revision.objects.filter(pk=revision.pk).update(
            content={"totals": totals}, **usd
        )
        Acceptance.objects.create(
            revision=revision,
            name="Carol",
            gross=Decimal("0.22"),
            currency="USD",
            chosen=chosen,
            at="2026-12-01T00:30:00+08:00",
        )

    assert sam_client.get(URL).context["won_value"] == Decimal("0.58")


@pytest.mark.parametrize(
    "words", ["Lion", "mei@lion", "RFQ-2026-7", "Q-2026-0042", "Mei"]
)
def test_search_finds_numbers_companies_people_and_emails(sam_client, words):
    request, revision = make_quoted(
        number="RFQ-2026-7780",
        company="Lion Robotics Pte Ltd",
        name="Mei Goh",
        email="mei@lion.example",
    )
    revision.quote.number = "Q-2026-0042"
    revision.quote.save()
    make_quoted(number="RFQ-2026-1111")

    assert numbers_of(sam_client, view="open", q=words) == [request.number]


def test_pages_by_key_show_every_row_once(sam_client, monkeypatch):
    monkeypatch.setattr(pipeline, "PAGE", 3)
    wanted = [make_request(submitted_at=NOW).number for _ in range(5)]
    wanted += [make_quoted(2)[0].number for _ in range(3)]
    seen, query = [], {}
    while True:
        page = sam_client.get(URL, query).context["page"]
        seen += [row.request.number for row in page.rows]
        if not page.next_key:
            break
        query = {"after": page.next_key}

    assert seen == wanted


def test_closed_pages_go_by_key_too(sam_client, monkeypatch):
    monkeypatch.setattr(pipeline, "PAGE", 2)
    numbers = [make_request(status=RequestStatus.WON).number for _ in range(3)]
    first = sam_client.get(URL, {"view": "won"}).context["page"]

    second = rows_of(sam_client, view="won", after=first.next_key)

    assert [row.request.number for row in second] == [numbers[0]]


@pytest.mark.parametrize("after", ["", "x", "~", "2026-12-01", "nonsense~5", "~abc"])
def test_a_key_that_cannot_be_read_is_the_first_page(sam_client, after):
    make_request()

    assert len(rows_of(sam_client, after=after)) == 1


def test_nothing_to_do_says_so_with_one_next_step(sam_client):
    make_quoted(14)

    response = sam_client.get(URL)

    assert b"All answered" in response.content
    assert b"1 quote is waiting for customers." in response.content
    assert b"<table" not in response.content


def test_htmx_gets_the_rows_only(sam_client):
    make_request()

    response = sam_client.get(URL, headers={"HX-Request": "true"})

    assert response.content.strip().startswith(b'<div id="requests"')


def count_queries(client, **query):
    with CaptureQueriesContext(
        connection,
    ) as queries:
        client.get(URL, query)
    return len(queries)


@pytest.mark.parametrize("view", ["action", "open", "won"])
def test_the_pipeline_costs_ten_queries_whatever_the_rows(sam_client, view):
    ContentType.objects.get_for_model(Revision)

    def add_rows():
        for _ in range(4):
            make_quoted(1)
            make_revision(lines=2)
            make_request(status=RequestStatus.WON)

    add_rows()
    before = count_queries(sam_client, view=view)
    add_rows()

    assert count_queries(sam_client, view=view) == before
    assert before <= 10


def test_the_pipeline_is_for_the_desk(client, carol_client):
    assert carol_client.get(URL).status_code == 404
    response = client.get(URL)
    assert response.status_code == 302
    assert reverse("account_login") in response.url


@pytest.mark.parametrize("words", ["\x00", "a\x00b", "%", "_", "'"])
def test_any_words_can_be_searched(sam_client, words) -> None:
    assert sam_client.get(reverse("desk:pipeline"), {"q": words}).status_code == 200


def test_an_accepted_quote_waits_for_its_order(sam_client):
    asked, revision = make_quoted(status=RevisionStatus.ACCEPTED)
    type(asked).objects.filter(pk=asked.pk).update(status=RequestStatus.WON)

    page = sam_client.get(URL).content.decode()
    assert asked.number in page
    assert "Make the order" in page

    Revision.objects.filter(pk=revision.pk).update(status=RevisionStatus.CONVERTED)
    assert asked.number not in sam_client.get(URL).content.decode()


def make_changed(status):
    """A won and ordered request with a change after the yes in a status."""
    asked, revision = make_quoted(status=RevisionStatus.CONVERTED)
    type(asked).objects.filter(pk=asked.pk).update(status=RequestStatus.WON)
    change = make_revision(
        quote=revision.quote, n=2, status=status, valid_until=date(2026, 12, 20)
    )
    return asked, change


def test_a_wish_about_a_change_after_the_yes_needs_action(sam_client):
    asked, change = make_changed(RevisionStatus.SENT)
    assert asked.number not in numbers_of(sam_client)

    ChangeRequest.objects.create(revision=change, email="c@example.com", text="More")

    (row,) = rows_of(sam_client)
    assert row.request == asked
    assert row.next == "Revise the change after the yes"


def test_a_change_after_the_yes_waits_for_approval_too(sam_client):
    asked, _change = make_changed(RevisionStatus.PENDING_APPROVAL)

    assert numbers_of(sam_client) == [asked.number]
    assert numbers_of(sam_client, view="approval") == [asked.number]
    assert rows_of(sam_client)[0].next == "Waiting for approval"
