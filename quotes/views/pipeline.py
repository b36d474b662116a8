"""The desk's front page: what needs action, soonest first."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from quotes.pipeline import FIGURES, VIEWS, count_views, load_page, won_this_month
from quotes.typed import INVISIBLE
from sourceit.access import desk_permission_required
from sourceit.htmx import render_page
from sourceit.http import AuthenticatedHttpRequest

TITLES = VIEWS | FIGURES


@require_GET
@desk_permission_required()
def pipeline(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Figures, views with counts, search, and one page of requests by key."""
    now = timezone.now()
    asked = request.GET.get("view", "action")
    view = asked if asked in TITLES else "action"
    words = INVISIBLE.sub("", request.GET.get("q", "")).strip()[:100]
    after = request.GET.get("after", "")
    counts = count_views(request.user, now)
    page = load_page(view, words, after, request.user, now)
    context = {
        "view": view,
        "title": TITLES[view],
        "tabs": [(name, label, counts[name]) for name, label in VIEWS.items()],
        "figures": [(name, label, counts[name]) for name, label in FIGURES.items()],
        "counts": counts,
        "won_value": won_this_month(now),
        "page": page,
        "words": words,
        "is_first": not after,
        "next_query": urlencode({"view": view, "q": words, "after": page.next_key}),
    }
    return render_page(
        request, "quotes/desk/pipeline.html", context, partial="requests"
    )
