"""Special bids at the desk: the list, one to fill in, and a draft put on one."""

from __future__ import annotations

from datetime import datetime

from django.contrib import messages
from django.db.models import Count, Q
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from quotes.bid_forms import BidForm
from quotes.errors import QuoteError
from quotes.models import Revision, SpecialBid
from quotes.services.bids import leave_bid, save_bid, use_bid
from quotes.states import EDITABLE
from quotes.views.builder import get_editable, to_builder
from quotes.views.triage import builder_only, staff_only
from sourceit.events import events_of
from sourceit.http import AuthenticatedHttpRequest
from sourceit.money import MoneyError
from sourceit.posted import read_id

SHOWN = 200


@require_safe
@staff_only
def bid_list(request: AuthenticatedHttpRequest) -> HttpResponse:
    """All special bids, those that run the longest first."""
    drafts = Q(lines__revision__status__in=EDITABLE)
    rows = SpecialBid.objects.annotate(
        part_count=Count("parts", distinct=True),
        draft_count=Count("lines__revision", filter=drafts, distinct=True),
    )
    now = timezone.now()
    bids = [(bid, state_words(bid, now)) for bid in rows[:SHOWN]]
    return render(request, "quotes/desk/bids.html", {"bids": bids})


def state_words(bid: SpecialBid, now: datetime) -> str:
    if bid.has_ended(now):
        return "Ended"
    return "Runs" if bid.has_begun(now) else "Not begun"


@require_http_methods(["GET", "HEAD", "POST"])
@builder_only
def bid_new(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Enter a special bid."""
    return _edit(request, None)


@require_http_methods(["GET", "HEAD", "POST"])
@staff_only
def bid(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Show a special bid; who builds quotes may change it."""
    found = get_object_or_404(
        SpecialBid.objects.select_related("author").prefetch_related("parts"), pk=pk
    )
    if request.method == "POST" and not request.user.has_perm("quotes.build_quote"):
        raise Http404
    return _edit(request, found)


def _edit(request: AuthenticatedHttpRequest, found: SpecialBid | None) -> HttpResponse:
    posted = request.POST if request.method == "POST" else None
    form = BidForm(posted, bid=found)
    # The version that the form was filled in on, also when it comes back with faults.
    version = read_id(posted.get("version", "")) if posted and found else 0
    if posted is not None and form.is_valid():
        fields = dict(form.cleaned_data)
        parts = fields.pop("parts")
        try:
            saved = save_bid(
                bid=found,
                version=version,
                fields=fields,
                parts=parts,
                by=request.user,
                now=timezone.now(),
            )
        except QuoteError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"Special bid {saved} is saved.")
            return redirect(saved)
    context = {
        "form": form,
        "bid": found,
        "version": version or (found.version if found else 0),
        "has_errors": bool(form.errors),
        "revisions": _drafts_on(request, found),
        "events": list(events_of(found)) if found else [],
    }
    status = 422 if form.errors else 200
    return render(request, "quotes/desk/bid.html", context, status=status)


def _drafts_on(
    request: AuthenticatedHttpRequest, found: SpecialBid | None
) -> list[Revision]:
    """Return the quotes with lines on a bid that the person may see, newest first."""
    if found is None:
        return []
    rows = Revision.objects.visible_to(request.user).filter(lines__special_bid=found)
    shown = rows.select_related("quote__request").distinct().order_by("-pk")
    return list(shown[:SHOWN])


@require_POST
@builder_only
def quote_bid(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Put a draft's lines on a special bid, or take them off it."""
    revision = get_editable(request, pk)
    bids = SpecialBid.objects.prefetch_related("parts")
    chosen = get_object_or_404(bids, pk=read_id(request.POST.get("bid", "")))
    now = timezone.now()
    try:
        if request.POST.get("to") == "leave":
            count = leave_bid(revision=revision, bid=chosen, by=request.user, now=now)
            words = f"{count} lines left special bid {chosen}; their costs stay."
        else:
            count = use_bid(revision=revision, bid=chosen, by=request.user, now=now)
            words = f"{count} lines stand on special bid {chosen}."
        messages.success(request, words)
    except (QuoteError, MoneyError) as error:
        messages.error(request, str(error))
    return to_builder(revision, "lines")
