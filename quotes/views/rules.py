"""The approval rules' page: read by the desk, changed by who may, with its history."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from quotes.approval_forms import RuleForm
from quotes.errors import QuoteError
from quotes.models import ApprovalRule
from quotes.services.approvals import approvers
from quotes.services.rules import save_rule
from sourceit.access import desk_permission_required
from sourceit.events import events_of
from sourceit.http import AuthenticatedHttpRequest

staff_only = desk_permission_required()
MAY_CHANGE = "quotes.change_approvalrule"
SHOWN_EVENTS = 50


@require_http_methods(["GET", "HEAD", "POST"])
@staff_only
def rules(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Show the rules and who approves; POST saves all of them, or none."""
    may_change = request.user.has_perm(MAY_CHANGE)
    if request.method == "POST" and not may_change:
        raise Http404
    post = request.POST if request.method == "POST" else None
    # A copy for each form to write on: what is stored is compared with it.
    forms = [
        RuleForm(post, instance=rule, prefix=rule.kind)
        for rule in ApprovalRule.objects.all()
    ]
    message, status = "", 200
    if post is not None:
        message = save_all(request, forms)
        if not message:
            messages.success(request, "The rules are saved.")
            return redirect("desk:rules")
        status = 409 if all(form.is_valid() for form in forms) else 422
    context = {
        "forms": forms,
        "may_change": may_change,
        "message": message,
        "approvers": list(approvers()),
        "events": list(
            events_of(*ApprovalRule.objects.all()).order_by("-at", "-pk")[:SHOWN_EVENTS]
        ),
    }
    return render(request, "quotes/desk/rules.html", context, status=status)


def save_all(request: AuthenticatedHttpRequest, forms: list[RuleForm]) -> str:
    """Save every rule that was changed; return why not, empty if all is well."""
    stored = {rule.pk: rule for rule in ApprovalRule.objects.all()}
    if any(form.errors for form in forms):
        return "The rules are not saved. See what is marked below."
    try:
        with transaction.atomic():
            for form in forms:
                save_rule(
                    rule=stored[form.instance.pk],
                    changes=form.changes(),
                    version=form.cleaned_data["row_version"],
                    by=request.user,
                    now=timezone.now(),
                )
    except QuoteError as error:
        return str(error)
    return ""
