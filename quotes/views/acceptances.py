"""A customer's yes at the desk: enter one that came on paper, void one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from quotes.closing_forms import OnBehalfForm
from quotes.content import content_of
from quotes.errors import QuoteError
from quotes.models import Revision
from quotes.services.acceptances import accept_on_behalf, void_acceptance
from quotes.states import RevisionStatus
from quotes.views.sending import get_whole, sender_only, show_quote
from sourceit.access import desk_permission_required
from sourceit.http import AuthenticatedHttpRequest

approver_only = desk_permission_required("quotes.void_acceptance")


@require_http_methods(["GET", "HEAD", "POST"])
@sender_only
def quote_accept(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Ask what came and from whom (GET); write the acceptance down (POST)."""
    revision = get_whole(request, pk)
    if revision.status != RevisionStatus.SENT:
        return redirect("desk:quote", pk)
    form = OnBehalfForm(
        request.POST or None,
        revision=revision,
        is_late=revision.has_expired(timezone.now()),
    )
    if request.method == "POST" and form.is_valid():
        try:
            _enter(request, revision, form)
        except QuoteError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "The acceptance is entered; both sides are told.")
            return redirect("desk:quote", pk)
    status = 422 if request.method == "POST" else 200
    context = {
        "form": form,
        "revision": revision,
        "content": content_of(revision, now=timezone.now()),
    }
    return render(request, "quotes/desk/accept.html", context, status=status)


def _enter(
    request: AuthenticatedHttpRequest, revision: Revision, form: OnBehalfForm
) -> None:
    typed = form.cleaned_data
    accept_on_behalf(
        revision=revision,
        by=request.user,
        name=typed["name"],
        job_title=typed["job_title"],
        email=typed["email"],
        po_number=typed["po_number"],
        reason=form.reason,
        late_reason=typed.get("late_reason", ""),
        now=timezone.now(),
    )


@require_POST
@approver_only
def quote_void(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Void the acceptance, with a reason that the customer is told."""
    revision = get_whole(request, pk)
    try:
        void_acceptance(
            revision=revision,
            by=request.user,
            reason=request.POST.get("reason", ""),
            now=timezone.now(),
        )
    except QuoteError as error:
        return show_quote(request, revision, message=str(error))
    messages.success(request, "The acceptance is voided; both sides are told.")
    return redirect("desk:quote", pk)
