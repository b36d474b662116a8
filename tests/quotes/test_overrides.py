"""A check that may be let go, with a reason; and what must be mended."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from django.urls import reverse

from fabrics.engine import FabricSpec
from fabrics.services import save_design
from quotes.errors import QuoteError
from quotes.models import CheckOverride, Line, Revision, RevisionDesign
from quotes.services.checks import find_problems
from quotes.services.overrides import let_go
from quotes.states import RevisionStatus
from sourceit.events import events_of
from tests.factories import make_line, make_product, make_revision

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)


@pytest.fixture
def revision(sam):
    return make_revision(author=sam, valid_until=date(2026, 12, 15))


def blocking(revision):
    whole = Revision.objects.with_lines().get(pk=revision.pk)
    return [one for one in find_problems(whole, NOW) if one.is_blocking]


def release(revision, code, reason="The customer knows"):
    fresh = Revision.objects.get(pk=revision.pk)
    let_go(revision=fresh, codes=[code], reason=reason, by=fresh.author, now=NOW)


def without_lead(revision):
    Line.objects.filter(revision=revision).update(
        lead_weeks_min=None, lead_weeks_max=None
    )


def test_a_missing_lead_time_is_let_go_with_a_reason(revision):
    without_lead(revision)
    (problem,) = blocking(revision)

    release(revision, problem.code)

    assert blocking(revision) == []
    override = CheckOverride.objects.get()
    assert (override.words, override.by) == (
        "Line 1: enter a lead time.",
        revision.author,
    )
    event = events_of(revision).get(kind="check_let_go")
    assert event.is_internal
    assert event.text.endswith("Reason: The customer knows")


def test_a_reason_is_needed(revision):
    without_lead(revision)
    (problem,) = blocking(revision)

    with pytest.raises(QuoteError, match="Enter a reason"):
        release(revision, problem.code, "  ")


@pytest.mark.parametrize(
    "fields", [{"to_email": ""}, {"valid_until": None}], ids=lambda each: [*each][0]
)
def test_what_must_be_mended_cannot_be_let_go(revision, fields):
    Revision.objects.filter(pk=revision.pk).update(**fields)
    (problem,) = blocking(revision)

    assert not problem.can_be_let_go
    with pytest.raises(QuoteError, match="not wrong any more"):
        release(revision, problem.code)


def test_equipment_needs_a_warranty_or_a_line_of_support(revision):
    revision.lines.update(warranty="", product=make_product())
    (problem,) = blocking(revision)
    assert problem.message == "Line 1: no warranty and no support term."

    make_line(revision, position=1, mpn="", description="3 years of support")

    assert blocking(revision) == []


def test_letting_go_counts_as_an_edit(revision):
    without_lead(revision)
    (problem,) = blocking(revision)
    release(revision, problem.code)

    assert Revision.objects.get(pk=revision.pk).row_version == revision.row_version + 1


@pytest.fixture
def fabric(revision):
    """A draft whose one line is a switch of a design that needs twelve of them."""
    spec = FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-x800", gpus=576)
    design = save_design(spec=spec, owner=None)
    keep = [row for row in design.result["bom"] if row["opn"] == "Q3400-RD"]
    design.result["bom"] = keep
    design.save()
    RevisionDesign.objects.create(revision=revision, design=design)
    revision.lines.update(mpn="Q3400-RD", quantity=Decimal(11))
    return revision


def test_another_quantity_opens_a_mismatch_again(fabric):
    (problem,) = blocking(fabric)
    assert problem.message.endswith("the quote has 11.")
    release(fabric, problem.code)
    assert blocking(fabric) == []

    fabric.lines.update(quantity=Decimal(10))

    (problem,) = blocking(fabric)
    assert problem.message.endswith("the quote has 10.")


def test_the_review_page_takes_the_reason(sam_client, revision):
    without_lead(revision)
    (problem,) = blocking(revision)
    review = reverse("desk:quote_send", args=[revision.pk])
    address = reverse("desk:check_let_go", args=[revision.pk])
    assert "Let go with a reason" in sam_client.get(review).content.decode()

    refused = sam_client.post(address, {"code": problem.code, "reason": ""})
    done = sam_client.post(address, {"code": problem.code, "reason": "Known"})

    assert (refused.status_code, done.url) == (422, review)
    page = sam_client.get(review).content.decode()
    assert "Let go: Known" in page
    assert "Send quote" in page


def test_nothing_is_let_go_on_what_waits_for_approval(sam_client, revision):
    Revision.objects.update(status=RevisionStatus.PENDING_APPROVAL)
    address = reverse("desk:check_let_go", args=[revision.pk])

    assert sam_client.post(address, {"code": "x", "reason": "y"}).status_code == 404
