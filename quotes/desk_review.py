"""What an approver sees of a quote: reasons, margin, what changed, what was let go."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from quotes.approval_forms import EndUseForm, ScreeningForm
from quotes.bought import chosen_lines, totals_of
from quotes.compare import compare_contents
from quotes.content import Content
from quotes.models import Approval, Revision
from quotes.pricing import Profit, work_out_profit
from quotes.services.approvals import hands_on, last_look, standing_approval
from quotes.services.screening import standing_of
from quotes.states import BOUGHT
from sourceit.models import User
from sourceit.money import MoneyError


def review_of(revision: Revision, user: User) -> dict[str, Any]:
    """Return the approval that stands, the look before it, and who may decide.

    Needs `Revision.objects.with_lines()`; at most seven queries.
    """
    asked = revision.quote.request
    approval = standing_approval(revision)
    before = last_look(revision)
    is_own = user.pk in hands_on(revision, approval)
    may_approve = user.has_perm("quotes.approve_quote")
    return {
        "approval": approval,
        "last_look": before,
        "can_decide": may_approve and not is_own,
        "is_own_work": may_approve and is_own,
        "reviewed_changes": _changes_between(before, approval),
        "overrides": list(revision.overrides.select_related("by")),
        "profit": _profit_of(revision),
        "screening": standing_of(asked, revision.lines.all()),
        "end_use_form": EndUseForm(instance=asked, auto_id="end-use-%s"),
        "screening_form": ScreeningForm(auto_id="screening-%s"),
    }


def _profit_of(revision: Revision) -> Profit | None:
    try:
        return work_out_profit(revision.lines.all(), revision.discount)
    except MoneyError:
        return None


def _changes_between(
    before: Approval | None, approval: Approval | None
) -> Content | None:
    """Tell what is other than at the last look; None where there is nothing to say."""
    if before is None or approval is None:
        return None
    comparison = asdict(compare_contents(before.content, approval.content))
    if not any(comparison.values()):
        return None
    return {"comparison": comparison}


def answers_to(revision: Revision, content: Content) -> dict[str, Any]:
    """Return what the customer said, and the totals of what was bought, if it was."""
    acceptances = list(
        revision.acceptances.select_related("entered_by", "voided_by").prefetch_related(
            "po_checks", "purchase_orders__file"
        )
    )
    standing = (one for one in acceptances if one.voided_at is None)
    bought = next(standing, None) if revision.status in BOUGHT else None
    return {
        "acceptances": acceptances,
        "changes_asked": list(revision.change_requests.all()),
        "bought": bought,
        "chosen": chosen_lines(bought),
        "totals": totals_of(bought) if bought else content,
    }
