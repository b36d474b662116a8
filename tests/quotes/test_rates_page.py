"""The page of exchange rates: who reads it, who adds to it, and what it refuses."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone

from quotes.errors import QuoteError
from quotes.models import FxRate
from quotes.services.rates import add_rate
from sourceit.clock import singapore_date
from sourceit.events import events_of
from tests.factories import make_approver

pytestmark = pytest.mark.django_db
URL = reverse("desk:rates")


def today():
    return singapore_date(timezone.now())


def typed(**fields):
    return {
        "currency": "usd ",
        "rate": "1.34",
        "on": f"{today():%d %b %Y}",
        "source": "Bank",
        "locked_until": "",
    } | fields


@pytest.fixture
def approver(client):
    person = make_approver()
    client.force_login(person)
    return person


def test_an_approver_adds_a_rate_with_an_event(client, approver):
    page = client.post(URL, typed(), follow=True).content.decode()

    rate = FxRate.objects.get()
    assert (rate.currency, rate.rate, rate.on) == ("USD", Decimal("1.34"), today())
    assert "Added: 1 USD = S$1.34" in page
    assert "Newest" in page
    assert "added by" in events_of(rate).get().text


def test_sales_read_and_do_not_add(sam_client):
    FxRate.objects.create(
        currency="EUR", rate=Decimal("1.5"), on=today(), source="Bank"
    )

    page = sam_client.get(URL).content.decode()

    assert "EUR" in page
    assert "Add rate" not in page
    assert sam_client.post(URL, typed()).status_code == 404
    assert FxRate.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"currency": "SGD"}, "S$ needs no rate."),
        ({"currency": "US"}, "Enter three letters"),
        ({"rate": "0"}, "greater than or equal"),
        ({"rate": "one"}, "Enter a rate in figures"),
        ({"rate": ""}, "Enter a rate"),
        ({"rate": "1.1234567"}, "at most 6 decimals"),
        ({"source": ""}, "Enter whose rate it is."),
        ({"on": ""}, "Enter the day of the rate."),
        ({"on": "1 Jan 2999"}, "Enter a day that has come."),
        ({"locked_until": "1 Jan 2020"}, "Enter a day from that of the rate on."),
    ],
)
def test_a_rate_that_cannot_be_is_refused_as_typed(client, approver, fields, words):
    answer = client.post(
        URL, typed(**fields) | {"source": fields.get("source", "Mine")}
    )

    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert fields.get("source", "Mine") in answer.content.decode()
    assert not FxRate.objects.exists()


def test_a_day_has_one_rate_of_a_currency(client, approver):
    client.post(URL, typed())

    answer = client.post(URL, typed(rate="1.35"))

    assert answer.status_code == 422
    assert "USD has a rate of" in answer.content.decode()
    assert FxRate.objects.get().rate == Decimal("1.34")


def test_the_service_refuses_the_home_currency(sam):
    with pytest.raises(QuoteError, match="needs no rate"):
        add_rate(
            currency="SGD",
            rate=Decimal(1),
            on=today(),
            source="x",
            locked_until=None,
            by=sam,
        )


def test_only_the_newest_is_in_use_and_an_old_one_is_told(client, approver):
    for days, rate in ((30, "1.30"), (9, "1.31")):
        FxRate.objects.create(
            currency="USD",
            rate=Decimal(rate),
            on=today() - timedelta(days=days),
            source="Bank",
        )

    page = client.get(URL).content.decode()

    assert page.count("Newest") == 1
    assert page.count("Over a week old") == 1
    assert page.index("1.31") < page.index("1.3<")


def test_the_page_reads_as_much_for_twice_the_rates(
    client, approver, django_assert_max_num_queries
):
    for days in range(60):
        FxRate.objects.create(
            currency="USD",
            rate=Decimal(1) + days,
            on=today() - timedelta(days=days),
            source="Bank",
        )

    with django_assert_max_num_queries(8):
        assert client.get(URL).status_code == 200
