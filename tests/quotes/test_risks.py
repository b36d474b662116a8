"""Quotes whose offers moved: found once, told once, settled; nothing sent changes."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone

from quotes.errors import QuoteError
from quotes.models import FxRate, Line, OfferRisk, Revision
from quotes.pipeline import needs_action
from quotes.services.awards import take_offers
from quotes.services.checks import find_problems, is_sendable
from quotes.services.offers import decline_inquiry
from quotes.services.purchasing import offers_moved
from quotes.services.quotes import revise_quote
from quotes.services.risks import find_risks, open_risks, settle_risks
from quotes.services.validity import default_validity, validity_limits
from sourceit.models import Delivery, Event
from tests.factories import make_line, make_revision
from tests.quotes.sourcing import make_inquiry, make_supplier, offer

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)


@pytest.fixture
def draft(sam):
    revision = make_revision(author=sam, lines=0, valid_until=date(2026, 12, 15))
    revision.quote.request.owner = sam
    revision.quote.request.status = "in_progress"
    revision.quote.request.save()
    make_line(revision, mpn="Q3400-RA", quantity=Decimal(10), unit_price=Decimal(120))
    return revision


@pytest.fixture
def invite(draft, sam):
    return make_inquiry(draft, sam, make_supplier("Acme"), now=NOW).invites.get()


@pytest.fixture
def taken(invite, sam):
    """The draft's line stands on an offer of S$100 until 20 Dec."""
    line = offer(invite, 100, valid_until=date(2026, 12, 20), now=NOW).lines.get()
    take_offers(inquiry=invite.inquiry, picks={line.asked_id: line.pk}, by=sam, now=NOW)
    return line


@pytest.fixture
def sent(draft, taken):
    draft.refresh_from_db()
    draft.status, draft.sent_at = "sent", NOW
    draft.save()
    draft.quote.request.status = "quoted"
    draft.quote.request.save()
    return draft


def words_of(revision):
    return [(risk.kind, risk.effect) for risk in open_risks(revision)]


# Before the sending


def test_the_offer_limits_the_validity_and_is_named(draft, taken):
    draft = Revision.objects.with_lines().get(pk=draft.pk)
    (limit,) = validity_limits(draft, NOW)
    assert limit.day == date(2026, 12, 20)
    assert "line 1 stands on the offer of Acme" in str(limit)
    draft.valid_until = date(2026, 12, 21)
    blocking = [one.message for one in find_problems(draft, NOW) if one.is_blocking]
    assert any("Acme" in words for words in blocking)


def test_a_new_revision_ends_with_its_offer(draft, invite, sam, taken):
    soon = offer(invite, 100, valid_until=date(2026, 12, 5), now=NOW).lines.get()
    take_offers(inquiry=invite.inquiry, picks={soon.asked_id: soon.pk}, by=sam, now=NOW)
    draft = Revision.objects.with_lines().get(pk=draft.pk)
    assert default_validity(draft, NOW) == date(2026, 12, 5)


def test_a_replaced_offer_blocks_the_sending(draft, invite, taken):
    offer(invite, 110, now=NOW)
    draft = Revision.objects.with_lines().get(pk=draft.pk)
    assert not is_sendable(draft, NOW)
    words = [one.message for one in find_problems(draft, NOW) if one.is_blocking]
    assert any("Acme has another offer now" in one for one in words)


def test_another_quantity_that_moves_the_cost_is_said(draft, invite, sam):
    breaks = [{"from": "20", "unit_price": "90.0000"}]
    line = offer(invite, 100, line={"price_breaks": breaks}, now=NOW).lines.get()
    take_offers(inquiry=invite.inquiry, picks={line.asked_id: line.pk}, by=sam, now=NOW)
    Line.objects.filter(revision=draft).update(quantity=Decimal(20))
    draft = Revision.objects.with_lines().get(pk=draft.pk)
    words = [one.message for one in find_problems(draft, NOW)]
    assert any("S$90.00 each for this quantity" in one for one in words)


def test_no_offer_costs_no_query(draft, django_assert_num_queries):
    draft = Revision.objects.with_lines().get(pk=draft.pk)
    with django_assert_num_queries(0):
        validity_limits(draft, NOW, has_ending_prices=False)


# After it


def test_nothing_moved_is_no_risk(sent):
    assert find_risks(NOW) == 0


def test_a_dearer_offer_is_a_risk_with_its_effect(sent, invite):
    offer(invite, 107, now=NOW)
    assert words_of(sent) == [("dearer", Decimal("-70.00"))]


def test_a_cheaper_offer_is_none(sent, invite):
    offer(invite, 93, now=NOW)
    assert words_of(sent) == []


def test_a_rate_that_moved_is_not_the_suppliers(draft, invite, sam):
    def rate(text, day):
        FxRate.objects.create(currency="USD", rate=Decimal(text), on=day, source="MAS")

    rate("1.30", date(2026, 11, 30))
    line = offer(invite, 100, currency="USD", now=NOW).lines.get()
    take_offers(inquiry=invite.inquiry, picks={line.asked_id: line.pk}, by=sam, now=NOW)
    Revision.objects.filter(pk=draft.pk).update(status="sent")
    rate("1.40", date(2026, 12, 1))
    offer(invite, 100, currency="USD", now=NOW)
    draft.refresh_from_db()
    assert words_of(draft) == []


def test_what_is_not_offered_any_more_is_a_risk(sent, invite):
    decline_inquiry(invite=invite, reason="", now=NOW)
    assert words_of(sent) == [("gone", None)]


@pytest.mark.parametrize(
    ("moment", "count"),
    [
        # Midnight in Singapore ends the offer's last day.
        (datetime(2026, 12, 20, 15, 59, 59, 999999, tzinfo=UTC), 0),
        (datetime(2026, 12, 20, 16, 0, tzinfo=UTC), 1),
    ],
)
def test_an_offer_ends_with_its_day_in_singapore(sent, moment, count):
    sent.valid_until = date(2026, 12, 20)
    sent.status = "accepted"
    sent.save()
    assert find_risks(moment) == count


def test_a_quote_that_ran_out_is_left_alone(sent):
    assert find_risks(NOW + timedelta(days=40)) == 0


def test_a_shorter_new_version_is_a_risk(sent, invite):
    offer(invite, 100, valid_until=date(2026, 12, 10), now=NOW)
    (risk,) = open_risks(sent)
    assert risk.kind == "ended"
    assert "ends on 10 Dec 2026, before the quote" in risk.words


def test_a_risk_is_found_and_told_once(sent, invite, sam):
    offer(invite, 107, now=NOW)
    for _ in range(3):
        find_risks(NOW)
    (told,) = Delivery.objects.filter(kind="quote_at_risk_desk")
    assert told.recipient == sam.email
    assert "-S$70.00" in told.body_text
    assert OfferRisk.objects.count() == 1


def test_the_customers_quote_does_not_change(sent, invite):
    before = (sent.content, list(sent.lines.values()))
    offer(invite, 107, now=NOW)
    sent.refresh_from_db()
    assert (sent.content, list(sent.lines.values())) == before
    events = Event.objects.filter(subject_id=sent.pk, kind="at_risk")
    assert all(event.is_internal for event in events)


def test_what_holds_again_settles_itself(sent, invite):
    offer(invite, 107, now=NOW)
    offer(invite, 100, now=NOW)
    assert words_of(sent) == []


def test_each_dearer_version_is_told(sent, invite):
    offer(invite, 107, now=NOW)
    offer(invite, 111, now=NOW)
    assert words_of(sent) == [("dearer", Decimal("-110.00"))]
    assert Delivery.objects.filter(kind="quote_at_risk_desk").count() == 2


def test_it_needs_action_until_it_is_settled(sent, invite, sam):
    request = sent.quote.request
    waiting = type(request).objects.filter(needs_action(NOW))
    assert request not in waiting.all()
    offer(invite, 107, now=NOW)
    assert request in waiting.all()

    with pytest.raises(QuoteError, match="Say why"):
        settle_risks(revision=sent, reason=" ", by=sam, now=NOW)
    settle_risks(revision=sent, reason="Margin is enough", by=sam, now=NOW)
    assert request not in waiting.all()
    assert find_risks(NOW) == 0
    with pytest.raises(QuoteError, match="nothing to settle"):
        settle_risks(revision=sent, reason="Again", by=sam, now=NOW)


def test_the_desk_sees_it_and_the_customer_does_not(sent, invite, sam_client):
    offer(invite, 107, now=timezone.now())
    page = sam_client.get(reverse("desk:quote", args=[sent.pk])).content.decode()
    assert "At risk" in page
    assert "Acme" in page
    pipeline = sam_client.get(reverse("desk:pipeline")).content.decode()
    assert "At risk" in pipeline


def test_a_revision_stands_on_the_same_offer(sent, taken, sam):
    nxt = revise_quote(revision=sent, by=sam, now=NOW)
    assert nxt.lines.get().offer_line == taken


def test_a_purchase_list_names_offers_that_ended(sent, taken, sam):
    (line,) = sent.lines.all()

    class Bought:
        pk, source, source_id = 7, line, line.pk

    class Group:
        lines = (Bought,)

    assert offers_moved([Group], NOW) == {}
    late = datetime(2026, 12, 20, 16, 0, tzinfo=UTC)
    assert offers_moved([Group], late) == {
        7: "The offer ended on 20 Dec 2026: ask again"
    }
