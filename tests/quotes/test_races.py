"""The customer's side at once: one answer counts, one request is made."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier
from uuid import uuid4

import pytest
from django.core import mail
from django.db import connection

from quotes.errors import QuoteError
from quotes.models import Acceptance, Quote, QuoteRequest, Revision
from quotes.services.answers import Signature, accept_quote, decline_quote
from quotes.services.requests import submit_request
from quotes.services.sending import dispatch_revision, send_quote
from quotes.states import RequestStatus, RevisionStatus
from sourceit.models import AccessLink, Counter, Delivery, Document
from tests.factories import make_request, make_revision

pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)

NOW = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)
LATER = NOW + timedelta(seconds=31)


@pytest.fixture(autouse=True)
def _own_media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def race(*jobs):
    """Run the jobs at the same instant; return what each got, or its refusal."""
    start = Barrier(len(jobs))

    def run(job):
        try:
            start.wait(timeout=30)
            return job()
        except QuoteError as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


def prepare(by, **fields) -> Revision:
    """A revision that is due to be dispatched at LATER."""
    revision = make_revision(author=by, valid_until=NOW.date(), **fields)
    send_quote(
        revision=revision,
        by=by,
        to_email="carol@example.com",
        to_name="Carol Tan",
        cc=[],
        message="",
        now=NOW,
    )
    return revision


@pytest.fixture
def sent(sam) -> Revision:
    request = make_request(status=RequestStatus.IN_PROGRESS, owner=sam)
    revision = prepare(sam, request=request)
    assert dispatch_revision(revision.pk, LATER)
    return revision


def accept(revision: Revision) -> Acceptance:
    return accept_quote(
        revision=Revision.objects.get(pk=revision.pk),
        signature=Signature(
            name="Carol Tan",
            job_title="Head of IT",
            email="carol@example.com",
            words="I accept.",
        ),
        now=LATER,
    )


def decline(revision: Revision) -> None:
    decline_quote(
        revision=Revision.objects.get(pk=revision.pk),
        reason="Price",
        comment="",
        email="carol@example.com",
        name="Carol Tan",
        user=None,
        now=LATER,
    )


def statuses(*revisions: Revision) -> list[str]:
    return [Revision.objects.get(pk=one.pk).status for one in revisions]


def test_twenty_clicks_are_one_acceptance_and_one_pair_of_letters(sent):
    results = race(*[lambda: accept(sent)] * 20)

    only = Acceptance.objects.get()
    assert results == [only] * 20
    kinds = ("quote_accepted", "quote_accepted_desk")
    letters = Delivery.objects.filter(kind__in=kinds)
    assert sorted(letters.values_list("kind", flat=True)) == sorted(kinds)
    assert [m.subject for m in mail.outbox].count(letters[0].email_subject) == 1
    assert statuses(sent) == [RevisionStatus.ACCEPTED]


@pytest.mark.parametrize("nth", range(4))
def test_of_yes_and_no_one_counts(sent, nth):
    yes, no = race(lambda: accept(sent), lambda: decline(sent))

    assert isinstance(yes, Acceptance) != (no is None)
    wanted = RevisionStatus.DECLINED if no is None else RevisionStatus.ACCEPTED
    assert statuses(sent) == [wanted]
    request = QuoteRequest.objects.get()
    ended = RequestStatus.LOST if no is None else RequestStatus.WON
    assert request.status == ended
    assert Acceptance.objects.count() == int(no is not None)


@pytest.mark.parametrize("nth", range(4))
def test_an_acceptance_and_its_successor_give_one_lawful_result(sent, sam, nth):
    successor = prepare(sam, quote=Quote.objects.get(pk=sent.quote_id), n=2)

    accepted, dispatched = race(
        lambda: accept(sent), lambda: dispatch_revision(successor.pk, LATER)
    )

    live = AccessLink.objects.filter(purpose="answer", revoked_at=None)
    assert live.count() == 1
    if dispatched:
        assert isinstance(accepted, QuoteError)
        assert "replaced" in str(accepted)
        assert statuses(sent, successor) == [
            RevisionStatus.SUPERSEDED,
            RevisionStatus.SENT,
        ]
        assert live.get().subject == successor
        assert not Acceptance.objects.exists()
        return
    assert isinstance(accepted, Acceptance)
    assert statuses(sent, successor) == [
        RevisionStatus.ACCEPTED,
        RevisionStatus.SENDING,
    ]
    assert live.get().subject == sent
    document = Document.objects.get(subject_id=successor.pk, kind="quotation")
    assert document.status == Document.Status.FAILED


def test_one_key_is_one_request_however_often_it_is_sent():
    basket = make_request(status=RequestStatus.DRAFT, number="", submitted_at=None)
    key = uuid4()
    details = {"name": "Carol Tan", "email": "carol@example.com", "company": "Ex"}

    def submit() -> QuoteRequest:
        mine = QuoteRequest.objects.get(pk=basket.pk)
        return submit_request(basket=mine, details=details, key=key, user=None, now=NOW)

    results = race(*[submit] * 8)

    request = QuoteRequest.objects.get()
    assert results == [request] * 8
    assert {result.number for result in results} == {"RFQ-2026-0001"}
    assert Counter.objects.get(series="RFQ").value == 1
    assert Delivery.objects.count() == 2
