"""Quantities that a price was asked for: offered as breaks, never applied."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from quotes.content import build_content
from quotes.models import Revision
from quotes.services.checks import find_problems
from quotes.services.library import insert_template, save_template
from quotes.services.lines import remove_line, restore_line
from quotes.services.quotes import build_quote, revise_quote
from quotes.states import RevisionStatus
from quotes.views.lines import form_of
from tests.factories import make_request, make_revision
from tests.quotes.builder_posts import line_form

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)


@pytest.fixture
def line(sam):
    """The line of a draft whose customer asked a price for 10, 50 and 100."""
    asked = make_request()
    asked.lines.update(quantity=10, more_quantities=[50, 100])
    return build_quote(request=asked, by=sam, now=NOW).lines.get()


def offered(line) -> str:
    return str(form_of(line)["price_breaks"].value())


def save(client, line, **typed):
    address = reverse("desk:line_save", args=[line.revision_id, line.pk])
    return client.post(address, line_form(line, **typed))


def test_what_was_asked_is_offered_and_not_applied(line) -> None:
    assert offered(line) == "50:\n100:"
    assert (line.quantity, line.price_breaks, line.unit_price) == (10, [], None)


def test_a_page_that_is_saved_as_it_was_offered_changes_nothing(
    sam_client, line
) -> None:
    assert save(sam_client, line, description="Another").status_code == 302

    line.refresh_from_db()
    assert (line.description, line.price_breaks) == ("Another", [])
    assert offered(line) == "50:\n100:"


def test_what_is_filled_in_is_a_break_and_the_rest_stays_offered(
    sam_client, line
) -> None:
    assert save(sam_client, line, price_breaks="50: 95.00\n100:").status_code == 302

    line.refresh_from_db()
    assert line.price_breaks == [{"from": "50", "unit_price": "95.0000"}]
    assert line.unit_price is None
    assert offered(line) == "50: 95\n100:"


def test_a_quantity_that_nobody_asked_for_needs_its_price(sam_client, line) -> None:
    response = save(sam_client, line, price_breaks="60:\n100:")

    assert response.status_code == 422
    page = response.content.decode()
    assert "Write a price break as quantity: price" in page
    assert "60:" in page, "what was typed is not lost"


def test_the_builder_says_what_was_asked_until_it_is_priced(sam_client, line) -> None:
    builder = reverse("desk:quote", args=[line.revision_id])
    page = sam_client.get(builder).content.decode()
    assert "Asked too: 50, 100" in page
    assert "no price for 50 and 100, which they asked for." in page

    save(sam_client, line, price_breaks="50: 95.00\n100: 90.00")

    page = sam_client.get(builder).content.decode()
    assert "Asked too" not in page
    assert "which they asked for" not in page


def test_it_does_not_block_the_sending(sam) -> None:
    revision = make_revision(author=sam)
    revision.lines.update(asked_quantities=[50])
    whole = Revision.objects.with_lines().get(pk=revision.pk)

    (problem,) = [
        one for one in find_problems(whole, NOW) if "asked for" in one.message
    ]

    assert not problem.is_blocking


def test_no_customer_reads_it(line) -> None:
    whole = Revision.objects.with_lines().get(pk=line.revision_id)

    assert "asked" not in str(build_content(whole, now=NOW))


def test_it_comes_back_with_its_line_and_goes_on_to_the_next_revision(
    line, sam
) -> None:
    draft = line.revision
    event = remove_line(line=line, by=sam, now=NOW)
    back = restore_line(revision=draft, event_pk=event.pk, by=sam, now=NOW)
    assert back.asked_quantities == [50, 100]

    Revision.objects.update(status=RevisionStatus.SENT)
    draft.refresh_from_db()
    again = revise_quote(revision=draft, by=sam, now=NOW)
    assert again.lines.get().asked_quantities == [50, 100]


def test_a_template_offers_nobody_elses_quantities(line, sam) -> None:
    template = save_template(revision=line.revision, name="One", by=sam, now=NOW)
    draft = make_revision(lines=0, author=sam)

    insert_template(
        revision=draft, template=template, with_prices=True, by=sam, now=NOW
    )

    assert draft.lines.get().asked_quantities == []
