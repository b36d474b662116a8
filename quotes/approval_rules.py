"""Which approval rules a quote fires, and the reason in words. No database.

A limit itself is still within the rule: a margin of exactly 8 % is not under 8 %.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Protocol

from django.db import models

from quotes.pricing import Profit
from sourceit.money import ZERO, format_money


class RuleKind(models.TextChoices):
    """What a rule looks at; the label goes before its threshold."""

    MARGIN_UNDER = "margin_under", "Margin under"
    DISCOUNT_OVER = "discount_over", "Discount over"
    TOTAL_OVER = "total_over", "Total before GST over"
    BELOW_COST = "below_cost", "A line below cost"
    PAYMENT_OVER = "payment_over", "Payment later than"
    UNSCREENED = "unscreened", "Controlled item without a clear screening"


# These fire or do not; there is nothing to set.
WITHOUT_THRESHOLD = frozenset({RuleKind.BELOW_COST, RuleKind.UNSCREENED})
UNITS: dict[str, str] = {
    RuleKind.MARGIN_UNDER: "%",
    RuleKind.DISCOUNT_OVER: "%",
    RuleKind.TOTAL_OVER: "SGD",
    RuleKind.PAYMENT_OVER: "days",
}
# What a new shop starts with; each can be changed or put out of force at the desk.
DEFAULT_THRESHOLDS: dict[str, Decimal | None] = {
    RuleKind.MARGIN_UNDER: Decimal(8),
    RuleKind.DISCOUNT_OVER: Decimal(15),
    RuleKind.TOTAL_OVER: Decimal(1_000_000),
    RuleKind.BELOW_COST: None,
    RuleKind.PAYMENT_OVER: Decimal(30),
    RuleKind.UNSCREENED: None,
}


class Rule(Protocol):
    """What a rule has: a kind, a threshold in its unit, and its own words."""

    @property
    def kind(self) -> str: ...
    @property
    def threshold(self) -> Decimal | None: ...
    @property
    def words(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why a quote needs approval; for the desk only, since it may hold a margin."""

    kind: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the rules look at. `net` is in SGD before GST, None if it cannot be told.

    `profit` counts the standard lines; `chosen_margins` has the margin of each price
    that a choice of the customer brings ("of option line 3"), None where not known;
    `least_margin` is what all that may be chosen together may leave.
    """

    profit: Profit
    net: Decimal | None
    discount: Decimal = ZERO
    discount_where: str = ""
    below_cost: tuple[int, ...] = ()
    chosen_margins: dict[str, Decimal | None] = field(default_factory=dict)
    least_margin: Decimal | None = None
    payment_terms: str = ""
    unscreened: str = ""


def find_reasons(rules: Iterable[Rule], facts: Facts) -> list[Reason]:
    """Return a reason for each rule that fires, in the rules' order."""
    reasons = []
    for rule in rules:
        found = _CHECKS[RuleKind(rule.kind)](facts, rule.threshold or ZERO)
        if found:
            words = f"{found} {rule.words}".strip()
            reasons.append(Reason(kind=rule.kind, words=words))
    return reasons


def _margin_under(facts: Facts, limit: Decimal) -> str:
    """An unknown margin fires too: else leaving out a cost would be the way around."""
    profit = facts.profit
    if profit.unknown_costs:
        lines = "line has" if profit.unknown_costs == 1 else "lines have"
        return f"The margin is not known: {profit.unknown_costs} {lines} no cost."
    percent = profit.percent
    if percent is None and profit.cost > 0:
        return f"Everything is free of charge: the margin is under {plain(limit)}%."
    if percent is not None and percent < limit:
        return f"The margin is {percent_words(percent, limit)}, under {plain(limit)}%."
    for where, margin in facts.chosen_margins.items():
        if margin is None:
            return f"The margin {where} is not known."
        if margin < limit:
            return f"The margin {where} is {percent_words(margin, limit)}."
    least = facts.least_margin
    if least is not None and least < limit:
        shown = percent_words(least, limit)
        return f"Chosen together, options and quantities may leave a margin of {shown}."
    return ""


def _discount_over(facts: Facts, limit: Decimal) -> str:
    if facts.discount <= limit:
        return ""
    shown = percent_words(facts.discount, limit)
    return f"The discount {facts.discount_where} is {shown}, over {plain(limit)}%."


def _total_over(facts: Facts, limit: Decimal) -> str:
    if facts.net is None:
        return "The total cannot be told in S$."
    if facts.net <= limit:
        return ""
    over = f"over {format_money(limit, 'SGD')}"
    return f"The total before GST is {format_money(facts.net, 'SGD')}, {over}."


def _below_cost(facts: Facts, _limit: Decimal) -> str:
    if not facts.below_cost:
        return ""
    numbers = ", ".join(map(str, facts.below_cost))
    return f"Below cost: line{'s' if len(facts.below_cost) > 1 else ''} {numbers}."


def _payment_over(facts: Facts, limit: Decimal) -> str:
    days = payment_days(facts.payment_terms)
    if days is None:
        return f"The payment terms name no days: “{facts.payment_terms}”."
    if days <= limit:
        return ""
    return f"Payment is due after {days} days, later than {plain(limit)}."


def _unscreened(facts: Facts, _limit: Decimal) -> str:
    return facts.unscreened


_CHECKS = {
    RuleKind.MARGIN_UNDER: _margin_under,
    RuleKind.DISCOUNT_OVER: _discount_over,
    RuleKind.TOTAL_OVER: _total_over,
    RuleKind.BELOW_COST: _below_cost,
    RuleKind.PAYMENT_OVER: _payment_over,
    RuleKind.UNSCREENED: _unscreened,
}

_SPANS = {"day": 1, "week": 7, "month": 30, "year": 365}
_SPAN = re.compile(r"(\d+)[\s-]*(?:calendar |working |business )?(day|week|month|year)")
_NET = re.compile(r"\bnet[\s-]*(\d+)|^\s*(\d+)\s*$")
_AT_ONCE = re.compile(
    r"advance|on delivery|before|on order|with order|up ?front|pre-?paid|prepayment"
    r"|\bcash\b|\bcod\b|immediate|on receipt|due on"
)


def payment_days(words: str) -> int | None:
    """Return the most days that payment terms give; None where the words name none.

    "30 days from invoice" is 30, "30% deposit, balance 2 months" 60, "In advance" and
    nothing at all 0.

    >>> payment_days("45 days from invoice"), payment_days("Net 60")
    (45, 60)
    >>> payment_days("In advance"), payment_days("As agreed") is None
    (0, True)
    """
    text = words.lower().replace(",", "")
    spans = [int(n) * _SPANS[unit] for n, unit in _SPAN.findall(text)]
    spans += [int(one or other) for one, other in _NET.findall(text)]
    if spans:
        return max(spans)
    return 0 if not text.strip() or _AT_ONCE.search(text) else None


def percent_words(percent: Decimal, limit: Decimal) -> str:
    """Write a percentage with as many digits as tell it from the limit."""
    for digits in (1, 2, 4):
        shown = f"{percent:.{digits}f}"
        if Decimal(shown) != limit:
            return f"{shown}%"
    return f"{percent}%"


def plain(amount: Decimal) -> str:
    """Write a threshold without empty decimals: 8, 7.5."""
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
