"""The desk's pages by the client: who may read and write."""

from __future__ import annotations

import pytest
from django.urls import reverse

from quotes.urls.desk import urlpatterns
from tests.factories import (
    make_approver,
    make_revision,
    make_staff,
)
from tests.quotes.builder_posts import url

pytestmark = pytest.mark.django_db


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
    "inquiry_new",
    "inquiry_save",
    "inquiry_discard",
    "inquiry_close",
    "inquiry_again",
    "inquiry_retry",
    "offers_take",
    "offer_decline",
    "quote_bid",
    "risks_settle",
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


def test_approvers_who_sell_do_both(client, revision):
    client.force_login(make_approver("both@example.com"))

    assert b"data-builder" in client.get(url("quote", revision.pk)).content
