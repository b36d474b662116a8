"""A discount on the whole quote: the sums, and that every paper says the same."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from quotes.choosing import AS_QUOTED, Choice, choose
from quotes.content import build_content
from quotes.models import Line, Revision
from quotes.pdf import render_quote
from quotes.pricing import (
    Discount,
    Kind,
    Tax,
    add_up,
    line_net,
    net_shares,
    work_out_profit,
)
from quotes.services.checks import find_problems
from quotes.services.quotes import revise_quote
from quotes.services.rules import reasons_for
from quotes.services.sending import dispatch_revision, send_quote
from sourceit.links import issue_link, token_of
from sourceit.money import format_money
from tests.factories import make_line, make_request, make_revision
from tests.quotes.builder_posts import HTMX, url, whole_form
from tests.quotes.test_pricing import Item, item

NINE = Decimal(9)
NOW = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)

amounts = st.decimals(0, 99999, places=4)
items = st.builds(
    Item,
    quantity=st.integers(1, 5000).map(Decimal),
    unit_price=amounts,
    discount_percent=st.decimals(0, 100, places=2),
    kind=st.sampled_from([Kind.STANDARD, Kind.STANDARD, Kind.OPTIONAL]),
    tax=st.sampled_from(list(Tax)),
)
discounts = st.one_of(
    st.builds(Discount, percent=st.decimals(0, 100, places=4)),
    st.builds(Discount, amount=st.decimals(0, 10**7, places=2)),
)


@given(st.lists(items, max_size=8), discounts)
def test_the_parts_of_a_discount_add_up_to_it(lines, discount):
    sums = add_up(lines, gst_percent=NINE, discount=discount)
    nets = [line_net(line) for line in lines if line.kind == Kind.STANDARD]
    left = [share for share in net_shares(lines, discount) if share is not None]

    assert sums.subtotal == sum(nets)
    assert sums.discount == sums.subtotal - sum(left) == discount.off(sum(nets))
    assert sum(tax.base for tax in sums.taxes) == sums.totals.net == sum(left)
    assert all(0 <= share <= net for share, net in zip(left, nets, strict=True))


def test_all_of_it_off_is_exactly_nothing():
    lines = [item("3", "0.33"), item("7", "26168.1193", tax=Tax.ZERO_RATED)]

    sums = add_up(lines, gst_percent=NINE, discount=Discount(percent=Decimal(100)))

    assert str(sums.totals.net) == str(sums.totals.gst) == "0.00"
    assert str(sums.totals.gross) == "0.00"
    assert net_shares(lines, Discount(percent=Decimal(100))) == [0, 0]


def test_gst_is_worked_out_on_what_is_left():
    """10.00 off 0.95 + 1.95 + 97.10: 0.095 and 0.195 tie; the first has the cent."""
    lines = [item("1", "0.95"), item("1", "1.95"), item("1", "97.10")]

    sums = add_up(lines, gst_percent=NINE, discount=Discount(amount=Decimal("10.00")))

    left = net_shares(lines, Discount(amount=Decimal("10.00")))
    assert [str(share) for share in left] == ["0.85", "1.76", "87.39"]
    assert (sums.totals.net, sums.totals.gst) == (Decimal("90.00"), Decimal("8.10"))


def test_a_rounding_line_is_left_alone():
    rounding = item("1", "-0.05", kind=Kind.ROUNDING)
    lines = [item("1", "101.01"), rounding]

    sums = add_up(lines, gst_percent=NINE, discount=Discount(percent=Decimal(10)))

    assert (sums.discount, sums.totals.net) == (Decimal("10.10"), Decimal("90.91"))
    assert sums.totals.rounding == Decimal("-0.05")
    assert sums.totals.gross == Decimal("99.04")


def test_the_margin_is_after_the_discount():
    lines = [item("1", "100", unit_cost=Decimal(80))]

    assert work_out_profit(lines, Discount(percent=Decimal(20))).percent == 0
    assert work_out_profit(lines, Discount(amount=Decimal(25))).amount == -5


def draft(sam, **fields) -> Revision:
    asked = make_request(owner=sam, status="in_progress")
    revision = make_revision(request=asked, author=sam, lines=0, **fields)
    cost = Decimal("0.01")
    make_line(
        revision, unit_price=Decimal("1249.95"), quantity=Decimal(7), unit_cost=cost
    )
    make_line(
        revision, unit_price=Decimal("0.3333"), quantity=Decimal(10), unit_cost=cost
    )
    make_line(
        revision,
        kind=Kind.OPTIONAL,
        unit_price=Decimal(500),
        unit_cost=cost,
        description="Rails",
    )
    return revision


def loaded(revision) -> Revision:
    return Revision.objects.with_lines().get(pk=revision.pk)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "fields",
    [{"discount_percent": Decimal("7.5")}, {"discount_amount": Decimal("333.33")}],
)
def test_page_pdf_and_letter_say_the_same(
    client, sam, fields, django_capture_on_commit_callbacks
):
    revision = draft(sam, **fields)
    with django_capture_on_commit_callbacks(execute=True):
        send_quote(
            revision=revision,
            by=sam,
            to_email="carol@lab.example",
            to_name="Carol",
            cc=[],
            message="",
            now=NOW.replace(hour=1),
        )
        assert dispatch_revision(revision.pk, NOW)
    revision.refresh_from_db()
    totals = revision.content["totals"]
    link = issue_link(revision, purpose="answer", email="carol@lab.example")
    page = client.get(reverse("quotes:answer", args=[token_of(link)])).text
    with revision.document.file.open("rb") as file:
        pages = PdfReader(io.BytesIO(file.read())).pages
        pdf = " ".join(each.extract_text() for each in pages)

    assert Decimal(totals["subtotal"]) == Decimal("8752.98")
    assert Decimal(totals["subtotal"]) - Decimal(totals["discount"]) == revision.net
    for name in ("subtotal", "discount", "net", "gst", "gross"):
        shown = format_money(Decimal(totals[name]))
        assert shown in page, name
        assert shown in pdf, name
    for name in ("discount", "gross"):
        assert format_money(Decimal(totals[name])) in mail.outbox[-1].body


@pytest.mark.django_db
def test_a_choice_keeps_a_percentage_and_its_part_of_an_amount(sam):
    by_percent = build_content(
        loaded(draft(sam, discount_percent=Decimal(10))), now=NOW
    )
    by_amount = build_content(loaded(draft(sam, discount_amount=Decimal(100))), now=NOW)
    more = Choice(options=frozenset({3}))

    assert choose(by_percent, more).sums.discount == Decimal("925.30")
    assert choose(by_amount, more).sums.discount == Decimal("100.00")
    for content in (by_percent, by_amount):
        chosen = choose(content, AS_QUOTED)
        assert str(chosen.sums.totals.gross) == content["totals"]["gross"]


@pytest.mark.django_db
def test_who_takes_half_has_half_the_amount(sam):
    revision = make_revision(author=sam, lines=0, discount_amount=Decimal("50.01"))
    make_line(
        revision,
        quantity=Decimal(4),
        unit_price=Decimal(100),
        quantity_min=Decimal(1),
        quantity_max=Decimal(8),
    )
    content = build_content(loaded(revision), now=NOW)

    half = choose(content, Choice(quantities={1: Decimal(2)}))
    twice = choose(content, Choice(quantities={1: Decimal(8)}))

    assert half.sums.discount == Decimal("25.01")
    assert twice.sums.discount == Decimal("50.01")


@pytest.mark.django_db
def test_content_from_before_discounts_still_prints_and_adds_up(sam):
    content = build_content(loaded(draft(sam)), now=NOW)
    assert not {"discount", "subtotal"} & set(content["totals"])

    assert render_quote(content, is_draft=False, created=NOW).pages >= 1
    assert str(choose(content, AS_QUOTED).sums.totals.net) == content["totals"]["net"]


@pytest.mark.django_db
def test_the_builder_takes_it_and_shows_what_it_does(sam_client, sam):
    revision = draft(sam)
    posted = whole_form(revision, discount_percent="7.5 %")

    answer = sam_client.post(url("quote_details", revision.pk), posted, headers=HTMX)

    revision.refresh_from_db()
    assert revision.discount_percent == Decimal("7.5")
    assert "Discount 7.5%" in answer.text
    assert "-S$656.47" in answer.text


@pytest.mark.django_db
def test_both_kinds_at_once_are_refused(sam_client, sam):
    revision = draft(sam)
    posted = whole_form(revision, discount_percent="5", discount_amount="10")

    answer = sam_client.post(url("quote_details", revision.pk), posted, headers=HTMX)

    assert answer.status_code == 422
    assert "not both" in answer.text
    with pytest.raises(IntegrityError), transaction.atomic():
        Revision.objects.filter(pk=revision.pk).update(
            discount_percent=Decimal(5), discount_amount=Decimal(10)
        )


@pytest.mark.django_db
def test_too_much_blocks_and_a_loss_is_told(sam):
    revision = draft(sam, discount_amount=Decimal(10000))
    Line.objects.filter(revision=revision).update(unit_cost=Decimal("0.2"))

    told = {p.message: p.is_blocking for p in find_problems(loaded(revision), NOW)}

    assert told["The discount of S$10,000.00 is more than the lines come to."]
    assert told["After the discount below cost: lines 1, 2."] is False


@pytest.mark.django_db
def test_approval_looks_at_the_discount_on_the_whole(sam):
    revision = draft(sam, discount_percent=Decimal(20))
    Line.objects.filter(revision=revision).update(discount_percent=Decimal(10))

    told = " ".join(reason.words for reason in reasons_for(loaded(revision)))

    assert "with that on the whole is 28.0%" in told


@pytest.mark.django_db
def test_the_next_revision_keeps_it(sam):
    revision = draft(sam, discount_percent=Decimal("2.5"))
    Revision.objects.filter(pk=revision.pk).update(status="declined")

    again = revise_quote(revision=loaded(revision), by=sam, now=NOW)

    assert again.discount_percent == Decimal("2.5")
