from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest

from catalog.models import Notice
from fabrics.models import Design, DesignVersion
from quotes.errors import QuoteError
from quotes.models import ChangeRequest, Quote, RequestLine, Revision, Terms
from quotes.services.quotes import (
    build_quote,
    revise_quote,
    save_details,
    withdraw_quote,
)
from quotes.states import RequestStatus, RevisionStatus
from sourceit.events import events_of
from sourceit.links import issue_link, revoke_links
from tests.factories import make_line, make_product, make_request, make_revision

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)


def ask(request, **fields):
    defaults = {"position": 9, "description": "Asked for", "quantity": 1}
    return RequestLine.objects.create(request=request, **(defaults | fields))


def make_design(*bom):
    result = {"bom": [dict(part) for part in bom]}
    design = Design.objects.create(name="576-GPU unit")
    return DesignVersion.objects.create(
        design=design, name=design.name, spec={}, result=result, engine_version="1"
    )


def test_a_quote_copies_what_was_asked_in_order(sam):
    request = make_request(lines=2)

    revision = build_quote(request=request, by=sam, now=NOW)

    lines = revision.lines_in_order()
    assert [line.description for line in lines] == ["Thing 0", "Thing 1"]
    assert [line.quantity for line in lines] == [1, 2]
    assert [line.unit_price for line in lines] == [None, None]


def test_a_listed_product_enters_at_its_net_price(sam):
    request = make_request(lines=0)
    product = make_product(price=Decimal("28523.25"), mpn="MSN3700-VS2F")
    ask(request, product=product, quantity=7)

    (line,) = build_quote(request=request, by=sam, now=NOW).lines.all()

    assert line.unit_price == Decimal("26168.1193")
    assert (line.product, line.mpn, line.quantity) == (product, "MSN3700-VS2F", 7)


def test_a_price_before_gst_enters_as_it_is(sam):
    request = make_request(lines=0)
    ask(request, product=make_product(price=Decimal(100), price_includes_gst=False))

    (line,) = build_quote(request=request, by=sam, now=NOW).lines.all()

    assert line.unit_price == Decimal("100.0000")


@pytest.mark.parametrize(
    "fields", [{"price": None}, {"price": Decimal(9), "currency": "USD"}]
)
def test_on_request_and_foreign_prices_enter_unpriced(sam, fields):
    request = make_request(lines=0)
    ask(request, product=make_product(**fields))

    (line,) = build_quote(request=request, by=sam, now=NOW).lines.all()

    assert line.unit_price is None


def test_a_removed_basket_line_is_not_quoted(sam):
    request = make_request(lines=1)
    ask(request, removed_at=NOW)

    assert build_quote(request=request, by=sam, now=NOW).lines.count() == 1


def test_a_design_becomes_a_section_of_parts_and_an_annex(sam):
    request = make_request(lines=1)
    switch = make_product(mpn="Q3400-RA", price=None, name="Quantum-X800 switch")
    design = make_design(
        {"maker": "NVIDIA", "opn": "Q3400-RA", "description": "Leaf", "quantity": 12},
        {"maker": "Fibre Co", "opn": "MPO-10", "description": "Cable", "quantity": 72},
    )
    ask(request, design=design, description="A fabric", quantity=2)

    revision = build_quote(request=request, by=sam, now=NOW)

    loose, leaf, cable = revision.lines_in_order()
    assert loose.section is None
    assert leaf.section.title == "576-GPU unit"
    assert (leaf.product, leaf.description, leaf.quantity) == (switch, "Leaf", 24)
    assert (cable.product, cable.mpn, cable.quantity) == (None, "MPO-10", 144)
    assert revision.designs.get().design == design


def test_defaults_are_fourteen_days_the_terms_in_force_and_the_notices(sam):
    old = Terms.objects.create(version="1", valid_from=date(2026, 1, 1))
    Terms.objects.create(version="2", valid_from=date(2027, 1, 1))
    site = Notice.objects.create(kind="price", title="Prices move", text="…")
    Notice.objects.create(kind="supply", title="Dell only", text="…", maker="Dell")
    request = make_request(name="Carol Tan", email="carol@example.com")

    revision = build_quote(request=request, by=sam, now=NOW)

    assert revision.valid_until == date(2026, 12, 15)
    assert revision.terms == old
    assert list(revision.notices.all()) == [site]
    assert (revision.to_name, revision.to_email) == ("Carol Tan", "carol@example.com")


def test_a_notice_on_a_quoted_maker_is_ticked(sam):
    request = make_request(lines=0)
    ask(request, product=make_product(maker="Dell"))
    notice = Notice.objects.create(kind="price", title="Dell", text="…", maker="Dell")

    revision = build_quote(request=request, by=sam, now=NOW)

    assert list(revision.notices.all()) == [notice]


def test_building_takes_a_new_request(sam):
    request = make_request()

    build_quote(request=request, by=sam, now=NOW)

    request.refresh_from_db()
    assert (request.owner, request.status) == (sam, RequestStatus.IN_PROGRESS)


def test_a_request_has_one_quote(sam):
    request = make_request()
    build_quote(request=request, by=sam, now=NOW)

    with pytest.raises(QuoteError, match="has a quote already"):
        build_quote(request=request, by=sam, now=NOW)
    assert Quote.objects.count() == 1


def test_a_closed_request_is_not_quoted(sam):
    request = make_request(status=RequestStatus.DECLINED)

    with pytest.raises(QuoteError, match="is declined"):
        build_quote(request=request, by=sam, now=NOW)


def test_a_deleted_product_leaves_the_line_as_it_was(sam):
    request = make_request(lines=0)
    product = make_product(name="DGX Station")
    ask(request, product=product)
    revision = build_quote(request=request, by=sam, now=NOW)

    product.delete()

    line = revision.lines.get()
    assert (line.product, line.description) == (None, "DGX Station")


SENT = [
    RevisionStatus.SENT,
    RevisionStatus.DECLINED,
    RevisionStatus.WITHDRAWN,
    RevisionStatus.SUPERSEDED,
]


@pytest.mark.parametrize("status", SENT)
def test_revising_copies_into_the_next_draft_and_leaves_the_old_alone(sam, status):
    old = make_revision(status=status, lines=2, message="As agreed", cc=["x@y.sg"])
    section = old.sections.create(title="Compute")
    make_line(old, section=section, position=5, unit_price=Decimal("1.2345"))

    draft = revise_quote(revision=old, by=sam, now=NOW)

    old.refresh_from_db()
    assert (old.status, draft.n, draft.status) == (status, 2, RevisionStatus.DRAFT)
    assert draft.valid_until == date(2026, 12, 15)
    assert (draft.message, draft.cc) == ("As agreed", ["x@y.sg"])
    copied = draft.lines_in_order()
    assert len(copied) == 3
    assert (copied[2].section.title, copied[2].section.revision) == ("Compute", draft)
    assert copied[2].unit_price == Decimal("1.2345")
    assert old.lines.count() == 3


@pytest.mark.parametrize("status", [RevisionStatus.DRAFT, RevisionStatus.SENDING])
def test_what_was_not_sent_is_not_revised(sam, status):
    with pytest.raises(QuoteError, match="was not sent"):
        revise_quote(revision=make_revision(status=status), by=sam, now=NOW)


@pytest.mark.parametrize("status", ["accepted", "converted"])
def test_what_was_bought_is_changed_by_a_draft_that_says_so(sam, status):
    old = make_revision(status=RevisionStatus.SUPERSEDED)
    bought = make_revision(quote=old.quote, n=2, status=status)

    draft = revise_quote(revision=bought, by=sam, now=NOW)

    bought.refresh_from_db()
    assert (draft.n, draft.amends) == (3, bought)
    assert bought.status == status


def test_a_quote_has_one_open_draft(sam):
    old = make_revision(status=RevisionStatus.SENT)
    revise_quote(revision=old, by=sam, now=NOW)

    with pytest.raises(QuoteError, match="has an open draft already"):
        revise_quote(revision=old, by=sam, now=NOW)


def sent_pair(sam, **fields):
    """A replaced revision 1 with its dead link, and its live successor."""
    valid = {"valid_until": date(2026, 12, 20)} | fields
    old = make_revision(status=RevisionStatus.SUPERSEDED, author=sam, **valid)
    link = issue_link(old, purpose="quote", email="carol@example.com")
    revoke_links(old, purpose="quote")
    link.refresh_from_db()
    new = make_revision(
        quote=old.quote,
        n=2,
        author=sam,
        status=RevisionStatus.SENT,
        sent_at=link.revoked_at - timedelta(seconds=1),
    )
    return old, new, link


def test_withdrawing_needs_a_reason(sam):
    revision = make_revision(status=RevisionStatus.SENT)

    with pytest.raises(QuoteError, match="Enter a reason"):
        withdraw_quote(revision=revision, by=sam, reason=" ", now=NOW)


def test_withdrawing_keeps_the_reason_from_the_customer(sam):
    revision = make_revision(status=RevisionStatus.SENT)

    withdraw_quote(revision=revision, by=sam, reason="Wrong customer", now=NOW)

    revision.refresh_from_db()
    assert (revision.status, revision.closed_reason) == ("withdrawn", "Wrong customer")
    assert events_of(revision).get().is_internal


def test_withdrawing_brings_the_replaced_revision_and_its_link_back(sam):
    old, new, link = sent_pair(sam)

    restored = withdraw_quote(revision=new, by=sam, reason="A mistake", now=NOW)

    link.refresh_from_db()
    assert (restored.pk, restored.status) == (old.pk, RevisionStatus.SENT)
    assert link.revoked_at is None


def test_a_link_that_was_revoked_by_hand_stays_dead(sam):
    _old, new, link = sent_pair(sam)
    link.revoked_at = new.sent_at - timedelta(days=1)
    link.save()

    withdraw_quote(revision=new, by=sam, reason="A mistake", now=NOW)

    link.refresh_from_db()
    assert link.revoked_at is not None


def test_a_replaced_revision_whose_date_is_over_stays_replaced(sam):
    old, new, _link = sent_pair(sam, valid_until=date(2026, 11, 30))

    assert withdraw_quote(revision=new, by=sam, reason="A mistake", now=NOW) is None

    old.refresh_from_db()
    assert old.status == RevisionStatus.SUPERSEDED


def test_once_the_customer_has_answered_the_replaced_one_stays_replaced(sam):
    old, new, _link = sent_pair(sam)
    ChangeRequest.objects.create(
        revision=new, email="carol@example.com", text="Cheaper"
    )

    assert withdraw_quote(revision=new, by=sam, reason="A mistake", now=NOW) is None

    old.refresh_from_db()
    assert old.status == RevisionStatus.SUPERSEDED


def test_details_are_written_and_counted_as_an_edit(sam):
    revision = make_revision()

    save_details(
        revision=revision,
        changes={"message": "Thank you"},
        notices=None,
        by=sam,
        now=NOW,
    )

    revision.refresh_from_db()
    assert (revision.message, revision.row_version) == ("Thank you", 2)
    assert (revision.edited_by, revision.edited_at) == (sam, NOW)


@pytest.mark.parametrize("status", [RevisionStatus.SENDING, RevisionStatus.SENT])
def test_details_of_what_is_sent_cannot_be_written(sam, status):
    revision = make_revision(status=status)

    with pytest.raises(QuoteError, match="no longer a draft"):
        save_details(
            revision=revision, changes={"message": "x"}, notices=None, by=sam, now=NOW
        )
    assert Revision.objects.get(pk=revision.pk).message == ""


def test_an_approved_quote_that_is_edited_is_a_draft_again(sam):
    revision = make_revision(status=RevisionStatus.APPROVED)

    save_details(
        revision=revision, changes={"message": "x"}, notices=None, by=sam, now=NOW
    )

    revision.refresh_from_db()
    assert revision.status == RevisionStatus.DRAFT
