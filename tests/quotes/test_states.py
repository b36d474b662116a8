"""Every state x actor x action of both machines, allowed and refused."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from quotes.states import (
    CUSTOMER_REQUEST_WORDS,
    CUSTOMER_REVISION_WORDS,
    EDITABLE,
    INQUIRY_MOVES,
    REQUEST_MOVES,
    REVISION_MOVES,
    UNSENT,
    Actor,
    InquiryStatus,
    RequestStatus,
    RevisionStatus,
    allowed_actions,
    find_move,
    may,
)

# The tables of docs/quote-lifecycle.md: "action: from, from -> to, by, by".
REQUESTS = """
submit: draft -> submitted, customer, sales
take: submitted -> in_progress, sales
assign: submitted -> in_progress, sales
hand_over: in_progress, awaiting_customer, quoted -> -, sales
mark_spam: submitted -> spam, sales
ask: in_progress -> awaiting_customer, sales
answer: awaiting_customer -> in_progress, customer
quote: submitted, in_progress, awaiting_customer, quoted -> quoted, system
decline: submitted, in_progress, awaiting_customer -> declined, sales
cancel: submitted, in_progress, awaiting_customer, quoted -> cancelled, customer
win: quoted -> won, system
lose: quoted -> lost, system, sales
reopen: won, lost -> quoted, system
"""
REVISIONS = """
edit: draft, approved -> draft, sales
discard: draft, approved -> -, sales
submit: draft -> pending_approval, sales
approve: pending_approval -> approved, approver
reject: pending_approval -> draft, approver
recall: pending_approval, approved -> draft, sales
send: draft, approved -> sending, sales
undo: sending -> draft, sales
undo_approved: sending -> approved, sales
dispatch: sending -> sent, system
accept: sent -> accepted, customer, sales
decline: sent -> declined, customer
ask_for_change: sent -> -, customer
withdraw: sent -> withdrawn, sales
cancel: sent -> withdrawn, system
supersede: sent -> superseded, system
restore: superseded -> sent, system
amend: accepted, converted -> superseded, system
void: accepted -> sent, approver
void_late: accepted -> withdrawn, approver
convert: accepted -> converted, sales
"""

INQUIRIES = """
edit: draft -> -, sales
discard: draft -> -, sales
send: draft -> sent, sales
offer: sent, awarded -> -, supplier, sales
decline: sent, awarded -> -, supplier, sales
award: sent, awarded -> awarded, sales
close: sent, awarded -> closed, sales
ask_again: sent, awarded, closed -> -, sales
"""


def read_table(text):
    """Return {action: (sources, target, actors)} of a table above."""
    table = {}
    for line in text.strip().splitlines():
        action, rest = line.split(": ")
        sources, after = rest.split(" -> ")
        target, *actors = after.split(", ")
        table[action] = (sources.split(", "), target, actors)
    return table


MACHINES = [
    (REQUEST_MOVES, RequestStatus, read_table(REQUESTS)),
    (REVISION_MOVES, RevisionStatus, read_table(REVISIONS)),
    (INQUIRY_MOVES, InquiryStatus, read_table(INQUIRIES)),
]


def cases():
    for moves, statuses, table in MACHINES:
        for status, actor, action in product(statuses, Actor, table):
            yield moves, status, actor, action, table[action]


@pytest.mark.parametrize(("moves", "status", "actor", "action", "row"), list(cases()))
def test_every_state_actor_and_action(moves, status, actor, action, row):
    sources, target, actors = row
    expected = status.value in sources and actor.value in actors

    assert may(moves, status, action, {actor}) is expected
    assert (action in allowed_actions(moves, status, {actor})) is expected
    assert (find_move(moves, action).target or "-") == target


@pytest.mark.parametrize("text", [REQUESTS, REVISIONS])
def test_the_documentation_has_the_same_tables(text):
    documented = Path("docs/quote-lifecycle.md").read_text()

    for action, (sources, target, actors) in read_table(text).items():
        row = f"| {action} | {', '.join(sources)} | {target} | {', '.join(actors)} |"
        assert row in documented


@pytest.mark.parametrize(("moves", "statuses", "table"), MACHINES)
def test_the_machines_have_no_other_actions(moves, statuses, table):
    assert {move.action for move in moves} == set(table)


@pytest.mark.parametrize("status", list(RevisionStatus))
def test_a_customer_cannot_accept_after_expiry_but_staff_can(status):
    customer = allowed_actions(
        REVISION_MOVES, status, {Actor.CUSTOMER}, has_expired=True
    )
    sales = allowed_actions(REVISION_MOVES, status, {Actor.SALES}, has_expired=True)

    assert "accept" not in customer
    assert ("accept" in sales) is (status == RevisionStatus.SENT)


def test_nobody_moves_what_is_final():
    everybody = set(Actor)

    assert not allowed_actions(REVISION_MOVES, RevisionStatus.DECLINED, everybody)
    ordered = allowed_actions(REVISION_MOVES, RevisionStatus.CONVERTED, everybody)
    assert ordered == {"amend"}, "only a change that the customer accepts ends it"
    for status in (RequestStatus.SPAM, RequestStatus.DECLINED, RequestStatus.CANCELLED):
        assert not allowed_actions(REQUEST_MOVES, status, everybody)


def test_an_unknown_action_is_an_error():
    with pytest.raises(KeyError):
        may(REQUEST_MOVES, RequestStatus.DRAFT, "fly", {Actor.SALES})


def test_the_customer_has_words_for_every_state_they_can_see():
    assert set(CUSTOMER_REQUEST_WORDS) == set(RequestStatus)
    assert set(CUSTOMER_REVISION_WORDS) == set(RevisionStatus) - set(UNSENT)


def test_what_may_be_edited_was_not_sent():
    assert set(EDITABLE) < set(UNSENT)
