"""Ask for approval, decide, take it back; and the rules that ask for it."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from quotes.errors import QuoteError
from quotes.models import Revision
from quotes.services import approvals
from quotes.services.overrides import let_go
from quotes.views.sending import get_whole, show_quote, show_review
from sourceit.access import desk_permission_required
from sourceit.http import AuthenticatedHttpRequest
from sourceit.posted import read_id

builder_only = desk_permission_required("quotes.build_quote")
approver_only = desk_permission_required("quotes.approve_quote")


@require_POST
@builder_only
def quote_submit(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Ask the approvers to look at the draft as it was reviewed."""
    revision = get_whole(request, pk)
    try:
        approvals.submit_for_approval(
            revision=revision,
            by=request.user,
            note=request.POST.get("note", ""),
            version=version_in(request),
            now=timezone.now(),
        )
    except QuoteError as error:
        fresh = get_whole(request, pk)
        if not fresh.is_editable:
            return show_quote(request, fresh, message=str(error))
        return show_review(request, fresh, message=str(error), status=409)
    messages.success(request, "The approvers are written to. You hear by e-mail.")
    return redirect("desk:quote", pk)


@require_POST
@approver_only
def quote_approve(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Let the quote be sent."""
    return _decide(request, pk, approvals.approve_quote)


@require_POST
@approver_only
def quote_reject(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Send it back to its author with a comment."""
    return _decide(request, pk, approvals.reject_quote)


def _decide(
    request: AuthenticatedHttpRequest, pk: int, decide: Callable[..., None]
) -> HttpResponse:
    revision = get_whole(request, pk)
    try:
        decide(
            revision=revision,
            by=request.user,
            comment=request.POST.get("comment", ""),
            version=version_in(request),
            now=timezone.now(),
        )
    except QuoteError as error:
        return show_quote(request, get_whole(request, pk), message=str(error))
    return redirect("desk:quote", pk)


@require_POST
@builder_only
def quote_recall(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Take the quote back from approval, to work on it."""
    revision: Revision = get_whole(request, pk)
    try:
        approvals.recall_quote(revision=revision, by=request.user, now=timezone.now())
    except QuoteError as error:
        return show_quote(request, get_whole(request, pk), message=str(error))
    return redirect("desk:quote", pk)


def version_in(request: AuthenticatedHttpRequest) -> int:
    """Return the version that the page was of; 0 is nobody's."""
    text = request.POST.get("version", "")
    return read_id(text)


@require_POST
@builder_only
def check_let_go(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Let what a check found go, with a reason."""
    revision = get_whole(request, pk)
    if not revision.is_editable:
        raise Http404
    try:
        let_go(
            revision=revision,
            codes=request.POST.getlist("code"),
            reason=request.POST.get("reason", ""),
            by=request.user,
            now=timezone.now(),
        )
    except QuoteError as error:
        fresh = get_whole(request, pk)
        return show_review(request, fresh, message=str(error), status=422)
    return redirect("desk:quote_send", pk)
