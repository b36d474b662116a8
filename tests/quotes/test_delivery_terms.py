"""How a quote is delivered: the rule of Incoterms, its place, and whether in parts."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from quotes.content import build_content
from quotes.models import Revision
from quotes.services.quotes import revise_quote
from tests.factories import make_revision
from tests.quotes.answering import dispatch, quick_pdf

__all__ = ["quick_pdf"]
pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "DAP Singapore, Incoterms 2020"),
        (
            {"incoterm": "FCA", "delivery_place": "Taipei", "partial_shipment": "no"},
            "FCA Taipei, Incoterms 2020. Partial shipment not allowed.",
        ),
        (
            {"partial_shipment": "yes", "delivery_terms": "Crane by the buyer."},
            "DAP Singapore, Incoterms 2020. Partial shipment allowed. "
            "Crane by the buyer.",
        ),
        (
            {"incoterm": "", "delivery_place": "", "delivery_terms": "To be agreed"},
            "To be agreed",
        ),
        ({"incoterm": "", "delivery_place": ""}, ""),
    ],
)
def test_delivery_is_said_in_one_sentence(fields, words):
    assert Revision(**fields).delivery_words == words


def test_it_is_frozen_and_carried_into_the_next_revision(sam):
    draft = make_revision(
        author=sam, incoterm="CIP", delivery_place="Jurong", partial_shipment="yes"
    )
    sent = dispatch(draft)
    words = "CIP Jurong, Incoterms 2020. Partial shipment allowed."

    new = revise_quote(revision=sent, by=sam, now=timezone.now())

    assert sent.content["delivery_terms"] == words
    assert build_content(new, now=timezone.now())["delivery_terms"] == words


@pytest.mark.parametrize("field", ["incoterm", "partial_shipment"])
def test_the_database_knows_the_rules(field):
    revision = make_revision()

    with pytest.raises(IntegrityError), transaction.atomic():
        Revision.objects.filter(pk=revision.pk).update(**{field: "XXX"})


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"delivery_place": ""}, "Name the place that the rule is for."),
        ({"incoterm": ""}, "Choose the rule that the place is for."),
        ({"incoterm": "ABC"}, "Select a valid choice"),
    ],
)
def test_a_rule_and_its_place_belong_together(sam_client, sam, typed, words):
    draft = make_revision(author=sam)
    page = sam_client.get(reverse("desk:quote", args=[draft.pk]))
    form = page.context["form"]
    data = {
        name: value if value is not None else ""
        for name, value in form.initial.items()
        if name not in ("notices", "cc", "terms", "valid_until")
    }
    data |= {"stamp": form.stamp, "valid_until": f"{draft.valid_until:%d %b %Y}"}

    answer = sam_client.post(
        reverse("desk:quote_details", args=[draft.pk]), data | typed
    )

    assert answer.status_code == 422
    assert words in answer.content.decode()
    draft.refresh_from_db()
    assert draft.delivery_words == "DAP Singapore, Incoterms 2020"
