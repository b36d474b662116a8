"""Approver, author and salesperson at once: one lawful result, never an unseen edit."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from decimal import Decimal
from threading import Barrier

import pytest
from django.db import connection

from quotes.errors import QuoteError
from quotes.models import Approval, Revision
from quotes.services import approvals
from quotes.services.lines import save_line
from quotes.services.sending import send_quote
from quotes.states import RevisionStatus
from tests.factories import make_approver, make_line, make_revision

pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)
NOW = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)
ROUNDS = range(4)


def race(*acts):
    """Let the acts run at once; return what each got, or its refusal."""
    start = Barrier(len(acts))

    def run(act):
        start.wait()
        try:
            return act()
        except QuoteError as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


@pytest.fixture
def raj():
    return make_approver("raj@example.com", name="Raj Nair")


@pytest.fixture
def thin(sam, raj):
    revision = make_revision(author=sam, lines=0, valid_until=date(2026, 12, 15))
    make_line(revision, unit_price=Decimal(100), unit_cost=Decimal(97))
    return revision


def load(revision):
    return Revision.objects.get(pk=revision.pk)


def submit(revision):
    approvals.submit_for_approval(
        revision=load(revision),
        by=revision.author,
        note="",
        version=load(revision).row_version,
        now=NOW,
    )


def decide(revision, by, service=approvals.approve_quote):
    def act():
        service(
            revision=load(revision),
            by=by,
            comment="Well",
            version=load(revision).row_version,
            now=NOW,
        )

    return act


def edit(revision):
    line = revision.lines.select_related("revision").get()

    def act():
        save_line(
            line=line,
            changes={"unit_price": Decimal(98)},
            version=line.row_version,
            by=revision.author,
            now=NOW,
        )

    return act


def send(revision):
    def act():
        send_quote(
            revision=load(revision),
            by=revision.author,
            to_email="carol@example.com",
            to_name="",
            cc=[],
            message="",
            now=NOW,
        )

    return act


@pytest.mark.parametrize("nth", ROUNDS)
def test_an_edit_beside_an_approval_is_refused_or_voids_it(thin, raj, nth):
    submit(thin)

    edited, approved = race(edit(thin), decide(thin, raj))

    assert approved is None
    approval, price = Approval.objects.get(), thin.lines.get().unit_price
    if edited is None:
        assert (approval.outcome, price) == ("voided", Decimal(98))
        assert load(thin).status == RevisionStatus.DRAFT
    else:
        assert (approval.outcome, price) == ("approved", Decimal(100))
        assert load(thin).status == RevisionStatus.APPROVED


@pytest.mark.parametrize("nth", ROUNDS)
def test_an_edit_beside_a_submission_is_seen_or_refused(thin, nth):
    edited, submitted = race(edit(thin), lambda: submit(thin))

    price = thin.lines.get().unit_price
    assert (edited is None) is (price == Decimal(98))
    if submitted is None:
        assert Approval.objects.get().content["sections"][0]["lines"][0][
            "unit_price"
        ] == str(price)


@pytest.mark.parametrize("nth", ROUNDS)
def test_of_yes_and_no_one_counts(thin, raj, nth):
    boss = make_approver("boss@example.com")
    submit(thin)

    yes, no = race(decide(thin, raj), decide(thin, boss, approvals.reject_quote))

    assert (yes is None) != (no is None)
    expected = RevisionStatus.APPROVED if yes is None else RevisionStatus.DRAFT
    assert load(thin).status == expected
    assert Approval.objects.get().decided_by == (raj if yes is None else boss)


@pytest.mark.parametrize("nth", ROUNDS)
def test_an_edit_beside_the_sending_never_goes_out_unseen(thin, raj, nth):
    submit(thin)
    decide(thin, raj)()

    edited, sent = race(edit(thin), send(thin))

    assert (edited is None) != (sent is None)
    if sent is None:
        assert load(thin).status == RevisionStatus.SENDING
        assert thin.lines.get().unit_price == Decimal(100)
    else:
        assert load(thin).status == RevisionStatus.DRAFT
        assert Approval.objects.get().outcome == "voided"
