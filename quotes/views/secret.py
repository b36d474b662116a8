"""Pages behind secret links: how the link is found and what their answers carry."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers

from quotes.models import QuoteRequest, Revision
from quotes.states import UNSENT, RequestStatus
from sourceit.http import HttpRequest
from sourceit.links import find_dead_link, find_link
from sourceit.models import AccessLink

ANSWER = "answer"
TRACK = "track"

View = Callable[..., HttpResponseBase]


def answer_link_required(view: View) -> View:
    """Call `view(request, link, revision)` for a live link to a sent revision.

    Unknown, foreign and expired links and drafts are one 404; a replaced revision is
    410 on every address below it, with no hint of what replaced it.
    """

    @wraps(view)
    def guarded(request: HttpRequest, token: str, *args: Any) -> HttpResponseBase:
        link = find_link(token, purpose=ANSWER)
        if link is None:
            if find_dead_link(token, purpose=ANSWER) is None:
                raise Http404
            return seal(render(request, "410.html", status=410))
        revision = Revision.objects.with_lines().filter(pk=link.subject_id).first()
        if revision is None or revision.status in UNSENT:
            raise Http404
        return seal(view(request, link, revision, *args))

    return guarded


def track_link_required(view: View) -> View:
    """Call `view(request, link, asked)` for a live link to a submitted request."""

    @wraps(view)
    def guarded(request: HttpRequest, token: str) -> HttpResponseBase:
        link = find_link(token, purpose=TRACK)
        if link is None:
            raise Http404
        asked = _find_request(link)
        return seal(view(request, link, asked))

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
