"""Accepting a choice: the page, the total shown, and what is written down."""

from __future__ import annotations

import threading
from datetime import timedelta
from decimal import Decimal

import pytest
from django.core import mail
from django.db import connection
from django.utils import timezone

from quotes.choosing import Choice, NotOffered
from quotes.content import sums_of
from quotes.models import Acceptance, Revision
from quotes.services.answers import Yes, accept_quote
from quotes.services.choices import TotalMoved
from quotes.services.quotes import revise_quote
from quotes.states import RequestStatus, RevisionStatus
from tests.factories import make_line, make_request, make_revision
from tests.quotes.answering import (
    SIGNATURE,
    address_of,
    dispatch,
    quick_pdf,
    with_code,
)
from tests.quotes.builder_posts import url

__all__ = ["quick_pdf"]
pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def sent(sam) -> Revision:
    """4 switches (2 to 8, cheaper from 6), one of two cables, and an option."""
    asked = make_request(owner=sam, status=RequestStatus.IN_PROGRESS)
    revision = make_revision(request=asked, author=sam, lines=0)
    make_line(
        revision,
        description="Switch",
        quantity=Decimal(4),
        unit_price=Decimal(100),
        unit_cost=Decimal(1),
        quantity_min=Decimal(2),
        quantity_max=Decimal(8),
        price_breaks=[{"from": "6", "unit_price": "90.0000"}],
    )
    cable = {"choice": "Cable", "quantity": Decimal(8), "unit_cost": Decimal(1)}
    make_line(revision, description="Short", position=1, unit_price=Decimal(5), **cable)
    make_line(
        revision,
        description="Long",
        position=2,
        kind="alternative",
        unit_price=Decimal(7),
        **cable,
    )
    make_line(
        revision,
        description="Support",
        position=3,
        kind="optional",
        unit_price=Decimal(60),
        unit_cost=Decimal(1),
    )
    return dispatch(revision)


CHOICE = Choice(options=frozenset({4}), picks={"Cable": 3}, quantities={1: Decimal(6)})
WORDS = [
    "6 instead of 4 × Switch (line 1)",
    "8 × Long (line 3) instead of line 2",
    "with the option 1 × Support (line 4)",
]
# 6 x 90 + 8 x 7 + 60 = 656.00, with 59.04 GST.
GROSS = Decimal("715.04")
POSTED = {"option-4": "on", "pick-0": "3", "quantity-1": "6"}


def accept(revision, yes=None):
    return accept_quote(
        revision=revision, signature=SIGNATURE, now=timezone.now(), yes=yes
    )


def test_a_choice_is_written_down_with_its_totals(sent):
    acceptance = accept(sent, Yes(choice=CHOICE, total_shown=GROSS))

    assert acceptance.gross == GROSS
    assert acceptance.choice_words == WORDS
    chosen = acceptance.chosen
    assert chosen["totals"]["net"] == "656.00"
    nets = [line["net"] for part in chosen["sections"] for line in part["lines"]]
    assert nets == ["540.00", "56.00", "60.00"]
    titles = [part["title"] for part in chosen["sections"]]
    assert titles == ["", "Options"]


def test_the_record_says_what_was_chosen_and_adds_up(sent):
    manifest = accept(sent, Yes(choice=CHOICE, total_shown=GROSS)).manifest

    assert manifest["chosen"] == WORDS
    assert [line["quantity"] for line in manifest["lines"]] == ["6", "8", "1"]
    totals = manifest["totals"]
    parts = (Decimal(totals[name]) for name in ("net", "gst", "rounding"))
    assert sum(parts) == Decimal(totals["gross"]) == GROSS


def test_without_a_choice_it_is_accepted_as_quoted(sent):
    acceptance = accept(sent)

    assert acceptance.gross == sent.gross
    assert acceptance.choice_words == []
    assert acceptance.chosen["sections"][0]["net"] == sent.content["totals"]["net"]


def test_another_total_than_was_shown_is_refused(sent):
    with pytest.raises(TotalMoved, match=r"the total is S\$715\.04"):
        accept(sent, Yes(choice=CHOICE, total_shown=GROSS - Decimal("0.01")))

    assert not Acceptance.objects.exists()
    sent.refresh_from_db()
    assert sent.status == RevisionStatus.SENT


@pytest.mark.parametrize(
    "choice",
    [
        Choice(options=frozenset({1})),
        Choice(picks={"Cable": 4}),
        Choice(quantities={1: Decimal(9)}),
        Choice(quantities={4: Decimal(2)}, options=frozenset({4})),
    ],
)
def test_what_is_not_offered_is_not_accepted(sent, choice):
    with pytest.raises(NotOffered):
        accept(sent, Yes(choice=choice))

    assert not Acceptance.objects.exists()


def test_prices_are_the_frozen_ones_and_a_changed_line_stops_it(sent):
    sent.lines.filter(kind="optional").update(unit_price=Decimal(1))

    assert accept(sent, Yes(choice=CHOICE, total_shown=GROSS)).gross == GROSS


def test_twice_with_another_choice_is_the_first_result_again(sent):
    first = accept(sent, Yes(choice=CHOICE, total_shown=GROSS))

    again = accept(sent, Yes(choice=Choice(quantities={1: Decimal(2)})))

    assert (again, again.gross) == (first, GROSS)


def test_both_letters_the_timeline_and_the_desk_say_what_was_chosen(
    sent, sam_client, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        accept(sent, Yes(choice=CHOICE, total_shown=GROSS))

    letters = [letter for letter in mail.outbox if "S$715.04" in letter.body]
    assert len(letters) == 2
    for letter in letters:
        assert all(words in letter.body for words in WORDS)
    desk = sam_client.get(sent.get_absolute_url()).content.decode()
    assert all(words in desk for words in WORDS)
    assert "Head of purchasing: 6 instead of 4 × Switch (line 1);" in desk


def test_a_change_after_the_yes_starts_from_what_was_chosen(sent, sam):
    accept(sent, Yes(choice=CHOICE, total_shown=GROSS))

    bought = Revision.objects.get(pk=sent.pk)
    draft = revise_quote(revision=bought, by=sam, now=timezone.now())

    lines = {line.description: line for line in draft.lines.all()}
    assert set(lines) == {"Switch", "Long", "Support"}
    assert (lines["Switch"].quantity, lines["Switch"].unit_price) == (6, 90)
    assert {(line.kind, line.choice, line.has_range) for line in lines.values()} == {
        ("standard", "", False)
    }
    assert sums_of(draft, timezone.localdate()).totals.gross == GROSS


def test_the_pipeline_counts_what_was_bought(sent, sam_client):
    accept(sent, Yes(choice=CHOICE, total_shown=GROSS))

    page = sam_client.get("/desk/?view=won").content.decode()

    assert "S$715.04" in page
    assert "S$479.60" not in page


# The page


def test_the_page_offers_what_may_be_chosen(client, sent):
    page = client.get(address_of(sent, "accept")).content.decode()

    for words in ("One of: Cable", 'name="option-4"', 'name="quantity-1"', "2 to 8"):
        assert words in page
    assert f'name="total_shown" value="{sent.gross}"' in page


def test_htmx_gets_the_total_and_no_input_but_the_hidden_one(client, sent):
    response = client.post(
        address_of(sent, "accept"), {**POSTED, "update": "1"}, headers=HTMX
    )

    page = response.content.decode()
    assert "S$715.04" in page
    assert page.count("<input") == 1
    assert 'name="total_shown" value="715.04"' in page
    assert not Acceptance.objects.exists()


def test_without_script_a_button_updates_the_total_and_keeps_what_was_typed(
    client, sent
):
    typed = {**POSTED, "update": "1", "name": "Carol Tan"}

    response = client.post(address_of(sent, "accept"), typed)

    page = response.content.decode()
    assert response.status_code == 200
    assert 'value="Carol Tan"' in page
    assert 'name="total_shown" value="715.04"' in page
    assert 'value="6"' in page


@pytest.mark.parametrize(
    ("posted", "words"),
    [
        ({"quantity-1": "9"}, "Line 1: choose from 2 to 8."),
        ({"quantity-1": "many"}, "Enter a quantity in figures"),
        ({"pick-0": "4"}, "Choose one of those shown."),
        ({"quantity-1": "2.5"}, "in steps of 1."),
    ],
)
def test_a_choice_that_is_not_offered_is_said_and_has_no_total(
    client, sent, posted, words
):
    typed = with_code(client, sent, **posted, total_shown=str(sent.gross))

    response = client.post(address_of(sent, "accept"), typed)

    assert response.status_code == 422
    page = response.content.decode()
    assert words in page
    assert 'name="total_shown"' not in page
    assert not Acceptance.objects.exists()


def test_accepting_posts_the_choice_with_the_total_that_was_shown(client, sent):
    typed = with_code(client, sent, **POSTED, total_shown="715.04")

    response = client.post(address_of(sent, "accept"), typed)

    assert response.url == address_of(sent)
    assert Acceptance.objects.get().gross == GROSS
    page = client.get(response.url).content.decode()
    assert all(words in page for words in WORDS)


@pytest.mark.parametrize("shown", ["436.00", "", "NaN", "sNaN", "many"])
def test_a_total_that_was_not_updated_is_shown_before_it_counts(client, sent, shown):
    typed = with_code(client, sent, **POSTED, total_shown=shown)

    response = client.post(address_of(sent, "accept"), typed)

    assert response.status_code == 422
    assert "the total is S$715.04. Check it, and accept again." in (
        response.content.decode()
    )
    assert not Acceptance.objects.exists()
    typed["total_shown"] = "715.04"
    assert client.post(address_of(sent, "accept"), typed).status_code == 302


def test_the_desk_enters_what_a_purchase_order_chose(sam_client, sent):
    address = url("quote_accept", sent.pk)
    typed = {
        **POSTED,
        "how": "po",
        "name": "Carol Tan",
        "job_title": "Head",
        "email": "carol@example.com",
        "po_number": "PO-1",
    }
    updated = sam_client.post(address, {**typed, "update": "1"})
    page = updated.content.decode()
    assert 'name="total_shown" value="715.04"' in page
    assert 'value="PO-1"' in page

    refused = sam_client.post(address, {**typed, "total_shown": "1.00"})
    assert refused.status_code == 422
    response = sam_client.post(address, {**typed, "total_shown": "715.04"})

    assert response.status_code == 302
    assert Acceptance.objects.get().gross == GROSS


def test_asking_for_the_code_keeps_what_was_chosen(client, sent):
    response = client.post(address_of(sent, "accept_code"), POSTED)

    page = response.content.decode()
    assert 'name="total_shown" value="715.04"' in page
    assert 'value="6"' in page


def test_the_letter_says_that_there_is_something_to_choose(
    sam, django_capture_on_commit_callbacks
):
    revision = make_revision(author=sam, lines=1)
    revision.lines.update(quantity_min=Decimal(1), quantity_max=Decimal(4))
    with django_capture_on_commit_callbacks(execute=True):
        dispatch(revision)

    (letter,) = mail.outbox
    assert "Options and quantities, when you accept" in letter.body


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_of_twenty_different_choices_at_once_one_is_accepted(sent):
    results: list[Acceptance] = []

    def say_yes(count: int) -> None:
        choice = Choice(quantities={1: Decimal(2 + count % 7)})
        results.append(accept(sent, Yes(choice=choice)))
        connection.close()

    threads = [threading.Thread(target=say_yes, args=(n,)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    (only,) = Acceptance.objects.all()
    assert [one.pk for one in results] == [only.pk] * 20
    assert {one.gross for one in results} == {only.gross}


def test_an_expired_quote_takes_no_choice(sent):
    late = timezone.now() + timedelta(days=30)

    with pytest.raises(Exception, match="expired"):
        accept_quote(
            revision=sent, signature=SIGNATURE, now=late, yes=Yes(choice=CHOICE)
        )


def test_a_change_takes_the_part_of_the_discount_that_was_accepted(sam, sent):
    """S$10 off S$440.00; S$240.00 are chosen, so S$5.45 are off."""
    draft = revise_quote(revision=sent, by=sam, now=timezone.now())
    draft.discount_amount = Decimal(10)
    draft.save()
    offered = dispatch(draft)
    fewer = Yes(choice=Choice(quantities={1: Decimal(2)}), total_shown=None)
    acceptance = accept(offered, fewer)
    accepted = acceptance.chosen["totals"]
    assert accepted["discount"] == "5.45"

    change = revise_quote(
        revision=Revision.objects.get(pk=offered.pk), by=sam, now=timezone.now()
    )

    assert change.discount_amount == Decimal("5.45")
    whole = Revision.objects.with_lines().get(pk=change.pk)
    assert str(sums_of(whole, timezone.localdate()).totals.gross) == accepted["gross"]
