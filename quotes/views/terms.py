"""Conditions of sale at the desk: each version, which is in force, what changed."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from quotes.models import Terms
from sourceit.access import desk_permission_required
from sourceit.clock import singapore_date
from sourceit.http import AuthenticatedHttpRequest

staff_only = desk_permission_required()


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One version: where it stands, and each clause with whether it is as before."""

    terms: Terms
    state: str
    tone: str
    clauses: list[tuple[str, str, bool]]


@require_safe
@staff_only
def terms(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Show every version of the terms, the newest first."""
    today = singapore_date(timezone.now())
    in_force = Terms.objects.in_force(today).first()
    rows = list(Terms.objects.order_by("-valid_from", "-pk"))
    versions = []
    for row, older in zip(rows, [*rows[1:], None], strict=False):
        state, tone = "Older", ""
        if row == in_force:
            state, tone = "In force", "ok"
        elif row.valid_from > today:
            state, tone = "To come", "info"
        versions.append(
            Version(terms=row, state=state, tone=tone, clauses=_clauses(row, older))
        )
    return render(request, "quotes/desk/terms.html", {"versions": versions})


def _clauses(row: Terms, older: Terms | None) -> list[tuple[str, str, bool]]:
    """Return title, text and whether it differs from the version before."""
    before = older.clauses if older else row.clauses
    return [(one["title"], one["text"], one not in before) for one in row.clauses]
