"""The rules' page: who reads it, who changes it, and what it refuses."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.urls import reverse

from quotes.models import ApprovalRule
from sourceit.events import events_of
from tests.factories import make_approver

pytestmark = pytest.mark.django_db
URL = reverse("desk:rules")


@pytest.fixture
def raj_client(client):
    client.force_login(make_approver("raj@example.com", name="Raj Nair"))
    return client


def posted(**typed):
    """Return the page as it is posted, with what was typed."""
    values = {}
    for rule in ApprovalRule.objects.all():
        values[f"{rule.kind}-row_version"] = rule.row_version
        values[f"{rule.kind}-words"] = rule.words
        if rule.is_active:
            values[f"{rule.kind}-is_active"] = "on"
        if rule.threshold is not None:
            values[f"{rule.kind}-threshold"] = str(rule.threshold)
    return values | {name.replace("__", "-"): text for name, text in typed.items()}


def rule(kind):
    return ApprovalRule.objects.get(kind=kind)


def test_a_new_shop_has_one_rule_of_each_kind(sam_client):
    page = sam_client.get(URL).content.decode()

    for label in ("Margin under", "Discount over", "Payment later than"):
        assert label in page
    assert "Save rules" not in page


def test_who_may_changes_thresholds_and_words(raj_client):
    typed = posted(
        margin_under__threshold="7.5 %",
        total_over__threshold="S$500,000",
        below_cost__words="Ask first.",
    )
    del typed["unscreened-is_active"]

    assert raj_client.post(URL, typed).status_code == 302
    assert rule("margin_under").threshold == Decimal("7.5")
    assert rule("total_over").threshold == Decimal(500_000)
    assert rule("below_cost").words == "Ask first."
    assert not rule("unscreened").is_active
    event = events_of(rule("margin_under")).get()
    assert (event.text, event.by_name) == (
        "Margin under: threshold 8 → 7.5",
        "Raj Nair",
    )
    assert "threshold 8 → 7.5" in raj_client.get(URL).content.decode()


def test_sales_cannot_change_them(sam_client):
    response = sam_client.post(URL, posted(margin_under__threshold="0"))

    assert response.status_code == 404
    assert rule("margin_under").threshold == Decimal(8)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"margin_under__threshold": ""}, "Margin under: enter a threshold."),
        ({"discount_over__threshold": "101"}, "Discount over: enter at most 100%."),
        ({"payment_over__threshold": "30.5"}, "Payment later than: enter whole days."),
        ({"total_over__threshold": "-1"}, "Total before GST over: enter zero or more."),
        ({"total_over__threshold": "lots"}, "Enter a threshold in figures"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_saved(raj_client, typed, words):
    response = raj_client.post(URL, posted(below_cost__words="Also", **typed))

    assert response.status_code == 422
    assert words in response.content.decode()
    assert rule("below_cost").words == ""


def test_an_older_page_overwrites_nothing(raj_client):
    old = posted(margin_under__threshold="5")
    raj_client.post(URL, posted(margin_under__threshold="6"))

    response = raj_client.post(URL, old)

    assert response.status_code == 409
    assert rule("margin_under").threshold == Decimal(6)
