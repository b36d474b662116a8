"""A request at the desk: read it, take it, refuse it, quote it, enter one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from quotes.closing_forms import DeclineRequestForm, LoseForm
from quotes.designs import newer_versions
from quotes.entry_forms import EntryForm
from quotes.errors import QuoteError
from quotes.message_forms import DeskMessageForm
from quotes.models import QuoteRequest, Revision
from quotes.pipeline_rows import status_words
from quotes.reasons import DECLINED_TOLD
from quotes.services import assigning, triage
from quotes.services.earlier import earlier_of
from quotes.services.files import files_of
from quotes.services.messages import thread_of
from quotes.services.moves import actors_of
from quotes.services.quotes import build_quote
from quotes.services.risks import open_risks
from quotes.states import (
    REQUEST_MOVES,
    RequestStatus,
    RevisionStatus,
    allowed_actions,
)
from quotes.views.deliveries import deliveries_of
from sourceit.access import desk_permission_required
from sourceit.events import events_of
from sourceit.http import AuthenticatedHttpRequest

staff_only = desk_permission_required()
builder_only = desk_permission_required("quotes.build_quote")


def get_request(request: AuthenticatedHttpRequest, pk: int) -> QuoteRequest:
    """Return a request the person may see, or 404."""
    found = QuoteRequest.objects.visible_to(request.user).select_related("owner")
    return get_object_or_404(found, pk=pk)


@require_safe
@staff_only
def request_detail(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Show what is asked, by whom, what was done, and what may be done now."""
    return show_request(request, get_request(request, pk))


def show_request(
    request: AuthenticatedHttpRequest,
    asked: QuoteRequest,
    *,
    message: str = "",
    message_form: DeskMessageForm | None = None,
    status: int = 200,
) -> HttpResponse:
    now = timezone.now()
    revisions = list(
        Revision.objects.filter(quote__request=asked)
        .select_related("quote", "document", "author")
        .prefetch_related("change_requests")
        .defer("content")
        .order_by("quote", "-n")
    )
    lines = asked.lines_asked()
    context = {
        **standing_of(asked, revisions, now),
        "asked": asked,
        "lines": lines,
        "newer": newer_versions(line.design for line in lines if line.design),
        "revisions": revisions,
        "expired": {one.pk for one in revisions if one.has_expired(now)},
        "events": list(events_of(asked, *revisions)),
        "deliveries": deliveries_of([asked, *revisions]),
        "actions": allowed_actions(
            REQUEST_MOVES, asked.status, actors_of(request.user)
        ),
        "people": list(assigning.sales_people()),
        "decline_form": DeclineRequestForm(auto_id="decline-%s"),
        "lose_form": LoseForm(auto_id="lose-%s"),
        "message": message,
        "message_form": message_form or DeskMessageForm(),
        "earlier": earlier_of(asked, lines),
        "thread": thread_of(asked, for_desk=True),
        "files": files_of(asked),
        "file_base": reverse("desk:request", args=[asked.pk]),
    }
    return render(request, "quotes/desk/request.html", context, status=status)


def standing_of(
    asked: QuoteRequest, revisions: list[Revision], now: datetime
) -> dict[str, Any]:
    """Return how a request stands: its status in words, and when a reply is due."""
    live = next((one for one in revisions if one.status == RevisionStatus.SENT), None)
    is_change_asked = live is not None and bool(live.change_requests.all())
    words, tone = status_words(
        asked,
        live,
        now,
        is_change_asked=is_change_asked,
        is_at_risk=live is not None and bool(open_risks(live)),
    )
    is_unanswered = asked.status in (
        RequestStatus.SUBMITTED,
        RequestStatus.IN_PROGRESS,
    )
    due = asked.reply_due_at if is_unanswered else None
    return {
        "status_text": words,
        "tone": tone,
        "due": due,
        "is_overdue": due is not None and due < now,
    }


def _try(
    request: AuthenticatedHttpRequest, asked: QuoteRequest, act: Callable[[], object]
) -> HttpResponse:
    """Do it and show the request again, or say on its page why it was refused."""
    try:
        act()
    except QuoteError as error:
        fresh = get_request(request, asked.pk)
        return show_request(request, fresh, message=str(error), status=409)
    return redirect("desk:request", asked.pk)


@require_POST
@builder_only
def request_take(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Become the owner; whoever is second is told who was first."""
    asked = get_request(request, pk)
    return _try(
        request, asked, lambda: triage.take_request(request=asked, by=request.user)
    )


@require_POST
@builder_only
def request_assign(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Give a request to somebody else, who is told."""
    asked = get_request(request, pk)
    to = assigning.find_owner(request.POST.get("owner", ""))
    if to is None:
        return show_request(request, asked, message="Choose who gets it.", status=422)
    return _try(
        request,
        asked,
        lambda: assigning.assign_request(request=asked, to=to, by=request.user),
    )


@require_POST
@builder_only
def request_decline(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Refuse to quote, with a reason."""
    asked = get_request(request, pk)
    why = DeclineRequestForm(request.POST)
    return _try(
        request,
        asked,
        lambda: triage.decline_request(
            request=asked,
            by=request.user,
            reason=why.words,
            told=DECLINED_TOLD.get(why.key, ""),
            now=timezone.now(),
        ),
    )


@require_POST
@builder_only
def request_lose(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Close a quoted request that came to nothing, with a reason."""
    asked = get_request(request, pk)
    why = LoseForm(request.POST)
    return _try(
        request,
        asked,
        lambda: triage.lose_request(
            request=asked, by=request.user, reason=why.words, now=timezone.now()
        ),
    )


@require_POST
@builder_only
def request_spam(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Take a request out of every list; nobody is written to."""
    asked = get_request(request, pk)
    return _try(
        request,
        asked,
        lambda: triage.mark_spam(request=asked, by=request.user, now=timezone.now()),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@builder_only
def request_new(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Enter a request that came by phone or e-mail."""
    is_posted = request.method == "POST"
    form = EntryForm(request.POST, request.FILES) if is_posted else EntryForm()
    if is_posted and form.is_valid():
        entered = triage.enter_request(
            contact=form.contact(),
            rows=form.rows,
            source=form.cleaned_data["source"],
            by=request.user,
            now=timezone.now(),
        )
        return redirect("desk:request", entered.pk)
    status = 422 if is_posted else 200
    return render(
        request, "quotes/desk/request_new.html", {"form": form}, status=status
    )


@require_POST
@builder_only
def quote_new(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Build the first draft of a request's quote, or open what there is already."""
    asked = get_request(request, pk)
    try:
        draft = build_quote(request=asked, by=request.user, now=timezone.now())
    except QuoteError as error:
        existing = Revision.objects.filter(quote__request=asked).order_by("-n").first()
        if existing is not None:
            messages.info(request, str(error))
            return redirect("desk:quote", existing.pk)
        fresh = get_request(request, pk)
        return show_request(request, fresh, message=str(error), status=409)
    return redirect("desk:quote", draft.pk)
