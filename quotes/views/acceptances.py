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
from quotes.services.answers import Yes
from quotes.states import RevisionStatus
from quotes.views.choosing import answer_update, is_update, read_choice
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
    picked = read_choice(request, revision)
    if is_update(request) and (answer := answer_update(request, revision, picked)):
        return answer
    form = _form(request, revision)
    if form.is_bound and not picked.is_lawful:
        form.add_error(None, picked.error)
    if form.is_valid():
        try:
            _enter(request, revision, form, picked.yes)
        except QuoteError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "The acceptance is entered; both sides are told.")
            return redirect("desk:quote", pk)
    context = {
        **picked.context(revision),
        "form": form,
        "revision": revision,
        "content": content_of(revision, now=timezone.now()),
    }
    status = 422 if form.is_bound else 200
    return render(request, "quotes/desk/accept.html", context, status=status)


def _form(request: AuthenticatedHttpRequest, revision: Revision) -> OnBehalfForm:
    """Return the form; where only the total was asked for, with what was typed."""
    is_post = request.method == "POST" and not is_update(request)
    return OnBehalfForm(
        request.POST if is_post else None,
        request.FILES if is_post else None,
        initial=request.POST.dict(),
        revision=revision,
        is_late=revision.has_expired(timezone.now()),
    )


def _enter(
    request: AuthenticatedHttpRequest, revision: Revision, form: OnBehalfForm, yes: Yes
) -> None:
    typed = form.cleaned_data
    accept_on_behalf(
        revision=revision,
        by=request.user,
        name=typed["name"],
        job_title=typed["job_title"],
        email=typed["email"],
        po_number=typed["po_number"],
        po_file=typed["po_file"],
        reason=form.reason,
        late_reason=typed.get("late_reason", ""),
        now=timezone.now(),
        yes=yes,
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
