"""Filters, saved views, handing over many at once, reminders by hand, and the CSV."""

from __future__ import annotations

import csv
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from io import StringIO

import pytest
import time_machine

from quotes.errors import QuoteError
from quotes.models import RequestLine, SavedView
from quotes.services.assigning import assign_request
from quotes.services.reminders import remind_by_hand
from quotes.services.saved_views import MOST, save_view
from quotes.states import RequestStatus, RevisionStatus
from sourceit.models import Delivery
from tests.factories import make_product, make_request, make_revision, make_staff

pytestmark = pytest.mark.django_db
# Tuesday noon in Singapore.
NOW = datetime(2026, 12, 1, 4, 0, tzinfo=UTC)
URL = "/desk/"
CONTENT = {
    "number": "Q-2026-0009",
    "currency": "SGD",
    "totals": {"gross": "109.00"},
    "salesperson": {"name": "Sam", "email": "sam@example.com", "phone": ""},
}


@pytest.fixture(autouse=True)
def _noon():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def raj(db):
    return make_staff("raj@example.com", name="Raj")


def make_sent(days=7, **fields):
    revision = make_revision(
        request=make_request(status=RequestStatus.QUOTED, submitted_at=NOW),
        status=RevisionStatus.SENT,
        valid_until=date(2026, 12, 1) + timedelta(days=days),
        gross=Decimal("109.00"),
        content=CONTENT,
        to_email="carol@example.com",
        **fields,
    )
    return revision.quote.request, revision


def numbers_of(client, **query):
    response = client.get(URL, {"view": "open", **query})
    assert response.status_code == 200
    return {row.request.number for row in response.context["page"].rows}


def test_the_filters_narrow_a_view(sam_client, sam, raj) -> None:
    mine = make_request(owner=sam, status=RequestStatus.IN_PROGRESS, submitted_at=NOW)
    his = make_request(owner=raj, submitted_at=NOW - timedelta(days=20))
    nobodys = make_request(submitted_at=NOW - timedelta(days=60))
    RequestLine.objects.filter(request=nobodys).update(product=make_product())

    assert numbers_of(sam_client, owner=sam.pk) == {mine.number}
    assert numbers_of(sam_client, owner="nobody") == {nobodys.number}
    assert numbers_of(sam_client, status="in_progress") == {mine.number}
    assert numbers_of(sam_client, received=7) == {mine.number}
    assert numbers_of(sam_client, received=30) == {mine.number, his.number}
    assert nobodys.number in numbers_of(sam_client, kind="listed")
    assert numbers_of(sam_client, kind="fabric") == set()
    assert numbers_of(sam_client, owner=raj.pk, received=7) == set()


@pytest.mark.parametrize("text", ["x", "-1", "9" * 40, "\x00", "²", "nobody'--"])
def test_a_filter_that_is_not_offered_narrows_nothing(sam_client, text) -> None:
    asked = make_request(submitted_at=NOW)
    query = dict.fromkeys(("owner", "status", "received", "kind"), text)
    assert numbers_of(sam_client, **query) == {asked.number}


def test_the_csv_holds_every_row_of_the_view_and_runs_no_formula(sam_client) -> None:
    for _ in range(30):
        make_request(submitted_at=NOW)
    make_request(submitted_at=NOW, company="=HYPERLINK(1)")

    response = sam_client.get("/desk/pipeline.csv", {"view": "open"})

    rows = list(csv.DictReader(StringIO(response.content.decode("utf-8-sig"))))
    assert len(rows) == 31
    assert "'=HYPERLINK(1)" in {row["Customer"] for row in rows}
    assert 'filename="pipeline-open-2026-12-01.csv"' in response["Content-Disposition"]


def test_the_csv_says_what_a_quote_is_worth(sam_client) -> None:
    asked, _revision = make_sent()
    response = sam_client.get("/desk/pipeline.csv", {"view": "open"})
    (row,) = csv.DictReader(StringIO(response.content.decode("utf-8-sig")))
    assert row["Request"] == asked.number
    assert (row["Currency"], row["Value with GST"]) == ("SGD", "109.00")


def test_many_are_given_to_one_and_each_refusal_is_told(
    sam_client, sam, raj, django_capture_on_commit_callbacks
) -> None:
    new = make_request(submitted_at=NOW)
    open_one = make_request(status=RequestStatus.IN_PROGRESS, owner=sam)
    won = make_request(status=RequestStatus.WON)
    pks = [new.pk, open_one.pk, won.pk]

    data = {"pk": pks, "owner": raj.pk, "action": "assign", "query": "view=mine"}
    response = sam_client.post("/desk/pipeline/bulk/", data, follow=True)

    assert response.redirect_chain == [("/desk/?view=mine", 302)]
    for request in (new, open_one, won):
        request.refresh_from_db()
    assert (new.owner, new.status) == (raj, RequestStatus.IN_PROGRESS)
    assert (open_one.owner, open_one.status) == (raj, RequestStatus.IN_PROGRESS)
    assert won.owner is None
    told = [str(message) for message in response.context["messages"]]
    assert told[0] == f"Now with Raj: {new.number}, {open_one.number}."
    assert won.number in told[1]
    letters = Delivery.objects.filter(kind="request_assigned")
    assert {letter.recipient for letter in letters} == {"raj@example.com"}
    assert letters.count() == 2


def test_who_does_not_work_on_requests_gets_none(sam) -> None:
    editor = make_staff("ed@example.com", "catalogue editor")
    request = make_request()
    with pytest.raises(QuoteError, match="does not work on requests"):
        assign_request(request=request, to=editor, by=sam)


def test_one_is_given_away_on_its_page(sam_client, raj) -> None:
    request = make_request()
    sam_client.post(f"/desk/requests/{request.pk}/assign/", {"owner": raj.pk})
    request.refresh_from_db()
    assert request.owner == raj
    page = sam_client.get(f"/desk/requests/{request.pk}/").content.decode()
    assert "gave it to Raj" in page


def test_nothing_ticked_changes_nothing(sam_client, raj) -> None:
    response = sam_client.post(
        "/desk/pipeline/bulk/", {"owner": raj.pk, "query": "view=evil://"}, follow=True
    )
    assert response.redirect_chain[0][0] == "/desk/?view=action"
    assert "Tick the requests first." in response.content.decode()


def test_a_customer_is_reminded_by_hand_once_a_day() -> None:
    request, revision = make_sent()
    remind_by_hand(request=request, now=NOW)
    with pytest.raises(QuoteError, match="reminded today already"):
        remind_by_hand(request=request, now=NOW)
    remind_by_hand(request=request, now=NOW + timedelta(days=1))
    assert Delivery.objects.filter(subject_id=revision.pk).count() == 2


def test_nobody_is_reminded_of_what_has_run_out() -> None:
    request, _revision = make_sent(days=-1)
    with pytest.raises(QuoteError, match="no quote that waits"):
        remind_by_hand(request=request, now=NOW)


def test_a_view_is_kept_opened_removed_and_put_back(sam_client, sam) -> None:
    query = "view=open&status=in_progress"
    sam_client.post("/desk/views/save/", {"name": " My  work ", "query": query})
    view = SavedView.objects.get()
    assert (view.name, view.query) == ("My work", query)
    assert "My work" in sam_client.get(f"/desk/?{view.query}").content.decode()

    removed = sam_client.post(f"/desk/views/{view.pk}/remove/", follow=True)
    assert "View “My work” removed." in removed.content.decode()
    sam_client.post(f"/desk/views/{view.pk}/restore/")
    view.refresh_from_db()
    assert view.removed_at is None


def test_a_view_of_somebody_else_is_not_there(sam_client, raj) -> None:
    view = save_view(user=raj, name="His", query="view=mine")
    for action in ("remove", "restore"):
        assert sam_client.post(f"/desk/views/{view.pk}/{action}/").status_code == 404
    assert "His" not in sam_client.get(URL).content.decode()


def test_a_view_needs_a_name_of_its_own_and_there_is_room_for_twelve(sam) -> None:
    save_view(user=sam, name="One", query="view=mine")
    with pytest.raises(QuoteError, match="of that name"):
        save_view(user=sam, name="One", query="view=open")
    with pytest.raises(QuoteError, match="Enter a name"):
        save_view(user=sam, name="  ", query="view=open")
    for n in range(MOST - 1):
        save_view(user=sam, name=f"View {n}", query="view=open")
    with pytest.raises(QuoteError, match="12 views"):
        save_view(user=sam, name="Another", query="view=open")
