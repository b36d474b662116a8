"""A change after the yes: put to the customer, in force once they accept it."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone

from quotes.errors import QuoteError
from quotes.models import Acceptance, Order, Quote, Revision
from quotes.services.acceptances import void_acceptance
from quotes.services.checks import find_problems
from quotes.services.orders import convert_quote
from quotes.services.quotes import revise_quote, withdraw_quote
from quotes.services.sending import dispatch_revision, send_quote
from quotes.states import RequestStatus, RevisionStatus
from sourceit.models import Delivery
from tests.factories import make_approver, make_bought, make_order, make_revision
from tests.quotes.answering import accept, address_of, decline, dispatch
from tests.quotes.answering import quick_pdf as quick_pdf
from tests.quotes.test_races import race

pytestmark = pytest.mark.django_db

at_once = pytest.mark.django_db(transaction=True, serialized_rollback=True)


@pytest.fixture(autouse=True)
def _own_media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def bought(sam) -> Revision:
    return make_bought(sam)


def propose(bought: Revision, by, quantity: int = 2) -> Revision:
    """Put a change to the customer: another quantity of the first line."""
    draft = revise_quote(revision=bought, by=by, now=timezone.now())
    draft.lines.update(quantity=Decimal(quantity))
    return dispatch(draft)


def fresh(*revisions: Revision) -> list[str]:
    return [Revision.objects.get(pk=one.pk).status for one in revisions]


def void(revision: Revision) -> None:
    by = make_approver()
    void_acceptance(revision=revision, by=by, reason="No", now=timezone.now())


def test_what_was_accepted_stays_in_force_until_the_change_is(bought, sam) -> None:
    change = propose(bought, sam)

    assert fresh(bought, change) == ["accepted", "sent"]
    assert bought.quote.request.status == RequestStatus.WON
    assert change.content["amends"] == 1

    accept(change)

    assert fresh(bought, change) == ["superseded", "accepted"]
    bought.quote.request.refresh_from_db()
    assert bought.quote.request.status == RequestStatus.WON
    assert Acceptance.objects.count() == 2


def test_the_customer_is_told_what_a_yes_would_do(client, bought, sam) -> None:
    change = propose(bought, sam)

    for name in ("answer", "accept"):
        page = client.get(address_of(change, name)).content.decode()
        assert "This would change revision 1, which you accepted" in page
    letter = Delivery.objects.filter(kind="quote_sent").order_by("-pk").first()
    assert "stays in force until you accept this one" in letter.body_text
    assert "It replaces the earlier one" not in letter.body_text
    assert "Accepted" in client.get(address_of(bought)).content.decode()


def test_the_old_link_ends_only_with_the_yes(client, bought, sam) -> None:
    old = address_of(bought)
    change = propose(bought, sam)
    assert client.get(old).status_code == 200

    accept(change)

    assert client.get(old).status_code == 410


def test_a_no_to_the_change_leaves_all_as_it_was(bought, sam) -> None:
    change = propose(bought, sam)

    decline(change)

    assert fresh(bought, change) == ["accepted", "declined"]
    assert bought.quote.request.status == RequestStatus.WON
    assert propose(bought, sam, 3).content["amends"] == 1, "it may be proposed again"


def test_a_change_that_runs_out_leaves_all_as_it_was(bought, sam) -> None:
    change = propose(bought, sam)
    past = timezone.localdate() - timedelta(days=1)
    Revision.objects.filter(pk=change.pk).update(valid_until=past)

    with pytest.raises(QuoteError, match="expired"):
        accept(Revision.objects.get(pk=change.pk))

    assert fresh(bought, change) == ["accepted", "sent"]


def test_a_withdrawn_change_brings_nothing_else_back(sam) -> None:
    """Revision 1 was replaced by 2, which was accepted: withdrawing 3 offers no 1."""
    first = dispatch(make_revision(author=sam))
    second = dispatch(make_revision(quote=first.quote, author=sam, n=2))
    accept(second)
    change = propose(second, sam)

    back = withdraw_quote(revision=change, by=sam, reason="No", now=timezone.now())

    assert back is None
    assert fresh(first, second, change) == ["superseded", "accepted", "withdrawn"]


def test_an_order_is_changed_by_the_order_of_the_change(bought, sam) -> None:
    order = make_order(bought, sam)
    change = propose(bought, sam)
    order.refresh_from_db()
    assert order.replaced_at is None

    accept(change)
    newer = convert_quote(revision=change, by=sam, now=timezone.now())

    order.refresh_from_db()
    assert order.replaced_at is not None
    assert (newer.replaced_at, newer.gross) == (None, change.gross)
    assert fresh(bought, change) == ["superseded", "converted"]


def test_a_draft_from_before_the_yes_is_not_sent(sam) -> None:
    sent = dispatch(make_revision(author=sam))
    draft = revise_quote(revision=sent, by=sam, now=timezone.now())
    accept(sent)

    whole = Revision.objects.with_lines().get(pk=draft.pk)
    problems = [one.message for one in find_problems(whole, timezone.now())]

    assert any("An earlier revision was accepted" in one for one in problems)
    with pytest.raises(QuoteError, match="Discard this draft"):
        dispatch(draft)


def test_a_voided_yes_makes_the_change_an_ordinary_revision(bought, sam) -> None:
    draft = revise_quote(revision=bought, by=sam, now=timezone.now())
    void(bought)

    change = dispatch(draft)

    assert fresh(bought, change) == ["superseded", "sent"]
    assert change.content["amends"] is None


def test_a_yes_that_is_voided_beside_a_change_is_withdrawn(bought, sam) -> None:
    change = propose(bought, sam)

    void(bought)

    assert fresh(bought, change) == ["withdrawn", "sent"]
    accept(change)
    assert Quote.objects.get().request.status == RequestStatus.WON


def test_the_yes_to_a_change_is_not_voided(bought, sam) -> None:
    change = propose(bought, sam)
    accept(change)

    with pytest.raises(QuoteError, match="Send the customer a new revision"):
        void(Revision.objects.get(pk=change.pk))


def test_the_desk_proposes_a_change(sam_client, bought) -> None:
    page = sam_client.get(reverse("desk:quote", args=[bought.pk])).content.decode()
    assert "Propose a change" in page

    sam_client.post(reverse("desk:quote_revise", args=[bought.pk]))

    assert Revision.objects.get(n=2).amends == bought


@at_once
@pytest.mark.parametrize("nth", range(3))
def test_a_yes_to_the_change_and_the_order_of_the_old(bought, sam, nth) -> None:
    change = propose(bought, sam)

    said, made = race(
        lambda: accept(Revision.objects.get(pk=change.pk)),
        lambda: convert_quote(
            revision=Revision.objects.get(pk=bought.pk), by=sam, now=timezone.now()
        ),
    )

    assert isinstance(said, Acceptance)
    assert fresh(bought, change) == ["superseded", "accepted"]
    if isinstance(made, Order):
        assert Order.objects.get().replaced_at is not None
    else:
        assert not Order.objects.exists()


@at_once
@pytest.mark.parametrize("nth", range(3))
def test_a_yes_to_the_old_and_the_send_of_the_new(sam, nth) -> None:
    """One of them wins; the other learns of it, and one offer stands."""
    sent = dispatch(make_revision(author=sam))
    draft = revise_quote(revision=sent, by=sam, now=timezone.now())
    early = timezone.now() - timedelta(minutes=1)
    to = {"to_email": draft.to_email, "to_name": "", "cc": [], "message": ""}
    send_quote(revision=draft, by=sam, now=early, **to)

    said, went = race(
        lambda: accept(Revision.objects.get(pk=sent.pk)),
        lambda: dispatch_revision(draft.pk, timezone.now()),
    )

    assert isinstance(said, Acceptance) != went
    expected = ["superseded", "sent"] if went else ["accepted", "sending"]
    assert fresh(sent, draft) == expected


@at_once
def test_twenty_yeses_to_a_change_are_one(bought, sam) -> None:
    change = propose(bought, sam)

    results = race(*[lambda: accept(Revision.objects.get(pk=change.pk))] * 20)

    assert len({one.pk for one in results}) == 1
    assert fresh(bought, change) == [RevisionStatus.SUPERSEDED, RevisionStatus.ACCEPTED]
