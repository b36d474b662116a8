"""What has moved since a line was priced; nothing changes until it is picked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction

from quotes.errors import QuoteError
from quotes.memory import last_costs
from quotes.models import Line, Revision
from quotes.pricing import Kind, line_net, margin_percent
from quotes.services.lines import follow_lead, save_line
from quotes.services.listings import list_price
from sourceit.clock import singapore_date
from sourceit.models import User
from sourceit.money import MoneyError
from sourceit.tax import gst_percent


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """A line whose cost or list price is another now, before and after."""

    line: Line
    number: int
    new_cost: Decimal | None
    new_price: Decimal | None
    because: tuple[str, ...]

    @property
    def old_margin(self) -> Decimal | None:
        return _margin(self.line, self.line.unit_price, self.line.unit_cost)

    @property
    def new_margin(self) -> Decimal | None:
        return _margin(self.line, self.new_price, self.new_cost)


def find_movements(revision: Revision, now: datetime) -> list[Movement]:
    """Compare each line with today's list price and the last known cost (two queries).

    A line whose margin leads follows its cost; one with a price typed by hand shows
    the list price beside it. Needs `load_lines` or `with_lines`.
    """
    costs = last_costs(revision)
    percent = gst_percent(singapore_date(now))
    found = []
    for number, line in enumerate(revision.lines_in_order(), start=1):
        if line.kind in (Kind.TEXT, Kind.ROUNDING):
            continue
        movement = _movement(line, number, costs.get(line.mpn.upper()), percent)
        if movement is not None:
            found.append(movement)
    return found


def _movement(
    line: Line, number: int, known: Line | None, percent: Decimal
) -> Movement | None:
    because = []
    cost, price = line.unit_cost, line.unit_price
    if known is not None and known.unit_cost != cost and _is_newer(known, line):
        cost = known.unit_cost
        day = known.edited_at
        on = f", {day:%-d %b %Y}" if day else ""
        because.append(f"Cost in {known.revision}{on}")
    if line.price_source == Line.PriceSource.MARGIN:
        price = _price_by_margin(line, cost)
        if cost == line.unit_cost and price != line.unit_price:
            because.append("Margin at the exchange rate of the quote")
    elif line.product is not None:
        listed = list_price(
            line.product, percent=percent, currency=line.revision.currency
        )
        if listed is not None and listed != price:
            price = listed
            because.append("Today's list price")
    if (cost, price) == (line.unit_cost, line.unit_price):
        return None
    return Movement(
        line=line,
        number=number,
        new_cost=cost,
        new_price=price,
        because=tuple(because),
    )


def _is_newer(known: Line, line: Line) -> bool:
    """True where a cost was written later than the line's own, or it has none."""
    if line.unit_cost is None or line.edited_at is None:
        return True
    return known.edited_at is not None and known.edited_at > line.edited_at


def _price_by_margin(line: Line, cost: Decimal | None) -> Decimal | None:
    trial = Line(
        revision=line.revision,
        unit_cost=cost,
        unit_price=line.unit_price,
        margin_percent=line.margin_percent,
        price_source=line.price_source,
        discount_percent=line.discount_percent,
    )
    try:
        follow_lead(trial, {})
    except MoneyError:
        return line.unit_price
    return trial.unit_price


def _margin(line: Line, price: Decimal | None, cost: Decimal | None) -> Decimal | None:
    if price is None or cost is None:
        return None
    trial = Line(
        revision=line.revision,
        unit_cost=cost,
        kind=line.kind,
        quantity=line.quantity,
        unit_price=price,
        discount_percent=line.discount_percent,
    )
    try:
        net = line_net(trial)
        return None if net is None else margin_percent(net, trial.cost)
    except MoneyError:
        return None


@transaction.atomic
def take_movements(
    *,
    revision: Revision,
    picks: Collection[tuple[int, int]],
    by: User,
    now: datetime,
) -> int:
    """Write the new cost and price of the picked lines; return how many.

    `picks` are (line id, its version as shown): what was looked at is what is changed.

    Raises:
        QuoteError: nothing is picked, a line changed since, or it is no longer a draft.
        MoneyError: an amount does not fit.
    """
    wanted = dict(picks)
    found = [one for one in find_movements(revision, now) if one.line.pk in wanted]
    if not found:
        raise QuoteError("Tick the lines to change.")
    for movement in found:
        line = movement.line
        changes: dict[str, Any] = {"unit_cost": movement.new_cost}
        if line.price_source == Line.PriceSource.PRICE:
            changes["unit_price"] = movement.new_price
        save_line(line=line, changes=changes, version=wanted[line.pk], by=by, now=now)
    return len(found)
