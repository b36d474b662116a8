"""Special bids: kept, put under lines, and the lines that leave them."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from quotes.bid_forms import PartsField
from quotes.content import build_content
from quotes.errors import QuoteError
from quotes.models import FxRate, Line, Revision, SpecialBid
from quotes.pricing import Kind
from quotes.services.bid_checks import OUTSIDE, check_bids, is_for
from quotes.services.bids import BidPart, bids_for, leave_bid, save_bid, use_bid
from quotes.services.checks import find_problems
from quotes.services.lines import remove_line, restore_line, save_line
from quotes.services.quotes import revise_quote
from quotes.services.validity import default_validity, validity_cap
from quotes.states import RevisionStatus
from sourceit.clock import end_of_day
from tests.factories import make_line, make_request, make_revision
from tests.quotes.sourcing import NOW, make_bid

pytestmark = pytest.mark.django_db
SWITCH, CABLE = "MQM9790-NS2F", "MFP7E30-N010"


def part(mpn=SWITCH, quantity=16, cost="20500"):
    return BidPart(mpn, Decimal(quantity), Decimal(cost))


@pytest.fixture
def draft(sam):
    request = make_request(company="Initech", owner=sam)
    revision = make_revision(request=request, author=sam, lines=0)
    make_line(revision, mpn=SWITCH, quantity=Decimal(16))
    make_line(revision, position=1, mpn=CABLE, quantity=Decimal(40))
    return revision


def fresh(revision):
    return Revision.objects.with_lines().get(pk=revision.pk)


def put_on(draft, bid, sam, now=NOW):
    return use_bid(revision=draft, bid=bid, by=sam, now=now)


def told(draft, now=NOW):
    return [problem.message for problem in check_bids(fresh(draft), now)]


def first(draft) -> Line:
    return fresh(draft).lines_in_order()[0]


# Kept


def test_a_bid_is_kept_with_its_parts_and_an_event(sam):
    bid = make_bid(sam, part(), part(CABLE, 40, "99.5"), number="D-1")

    assert str(bid) == "NVIDIA D-1"
    assert [str(one) for one in bid.parts.all()] == [
        f"16 x {SWITCH}",
        f"40 x {CABLE}",
    ]


def test_a_number_is_one_of_its_maker(sam):
    make_bid(sam, part(), number="D-1")
    make_bid(sam, part(), number="D-1", maker="Lenovo")

    with pytest.raises(QuoteError, match="another bid of this number"):
        make_bid(sam, part(), number="D-1")


def test_a_bid_without_parts_is_refused(sam):
    with pytest.raises(QuoteError, match="at least one part"):
        make_bid(sam)


def test_an_older_version_is_not_saved_over_a_newer(sam):
    bid = make_bid(sam, part())
    fields = {"note": "mine"}
    save_bid(bid=bid, version=1, fields=fields, parts=[part()], by=sam, now=NOW)

    with pytest.raises(QuoteError, match="Somebody changed the bid"):
        save_bid(bid=bid, version=1, fields=fields, parts=[part()], by=sam, now=NOW)


# Used


def test_lines_of_its_parts_stand_on_a_bid_at_its_cost(draft, sam):
    bid = make_bid(sam, part(SWITCH.lower()))

    assert put_on(draft, bid, sam) == 1
    switch, cable = fresh(draft).lines_in_order()
    assert (switch.special_bid, switch.unit_cost) == (bid, Decimal(20500))
    assert cable.special_bid is None
    assert told(draft) == []


def test_a_price_that_follows_its_margin_moves_and_a_typed_one_stays(draft, sam):
    switch, cable = fresh(draft).lines_in_order()
    lead = {"margin_percent": Decimal(20)}
    save_line(line=switch, changes=lead, version=1, by=sam, now=NOW)
    before = cable.unit_price

    put_on(draft, make_bid(sam, part(cost="80"), part(CABLE, 40, "70")), sam)

    switch, cable = fresh(draft).lines_in_order()
    assert switch.unit_price == Decimal(100)
    assert cable.unit_price == before


def test_a_cost_in_another_currency_is_at_the_rate_of_the_day(draft, sam):
    bid = make_bid(sam, part(cost="100"), currency="USD")
    with pytest.raises(QuoteError, match="no exchange rate for USD"):
        put_on(draft, bid, sam)
    FxRate.objects.create(
        currency="USD", rate=Decimal("1.35"), on=date(2026, 12, 1), source="Bank"
    )

    put_on(draft, bid, sam)

    assert first(draft).unit_cost == Decimal(135)
    assert told(draft) == []


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"valid_until": date(2026, 11, 30)}, "does not run"),
        ({"valid_from": date(2026, 12, 2)}, "does not run"),
        ({"end_user": "Umbrella"}, "is for Umbrella"),
    ],
)
def test_a_bid_that_does_not_hold_is_not_used(draft, sam, fields, words):
    with pytest.raises(QuoteError, match=words):
        put_on(draft, make_bid(sam, part(), **fields), sam)
    assert first(draft).special_bid is None


def test_a_bid_without_a_part_of_the_draft_is_not_used(draft, sam):
    with pytest.raises(QuoteError, match="No line of the draft"):
        put_on(draft, make_bid(sam, part("OTHER")), sam)


def test_what_was_sent_takes_no_bid(draft, sam):
    Revision.objects.filter(pk=draft.pk).update(status=RevisionStatus.SENT)

    with pytest.raises(QuoteError, match="no longer a draft"):
        put_on(draft, make_bid(sam, part()), sam)
    assert first(draft).special_bid is None


def test_leaving_a_bid_keeps_the_costs(draft, sam):
    bid = make_bid(sam, part())
    put_on(draft, bid, sam)

    assert leave_bid(revision=draft, bid=bid, by=sam, now=NOW) == 1
    assert (first(draft).special_bid, first(draft).unit_cost) == (None, 20500)
    with pytest.raises(QuoteError, match="No line stands"):
        leave_bid(revision=draft, bid=bid, by=sam, now=NOW)


# Left


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"quantity": Decimal(17)}, "it grants 16, and the quote has 17"),
        ({"quantity_min": Decimal(1), "quantity_max": Decimal(99)}, "has 99"),
        ({"unit_cost": Decimal(20499)}, "its cost is S$20,500.00"),
        ({"unit_cost": None}, "its cost is S$20,500.00"),
        ({"mpn": "MQM9700"}, "it has no part MQM9700"),
        ({"mpn": ""}, "no part without a number"),
    ],
)
def test_a_line_leaves_its_bid(draft, sam, changes, words):
    put_on(draft, make_bid(sam, part()), sam)
    line = first(draft)

    save_line(line=line, changes=changes, version=line.row_version, by=sam, now=NOW)

    (message,) = told(draft)
    assert message.startswith("Line 1 left special bid NVIDIA")
    assert words in message


def test_lines_of_one_part_share_what_is_granted(draft, sam):
    make_line(draft, position=2, mpn=SWITCH, quantity=Decimal(1), kind=Kind.OPTIONAL)
    put_on(draft, make_bid(sam, part()), sam)

    assert len(told(draft)) == 2
    assert all("has 17" in message for message in told(draft))


def test_of_alternatives_the_largest_counts(draft, sam):
    Line.objects.filter(mpn=SWITCH).update(choice="Size")
    more = {"kind": Kind.ALTERNATIVE, "choice": "Size"}
    make_line(draft, position=2, mpn=SWITCH, quantity=Decimal(8), **more)
    put_on(draft, make_bid(sam, part()), sam)

    assert told(draft) == []


@pytest.mark.parametrize(
    ("moved", "is_told"), [(timedelta(0), False), (timedelta(microseconds=1), True)]
)
def test_a_bid_ends_with_its_last_day_in_singapore(draft, sam, moved, is_told):
    bid = make_bid(sam, part())
    put_on(draft, bid, sam)

    messages = told(draft, end_of_day(bid.valid_until) + moved)

    assert any("ended on 31 Dec 2026" in message for message in messages) is is_told


def test_another_end_user_leaves_the_bid(draft, sam):
    put_on(draft, make_bid(sam, part()), sam)
    request = draft.quote.request
    request.end_user = "Umbrella"
    request.save()

    (message,) = told(draft)
    assert "it is for Initech" in message


def test_a_foreign_bid_is_left_by_a_cost_below_it_only(draft, sam):
    rate = FxRate.objects.create(
        currency="USD", rate=Decimal("1.35"), on=date(2026, 12, 1), source="Bank"
    )
    put_on(draft, make_bid(sam, part(cost="100"), currency="USD"), sam)
    FxRate.objects.filter(pk=rate.pk).update(rate=Decimal("1.30"))
    assert told(draft) == []

    FxRate.objects.filter(pk=rate.pk).update(rate=Decimal("1.40"))

    (message,) = told(draft)
    assert "its cost is US$100.00, S$140.00 today" in message


@pytest.mark.parametrize(
    ("end_user", "asked", "is_same"),
    [
        ("Initech Pte. Ltd.", {"company": "INITECH PTE LTD"}, True),
        ("Initech", {"company": "Reseller", "end_user": "Initech "}, True),
        ("Reseller", {"company": "Reseller", "end_user": "Initech"}, False),
        ("Carol Tan", {"company": ""}, True),
        ("Initech", {"company": "Initech Labs"}, False),
    ],
)
def test_the_end_user_is_the_requests_or_its_company(end_user, asked, is_same):
    assert is_for(SpecialBid(end_user=end_user), make_request(**asked)) is is_same


def test_leaving_blocks_the_send_until_a_reason_is_given(draft, sam):
    bid = make_bid(sam, part(quantity=15))
    put_on(draft, bid, sam)

    (problem,) = [p for p in find_problems(fresh(draft), NOW) if p.kind == OUTSIDE]

    assert problem.is_blocking
    assert problem.can_be_let_go


# What a quote may promise on it


def test_the_end_of_a_bid_limits_the_validity(draft, sam):
    bid = make_bid(sam, part(), valid_until=date(2026, 12, 4))
    put_on(draft, bid, sam)

    cap = validity_cap(fresh(draft), NOW)

    assert cap is not None
    assert str(cap) == (
        f"4 Dec 2026: line 1 stands on special bid {bid}, which ends then"
    )
    assert default_validity(fresh(draft), NOW) == date(2026, 12, 4)


def test_a_line_put_back_stands_on_its_bid_again(draft, sam):
    bid = make_bid(sam, part())
    put_on(draft, bid, sam)
    event = remove_line(line=first(draft), by=sam, now=NOW)

    line = restore_line(revision=draft, event_pk=event.pk, by=sam, now=NOW)

    assert line.special_bid == bid


def test_a_revision_carries_its_bid(draft, sam):
    bid = make_bid(sam, part(), valid_until=date(2030, 1, 1))
    put_on(draft, bid, sam)
    Revision.objects.filter(pk=draft.pk).update(
        status=RevisionStatus.SENT, sent_at=timezone.now()
    )

    new = revise_quote(revision=fresh(draft), by=sam, now=timezone.now())

    assert first(new).special_bid == bid


def test_no_customer_output_names_a_bid(draft, sam):
    bid = make_bid(sam, part(), number="SECRET-77")
    put_on(draft, bid, sam)

    assert "SECRET-77" not in str(build_content(fresh(draft), now=NOW))


def test_bids_are_offered_to_whom_they_are_for(draft, sam):
    good = make_bid(sam, part())
    make_bid(sam, part(), end_user="Umbrella")
    make_bid(sam, part("OTHER"))
    make_bid(sam, part(), valid_until=date(2026, 11, 30))

    (offered,) = bids_for(fresh(draft), NOW)

    assert (offered.bid, offered.fits, offered.is_used) == (good, True, False)


def test_a_bid_that_ended_can_still_be_left(draft, sam):
    bid = make_bid(sam, part())
    put_on(draft, bid, sam)

    (offered,) = bids_for(fresh(draft), datetime(2027, 1, 2, tzinfo=NOW.tzinfo))

    assert (offered.bid, offered.fits, offered.is_used) == (bid, False, True)


def test_checks_read_as_much_for_twice_the_lines(
    draft, sam, django_assert_max_num_queries
):
    bid = make_bid(sam, part(quantity=900))
    put_on(draft, bid, sam)
    for position in range(2, 30):
        make_line(draft, position=position, mpn=SWITCH, special_bid=bid)
    revision = fresh(draft)

    with django_assert_max_num_queries(2):
        list(check_bids(revision, NOW))


# Typed


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("A1; 4; 20,500.50", [BidPart("A1", Decimal(4), Decimal("20500.50"))]),
        ("A 1\t1,152\tS$ 9\n\n", [BidPart("A 1", Decimal(1152), Decimal(9))]),
        ("A1; 0.5; 0", [BidPart("A1", Decimal("0.5"), Decimal(0))]),
    ],
)
def test_parts_are_typed_or_pasted(text, parts):
    assert PartsField().clean(text) == parts


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A1; 4", "Row 1: Write a part as"),
        ("; 4; 5", "Row 1: Write a part as"),
        ("A1; four; 5", "Row 1: Write a part as"),
        ("A1; 1; 1\nA2; 0; 5", "Row 2: Enter a quantity above zero"),
        ("A1; 4; -5", "Enter a cost of zero or more"),
        ("A1; NaN; 5", "Enter a quantity above zero"),
        ("A1; 4; Infinity", "Enter a cost"),
        ("A1; 4; 0.00001", "at most 4"),
        ("A1; 1; 1\na1; 2; 2", "a1 is there twice"),
    ],
)
def test_parts_that_cannot_be_read_are_told_by_row(text, words):
    with pytest.raises(ValidationError) as refused:
        PartsField().clean(text)
    assert words in str(refused.value)


# Pages


def typed(**fields):
    return {
        "maker": "NVIDIA",
        "number": "D-9",
        "end_user": "Initech",
        "currency": "SGD",
        "valid_from": "",
        "valid_until": f"{timezone.now() + timedelta(days=30):%d %b %Y}",
        "parts": f"{SWITCH}; 16; 20,500",
        "note": "",
    } | fields


def test_a_bid_is_entered_and_changed_by_its_page(client, sam):
    client.force_login(sam)
    answer = client.post(reverse("desk:bid_new"), typed(), follow=True)
    assert b"Special bid NVIDIA D-9" in answer.content
    bid = SpecialBid.objects.get()

    client.post(bid.get_absolute_url(), typed(version=1, end_user="Umbrella"))
    stale = client.post(bid.get_absolute_url(), typed(version=1, end_user="Third"))

    assert stale.status_code == 422
    assert b"Somebody changed the bid" in stale.content
    assert b'value="Third"' in stale.content
    bid.refresh_from_db()
    assert (bid.end_user, bid.version) == ("Umbrella", 2)
    assert b"NVIDIA D-9" in client.get(reverse("desk:bids")).content


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"valid_from": "1 Jan 2030"}, "Enter a last day after the first."),
        ({"parts": "x"}, "Row 1: Write a part as"),
        ({"number": ""}, "number of the bid"),
    ],
)
def test_a_faulty_bid_comes_back_as_it_was_typed(client, sam, fields, words):
    client.force_login(sam)

    answer = client.post(reverse("desk:bid_new"), typed(maker="Kept", **fields))

    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert 'value="Kept"' in answer.content.decode()
    assert not SpecialBid.objects.exists()


def test_the_builder_offers_a_bid_and_marks_what_leaves_it(client, sam, draft):
    bid = make_bid(sam, part(), valid_until=date(2030, 1, 1))
    client.force_login(sam)
    address = reverse("desk:quote", args=[draft.pk])
    assert f"Use special bid {bid}" in client.get(address).content.decode()

    client.post(reverse("desk:quote_bid", args=[draft.pk]), {"bid": bid.pk})
    page = client.get(address).content.decode()
    assert "outside-bid" not in page
    assert f"Leave special bid {bid}" in page

    line = first(draft)
    answer = client.post(
        reverse("desk:line_save", args=[draft.pk, line.pk]),
        {
            f"{line.pk}-changed": "quantity",
            f"{line.pk}-quantity": "17",
            f"{line.pk}-version": line.row_version,
        },
        headers={"HX-Request": "true"},
    ).content.decode()
    assert f'<small id="bid-{line.pk}" hx-swap-oob="true" class="outside-bid' in answer
    assert "outside-bid" in client.get(address).content.decode()


def test_an_unknown_bid_is_not_found(client, sam, draft):
    client.force_login(sam)

    for bid in ("", "x", "999999", "9" * 30):
        answer = client.post(reverse("desk:quote_bid", args=[draft.pk]), {"bid": bid})
        assert answer.status_code == 404
