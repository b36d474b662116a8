"""Terms by version: which is in force, which may be chosen, and the word about it."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
import time_machine
from django.urls import reverse

from quotes.desk_forms import DetailsForm
from quotes.models import Revision, Terms
from quotes.services.checks import find_problems
from tests.factories import make_revision

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)
CLAUSES = [
    {"title": "Law", "text": "Singapore"},
    {"title": "Payment", "text": "30 days"},
]


@pytest.fixture
def versions():
    dearer = [CLAUSES[0], {"title": "Payment", "text": "14 days"}]
    return [
        Terms.objects.create(version=name, valid_from=day, clauses=clauses)
        for name, day, clauses in (
            ("A", date(2026, 1, 1), CLAUSES),
            ("B", date(2026, 12, 1), dearer),
            ("C", date(2027, 1, 1), dearer),
        )
    ]


def words_about_terms(revision):
    whole = Revision.objects.with_lines().get(pk=revision.pk)
    return [
        one.message for one in find_problems(whole, NOW) if one.anchor == "id_terms"
    ]


def test_older_terms_are_remarked_on(sam, versions):
    older, newest, _coming = versions
    revision = make_revision(author=sam, valid_until=date(2026, 12, 15), terms=older)

    assert words_about_terms(revision) == [
        "Terms A are not the newest: Terms B are in force."
    ]
    Revision.objects.update(terms=newest)
    assert words_about_terms(revision) == []


@time_machine.travel(NOW, tick=False)
def test_the_builder_offers_what_is_in_force_and_older(sam, versions):
    revision = make_revision(author=sam)

    labels = [
        label for _value, label in DetailsForm(instance=revision)["terms"].field.choices
    ]

    assert labels == ["None", "Terms B, in force", "Terms A, older, from 1 Jan 2026"]


@time_machine.travel(NOW, tick=False)
def test_every_version_can_be_read_with_what_changed(sam_client, versions):
    page = sam_client.get(reverse("desk:terms")).content.decode()

    for words in ("Terms A", "In force", "To come", "Older", "14 days"):
        assert words in page
    assert page.count("Changed</span>") == 1


def test_a_shop_without_terms_says_so(sam_client):
    page = sam_client.get(reverse("desk:terms"))

    assert page.status_code == 200
    assert "No terms yet" in page.content.decode()
