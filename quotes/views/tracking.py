"""Following a request: by secret link or by account, with its quotes and history."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Prefetch
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from quotes.errors import QuoteError
from quotes.message_forms import MessageForm
from quotes.models import Acceptance, QuoteRequest, RequestLine, Revision
from quotes.services.files import files_of
from quotes.services.messages import thread_of
from quotes.services.requests import cancel_request
from quotes.states import (
    CUSTOMER_REQUEST_WORDS,
    CUSTOMER_REVISION_WORDS,
    OPEN_REQUESTS,
    REQUEST_MOVES,
    Actor,
    RequestStatus,
    RevisionStatus,
    allowed_actions,
)
from quotes.views.basket import visitor_of
from quotes.views.secret import ANSWER, may_act_for, seal, track_link_required
from sourceit.events import events_of
from sourceit.http import AuthenticatedHttpRequest, HttpRequest
from sourceit.links import find_links, log_view, token_of
from sourceit.models import AccessLink, User

PAGE_SIZE = 50
# Where a reader opens each of some revisions, by id; those that are not theirs lack.
FindUrls = Callable[[list[Revision]], dict[int, str]]


@require_safe
@track_link_required
def track(request: HttpRequest, link: AccessLink, asked: QuoteRequest) -> HttpResponse:
    """Show the request's state in the customer's words, with its quotes."""
    if request.method == "GET":
        log_view(link, request)
    token = token_of(link)
    just_sent = request.session.get("just_sent") == asked.pk
    context = {
        "asked": asked,
        "is_new": just_sent and asked.status == RequestStatus.SUBMITTED,
        "cancel_url": reverse("quotes:track_cancel", args=[token]),
        "message_url": reverse("quotes:track_message", args=[token]),
        "file_base": reverse("quotes:track", args=[token]),
        **_tracked(asked, _urls_by_link(link.email)),
    }
    return render(request, "quotes/customer/track.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@track_link_required
def track_cancel(
    request: HttpRequest, link: AccessLink, asked: QuoteRequest
) -> HttpResponse:
    return _cancel(request, asked, reverse("quotes:track", args=[token_of(link)]))


@login_required
@require_safe
def my_requests(request: AuthenticatedHttpRequest) -> HttpResponse:
    """List what the person and their organisations asked for, newest first."""
    rows = QuoteRequest.objects.sent().visible_to(request.user).order_by("-pk")
    before = request.GET.get("before", "")
    if before.isascii() and before.isdigit() and len(before) < 19:
        rows = rows.filter(pk__lt=int(before))
    first_lines = RequestLine.objects.order_by("position", "pk")[:3]
    lines = Prefetch("lines", queryset=first_lines, to_attr="first_lines")
    found = list(rows.prefetch_related(lines)[: PAGE_SIZE + 1])
    shown = found[:PAGE_SIZE]
    context = {
        "requests": [(each, CUSTOMER_REQUEST_WORDS[each.status]) for each in shown],
        "more": shown[-1].pk if len(found) > PAGE_SIZE else None,
    }
    return render(request, "quotes/customer/my_requests.html", context)


@login_required
@require_safe
def request_detail(request: AuthenticatedHttpRequest, pk: int) -> HttpResponseBase:
    """Show a request to those who may see it by their account."""
    asked = get_visible(request.user, pk)
    base = reverse("quotes:request", args=[pk])
    context = {
        "asked": asked,
        "file_base": base,
        **_tracked(asked, _urls_by_account),
    }
    if may_act_for(request.user, asked):
        context["cancel_url"] = reverse("quotes:request_cancel", args=[pk])
        context["message_url"] = reverse("quotes:request_message", args=[pk])
    return seal(render(request, "quotes/customer/track.html", context))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def request_cancel(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    back = reverse("quotes:request", args=[pk])
    return _cancel(request, get_own(request.user, pk), back)


def get_visible(user: User, pk: int) -> QuoteRequest:
    rows = QuoteRequest.objects.sent().visible_to(user).select_related("owner")
    return get_object_or_404(rows, pk=pk)


def get_own(user: User, pk: int) -> QuoteRequest:
    """Return a request that the person may act on; any other is not found."""
    asked = get_visible(user, pk)
    if not may_act_for(user, asked):
        raise Http404
    return asked


def _cancel(request: HttpRequest, asked: QuoteRequest, back: str) -> HttpResponse:
    """Ask once more on a page of its own, then cancel the request."""
    if request.method != "POST":
        context = {"asked": asked, "back": back}
        return render(request, "quotes/customer/track_cancel.html", context)
    try:
        cancel_request(request=asked, by=visitor_of(request), now=timezone.now())
        messages.success(request, f"{asked.number} is cancelled.")
    except QuoteError as error:
        messages.error(request, str(error))
    return redirect(back)


def _urls_by_link(email: str) -> FindUrls:
    """A recipient opens quotes by links of their own that are in force, no others."""

    def find(revisions: list[Revision]) -> dict[int, str]:
        if not email:
            return {}
        links = find_links(revisions, purpose=ANSWER, email=email)
        return {
            pk: reverse("quotes:answer", args=[token_of(link)])
            for pk, link in links.items()
        }

    return find


def _urls_by_account(revisions: list[Revision]) -> dict[int, str]:
    """A member opens every sent revision, replaced ones too."""
    return {each.pk: reverse("quotes:my_quote", args=[each.pk]) for each in revisions}


def _tracked(asked: QuoteRequest, find_urls: FindUrls) -> dict[str, Any]:
    """Gather what the tracking page shows, in a fixed number of queries."""
    standing = Acceptance.objects.filter(voided_at=None)
    revisions = list(
        Revision.objects.shown_to_customer()
        .filter(quote__request=asked)
        .select_related("quote")
        .prefetch_related(Prefetch("acceptances", standing, to_attr="standing"))
        .order_by("-sent_at")
    )
    now, urls = timezone.now(), find_urls(revisions)
    actions = allowed_actions(REQUEST_MOVES, asked.status, {Actor.CUSTOMER})
    return {
        "lines": asked.lines_asked(),
        "words": CUSTOMER_REQUEST_WORDS[asked.status],
        "quotes": [_tell_quote(each, urls.get(each.pk, ""), now) for each in revisions],
        "events": events_of(asked, *revisions).filter(is_internal=False),
        "can_cancel": "cancel" in actions,
        "is_open": asked.status in OPEN_REQUESTS,
        "reply_by": _reply_by(asked, now),
        "message_form": MessageForm(),
        "thread": thread_of(asked, for_desk=False),
        "files": files_of(asked),
    }


def _reply_by(asked: QuoteRequest, now: datetime) -> datetime | None:
    """When our answer is due; None once it was given, or is late."""
    is_ours = asked.status in (RequestStatus.SUBMITTED, RequestStatus.IN_PROGRESS)
    due = asked.reply_due_at
    return due if is_ours and due is not None and due > now else None


def _tell_quote(revision: Revision, url: str, now: datetime) -> dict[str, Any]:
    """Tell one sent revision; without a `url` it is not the reader's to open."""
    words = CUSTOMER_REVISION_WORDS[revision.status]
    bought: list[Acceptance] = getattr(revision, "standing", [])
    return {
        "revision": revision,
        "words": "Expired" if revision.has_expired(now) else words,
        "is_live": revision.status != RevisionStatus.SUPERSEDED,
        "url": url,
        # What was bought may be less or more than what was quoted.
        "gross": bought[0].gross if bought else revision.gross,
    }
