"""Two people at once: one is served, the others are told."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal
from threading import Barrier

import pytest
from django.db import connection
from django.utils import timezone

from quotes.errors import QuoteError
from quotes.models import (
    Line,
    Quote,
    QuoteRequest,
    Revision,
    SupplierInvite,
    SupplierOffer,
)
from quotes.services.lines import save_line
from quotes.services.quotes import build_quote, revise_quote
from quotes.services.triage import take_request
from quotes.states import RevisionStatus
from tests.factories import make_request, make_revision, make_staff
from tests.quotes.sourcing import make_inquiry, offer

# The GST rates come from a migration: each test gets them back after the flush.
pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)
AT_ONCE = 4


def race(act):
    """Let `act(n)` run in several threads at once; return what each got or was told."""
    start = Barrier(AT_ONCE)

    def run(n):
        start.wait()
        try:
            return act(n)
        except QuoteError as error:
            return str(error)
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(run, range(AT_ONCE)))


def test_one_of_many_takes_a_request():
    request = make_request()
    people = [make_staff(name=f"Person {n}") for n in range(AT_ONCE)]

    def take(n):
        mine = QuoteRequest.objects.get(pk=request.pk)
        take_request(request=mine, by=people[n])

    told = race(take)

    request.refresh_from_db()
    assert told.count(None) == 1
    assert request.owner == people[told.index(None)]
    others = [words for words in told if words]
    assert all(words.startswith(f"{request.owner} took this at") for words in others)


def test_clicks_at_once_build_one_quote(sam):
    request = make_request()

    race(lambda n: build_quote(request=request, by=sam, now=timezone.now()).pk)

    assert Quote.objects.count() == 1
    assert Revision.objects.get().lines.count() == 1


def test_clicks_at_once_open_one_draft(sam):
    sent = make_revision(author=sam, status=RevisionStatus.SENT)

    race(lambda n: revise_quote(revision=sent, by=sam, now=timezone.now()).pk)

    assert Revision.objects.filter(status=RevisionStatus.DRAFT).count() == 1


def test_of_edits_at_once_one_is_saved_and_the_others_conflict(sam):
    line = make_revision(author=sam).lines.get()

    def edit(n):
        mine = Line.objects.select_related("revision").get(pk=line.pk)
        changes = {"unit_price": Decimal(n + 1)}
        save_line(line=mine, changes=changes, version=1, by=sam, now=timezone.now())

    told = race(edit)

    line.refresh_from_db()
    assert told.count(None) == 1
    assert line.unit_price == told.index(None) + 1
    assert line.row_version == 2


def test_offers_at_once_are_versions_of_which_the_last_stands(sam):
    revision = make_revision(author=sam)
    now = timezone.now()
    invite = make_inquiry(revision, sam, now=now).invites.get()
    until = timezone.localdate() + timedelta(days=30)

    def post(n):
        mine = SupplierInvite.objects.select_related("inquiry__request").get(
            pk=invite.pk
        )
        offer(mine, 100 + n, now=now, valid_until=until)

    told = race(post)

    offers = SupplierOffer.objects.order_by("version")
    assert told == [None] * AT_ONCE
    assert [one.version for one in offers] == [1, 2, 3, 4]
    assert [one.stands for one in offers] == [False, False, False, True]
