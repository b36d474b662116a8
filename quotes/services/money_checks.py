"""Checks of a draft's money as a whole: the discount on all of it."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from quotes.models import Line, Revision
from quotes.pricing import HUNDRED, Kind, line_net, net_shares
from quotes.problems import Problem
from sourceit.money import ZERO, MoneyError, format_money


def check_money(revision: Revision) -> Iterator[Problem]:
    """Yield what is wrong with the rate and the discount (lines as loaded).

    An amount that does not fit is for the check of the sums to say.
    """
    yield from _check_rate(revision)
    try:
        yield from _check_discount(revision)
    except MoneyError:
        return


def _check_rate(revision: Revision) -> Iterator[Problem]:
    """A quote in another currency needs its rate."""
    if not revision.is_foreign:
        return
    if revision.fx_rate is None:
        words = f"Choose the exchange rate of {revision.currency}."
        yield Problem(message=words, anchor="currency")


def _check_discount(revision: Revision) -> Iterator[Problem]:
    discount = revision.discount
    if not discount:
        return
    subtotal = _subtotal(revision)
    if discount.amount > subtotal:
        amount = format_money(discount.amount, revision.currency)
        words = f"The discount of {amount} is more than the lines come to."
        yield Problem(message=words, anchor="id_discount_amount")
    elif subtotal and discount.off(subtotal) == subtotal:
        words = "After the discount everything is free of charge."
        yield Problem(message=words, anchor="id_discount_percent", is_blocking=False)
    numbers = sunk_lines(revision)
    if numbers:
        named = ", ".join(map(str, numbers))
        words = (
            f"After the discount below cost: line{'s' * (len(numbers) > 1)} {named}."
        )
        yield Problem(message=words, anchor="id_discount_percent", is_blocking=False)


def share_off(revision: Revision) -> Decimal:
    """Return the discount on the whole in percent of what the lines come to.

    Raises:
        MoneyError: an amount does not fit.
    """
    subtotal = _subtotal(revision)
    off = revision.discount.off(subtotal)
    return off / subtotal * HUNDRED if off else ZERO


def sunk_lines(revision: Revision) -> tuple[int, ...]:
    """Return the numbers of the lines that only the discount takes below cost.

    Raises:
        MoneyError: an amount does not fit.
    """
    lines = revision.lines_in_order()
    shares = net_shares(lines, revision.discount)
    pairs = enumerate(zip(lines, shares, strict=True), start=1)
    return tuple(n for n, (line, left) in pairs if _falls_below_cost(line, left))


def _subtotal(revision: Revision) -> Decimal:
    lines = revision.lines.all()
    nets = [line_net(line) for line in lines if line.kind == Kind.STANDARD]
    return sum((net for net in nets if net is not None), start=ZERO)


def _falls_below_cost(line: Line, left: Decimal | None) -> bool:
    """True where only the discount on the whole takes a line under its cost."""
    net, cost = line.net, line.cost
    if left is None or net is None or cost is None:
        return False
    return left < cost <= net
