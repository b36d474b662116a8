"""The approval rules: the defaults, changing them, and what they say of a quote."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction

from quotes.approval_rules import (
    DEFAULT_THRESHOLDS,
    WITHOUT_THRESHOLD,
    Facts,
    Reason,
    find_reasons,
    plain,
)
from quotes.errors import QuoteError
from quotes.least_margin import least_margin
from quotes.models import ApprovalRule, Revision
from quotes.offer_limits import chosen_margins, lines_below_cost, most_net
from quotes.pricing import HUNDRED, Kind, convert, work_out_profit
from quotes.services.money_checks import share_off, sunk_lines
from quotes.services.screening import Standing, standing_of
from sourceit.events import record_event
from sourceit.models import User
from sourceit.money import MoneyError


def make_default_rules(**_: Any) -> None:
    """Make the rules that are not there yet; runs after every migrate."""
    for kind, threshold in DEFAULT_THRESHOLDS.items():
        ApprovalRule.objects.get_or_create(kind=kind, defaults={"threshold": threshold})


def reasons_for(
    revision: Revision, *, screening: Standing | None = None
) -> list[Reason]:
    """Return why a revision needs approval; empty where no rule in force fires.

    Needs `Revision.objects.with_lines()`; reads the rules, and the screening unless
    the caller has it (three queries at most). An amount that does not fit is for the
    checks to say: no rule speaks then.
    """
    rules = list(ApprovalRule.objects.filter(is_active=True))
    if screening is None:
        screening = standing_of(revision.quote.request, revision.lines.all())
    try:
        return find_reasons(rules, facts_of(revision, screening))
    except MoneyError:
        return []


def facts_of(revision: Revision, screening: Standing) -> Facts:
    """Gather what the rules look at.

    Raises:
        MoneyError: an amount does not fit.
    """
    numbered = list(enumerate(revision.lines_in_order(), start=1))
    lines = [line for _number, line in numbered]
    discount, where = _largest_discount(revision)
    whole = share_off(revision)
    below = {*lines_below_cost(numbered, whole), *sunk_lines(revision)}
    return Facts(
        profit=work_out_profit(
            lines, revision.discount, revision.home_rate or Decimal(1)
        ),
        net=_in_home(most_net(lines), revision),
        discount=discount,
        discount_where=where,
        below_cost=tuple(sorted(below)),
        chosen_margins=chosen_margins(numbered, whole),
        least_margin=least_margin(lines, whole),
        payment_terms=revision.payment_terms,
        unscreened=screening.words,
    )


def _in_home(amount: Decimal, revision: Revision) -> Decimal | None:
    """Return an amount in S$ at the quote's rate; None where there is none."""
    rate = revision.home_rate
    return None if rate is None else convert(amount, rate)


def _largest_discount(revision: Revision) -> tuple[Decimal, str]:
    """Return the largest discount in percent, that on the whole included, and where."""
    whole = share_off(revision)
    discount, where = whole, "on the whole" if whole else ""
    for number, line in enumerate(revision.lines_in_order(), start=1):
        is_priced = line.kind not in (Kind.TEXT, Kind.ROUNDING)
        if not (is_priced and line.discount_percent):
            continue
        left = (HUNDRED - line.discount_percent) * (HUNDRED - whole) / HUNDRED
        if HUNDRED - left > discount:
            together = " with that on the whole" if whole else ""
            discount, where = HUNDRED - left, f"of line {number}{together}"
    return discount, where


@transaction.atomic
def save_rule(
    *,
    rule: ApprovalRule,
    changes: Mapping[str, Any],
    version: int,
    by: User,
    now: datetime,
) -> None:
    """Write what changed of a rule, with what it was, for its history.

    Raises:
        QuoteError: somebody changed it since `version`, or it needs a threshold.
    """
    was = {name: getattr(rule, name) for name in changes}
    changed = {name: value for name, value in changes.items() if value != was[name]}
    if not changed:
        return
    threshold = changed.get("threshold", rule.threshold)
    if (threshold is None) is not (rule.kind in WITHOUT_THRESHOLD):
        raise QuoteError(f"{rule}: enter a threshold.")
    rows = ApprovalRule.objects.filter(pk=rule.pk, row_version=version)
    if not rows.update(**changed, row_version=version + 1):
        raise QuoteError(f"Somebody changed “{rule}” meanwhile. Load the page again.")
    said = "; ".join(
        f"{_field(name)} {_shown(was[name])} → {_shown(value)}"
        for name, value in changed.items()
    )
    record_event(rule, "rule_changed", f"{rule}: {said}", by=by, at=now.isoformat())


def _field(name: str) -> str:
    return {"threshold": "threshold", "is_active": "in force", "words": "words"}[name]


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Decimal):
        return plain(value)
    return f"“{value}”" if value else "none"
