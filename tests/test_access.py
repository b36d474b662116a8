"""Every address of ours, asked for by every kind of person, on every verb.

The table names each URL once; a URL that is missing from it fails the test, and so does
a name in it that no longer exists.
"""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from quotes.states import RequestStatus
from sourceit.access import CATALOGUE_EDITOR
from sourceit.models import Membership
from tests.factories import (
    make_request,
    make_staff,
    make_user,
)
from tests.world import snapshot as snapshot
from tests.world import world as world

VERBS = ("get", "head", "post", "put", "patch", "delete")

# Anybody may ask; the page itself holds nothing of anybody's.
PUBLIC = {
    "health": (),
    "theme": (),
    "styleguide": None,  # staff, or while developing
    "catalog:home": (),
    "catalog:list": (),
    "catalog:product": ("product",),
    "catalog:collection": ("collection",),
    "catalog:compare": (),
    "catalog:sitemap": (),
    "catalog:robots": (),
    "fabrics:configure": (),
    "fabrics:compare": (),
    "fabrics:racks": (),
    "fabrics:guide": (),
    "fabrics:model": (),
    "fabrics:rules": (),
    "fabrics:save": (),
    "fabrics:export": ("export",),
    "fabrics:detail": ("design",),
    "fabrics:version": ("design", "one"),
    "fabrics:file": ("design", "one", "export"),
    "fabrics:report": ("design", "one"),
    "fabrics:difference": (),
    "fabrics:rename": ("design",),
    "fabrics:remove": ("design",),
    "fabrics:restore": ("design",),
    "quotes:basket": (),
    "quotes:basket_add": (),
    "quotes:basket_add_text": (),
    "quotes:basket_paste": (),
    "quotes:basket_add_design": (),
    "quotes:basket_attach": (),
    "quotes:basket_upload": (),
    "quotes:basket_import": (),
    "quotes:request_form": (),
    "quotes:request_check": (),
    "quotes:request_send": (),
    "quotes:quote_door": ("number",),
    "quotes:verify": (),
    "quotes:contact": (),
    "quotes:privacy": (),
}
# A line of somebody's basket: only that visitor's session finds it.
BASKET = (
    "quotes:basket_line",
    "quotes:basket_remove",
    "quotes:basket_restore",
    "quotes:basket_file",
    "quotes:basket_detach",
    "quotes:basket_put_back",
    "quotes:basket_undo",
)
# Whoever holds the secret link; nobody else, whatever their account.
SECRET = {
    "quotes:track": "track",
    "quotes:track_cancel": "track",
    "quotes:track_message": "track",
    "quotes:track_file": "track",
    "quotes:answer": "answer",
    "quotes:answer_pdf": "answer",
    "quotes:answer_csv": "answer",
    "quotes:answer_xlsx": "answer",
    "quotes:accept": "answer",
    "quotes:accept_code": "answer",
    "quotes:answer_order": "accepted",
    "quotes:answer_po": "accepted",
    "quotes:po_send": "accepted",
    "quotes:answer_record": "accepted",
    "quotes:answer_record_json": "accepted",
    "quotes:decline": "answer",
    "quotes:change": "answer",
    "quotes:supplier": "supplier",
    "quotes:supplier_decline": "supplier",
    "quotes:supplier_pdf": "supplier",
    "quotes:supplier_file": "supplier",
}
# Whose account sees the request: who asked, and members of their organisation.
OWN = {
    "quotes:request": "request",
    "quotes:request_cancel": "request",
    "quotes:request_message": "request",
    "quotes:request_file": "request",
    "quotes:my_quote": "sent",
    "quotes:my_quote_pdf": "sent",
    "quotes:my_quote_csv": "sent",
    "quotes:my_quote_xlsx": "sent",
    "quotes:my_quote_order": "bought",
    "quotes:my_quote_po": "bought",
    "quotes:my_quote_po_send": "bought",
    "quotes:my_quote_record": "bought",
    "quotes:my_quote_record_json": "bought",
    "quotes:my_quote_accept": "sent",
    "quotes:my_quote_decline": "sent",
    "quotes:my_quote_change": "sent",
    "quotes:my_quote_compare": "sent",
}
# These addresses name a file of the request too.
WITH_FILE = ("quotes:track_file", "quotes:request_file")
# Which file a secret address names.
FILES = {"quotes:track_file": "file", "quotes:supplier_file": "offer_file"}
SIGNED_IN = {
    "fabrics:list": (),
    "fabrics:copy": ("design",),
    "quotes:my_requests": (),
    **{
        name: (key, "file") if name in WITH_FILE else (key,)
        for name, key in OWN.items()
    },
}
DESK = {
    "desk:pipeline": (),
    "desk:pipeline_csv": (),
    "desk:pipeline_bulk": (),
    "desk:view_save": (),
    "desk:view_remove": ("view",),
    "desk:view_restore": ("view",),
    "desk:request_new": (),
    "desk:request": ("request",),
    "desk:request_message": ("request",),
    "desk:request_file": ("request", "file"),
    "desk:request_take": ("request",),
    "desk:request_assign": ("request",),
    "desk:request_decline": ("request",),
    "desk:request_lose": ("request",),
    "desk:request_spam": ("request",),
    "desk:quote_new": ("request",),
    "desk:quote": ("draft",),
    "desk:quote_currency": ("draft",),
    "desk:quote_details": ("draft",),
    "desk:preview": ("draft",),
    "desk:document": ("sent",),
    "desk:quote_csv": ("sent",),
    "desk:quote_xlsx": ("sent",),
    "desk:quote_send": ("draft",),
    "desk:quote_undo": ("draft",),
    "desk:quote_status": ("draft",),
    "desk:quote_revise": ("sent",),
    "desk:quote_discard": ("draft",),
    "desk:quote_withdraw": ("sent",),
    "desk:quote_accept": ("sent",),
    "desk:quote_void": ("sent",),
    "desk:quote_convert": ("sent",),
    "desk:orders": (),
    "desk:order": ("order",),
    "desk:order_document": ("order",),
    "desk:order_confirm": ("order",),
    "desk:order_retry": ("order",),
    "desk:purchase": ("order",),
    "desk:purchase_assign": ("order",),
    "desk:purchase_csv": ("order",),
    "desk:purchase_xlsx": ("order",),
    "desk:po_check": ("acceptance",),
    "desk:po_file": ("acceptance",),
    "desk:po_add": ("acceptance",),
    "desk:acceptance_record": ("acceptance",),
    "desk:acceptance_record_json": ("acceptance",),
    "desk:document_retry": ("draft",),
    "desk:delivery_retry": ("delivery",),
    "desk:rules": (),
    "desk:rates": (),
    "desk:terms": (),
    "desk:check_let_go": ("draft",),
    "desk:end_use_save": ("draft",),
    "desk:screening_record": ("draft",),
    "desk:quote_submit": ("draft",),
    "desk:quote_approve": ("draft",),
    "desk:quote_reject": ("draft",),
    "desk:quote_recall": ("draft",),
    "desk:line_add": ("draft",),
    "desk:line_add_product": ("draft",),
    "desk:line_paste": ("draft",),
    "desk:line_restore": ("draft",),
    "desk:line": ("draft", "line"),
    "desk:line_save": ("draft", "line"),
    "desk:line_remove": ("draft", "line"),
    "desk:line_move": ("draft", "line"),
    "desk:line_break": ("draft", "line"),
    "desk:product_options": ("draft",),
    "desk:section_add": ("draft",),
    "desk:section_rename": ("draft", "section"),
    "desk:section_remove": ("draft", "section"),
    "desk:line_prices": ("draft", "line"),
    "desk:quote_reprice": ("draft",),
    "desk:quote_compare": ("draft",),
    "desk:quote_copy": ("draft",),
    "desk:lines_fill": ("draft",),
    "desk:template_save": ("draft",),
    "desk:template_insert": ("draft",),
    "desk:templates": (),
    "desk:template_change": ("template",),
    "desk:inquiries": (),
    "desk:inquiry": ("inquiry",),
    "desk:inquiry_save": ("inquiry",),
    "desk:inquiry_discard": ("inquiry",),
    "desk:inquiry_close": ("inquiry",),
    "desk:inquiry_again": ("inquiry",),
    "desk:inquiry_retry": ("inquiry",),
    "desk:inquiry_pdf": ("inquiry",),
    "desk:inquiry_new": ("draft",),
    "desk:offers_take": ("inquiry",),
    "desk:offer_enter": ("invite",),
    "desk:offer_decline": ("invite",),
    "desk:offer_file": ("invite", "offer_file"),
    "desk:bids": (),
    "desk:bid_new": (),
    "desk:bid": ("bid",),
    "desk:quote_bid": ("draft",),
    "desk:risks_settle": ("sent",),
    "desk:calendar": (),
    "desk:calendar_forget": ("day",),
    "desk:mailbox": (),
    "desk:mailbox_message": ("letter",),
    "desk:mailbox_part": ("letter", "one"),
}
TABLE = {*PUBLIC, *BASKET, *SECRET, *SIGNED_IN, *DESK}
# Not ours to list: the admin has its own permissions, allauth its own tests.
FOREIGN = ("admin:", "account_", "mfa_")


def url_names(patterns=None, space: str = "") -> Iterator[str]:
    for each in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(each, URLResolver):
            inner = f"{each.namespace}:" if each.namespace else space
            yield from url_names(each.url_patterns, inner)
        elif isinstance(each, URLPattern) and each.name:
            yield space + each.name


def path_of(name: str, keys, world) -> str:
    return reverse(name, args=[world[key] for key in keys or ()])


def secret_path(name: str, token, world) -> str:
    return reverse(name, args=[token, world[FILES[name]]] if name in FILES else [token])


def ask(client: Client, verb: str, path: str) -> int:
    response = getattr(client, verb)(path)
    # A file that is sent stays open until the response is; close() itself would also
    # close the database connection of the test.
    for close in response._resource_closers:
        close()
    return response.status_code


def test_the_table_names_every_url_and_nothing_else() -> None:
    names = {name for name in url_names() if not name.startswith(FOREIGN)}

    assert names - TABLE == set(), "Say in the table who may ask for these."
    assert TABLE - names == set(), "These are gone."


@pytest.mark.parametrize("name", PUBLIC)
def test_public_pages_answer_anybody(client, world, name) -> None:
    for verb in VERBS:
        assert ask(client, verb, path_of(name, PUBLIC[name], world)) < 500
    allowed = (404,) if PUBLIC[name] is None else (200, 302, 405)
    path = path_of(name, PUBLIC[name], world)
    found = ask(client, "get", path)
    assert found in allowed
    assert ask(client, "head", path) == found


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("name", DESK)
def test_the_desk_is_for_sales_alone(client, world, sam_client, name, verb) -> None:
    path = path_of(name, DESK[name], world)
    editor = make_staff("edith@example.com", CATALOGUE_EDITOR)

    assert ask(client, verb, path) in (302, 405)
    for person in (make_user(), editor):
        client.force_login(person)
        assert ask(client, verb, path) in (404, 405)
    if verb == "get" and name not in ("desk:mailbox_message", "desk:mailbox_part"):
        assert ask(sam_client, verb, path) in (200, 302, 405)


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("name", SECRET)
def test_only_the_secret_link_opens(client, sam_client, world, name, verb) -> None:
    other = "answer" if SECRET[name] == "track" else "track"
    nearly = world[SECRET[name]][:-1] + "--"
    for token in ("x" * 43, world[other], nearly):
        path = secret_path(name, token, world)
        for who in (client, sam_client):
            assert ask(who, verb, path) in (404, 405)
    allowed = (200, 302, 405, 422)
    assert ask(client, verb, secret_path(name, world[SECRET[name]], world)) in allowed


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("name", OWN)
def test_a_request_is_for_its_own_people(
    client, world, carol_client, mallory_client, name, verb
) -> None:
    path = path_of(name, SIGNED_IN[name], world)
    colleague = make_user()
    organisation = Membership.objects.get().organisation
    Membership.objects.create(user=colleague, organisation=organisation)

    assert ask(client, verb, path) in (302, 405)
    assert ask(mallory_client, verb, path) in (404, 405)
    if verb == "get":
        assert ask(carol_client, verb, path) in (200, 405)
        client.force_login(colleague)
        assert ask(client, verb, path) in (200, 405)


@pytest.mark.parametrize("name", OWN)
def test_a_draft_is_no_customers_to_see(carol_client, world, name) -> None:
    if OWN[name] == "sent":
        for verb in VERBS:
            path = reverse(name, args=[world["draft"]])
            assert ask(carol_client, verb, path) in (404, 405)


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("name", BASKET)
def test_a_basket_is_found_by_its_own_visitor_alone(client, world, name, verb) -> None:
    line = make_request(status=RequestStatus.DRAFT, number="").lines.get()
    path = reverse(name, args=[basket_key(name, line.pk)])

    assert ask(client, verb, path) in (404, 405)


def basket_key(name: str, pk: int) -> int | UUID:
    """A list is named by its batch, everything else in a basket by its id."""
    return UUID(int=pk) if name == "quotes:basket_undo" else pk


@pytest.mark.parametrize("name", sorted(TABLE))
def test_reading_changes_nothing(world, sam_client, client, name, snapshot) -> None:
    keys = {**PUBLIC, **SIGNED_IN, **DESK}.get(name, ())
    if name in SECRET:
        path = secret_path(name, world[SECRET[name]], world)
    elif name in BASKET:
        path = reverse(name, args=[basket_key(name, 1)])
    else:
        path = path_of(name, keys, world)
    before = snapshot()

    for who in (client, sam_client):
        ask(who, "get", path)
        ask(who, "head", path)

    assert snapshot() == before
