"""The desk's pages by the client: who may, what is shown, what changed."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from quotes.models import Acceptance, QuoteRequest, Revision
from quotes.services import sending
from quotes.services.triage import take_request
from quotes.states import RequestStatus, RevisionStatus
from quotes.urls.desk import urlpatterns
from sourceit.links import issue_link
from sourceit.models import Delivery, Document
from tests.factories import (
    make_approver,
    make_request,
    make_revision,
    make_staff,
    make_user,
)

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 2, 14, tzinfo=UTC)  # 10:14 in Singapore


def url(name, *args):
    return reverse(f"desk:{name}", args=args)


@pytest.fixture
def revision(sam):
    return make_revision(author=sam, lines=2)


def address_of(pattern, revision):
    """Return an address of a URL pattern, for things of this revision."""
    line = revision.lines.first()
    section = revision.sections.first() or revision.sections.create(title="S")
    names = {
        "line_pk": line.pk,
        "file_pk": 1,
        "section_pk": section.pk,
        "name": "x.eml",
        "index": 0,
        "pk": revision.quote.request_id
        if "request" in pattern.name or pattern.name == "quote_new"
        else revision.pk,
    }
    wanted = {name: names[name] for name in pattern.pattern.converters}
    return reverse(f"desk:{pattern.name}", kwargs=wanted)


@pytest.mark.parametrize("pattern", urlpatterns, ids=lambda pattern: pattern.name)
@pytest.mark.parametrize("method", ["get", "post"])
def test_no_page_of_the_desk_is_there_for_customers(
    client, carol_client, revision, pattern, method
):
    address = address_of(pattern, revision)

    stranger = getattr(client, method)(address)
    customer = getattr(carol_client, method)(address)

    # A wrong method is refused before anybody is asked who they are.
    assert customer.status_code in (404, 405)
    assert stranger.status_code in (302, 405)
    if stranger.status_code == 302:
        assert stranger.url.startswith(reverse("account_login"))


# What approvers do, who do not build quotes.
FOR_APPROVERS = {"quote_void", "quote_approve", "quote_reject"}
# A person's own, whatever their role.
FOR_EVERYBODY = {"view_save", "view_remove", "view_restore"}
WRITES = {
    "quote_currency",
    "pipeline_bulk",
    "request_assign",
    "lines_fill",
    "template_save",
    "template_insert",
    "template_change",
    "view_save",
    "view_remove",
    "view_restore",
    "request_take",
    "request_message",
    "request_decline",
    "request_lose",
    "request_spam",
    "quote_new",
    "quote_details",
    "quote_undo",
    "quote_revise",
    "quote_discard",
    "quote_withdraw",
    "quote_void",
    "quote_convert",
    "order_confirm",
    "po_add",
    "order_retry",
    "purchase_assign",
    "document_retry",
    "delivery_retry",
    "check_let_go",
    "end_use_save",
    "screening_record",
    "quote_submit",
    "quote_approve",
    "quote_reject",
    "quote_recall",
    "line_add",
    "line_add_product",
    "line_paste",
    "line_restore",
    "line_save",
    "line_remove",
    "line_move",
    "line_break",
    "section_add",
    "section_rename",
    "section_remove",
    "calendar_forget",
}


# Writes that another test knows, or that answer a reader otherwise than by 404.
ALL_WRITES = WRITES | {
    "pipeline_bulk",
    "request_assign",
    "view_save",
    "view_remove",
    "view_restore",
    "template_save",
    "template_insert",
    "template_change",
}


@pytest.mark.parametrize("pattern", urlpatterns, ids=lambda pattern: pattern.name)
def test_every_write_is_post_only(sam_client, revision, pattern):
    response = sam_client.get(address_of(pattern, revision))

    assert (response.status_code == 405) is (pattern.name in ALL_WRITES)


@pytest.mark.parametrize("name", sorted(WRITES - FOR_APPROVERS - FOR_EVERYBODY))
def test_staff_who_only_read_can_write_nothing(client, revision, name):
    reader = make_staff("reader@example.com", "approver")
    client.force_login(reader)
    (pattern,) = [pattern for pattern in urlpatterns if pattern.name == name]

    assert client.post(address_of(pattern, revision)).status_code == 404


def test_an_approver_reads_a_draft_but_does_not_build(client, revision):
    client.force_login(make_staff("boss@example.com", "approver"))

    response = client.get(url("quote", revision.pk))

    assert response.status_code == 200
    assert b"data-builder" not in response.content


def test_an_unknown_request_is_not_found(sam_client):
    basket = make_request(status=RequestStatus.DRAFT)

    assert sam_client.get(url("request", 999)).status_code == 404
    assert sam_client.get(url("request", basket.pk)).status_code == 404


def test_the_request_page_shows_all_that_was_asked_and_done(sam_client, sam):
    request = make_request(message="Before Christmas please", phone="+65 6123 4567")
    line = request.lines.get()
    line.target_price, line.note = 1200, "Need 2 spare"
    line.save()
    take_request(request=request, by=sam)

    page = sam_client.get(url("request", request.pk)).content.decode()

    for words in ("Before Christmas", "S$1,200.00", "Need 2 spare", "Taken by Sam Lim"):
        assert words in page
    assert url("request_take", request.pk) not in page
    assert url("quote_new", request.pk) in page


def test_the_second_to_take_sees_who_was_first(sam_client):
    request = make_request()
    with time_machine.travel(NOW, tick=False):
        raj = make_staff("raj@example.com", name="Raj Nair")
        take_request(request=QuoteRequest.objects.get(pk=request.pk), by=raj)

    response = sam_client.post(url("request_take", request.pk))

    assert response.status_code == 409
    assert b"Raj Nair took this at 10:14." in response.content


def test_declining_without_a_reason_says_so(sam_client):
    request = make_request()

    response = sam_client.post(url("request_decline", request.pk), {"reason": ""})

    assert response.status_code == 409
    assert b"Enter a reason." in response.content
    request.refresh_from_db()
    assert request.status == RequestStatus.SUBMITTED


def test_spam_and_decline_close_a_request(sam_client):
    spam, declined = make_request(), make_request()

    sam_client.post(url("request_spam", spam.pk))
    sam_client.post(url("request_decline", declined.pk), {"reason": "supply"})

    spam.refresh_from_db()
    declined.refresh_from_db()
    assert (spam.status, declined.status) == ("spam", "declined")


def test_building_opens_the_draft(sam_client, sam):
    request = make_request(lines=2)

    response = sam_client.post(url("quote_new", request.pk))

    revision = Revision.objects.get(quote__request=request)
    assert response.url == url("quote", revision.pk)
    again = sam_client.post(url("quote_new", request.pk), follow=True)
    assert again.redirect_chain[-1][0] == url("quote", revision.pk)
    assert b"has a quote already" in again.content


def test_a_request_by_phone_is_entered_and_opened(sam_client):
    response = sam_client.post(
        url("request_new"),
        {
            "name": "Carol Tan",
            "email": "carol@example.com",
            "source": "By phone",
            "asked": "4 x MSN3700-VS2F",
        },
    )

    request = QuoteRequest.objects.get()
    assert response.url == url("request", request.pk)
    assert request.lines.get().quantity == 4


def test_a_request_with_mistakes_comes_back_as_typed(sam_client):
    typed = {"name": "Carol Tan", "email": "not an address", "asked": ""}

    response = sam_client.post(url("request_new"), typed)

    assert response.status_code == 422
    page = response.content.decode()
    assert "<title>Error:" in page
    assert "Enter at least one line." in page
    assert 'value="not an address"' in page
    assert not QuoteRequest.objects.exists()


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


def revise(client, revision):
    client.post(url("quote_revise", revision.pk))
    return Revision.objects.get(n=revision.n + 1)


# Sending


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


def send_now(client, revision):
    client.post(url("quote_send", revision.pk), {"version": revision.row_version})
    later = timezone.now() + timedelta(seconds=31)
    assert sending.dispatch_revision(revision.pk, later)
    revision.refresh_from_db()


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


def test_approvers_who_sell_do_both(client, revision):
    client.force_login(make_approver("both@example.com"))

    assert b"data-builder" in client.get(url("quote", revision.pk)).content


def test_a_request_marked_as_spam_can_still_be_read(sam_client):
    request = make_request(status=RequestStatus.SPAM)

    assert sam_client.get(url("request", request.pk)).status_code == 200


@pytest.mark.parametrize(
    ("days", "is_asked", "words"),
    [(5, False, "Quoted"), (-1, False, "Expired"), (5, True, "Changes asked")],
)
def test_the_request_says_its_computed_status(sam_client, sam, days, is_asked, words):
    request = make_request(status=RequestStatus.QUOTED)
    revision = make_revision(
        request=request,
        author=sam,
        status=RevisionStatus.SENT,
        valid_until=timezone.localdate() + timedelta(days=days),
    )
    if is_asked:
        revision.change_requests.create(email="c@example.com", text="Cheaper please")

    page = sam_client.get(url("request", request.pk)).content.decode()

    assert f"{words}</span>" in page
    assert ("Cheaper please" in page) is is_asked


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
