"""Two revisions of a quote beside each other: for the customer, and for the desk."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from quotes.compare import compare_contents
from quotes.content import content_of
from quotes.desk_compare import compare_costs
from quotes.models import Revision
from quotes.states import UNSENT
from quotes.views.builder import staff_only
from quotes.views.secret import Reader, account_required
from sourceit.http import AuthenticatedHttpRequest, HttpRequest


@require_safe
@staff_only
def quote_compare(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Compare a revision with another of its quote, with cost and margin."""
    rows = Revision.objects.visible_to(request.user)
    revision = rows.filter(pk=pk).first()
    if revision is None:
        raise Http404
    siblings = list(revision.quote.revisions.with_lines())
    context = lay_side_by_side(request, siblings, revision.n)
    if "old" in context:
        context["costs"] = compare_costs(context["old"], context["new"])
    return render(request, "quotes/desk/compare.html", context)


@require_safe
@account_required
def my_quote_compare(
    request: HttpRequest, reader: Reader, revision: Revision
) -> HttpResponseBase:
    """Compare two revisions that were sent, in the customer's words."""
    siblings = revision.quote.revisions.with_lines().exclude(status__in=UNSENT)
    context = lay_side_by_side(request, list(siblings), revision.n)
    return render(request, "quotes/customer/compare.html", context | {"reader": reader})


def lay_side_by_side(
    request: HttpRequest, siblings: list[Revision], n: int
) -> dict[str, Any]:
    """Return what the page shows: the pair that the address names, and the others.

    Without an address: this revision against the one before it.
    """
    by_number = {one.n: one for one in siblings}
    new = by_number.get(_number(request, "to", n)) or by_number[n]
    earlier = [one.n for one in siblings if one.n < new.n]
    old = by_number.get(_number(request, "from", max(earlier, default=0)))
    context: dict[str, Any] = {"siblings": siblings, "new": new, "revision": new}
    if old is None or old.n == new.n:
        return context
    old, new = sorted((old, new), key=lambda one: one.n)
    now = timezone.now()
    contents = [content_of(one, now=now) for one in (old, new)]
    changes = {"since": old.n, **asdict(compare_contents(*contents))}
    content = {**contents[1], "changes": changes}
    return context | {"old": old, "new": new, "content": content}


def _number(request: HttpRequest, name: str, default: int) -> int:
    text = request.GET.get(name, "")
    return (
        int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else default
    )
