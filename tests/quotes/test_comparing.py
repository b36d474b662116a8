"""Any two revisions beside each other, for the desk and for the customer."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.utils import timezone

from quotes.content import build_content
from quotes.models import Revision
from quotes.states import RequestStatus, RevisionStatus
from tests.factories import make_line, make_request, make_revision

pytestmark = pytest.mark.django_db


def freeze(revision):
    whole = Revision.objects.with_lines().get(pk=revision.pk)
    revision.content = build_content(whole, now=timezone.now())
    revision.save(update_fields=["content"])


@pytest.fixture
def three(sam, carol):
    """Three revisions of one quote: replaced, replaced, live."""
    request = make_request(user=carol, owner=sam, status=RequestStatus.QUOTED)
    first = make_revision(
        lines=0, author=sam, request=request, status=RevisionStatus.SUPERSEDED
    )
    first.quote.number = "Q-2026-0007"
    first.quote.save()
    fields = {"quote": first.quote, "author": sam, "lines": 0}
    second = make_revision(n=2, status=RevisionStatus.SUPERSEDED, **fields)
    third = make_revision(n=3, status=RevisionStatus.SENT, **fields)
    for revision, price, cost in ((first, 100, 77), (second, 90, 77), (third, 95, 66)):
        make_line(
            revision,
            mpn="Q3400-RA",
            description="Switch",
            unit_price=Decimal(price),
            unit_cost=Decimal(cost),
            quantity=1,
        )
        freeze(revision)
    return first, second, third


def test_the_desk_compares_any_two_with_cost_and_margin(sam_client, three) -> None:
    first, _second, third = three
    url = f"/desk/quotes/{third.pk}/compare/"

    page = sam_client.get(url, {"from": 1, "to": 3}).content.decode()

    assert "What changed since revision 1" in page
    assert "unit price from S$100.00 to S$95.00" in page
    assert "unit cost from S$77.00 to S$66.00" in page
    assert "margin from 23.0% to 30.5%" in page


def test_the_one_before_is_compared_unless_asked_otherwise(sam_client, three) -> None:
    page = sam_client.get(f"/desk/quotes/{three[2].pk}/compare/").content.decode()
    assert "unit price from S$90.00 to S$95.00" in page


@pytest.mark.parametrize("query", [{"from": 3, "to": 1}, {"from": "1", "to": "3"}])
def test_a_customer_compares_in_their_words(carol_client, three, query) -> None:
    url = f"/quotes/{three[2].pk}/compare/"
    page = carol_client.get(url, query).content.decode()
    assert "unit price from S$100.00 to S$95.00" in page
    for secret in ("cost", "margin", "77", "66"):
        assert secret not in page.split("<main")[1].split("</main>")[0].lower()


@pytest.mark.parametrize("query", [{"from": 2, "to": 2}, {"from": "9"}, {"from": "²"}])
def test_a_pair_that_is_none_asks_for_another(carol_client, three, query) -> None:
    url = f"/quotes/{three[2].pk}/compare/"
    assert carol_client.get(url, query).status_code == 200


def test_a_draft_is_never_among_the_customer_s(carol_client, three, sam) -> None:
    draft = make_revision(n=4, quote=three[0].quote, author=sam, status="draft")
    page = carol_client.get(f"/quotes/{three[2].pk}/compare/", {"to": 4})
    assert page.context["new"].n == 3
    assert carol_client.get(f"/quotes/{draft.pk}/compare/").status_code == 404


def test_the_desk_sees_what_a_draft_changes(sam_client, three, sam) -> None:
    draft = make_revision(n=4, lines=0, quote=three[0].quote, author=sam)
    make_line(draft, mpn="Q3400-RA", description="Switch", unit_price=80, quantity=1)
    page = sam_client.get(f"/desk/quotes/{draft.pk}/compare/").content.decode()
    assert "unit price from S$95.00 to S$80.00" in page
