"""The desk's front page: what needs action, soonest first, and what is done to many."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from quotes.errors import QuoteError
from quotes.models import SavedView
from quotes.pipeline import (
    FIGURES,
    VIEWS,
    count_views,
    load_all,
    load_page,
    won_this_month,
)
from quotes.pipeline_filters import (
    KINDS,
    RECEIVED,
    STATUSES,
    PipelineFilters,
    owner_choices,
)
from quotes.pipeline_rows import Row
from quotes.services import assigning, saved_views
from sourceit.access import desk_permission_required
from sourceit.cells import csv_response
from sourceit.clock import SINGAPORE, singapore_date
from sourceit.htmx import render_page
from sourceit.http import AuthenticatedHttpRequest
from sourceit.models import User
from sourceit.posted import read_id, read_ids

TITLES = VIEWS | FIGURES
# More rows than anybody ticks by hand.
MOST_AT_ONCE = 200
HEADINGS = (
    "Request",
    "Customer",
    "Contact",
    "Wants",
    "Currency",
    "Value with GST",
    "Draft value",
    "Status",
    "Owner",
    "Received (SGT)",
    "Next",
)

staff_only = desk_permission_required()
builder_only = desk_permission_required("quotes.build_quote")


@require_safe
@staff_only
def pipeline(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Figures, views with counts, filters, search, and one page of requests by key."""
    now = timezone.now()
    filters = PipelineFilters.read(request.GET, TITLES)
    after = request.GET.get("after", "")
    counts = count_views(request.user, now)
    page = load_page(filters, after, request.user, now)
    people = list(assigning.sales_people())
    context = {
        "filters": filters,
        "view": filters.view,
        "words": filters.words,
        "title": TITLES[filters.view],
        "tabs": [(name, label, counts[name]) for name, label in VIEWS.items()],
        "figures": [(name, label, counts[name]) for name, label in FIGURES.items()],
        "counts": counts,
        "won_value": won_this_month(now),
        "page": page,
        "is_first": not after,
        "next_query": f"{filters.query}&{urlencode({'after': page.next_key})}",
        "choices": _choices(filters, people),
        "people": people,
        **_views_of(request, filters),
    }
    return render_page(
        request, "quotes/desk/pipeline.html", context, partial="requests"
    )


def _choices(filters: PipelineFilters, people: list[User]) -> list[dict[str, Any]]:
    """Return the filters' selects: name, label, what is chosen and what may be."""
    offered = [
        ("owner", "Owner", "Anybody", owner_choices(people)),
        ("status", "Status", "Any status", STATUSES),
        ("received", "Received", "Any time", RECEIVED),
        ("kind", "Asks for", "Anything", KINDS),
    ]
    return [
        {
            "name": name,
            "label": label,
            "any": anything,
            "chosen": getattr(filters, name),
            "choices": choices,
        }
        for name, label, anything, choices in offered
    ]


def _views_of(
    request: AuthenticatedHttpRequest, filters: PipelineFilters
) -> dict[str, Any]:
    """Return the person's own views, and the one just taken away (one query)."""
    every = list(SavedView.objects.filter(user=request.user))
    removed = request.GET.get("removed", "")
    return {
        "saved_views": [view for view in every if view.removed_at is None],
        "removed_view": next(
            (view for view in every if view.removed_at and str(view.pk) == removed),
            None,
        ),
        "current_query": filters.query,
    }


@require_safe
@staff_only
def pipeline_csv(request: AuthenticatedHttpRequest) -> HttpResponse:
    """The same requests as the page shows, all of them, as CSV."""
    now = timezone.now()
    filters = PipelineFilters.read(request.GET, TITLES)
    rows = (_cells(row) for row in load_all(filters, request.user, now))
    name = f"pipeline-{filters.view}-{singapore_date(now):%Y-%m-%d}.csv"
    return csv_response(name, HEADINGS, rows)


def _cells(row: Row) -> tuple[object, ...]:
    asked = row.request
    received = asked.submitted_at
    return (
        asked.number,
        asked.customer_name,
        asked.email,
        row.wants,
        row.currency if row.value is not None else "",
        "" if row.value is None or row.is_draft_value else row.value,
        row.value if row.value is not None and row.is_draft_value else "",
        row.status,
        str(asked.owner or ""),
        f"{received.astimezone(SINGAPORE):%Y-%m-%d %H:%M}" if received else "",
        row.next,
    )


@require_POST
@builder_only
def pipeline_bulk(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Give the ticked requests to somebody, or remind their customers."""
    back = _back_to(request.POST.get("query", ""))
    pks = read_ids(request.POST.getlist("pk"))
    if not pks:
        messages.error(request, "Tick the requests first.")
        return redirect(back)
    pks = pks[:MOST_AT_ONCE]
    if request.POST.get("action") == "remind":
        outcome = assigning.remind_customers_of(pks=pks, now=timezone.now())
        done = "Reminded the customer of"
    else:
        to = assigning.find_owner(request.POST.get("owner", ""))
        if to is None:
            messages.error(request, "Choose who gets them.")
            return redirect(back)
        outcome = assigning.assign_requests(pks=pks, to=to, by=request.user)
        done = f"Now with {to}:"
    _tell(request, outcome, done)
    return redirect(back)


def _tell(
    request: AuthenticatedHttpRequest, outcome: assigning.Outcome, done: str
) -> None:
    if outcome.done:
        messages.success(request, f"{done} {', '.join(outcome.done)}.")
    for refusal in outcome.refused[:5]:
        messages.error(request, refusal)
    if len(outcome.refused) > 5:
        messages.error(request, f"{len(outcome.refused) - 5} more were not changed.")


@require_POST
@staff_only
def view_save(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Keep the filters as they stand under a name."""
    filters = PipelineFilters.read(QueryDict(request.POST.get("query", "")), TITLES)
    name = request.POST.get("name", "")
    try:
        view = saved_views.save_view(user=request.user, name=name, query=filters.query)
    except QuoteError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"Kept as “{view}”.")
    return redirect(_back_to(filters.query))


@require_POST
@staff_only
def view_remove(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Take one of the person's own views away; the page offers to undo it."""
    view = get_object_or_404(SavedView, pk=pk, user=request.user)
    saved_views.remove_view(view=view, now=timezone.now())
    return redirect(_back_to(f"{view.query}&removed={view.pk}"))


@require_POST
@staff_only
def view_restore(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Put one of the person's own views back."""
    view = get_object_or_404(SavedView, pk=pk, user=request.user)
    try:
        saved_views.restore_view(view=view)
    except QuoteError as error:
        messages.error(request, str(error))
    return redirect(_back_to(view.query))


def _back_to(query: str) -> str:
    """Return the pipeline's address with a query that was posted, as far as it holds.

    Only our own page with our own filters: nothing posted becomes an address.
    """
    asked = QueryDict(query)
    kept = PipelineFilters.read(asked, TITLES).query
    removed = asked.get("removed", "")
    extra = f"&removed={read_id(removed)}" if read_id(removed) else ""
    return f"{reverse('desk:pipeline')}?{kept}{extra}"
