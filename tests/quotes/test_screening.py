"""Controlled items are held until a screening is recorded, and while it is true."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from django.urls import reverse
from django.utils import timezone

from quotes.errors import QuoteError
from quotes.models import Line, Order, QuoteRequest, Revision, Screening
from quotes.services.approvals import (
    approve_quote,
    refuse_unapproved,
    submit_for_approval,
)
from quotes.services.checks import find_problems
from quotes.services.orders import confirm_order, convert_quote, print_confirmation
from quotes.services.rules import reasons_for
from quotes.services.screening import record_screening, save_end_use, standing_of
from sourceit.events import events_of
from sourceit.models import Delivery
from sourceit.pdf import Pdf
from tests.factories import (
    make_approver,
    make_bought,
    make_line,
    make_product,
    make_request,
    make_revision,
)
from tests.quotes.answering import quick_pdf as quick_pdf

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)
SAID = {
    "end_user": "Example Research",
    "end_use": "Weather models",
    "final_country": "Singapore",
}


@pytest.fixture
def controlled(sam):
    make_product(mpn="GB300-NVL72", is_controlled=True)
    asked = make_request(status="in_progress", owner=sam, **SAID)
    revision = make_revision(
        author=sam, request=asked, lines=0, valid_until=date(2026, 12, 15)
    )
    make_line(revision, mpn="gb300-nvl72")  # typed, without its product
    return revision


def load(revision):
    return Revision.objects.with_lines().get(pk=revision.pk)


def screen(revision, result="clear", **fields):
    given = {"reference": "SCR-1", "note": "", "by": revision.author, "now": NOW}
    return record_screening(revision=load(revision), result=result, **(given | fields))


def held(revision):
    return [
        one.message for one in find_problems(load(revision), NOW) if one.is_blocking
    ]


def reasons(revision):
    return [one.words for one in reasons_for(load(revision))]


def test_what_is_not_controlled_is_not_held(sam):
    revision = make_revision(author=sam, valid_until=date(2026, 12, 15))

    assert held(revision) == []
    with pytest.raises(QuoteError, match="Nothing on this quote"):
        screen(revision)


def test_a_controlled_item_is_held_by_check_and_rule(controlled):
    words = "Controlled items (GB300-NVL72) have not been screened."

    assert held(controlled) == [words]
    assert reasons(controlled) == [words]


def test_it_cannot_be_let_go(controlled):
    (problem,) = [
        one for one in find_problems(load(controlled), NOW) if one.is_blocking
    ]

    assert not problem.can_be_let_go


@pytest.mark.parametrize(
    ("result", "is_held", "asks"),
    [("clear", False, False), ("conditions", False, True), ("refused", True, True)],
)
def test_the_result_decides(controlled, result, is_held, asks):
    screen(controlled, result)

    assert bool(held(controlled)) is is_held
    assert bool(reasons(controlled)) is asks
    event = events_of(controlled.quote.request).get(kind="request_screened")
    assert event.is_internal


@pytest.mark.parametrize("name", [*SAID, "delivery_address"])
def test_another_party_or_place_opens_it_again(controlled, sam, name):
    screen(controlled)
    save_end_use(
        request=controlled.quote.request,
        changes={name: "Somebody or somewhere else"},
        by=sam,
        now=NOW,
    )

    (words,) = held(controlled)

    assert words.startswith("Changed since the screening:")
    screen(controlled)
    assert held(controlled) == []


def test_another_controlled_item_opens_it_again(controlled):
    screen(controlled)
    make_product(mpn="HGX-B300", is_controlled=True)
    make_line(controlled, position=1, mpn="HGX-B300")

    assert held(controlled) == [
        "Changed since the screening: the items. Screen it again."
    ]


@pytest.mark.parametrize("name", SAID)
def test_what_the_customer_did_not_say_is_asked_for_first(controlled, name):
    QuoteRequest.objects.update(**{name: ""})

    assert any("does not say the" in words for words in held(controlled))
    with pytest.raises(QuoteError, match="Enter first"):
        screen(controlled)


def test_the_change_is_kept_with_what_it_was(controlled, sam):
    save_end_use(
        request=controlled.quote.request,
        changes={**SAID, "final_country": "Malaysia"},
        by=sam,
        now=NOW,
    )

    event = events_of(controlled.quote.request).get(kind="request_end_use")
    assert event.text == "Sam Lim changed the country of final use"
    assert event.detail["was"] == {"final_country": "Singapore"}


def test_the_latest_of_several_counts(controlled):
    screen(controlled, "refused")
    screen(controlled, "clear", reference="SCR-2")
    revision = load(controlled)

    standing = standing_of(revision.quote.request, revision.lines.all())

    assert (standing.latest.reference, standing.is_held) == ("SCR-2", False)
    assert Screening.objects.count() == 2


def test_the_desk_records_it_on_the_page(sam_client, controlled):
    page = reverse("desk:quote", args=[controlled.pk])
    assert "Export screening" in sam_client.get(page).content.decode()

    for name, posted in {
        "end_use_save": {**SAID, "end_use": "Training", "delivery_address": "1 Road"},
        "screening_record": {"result": "clear", "reference": "SCR-9", "note": "ok"},
    }.items():
        address = reverse(f"desk:{name}", args=[controlled.pk])
        assert sam_client.post(address, posted).status_code == 302

    assert Screening.objects.get().parties["end_use"] == "Training"
    assert held(controlled) == []


def test_a_screening_without_reference_is_refused_with_words(sam_client, controlled):
    address = reverse("desk:screening_record", args=[controlled.pk])

    response = sam_client.post(address, {"result": "clear"}, follow=True)

    assert "Enter the reference" in response.content.decode()
    assert not Screening.objects.exists()


def test_a_screening_after_the_approval_is_not_sent_unseen(controlled):
    raj = make_approver("raj@example.com", name="Raj Nair")
    screen(controlled)
    Revision.objects.filter(pk=controlled.pk).update(payment_terms="90 days")
    version = load(controlled).row_version
    act = {"revision": load(controlled), "version": version, "now": NOW}
    submit_for_approval(by=controlled.author, note="", **act)
    approve_quote(by=raj, comment="", **act)
    refuse_unapproved(load(controlled), NOW)

    screen(controlled, "conditions", reference="SCR-2")

    with pytest.raises(QuoteError, match="SCR-2 has conditions"):
        refuse_unapproved(load(controlled), NOW)


# After the yes


@pytest.fixture
def bought(sam, quick_pdf, monkeypatch, settings, tmp_path):
    """An accepted quote with a controlled item, screened before it was sent."""
    settings.MEDIA_ROOT = tmp_path
    pdf = Pdf(data=b"%PDF-1.7 any", pages=1)
    monkeypatch.setattr("quotes.services.orders.render_pdf", lambda *_, **__: pdf)
    revision = make_bought(sam, **SAID, delivery_address="1 Science Park Drive")
    make_product(mpn="GB300-NVL72", is_controlled=True)
    Line.objects.filter(revision=revision).update(mpn="GB300-NVL72")
    screen(revision, by=sam)
    return revision


def move(revision, sam):
    request = QuoteRequest.objects.get(pk=revision.quote.request_id)
    save_end_use(
        request=request,
        changes={"delivery_address": "2 Elsewhere Road"},
        by=sam,
        now=NOW,
    )


def test_another_ship_to_after_the_yes_holds_the_order(bought, sam):
    move(bought, sam)

    with pytest.raises(QuoteError, match="Changed since the screening"):
        convert_quote(revision=load(bought), by=sam, now=NOW)
    assert not Order.objects.exists()

    screen(bought, by=sam)
    assert convert_quote(revision=load(bought), by=sam, now=NOW).pk


def test_another_ship_to_after_the_order_holds_its_confirmation(bought, sam):
    order = convert_quote(revision=load(bought), by=sam, now=NOW)
    assert print_confirmation(order.pk, timezone.now())
    move(bought, sam)

    with pytest.raises(QuoteError, match="Changed since the screening"):
        confirm_order(order=Order.objects.get(pk=order.pk), by=sam, now=NOW)
    confirmed = Delivery.objects.filter(kind="order_confirmed")
    assert not confirmed.exists()

    screen(bought, by=sam)
    confirm_order(order=Order.objects.get(pk=order.pk), by=sam, now=NOW)
    assert confirmed.count() == 1
