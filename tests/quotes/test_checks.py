from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from quotes.models import Revision, Terms
from quotes.services.checks import find_problems, is_sendable
from quotes.states import RequestStatus
from sourceit.models import TaxRate
from tests.factories import make_line, make_request, make_revision

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)
LAST_DAY = date(2026, 12, 15)


def problems_of(revision, now=NOW):
    revision = Revision.objects.with_lines().get(pk=revision.pk)
    return find_problems(revision, now)


def messages_of(revision, *, blocking=True, now=NOW):
    return [
        problem.message
        for problem in problems_of(revision, now)
        if problem.is_blocking is blocking
    ]


@pytest.fixture
def revision():
    return make_revision(valid_until=LAST_DAY)


def test_a_complete_draft_may_be_sent(revision):
    loaded = Revision.objects.with_lines().get(pk=revision.pk)

    assert messages_of(revision) == []
    assert is_sendable(loaded, NOW)


def test_the_customers_email_is_needed(revision):
    revision.to_email = ""
    revision.save()

    assert messages_of(revision) == ["Enter the customer's e-mail."]


@pytest.mark.parametrize(
    ("valid_until", "message"),
    [
        (None, "Enter the date until which the quote is valid."),
        (date(2026, 11, 30), "The validity ended on 30 Nov 2026."),
    ],
)
def test_the_validity_must_be_a_day_to_come(revision, valid_until, message):
    revision.valid_until = valid_until
    revision.save()

    assert messages_of(revision) == [message]


def test_a_quote_may_be_sent_on_its_last_day_in_singapore(revision):
    last_moment = datetime(2026, 12, 15, 15, 59, 59, tzinfo=UTC)
    next_day = datetime(2026, 12, 15, 16, 0, tzinfo=UTC)

    assert messages_of(revision, now=last_moment) == []
    assert messages_of(revision, now=next_day) == ["The validity ended on 15 Dec 2026."]


@pytest.mark.parametrize(
    ("fields", "message", "field"),
    [
        ({"unit_price": None}, "Line 2: enter a price.", "unit_price"),
        (
            {"lead_weeks_min": None, "lead_weeks_max": None},
            "Line 2: enter a lead time.",
            "lead_weeks_min",
        ),
        (
            {"lead_weeks_min": 9, "lead_weeks_max": 4},
            "Line 2: the lead time's first week is after its last.",
            "lead_weeks_min",
        ),
        ({"description": "", "mpn": ""}, "Line 2: enter a description.", "description"),
        (
            {"kind": "rounding", "unit_price": Decimal("1.01")},
            "Line 2: a rounding line is at most S$1.00.",
            "unit_price",
        ),
        (
            {"kind": "rounding", "unit_price": None},
            "Line 2: enter the rounding, or remove the line.",
            "unit_price",
        ),
    ],
)
def test_a_fault_names_its_line_and_links_to_its_cell(revision, fields, message, field):
    line = make_line(revision, position=1, **fields)

    (problem,) = [one for one in problems_of(revision) if one.is_blocking]
    assert (problem.message, problem.anchor) == (message, f"{line.pk}-{field}")


@pytest.mark.parametrize("kind", ["text", "rounding"])
def test_text_and_rounding_need_no_lead_time(revision, kind):
    make_line(
        revision,
        position=1,
        kind=kind,
        unit_price=Decimal("0.01"),
        lead_weeks_min=None,
        lead_weeks_max=None,
    )

    assert messages_of(revision) == []


def test_an_option_without_a_price_only_warns(revision):
    make_line(revision, position=1, kind="optional", unit_price=None)

    assert messages_of(revision) == []
    assert "Line 2: enter a price." in messages_of(revision, blocking=False)


def test_a_quote_without_lines_is_refused():
    assert messages_of(make_revision(lines=0, valid_until=LAST_DAY)) == [
        "Add at least one line."
    ]


def test_below_cost_warns_with_the_loss(revision):
    make_line(revision, position=1, unit_price=Decimal(90), unit_cost=Decimal(100))

    notes = messages_of(revision, blocking=False)
    assert "Line 2: is below cost by S$10.00." in notes
    assert "No terms of sale go with the quote." in notes


def test_an_unknown_cost_warns(revision):
    make_line(revision, position=1, unit_cost=None)

    warnings = messages_of(revision, blocking=False)
    assert "Line 2: the cost is not known, so its margin is not either." in warnings


def test_an_amount_too_large_is_refused_and_named(revision):
    make_line(
        revision,
        position=1,
        quantity=Decimal(1_000_000),
        unit_price=Decimal("99999999999"),
    )

    assert messages_of(revision) == [
        "Line 2: the amount is too large.",
        "The total is too large.",
    ]


def test_a_date_without_a_gst_rate_is_refused(revision):
    TaxRate.objects.all().delete()

    assert messages_of(revision) == ["No GST rate is known for today."]


def test_a_closed_request_is_not_quoted():
    request = make_request(status=RequestStatus.CANCELLED)
    revision = make_revision(request=request, valid_until=LAST_DAY)

    assert messages_of(revision) == [f"{request.number} is cancelled."]


def test_production_refuses_unknown_seller_facts_and_sample_terms(revision, settings):
    settings.SELLER_IS_SAMPLE = False
    settings.SELLER = {"legal_name": "Seller Pte Ltd", "uen": "", "address": "1 Road"}
    revision.terms = Terms.objects.create(
        version="T", valid_from=date(2026, 1, 1), is_sample=True
    )
    revision.save()

    assert messages_of(revision) == [
        "The seller's UEN is not set.",
        "The seller's GST number is not set.",
        "The terms of sale are sample wording.",
    ]


def test_production_refuses_a_quote_without_terms(revision, settings):
    settings.SELLER_IS_SAMPLE = False
    settings.SELLER = dict.fromkeys(["legal_name", "uen", "gst_number", "address"], "x")

    assert messages_of(revision) == ["Choose the terms of sale."]


def test_the_checks_cost_as_many_queries_whatever_the_lines(
    revision, django_assert_num_queries
):
    for position in range(1, 20):
        make_line(revision, position=position)
    loaded = Revision.objects.with_lines().get(pk=revision.pk)

    # What was bought, GST, controlled products, terms in force, what was let go.
    with django_assert_num_queries(3):
        find_problems(loaded, NOW)
