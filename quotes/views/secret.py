"""Doors to what a customer may read: secret links and accounts; what answers carry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import cast

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers

from quotes.models import QuoteRequest, Revision
from quotes.states import RequestStatus, RevisionStatus
from sourceit.access import buys_for
from sourceit.http import HttpRequest
from sourceit.links import find_dead_link, find_link, token_of
from sourceit.models import AccessLink, User

ANSWER = "answer"
TRACK = "track"

View = Callable[..., HttpResponseBase]

# What the pages show beside the frozen content.
NEEDED = ("quote__request__owner", "document")

# The pages of a quote: their URL names behind a secret link and behind an account.
BY_LINK = {
    "answer": "quotes:answer",
    "pdf": "quotes:answer_pdf",
    "csv": "quotes:answer_csv",
    "xlsx": "quotes:answer_xlsx",
    "accept": "quotes:accept",
    "code": "quotes:accept_code",
    "order": "quotes:answer_order",
    "po": "quotes:answer_po",
    "po_send": "quotes:po_send",
    "record": "quotes:answer_record",
    "record_json": "quotes:answer_record_json",
    "decline": "quotes:decline",
    "change": "quotes:change",
}
BY_ACCOUNT = {
    "answer": "quotes:my_quote",
    "pdf": "quotes:my_quote_pdf",
    "csv": "quotes:my_quote_csv",
    "xlsx": "quotes:my_quote_xlsx",
    "accept": "quotes:my_quote_accept",
    "order": "quotes:my_quote_order",
    "po": "quotes:my_quote_po",
    "po_send": "quotes:my_quote_po_send",
    "record": "quotes:my_quote_record",
    "record_json": "quotes:my_quote_record_json",
    "decline": "quotes:my_quote_decline",
    "change": "quotes:my_quote_change",
    "compare": "quotes:my_quote_compare",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Who reads a quote and by which door; `urls` are its pages behind that door."""

    email: str
    name: str
    user: User | None
    may_answer: bool
    urls: dict[str, str]
    link: AccessLink | None = None


def answer_link_required(view: View) -> View:
    """Call `view(request, reader, revision)` for a live link to a sent revision.

    Unknown, foreign, revoked and expired links and drafts are one 404; a replaced
    revision is 410 on every address below it, with no hint of what replaced it.
    """

    @wraps(view)
    def guarded(request: HttpRequest, token: str) -> HttpResponseBase:
        link = find_link(token, purpose=ANSWER)
        known = link or find_dead_link(token, purpose=ANSWER)
        revision = _find_revision(known) if known else None
        if revision is None:
            raise Http404
        if revision.status == RevisionStatus.SUPERSEDED:
            return seal(render(request, "410.html", status=410))
        if link is None:
            raise Http404
        return seal(view(request, _by_link(request, link), revision))

    return guarded


def _find_revision(link: AccessLink) -> Revision | None:
    rows = Revision.objects.shown_to_customer().select_related(*NEEDED)
    return rows.filter(pk=link.subject_id).first()


def _by_link(request: HttpRequest, link: AccessLink) -> Reader:
    token = token_of(link)
    return Reader(
        email=link.email,
        name=link.name,
        user=request.user if isinstance(request.user, User) else None,
        may_answer=True,
        urls={page: reverse(name, args=[token]) for page, name in BY_LINK.items()},
        link=link,
    )


def account_required(view: View) -> View:
    """Call `view(request, reader, revision)` for a sent quote that the account may see.

    Members of the customer's organisation read every revision, replaced ones too; who
    only may read finds no page that answers.
    """

    @wraps(view)
    def guarded(request: HttpRequest, pk: int) -> HttpResponseBase:
        user = cast(User, request.user)
        rows = Revision.objects.visible_to(user).shown_to_customer()
        revision = get_object_or_404(rows.select_related(*NEEDED), pk=pk)
        return seal(view(request, _by_account(user, revision), revision))

    return cast(View, login_required(guarded))


def _by_account(user: User, revision: Revision) -> Reader:
    pages = BY_ACCOUNT.items()
    return Reader(
        email=user.email,
        name=user.name,
        user=user,
        may_answer=may_act_for(user, revision.quote.request),
        urls={page: reverse(name, args=[revision.pk]) for page, name in pages},
    )


def may_act_for(user: User, asked: QuoteRequest) -> bool:
    """True for a buyer of the request's organisation; without one, for who asked."""
    if asked.organisation_id is None:
        return asked.user_id == user.pk
    return buys_for(user, asked.organisation_id)


def track_link_required(view: View) -> View:
    """Call `view(request, link, asked, ...)` for a live link to a submitted request."""

    @wraps(view)
    def guarded(request: HttpRequest, token: str, **more: int) -> HttpResponseBase:
        link = find_link(token, purpose=TRACK)
        if link is None:
            raise Http404
        asked = _find_request(link)
        return seal(view(request, link, asked, **more))

    return guarded


def _find_request(link: AccessLink) -> QuoteRequest:
    rows = QuoteRequest.objects.select_related("owner")
    asked = rows.exclude(status=RequestStatus.DRAFT).filter(pk=link.subject_id).first()
    if asked is None:
        raise Http404
    return asked


def seal(response: HttpResponseBase) -> HttpResponseBase:
    """Keep the address out of other sites' logs, search engines and caches."""
    response["Referrer-Policy"] = "no-referrer"
    response["X-Robots-Tag"] = "noindex, nofollow"
    add_never_cache_headers(response)
    return response
