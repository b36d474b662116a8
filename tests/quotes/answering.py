"""What tests of a customer's answers share: a sent quote, its links, a yes and a no."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from quotes.models import Acceptance, AcceptCode, ChangeRequest, Revision
from quotes.services.answers import (
    Signature,
    accept_quote,
    decline_quote,
)
from quotes.services.changes import ask_for_change
from quotes.services.sending import dispatch_revision, send_quote
from quotes.states import RequestStatus
from sourceit.codes import code_of
from sourceit.links import find_links, token_of
from sourceit.pdf import Pdf
from tests.factories import (
    make_request,
    make_revision,
)

SIGNATURE = Signature(
    name="Carol Tan",
    job_title="Head of purchasing",
    email="carol@example.com",
    words="I accept.",
    po_number="PO-4711",
    address="192.0.2.7",
    agent="Firefox",
)
TICKED = {"name": "Carol Tan", "job_title": "Head", "agrees": "on"}


@pytest.fixture(autouse=True)
def quick_pdf(monkeypatch):
    pdf = Pdf(data=b"%PDF-1.7 any", pages=1)
    monkeypatch.setattr("quotes.services.sending.render_quote", lambda *_, **__: pdf)


def dispatch(revision: Revision, *, cc: tuple[str, ...] = ()) -> Revision:
    now = timezone.now()
    send_quote(
        revision=revision,
        by=revision.author,
        to_email=revision.to_email,
        to_name=revision.to_name,
        cc=list(cc),
        message="",
        now=now - timedelta(minutes=1),
    )
    assert dispatch_revision(revision.pk, now)
    return Revision.objects.get(pk=revision.pk)


@pytest.fixture
def sent(sam) -> Revision:
    asked = make_request(owner=sam, status=RequestStatus.IN_PROGRESS)
    return dispatch(make_revision(request=asked, author=sam, lines=2))


def address_of(revision: Revision, name: str = "answer", email: str = "") -> str:
    email = email or revision.to_email
    link = find_links([revision], purpose="answer", email=email)[revision.pk]
    return reverse(f"quotes:{name}", args=[token_of(link)])


def accept(revision: Revision, now: datetime | None = None) -> Acceptance:
    now = now or timezone.now()
    return accept_quote(revision=revision, signature=SIGNATURE, now=now)


def with_code(client, revision: Revision, **typed: str) -> dict[str, str]:
    """Fill the form in, with the code that this browser has sent to the recipient."""
    client.post(address_of(revision, "accept_code"))
    return {**TICKED, "code": code_of(AcceptCode.objects.first().pk), **typed}


def decline(revision: Revision) -> None:
    decline_quote(
        revision=revision,
        reason="The price",
        comment="Too dear",
        email="carol@example.com",
        name="Carol Tan",
        user=None,
        now=timezone.now(),
    )


def ask(revision: Revision, text: str = "Six, please") -> ChangeRequest:
    return ask_for_change(
        revision=revision,
        text=text,
        email="carol@example.com",
        name="Carol Tan",
        user=None,
        now=timezone.now(),
    )
