"""A quote at the desk by the client: review, send, undo, revise, withdraw."""

from __future__ import annotations

import hashlib
from datetime import timedelta

import pytest
from django.utils import timezone

from quotes.models import Acceptance, Revision
from quotes.services import sending
from quotes.states import RevisionStatus
from sourceit.links import issue_link
from sourceit.models import Delivery, Document
from tests.factories import (
    make_revision,
    make_staff,
    make_user,
)
from tests.quotes.builder_posts import url

pytestmark = pytest.mark.django_db


@pytest.fixture
def revision(sam):
    return make_revision(author=sam, lines=2)


def revise(client, revision):
    client.post(url("quote_revise", revision.pk))
    return Revision.objects.get(n=revision.n + 1)


def send_now(client, revision):
    client.post(url("quote_send", revision.pk), {"version": revision.row_version})
    later = timezone.now() + timedelta(seconds=31)
    assert sending.dispatch_revision(revision.pk, later)
    revision.refresh_from_db()


def test_a_discarded_draft_is_gone_and_the_request_can_be_quoted_again(
    sam_client, revision
):
    request = revision.quote.request

    response = sam_client.post(url("quote_discard", revision.pk), follow=True)

    assert b"Draft revision 1 is discarded." in response.content
    assert b"discarded draft revision 1" in response.content
    assert not Revision.objects.exists()
    assert b"Build quote" in sam_client.get(url("request", request.pk)).content


def test_what_was_sent_is_never_discarded(sam_client, revision):
    send_now(sam_client, revision)
    draft = revise(sam_client, revision)

    refused = sam_client.post(url("quote_discard", revision.pk))
    sam_client.post(url("quote_discard", draft.pk))

    assert refused.status_code == 422
    assert list(Revision.objects.all()) == [revision]


def test_the_review_shows_to_whom_what_and_what_is_wrong(sam_client, revision):
    revision.cc, revision.message = ["boss@example.com"], "As we spoke."
    revision.valid_until = None
    revision.save()

    page = sam_client.get(url("quote_send", revision.pk)).content.decode()

    for words in (revision.to_email, "boss@example.com", "As we spoke.", "S$57,046.50"):
        assert words in page
    assert "Enter the date until which" in page
    assert "Send quote" not in page


def test_sending_what_was_reviewed_starts_the_time_to_undo(sam_client, revision):
    response = sam_client.post(
        url("quote_send", revision.pk), {"version": revision.row_version}
    )

    assert response.url == url("quote", revision.pk)
    revision.refresh_from_db()
    assert revision.status == RevisionStatus.SENDING
    page = sam_client.get(response.url).content.decode()
    assert "Undo sending" in page
    assert 'hx-trigger="load delay:' in page


def test_a_quote_that_changed_since_the_review_is_not_sent(sam_client, revision):
    raj = make_staff("raj@example.com", name="Raj Nair")
    Revision.objects.update(row_version=7, edited_by=raj)

    response = sam_client.post(url("quote_send", revision.pk), {"version": 1})

    assert response.status_code == 409
    assert b"Raj Nair changed the quote" in response.content
    revision.refresh_from_db()
    assert revision.status == RevisionStatus.DRAFT


def test_undo_opens_the_draft_again(sam_client, revision):
    sam_client.post(url("quote_send", revision.pk), {"version": 1})

    sam_client.post(url("quote_undo", revision.pk))

    revision.refresh_from_db()
    assert revision.status == RevisionStatus.DRAFT
    assert b"data-builder" in sam_client.get(url("quote", revision.pk)).content


def test_undoing_too_late_says_so(sam_client, revision):
    revision.status = RevisionStatus.SENT
    revision.save()

    response = sam_client.post(url("quote_undo", revision.pk))

    assert response.status_code == 422
    assert b"too late" in response.content


def test_the_status_follows_by_itself_and_reloads_when_it_is_another(
    sam_client, revision
):
    sam_client.post(url("quote_send", revision.pk), {"version": 1})
    ask = {"headers": {"HX-Request": "true"}}
    address = url("quote_status", revision.pk)

    moving = sam_client.get(address + "?was=sending", **ask)
    send_now(sam_client, revision)
    settled = sam_client.get(address + "?was=sending", **ask)

    assert b'id="status"' in moving.content
    assert settled["HX-Refresh"] == "true"
    assert sam_client.get(address).url == url("quote", revision.pk)


def test_a_sent_quote_shows_what_the_customer_has_and_the_emails(sam_client, revision):
    send_now(sam_client, revision)

    page = sam_client.get(url("quote", revision.pk)).content.decode()

    assert revision.quote.number.startswith("Q-")
    for words in (
        revision.quote.number,
        "S$57,046.50",
        revision.to_email,
        "Revise quote",
    ):
        assert words in page


def test_a_failed_pdf_is_shown_and_can_be_made_again(sam_client, revision):
    revision.status = RevisionStatus.SENDING
    revision.send_after = timezone.now()
    revision.save()
    Document.objects.create(
        subject=revision, kind="quotation", name="Q", status="failed", error="No disk"
    )

    page = sam_client.get(url("quote", revision.pk)).content.decode()
    assert "No disk" in page
    assert "hx-trigger" not in page.split('id="status"')[1].split(">")[0]
    sam_client.post(url("document_retry", revision.pk))

    assert Document.objects.get().status != "failed"


def test_an_email_that_failed_can_be_sent_again(sam_client, revision):
    delivery = Delivery.objects.create(
        subject=revision, kind="quote", recipient="c@example.com", status="failed"
    )

    response = sam_client.post(url("delivery_retry", delivery.pk))

    assert response.url == url("quote", revision.pk)
    delivery.refresh_from_db()
    assert delivery.status == Delivery.Status.QUEUED


def test_an_email_about_something_else_is_not_found(sam_client, sam):
    delivery = Delivery.objects.create(
        subject=make_user(), kind="x", recipient="c@example.com", status="failed"
    )

    assert sam_client.post(url("delivery_retry", delivery.pk)).status_code == 404


def test_revising_opens_the_next_draft(sam_client, revision):
    send_now(sam_client, revision)

    response = sam_client.post(url("quote_revise", revision.pk))

    draft = Revision.objects.get(n=2)
    assert response.url == url("quote", draft.pk)
    again = sam_client.post(url("quote_revise", revision.pk), follow=True)
    assert again.redirect_chain[-1][0] == url("quote", draft.pk)
    assert b"has an open draft already" in again.content


def test_withdrawing_needs_a_reason_and_then_closes(sam_client, revision):
    send_now(sam_client, revision)

    refused = sam_client.post(url("quote_withdraw", revision.pk), {"reason": ""})
    sam_client.post(url("quote_withdraw", revision.pk), {"reason": "price"})

    assert refused.status_code == 422
    revision.refresh_from_db()
    assert revision.status == RevisionStatus.WITHDRAWN


def test_the_preview_is_a_draft_pdf_and_only_of_drafts(sam_client, revision):
    response = sam_client.get(url("preview", revision.pk))

    assert response["Content-Type"] == "application/pdf"
    assert response.content.startswith(b"%PDF")
    send_now(sam_client, revision)
    assert sam_client.get(url("preview", revision.pk)).status_code == 404


def test_the_quote_shows_the_answers_and_who_opened_it(sam_client, revision):
    send_now(sam_client, revision)
    link = issue_link(revision, purpose="answer", email=revision.to_email)
    link.views.create(agent="Firefox")
    issue_link(revision, purpose="answer", email="bot@example.com").views.create(
        is_scanner=True
    )
    revision.change_requests.create(email="c@example.com", text="Add two optics")
    Acceptance.objects.create(
        revision=revision, name="Carol Tan", po_number="PO-7", gross=1, currency="SGD"
    )

    page = sam_client.get(url("quote", revision.pk)).content.decode()

    for words in ("Add two optics", "PO-7", "Opened"):
        assert words in page
    assert "bot@example.com" not in page


def test_the_sent_file_is_handed_out_as_it_is_stored(sam_client, revision):
    assert sam_client.get(url("document", revision.pk)).status_code == 404
    send_now(sam_client, revision)

    response = sam_client.get(url("document", revision.pk))

    data = b"".join(response.streaming_content)
    assert hashlib.sha256(data).hexdigest() == revision.document.sha256
    assert response["Content-Disposition"].startswith("attachment")


def test_the_review_of_a_second_revision_says_what_changed(sam_client, revision):
    send_now(sam_client, revision)
    sam_client.post(url("quote_revise", revision.pk))
    draft = Revision.objects.get(n=2)
    draft.lines.filter(position=0).update(quantity=3)

    page = sam_client.get(url("quote_send", draft.pk)).content.decode()

    assert "What changed since revision 1" in page
    assert "quantity from 1 to 3" in page
