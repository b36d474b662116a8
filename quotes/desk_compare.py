"""What the desk alone sees of a change: cost and margin, by line and in all."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from quotes.compare import Change, Key, pair_keys
from quotes.models import Line, Revision
from quotes.pricing import margin_percent, work_out_profit
from sourceit.money import HOME, MoneyError, format_money

UNKNOWN = "not known"


def compare_costs(old: Revision, new: Revision) -> list[tuple[str, tuple[Change, ...]]]:
    """Return the lines in both revisions whose unit cost or margin differ, then all.

    Lines are paired as the customer's comparison pairs them: by maker and part number,
    repeats in their order. Needs `Revision.objects.with_lines()`.
    """
    before, after = _keyed(old.lines_in_order()), _keyed(new.lines_in_order())
    found = []
    for key, line in after.items():
        if key in before:
            pair = before[key], line
            changes = tuple(_differences(*pair))
            if changes:
                found.append((line.description or line.mpn, changes))
    totals = tuple(_totals(old, new))
    return [*found, ("The whole quote", totals)] if totals else found


def _keyed(lines: Iterable[Line]) -> dict[Key, Line]:
    return pair_keys(lines, lambda line: (line.maker, line.mpn or line.description))


def _differences(old: Line, new: Line) -> Iterable[Change]:
    costs = [_write(line.unit_cost, HOME) for line in (old, new)]
    yield from _change("Unit cost", *costs)
    yield from _change("Margin", _percent(_margin(old)), _percent(_margin(new)))


def _totals(old: Revision, new: Revision) -> Iterable[Change]:
    first, second = (
        work_out_profit(one.lines.all(), one.discount, one.home_rate or Decimal(1))
        for one in (old, new)
    )
    yield from _change("Cost", _write(first.cost, HOME), _write(second.cost, HOME))
    yield from _change("Margin", _percent(first.percent), _percent(second.percent))


def _change(what: str, old: str, new: str) -> Iterable[Change]:
    if old != new:
        yield Change(what=what, old=old, new=new)


def _margin(line: Line) -> Decimal | None:
    try:
        net = line.net
    except MoneyError:
        return None
    return None if net is None else margin_percent(net, line.cost)


def _percent(amount: Decimal | None) -> str:
    return UNKNOWN if amount is None else f"{amount:.1f}%"


def _write(amount: Decimal | None, currency: str) -> str:
    return UNKNOWN if amount is None else format_money(amount, currency)
