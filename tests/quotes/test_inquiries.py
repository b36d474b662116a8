"""Asking suppliers: drafting, sending once, asking again; nothing of the customer."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from django.core import mail
from django.template.loader import render_to_string

from quotes.errors import QuoteError
from quotes.models import FxRate, Line, SupplierInquiry, SupplierInvite
from quotes.services.awards import compare_offers, take_offers
from quotes.services.inquiries import (
    INQUIRY,
    Asked,
    ask_again,
    close_inquiry,
    draft_inquiry,
    inquiries_due,
    inquiry_context,
    print_inquiry,
    save_inquiry,
    send_inquiry,
)
from quotes.services.lines import save_line
from quotes.services.offers import (
    Offered,
    OfferedLine,
    decline_inquiry,
    record_offer,
    standing_offer,
)
from sourceit.models import Delivery, Document
from tests.factories import make_line, make_revision
from tests.quotes.sourcing import NOW, make_inquiry, make_supplier, offer

pytestmark = pytest.mark.django_db


@pytest.fixture
def revision(sam):
    revision = make_revision(author=sam, lines=0)
    make_line(revision, mpn="Q3400-RA", description="Switch", note="For lab 2 only")
    make_line(revision, position=1, kind="text", description="A heading", mpn="")
    make_line(revision, position=2, mpn="MFP7E30", quantity=Decimal(40))
    return revision


def draft_of(revision, by):
    return draft_inquiry(revision=revision, lines=revision.lines.all(), by=by, now=NOW)


def test_it_asks_for_what_is_bought_and_nothing_of_the_customer(revision, sam):
    inquiry = make_inquiry(revision, sam)

    assert [line.mpn for line in inquiry.lines.all()] == ["Q3400-RA", "MFP7E30"]
    html = render_to_string("pdf/inquiry.html", inquiry_context(inquiry))
    request = revision.quote.request
    for secret in (request.company, request.name, request.email, request.number):
        assert not secret or secret not in html
    assert "For lab 2 only" not in html
    assert "26,168" not in html
    assert "21,234" not in html


def test_numbers_are_given_when_it_is_sent(revision, sam):
    draft = draft_inquiry(
        revision=revision, lines=revision.lines.all(), by=sam, now=NOW
    )
    assert draft.number == ""
    assert make_inquiry(revision, sam).number == "SI-2026-0001"


def test_each_supplier_gets_its_own_link_once(
    revision, sam, django_capture_on_commit_callbacks
):
    one, two = make_supplier("One"), make_supplier("Two")
    phone = make_supplier("Phone", email="")
    inquiry = make_inquiry(revision, sam, one, two, phone)

    assert inquiries_due(NOW) == [inquiry.pk]
    with django_capture_on_commit_callbacks(execute=True):
        assert print_inquiry(inquiry.pk, NOW)
        assert not print_inquiry(inquiry.pk, NOW)

    deliveries = Delivery.objects.filter(kind=INQUIRY)
    assert sorted(one.recipient for one in deliveries) == [
        "one@supply.example",
        "two@supply.example",
    ]
    assert len({one.link_id for one in deliveries}) == 2
    texts = [message.body for message in mail.outbox]
    assert all("/s/" in text for text in texts)
    assert not any("two@" in text or "Two" in text for text in texts[:1])
    assert Document.objects.get(kind=INQUIRY).status == "ready"


def test_what_is_missing_is_said(revision, sam):
    draft = draft_inquiry(
        revision=revision, lines=revision.lines.all(), by=sam, now=NOW
    )
    with pytest.raises(QuoteError, match="at least one supplier"):
        send_inquiry(inquiry=draft, by=sam, now=NOW)
    with pytest.raises(QuoteError, match="Tick the lines"):
        draft_inquiry(revision=revision, lines=[], by=sam, now=NOW)


def test_a_day_that_is_over_is_refused(revision, sam):
    draft = draft_inquiry(
        revision=revision, lines=revision.lines.all(), by=sam, now=NOW
    )
    lines = {line.pk: (line.quantity, "") for line in draft.lines.all()}
    asked = Asked(
        reply_by=date(2026, 11, 30),
        message="",
        lines=lines,
        suppliers=[make_supplier()],
    )
    save_inquiry(inquiry=draft, asked=asked, by=sam)
    with pytest.raises(QuoteError, match="not over"):
        send_inquiry(inquiry=draft, by=sam, now=NOW)


def test_a_draft_is_edited_and_what_was_sent_is_not(revision, sam):
    draft = draft_inquiry(
        revision=revision, lines=revision.lines.all(), by=sam, now=NOW
    )
    first = draft.lines.first()
    asked = Asked(
        reply_by=date(2026, 12, 9),
        message="Two sites",
        lines={first.pk: (Decimal(8), "With rails")},
        suppliers=[make_supplier("One")],
    )
    save_inquiry(inquiry=draft, asked=asked, by=sam)
    (line,) = draft.lines.all()
    assert (line.quantity, line.note) == (8, "With rails")

    send_inquiry(inquiry=draft, by=sam, now=NOW)
    with pytest.raises(QuoteError, match="is sent"):
        save_inquiry(inquiry=draft, asked=asked, by=sam)
    with pytest.raises(QuoteError, match="is sent"):
        send_inquiry(inquiry=draft, by=sam, now=NOW)


def test_asking_again_copies_the_question_to_the_same_suppliers(revision, sam):
    inquiry = make_inquiry(revision, sam, make_supplier("One"), make_supplier("Two"))
    again = ask_again(inquiry=inquiry, by=sam, now=NOW)

    assert again.status == "draft"
    assert again.again_of == inquiry
    assert [str(line) for line in again.lines.all()] == [
        str(line) for line in inquiry.lines.all()
    ]
    assert [str(one.supplier) for one in again.invites.all()] == ["One", "Two"]


def test_a_closed_inquiry_takes_no_offers(revision, sam):
    inquiry = make_inquiry(revision, sam)
    close_inquiry(inquiry=inquiry, by=sam, now=NOW)
    with pytest.raises(QuoteError, match="is closed"):
        offer(inquiry.invites.get(), 1, 1)


def test_offers_are_versions_and_none_is_changed(revision, sam):
    invite = make_inquiry(revision, sam).invites.get()
    first = offer(invite, 100, 5)
    second = offer(invite, 90, None, by=sam)

    first.refresh_from_db()
    assert first.replaced_at == NOW
    assert [line.price for line in first.lines.all()] == [100, 5]
    assert (second.version, second.entered_by) == (2, sam)
    assert standing_offer(invite) == second
    assert SupplierInvite.objects.get(pk=invite.pk).status == "received"


def test_declining_takes_an_offer_back(revision, sam):
    invite = make_inquiry(revision, sam).invites.get()
    offer(invite, 100, 5)
    decline_inquiry(invite=invite, reason="No stock", now=NOW)

    assert standing_offer(invite) is None
    invite.refresh_from_db()
    assert (invite.status, invite.declined_reason) == ("declined", "No stock")
    offer(invite, 100, 5)
    assert standing_offer(invite).version == 2


def test_the_owner_hears_of_an_offer_once(revision, sam):
    invite = make_inquiry(revision, sam).invites.get()
    offer(invite, 100, 5)
    told = Delivery.objects.filter(kind="supplier_offer_desk")
    assert {one.recipient for one in told} >= {sam.email}
    count = told.count()
    offer(invite, 100, 5, by=sam)  # entered by hand: who entered it knows
    assert told.count() == count


def test_lines_of_another_inquiry_cannot_be_priced(revision, sam):
    invite = make_inquiry(revision, sam).invites.get()
    other = make_inquiry(revision, sam, make_supplier("Else"))
    invite.inquiry = other  # its lines, this supplier's answer
    lines = [line.pk for line in other.lines.all()]
    invite.refresh_from_db()
    with pytest.raises(QuoteError, match="was changed"):
        record_offer(
            invite=invite,
            offered=Offered(
                currency="SGD",
                valid_until=date(2026, 12, 31),
                lines=[OfferedLine(asked=lines[0], price=Decimal(1))],
            ),
            now=NOW,
        )


# Comparing


def usd(rate="1.35"):
    FxRate.objects.create(
        currency="USD", rate=Decimal(rate), on=date(2026, 11, 30), source="MAS"
    )


def best_of(inquiry):
    rows = compare_offers(inquiry, NOW).rows
    return [
        [str(bid.column.invite.supplier) for bid in row.bids if bid.is_best]
        for row in rows
    ]


def test_the_least_is_by_landed_s_dollars(revision, sam):
    usd()
    local, abroad = make_supplier("Local"), make_supplier("Abroad")
    inquiry = make_inquiry(revision, sam, local, abroad)
    a, b = inquiry.invites.all()
    offer(a, 100, 6)
    offer(b, 80, 4, currency="USD")  # S$108, S$5.40
    assert best_of(inquiry) == [["Local"], ["Abroad"]]


def test_an_offer_that_ended_is_never_the_least(revision, sam):
    inquiry = make_inquiry(revision, sam, make_supplier("Old"), make_supplier("New"))
    old, new = inquiry.invites.all()
    standing = offer(old, 1, 1)
    offer(new, 100, 100)
    standing.valid_until = date(2026, 11, 30)
    standing.save()
    assert best_of(inquiry) == [["New"], ["New"]]
    column = compare_offers(inquiry, NOW).columns[0]
    assert column.why_not == "Ended on 30 Nov 2026"


def test_a_currency_without_a_rate_is_not_compared(revision, sam):
    inquiry = make_inquiry(revision, sam, make_supplier("A"), make_supplier("B"))
    a, b = inquiry.invites.all()
    offer(a, 1, 1, currency="TWD")
    offer(b, 100, 100)
    assert best_of(inquiry) == [["B"], ["B"]]


def test_freight_counts(revision, sam):
    inquiry = make_inquiry(revision, sam, make_supplier("A"), make_supplier("B"))
    a, b = inquiry.invites.all()
    offer(a, 100, None, freight=Decimal(50))
    offer(b, 120, None)
    assert best_of(inquiry)[0] == ["B"]


def test_comparing_asks_as_much_of_the_database_for_many(
    revision, sam, django_assert_max_num_queries
):
    suppliers = [make_supplier(f"S{n}") for n in range(8)]
    inquiry = make_inquiry(revision, sam, *suppliers)
    for invite in inquiry.invites.all():
        offer(invite, 100, 5)
    with django_assert_max_num_queries(8):
        compare_offers(inquiry, NOW)


# Taking


def test_taking_an_offer_brings_cost_supplier_and_lead_time(revision, sam):
    usd()
    inquiry = make_inquiry(revision, sam, make_supplier("Acme"))
    weeks = {"lead_weeks_min": 8, "lead_weeks_max": 10}
    given = offer(inquiry.invites.get(), 100, None, currency="USD", line=weeks)
    taken = given.lines.get()

    count = take_offers(
        inquiry=inquiry, picks={taken.asked_id: taken.pk}, by=sam, now=NOW
    )

    line = Line.objects.get(revision=revision, mpn="Q3400-RA")
    assert count == 1
    assert (line.unit_cost, str(line.supplier)) == (135, "Acme")
    assert (line.lead_weeks_min, line.lead_weeks_max) == (8, 10)
    assert line.offer_line == taken
    inquiry.refresh_from_db()
    assert inquiry.status == "awarded"


def test_the_supplier_is_named_nowhere_a_customer_reads(revision, sam):
    inquiry = make_inquiry(revision, sam, make_supplier("Acme"))
    weeks = {"lead_weeks_min": 8, "lead_weeks_max": 10}
    taken = offer(inquiry.invites.get(), 100, None, line=weeks).lines.get()
    take_offers(inquiry=inquiry, picks={taken.asked_id: taken.pk}, by=sam, now=NOW)

    line = Line.objects.get(revision=revision, mpn="Q3400-RA")
    assert "Acme" not in line.lead_source


def test_a_margin_that_leads_moves_the_price(revision, sam):
    line = revision.lines.get(mpn="Q3400-RA")
    Line.objects.filter(pk=line.pk).update(
        price_source="margin", margin_percent=Decimal(20)
    )
    inquiry = make_inquiry(revision, sam)
    taken = offer(inquiry.invites.get(), 80, None).lines.get()
    take_offers(inquiry=inquiry, picks={taken.asked_id: taken.pk}, by=sam, now=NOW)
    line.refresh_from_db()
    assert line.unit_price == 100


def test_a_typed_cost_leaves_the_offer(revision, sam):
    inquiry = make_inquiry(revision, sam)
    taken = offer(inquiry.invites.get(), 80, None).lines.get()
    take_offers(inquiry=inquiry, picks={taken.asked_id: taken.pk}, by=sam, now=NOW)
    line = Line.objects.get(offer_line=taken)
    save_line(
        line=line,
        changes={"unit_cost": Decimal(70)},
        version=line.row_version,
        by=sam,
        now=NOW,
    )
    line.refresh_from_db()
    assert line.offer_line is None


@pytest.mark.parametrize("end", ["ended", "replaced", "foreign", "none"])
def test_an_offer_that_is_off_the_table_cannot_be_taken(revision, sam, end):
    inquiry = make_inquiry(revision, sam)
    invite = inquiry.invites.get()
    given = offer(invite, 80, None)
    taken = given.lines.get()
    picks = {taken.asked_id: taken.pk}
    if end == "ended":
        given.valid_until = date(2026, 11, 30)
        given.save()
    elif end == "replaced":
        offer(invite, 85, None)
    elif end == "foreign":
        other = make_inquiry(revision, sam, make_supplier("Else"))
        foreign = offer(other.invites.get(), 1, None).lines.get()
        picks = {taken.asked_id: foreign.pk}
    else:
        picks = {}
    with pytest.raises(QuoteError):
        take_offers(inquiry=inquiry, picks=picks, by=sam, now=NOW)
    assert not Line.objects.exclude(offer_line=None).exists()


def test_what_was_sent_takes_no_offer(revision, sam):
    inquiry = make_inquiry(revision, sam)
    taken = offer(inquiry.invites.get(), 80, None).lines.get()
    revision.status = "sent"
    revision.save()
    with pytest.raises(QuoteError, match="Revise it"):
        take_offers(inquiry=inquiry, picks={taken.asked_id: taken.pk}, by=sam, now=NOW)


def test_a_next_revision_takes_an_offer_by_part_number(revision, sam):
    inquiry = make_inquiry(revision, sam)
    taken = offer(inquiry.invites.get(), 80, None).lines.get()
    revision.status = "superseded"
    revision.save()
    draft = make_revision(author=sam, quote=revision.quote, n=2, lines=0)
    make_line(draft, mpn="q3400-ra")
    take_offers(inquiry=inquiry, picks={taken.asked_id: taken.pk}, by=sam, now=NOW)
    assert draft.lines.get().unit_cost == 80
    assert SupplierInquiry.objects.get(pk=inquiry.pk).status == "awarded"
