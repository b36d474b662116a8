"""Reasons, comments and screenings of an approval reach no customer."""

from __future__ import annotations

import io
import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from quotes.models import Revision
from quotes.services.approvals import approve_quote, submit_for_approval
from quotes.services.overrides import let_go
from quotes.services.screening import record_screening
from quotes.services.sending import dispatch_revision, send_quote
from sourceit.links import issue_link, token_of
from tests.factories import (
    make_approver,
    make_line,
    make_product,
    make_request,
    make_revision,
)

pytestmark = pytest.mark.django_db
SECRETS = re.compile(
    r"hush|margin|below cost|97\.00|under 8|SCR-7|screening|let go", re.IGNORECASE
)


@pytest.fixture
def sent(sam, django_capture_on_commit_callbacks):
    """A controlled item, sold thin and without lead time, let go, approved and sent."""
    asked = make_request(
        status="in_progress",
        owner=sam,
        end_user="Lab",
        end_use="Research",
        final_country="Singapore",
    )
    revision = make_revision(author=sam, request=asked, lines=0)
    line = make_line(
        revision,
        product=make_product(mpn="HGX-1", is_controlled=True),
        mpn="HGX-1",
        unit_price=Decimal(100),
        unit_cost=Decimal(97),
        lead_weeks_min=None,
        lead_weeks_max=None,
    )
    raj, now = make_approver("raj@example.com", name="Raj Nair"), timezone.now()
    record_screening(
        revision=revision,
        result="clear",
        reference="SCR-7",
        note="hush",
        by=sam,
        now=now,
    )
    let_go(revision=revision, codes=[f"lead-{line.pk}"], reason="hush", by=sam, now=now)
    revision.refresh_from_db()
    acting = {"revision": revision, "version": revision.row_version, "now": now}
    with django_capture_on_commit_callbacks(execute=True):
        submit_for_approval(by=sam, note="hush", **acting)
        approve_quote(by=raj, comment="hush", **acting)
        send_quote(
            revision=Revision.objects.get(pk=revision.pk),
            by=sam,
            to_email=asked.email,
            to_name="",
            cc=[],
            message="",
            now=now - timedelta(minutes=1),
        )
        assert dispatch_revision(revision.pk, now)
    return Revision.objects.get(pk=revision.pk)


def test_pages_content_pdf_and_letters_hold_none(client, sent):
    asked = sent.quote.request
    pages = [
        reverse(f"quotes:{name}", args=[token_of(link)])
        for name, link in {
            "track": issue_link(asked, purpose="track", email=asked.email),
            "answer": issue_link(sent, purpose="answer", email=asked.email),
        }.items()
    ]
    with sent.document.file.open("rb") as file:
        pdf = PdfReader(io.BytesIO(file.read()))
    text = "\n".join(page.extract_text() for page in pdf.pages)
    letters = [m for m in mail.outbox if m.to == [asked.email]]
    texts = [client.get(page).content.decode() for page in pages]

    assert "Approved by Raj Nair" in text
    assert letters
    for each in [*texts, text, str(sent.content), *(m.body for m in letters)]:
        assert SECRETS.findall(each) == []
