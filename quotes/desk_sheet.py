"""The builder's table as it is shown: rows of text, groups, sums. No database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from quotes.approval_rules import Reason
from quotes.content import sums_at
from quotes.models import Line, Revision, Section
from quotes.offering import break_for
from quotes.pricing import Kind, Profit, Sums, margin_percent, work_out_profit
from quotes.problems import Problem
from quotes.services.bid_checks import OUTSIDE
from quotes.services.rounding import missing_rounding
from quotes.services.validity import Limit
from sourceit.money import ZERO, MoneyError, round_money

FIELD_WORDS = {
    "mpn": "Part",
    "description": "Description",
    "quantity": "Quantity",
    "unit_cost": "Cost",
    "margin_percent": "Margin %",
    "unit_price": "Price",
    "lead_weeks_min": "Lead from",
    "lead_weeks_max": "Lead to",
}
ROW_FIELDS = tuple(FIELD_WORDS)


@dataclass(slots=True, kw_only=True)
class Row:
    """A line with its number, what its inputs say, and what is wrong with them."""

    line: Line
    number: int
    texts: dict[str, str]
    errors: dict[str, str] = field(default_factory=dict)
    conflict: str = ""
    theirs: dict[str, str] = field(default_factory=dict)
    # True where it left the special bid that its cost stands on.
    is_outside_bid: bool = False

    @property
    def amount(self) -> Decimal | None:
        """The line's net; None while unpriced or where it does not fit."""
        return net_or_none(self.line)

    @property
    def offered_break(self) -> Decimal | None:
        """The unit price of its price breaks, where the line asks another one."""
        offered = break_for(self.line, self.line.quantity)
        return None if offered == self.line.unit_price else offered

    @property
    def messages(self) -> dict[str, str]:
        """What is wrong, field by field: "Line 3: enter a quantity".

        A line that is gone has no number.
        """
        if not self.number:
            return self.errors
        return {
            name: f"Line {self.number}: {words[:1].lower()}{words[1:]}"
            for name, words in self.errors.items()
        }

    @property
    def theirs_in_words(self) -> dict[str, str]:
        """The other person's version, under the words of the table's head."""
        return {FIELD_WORDS[name]: text for name, text in self.theirs.items()}


@dataclass(slots=True, kw_only=True)
class Group:
    """The rows of a section, or those of none."""

    section: Section | None
    rows: list[Row]

    @property
    def subtotal(self) -> Decimal:
        """The sum of the lines that count."""
        nets = (row.amount for row in self.rows if row.line.kind == Kind.STANDARD)
        return sum((net for net in nets if net is not None), start=ZERO)


@dataclass(slots=True, kw_only=True)
class Sheet:
    """All that the builder shows of a revision's lines.

    `sums` None means that they cannot be added up: too large, or no GST rate.
    """

    revision: Revision
    groups: list[Group]
    sums: Sums | None
    profit: Profit | None
    missing_rounding: Decimal | None
    problems: list[Problem] = field(default_factory=list)
    # Why it needs approval before it is sent.
    reasons: list[Reason] = field(default_factory=list)
    # What its validity may not pass, if anything.
    cap: Limit | None = None

    @property
    def rows(self) -> list[Row]:
        return [row for group in self.groups for row in group.rows]

    @property
    def offered_rounding(self) -> Decimal | None:
        """The rounding that would make list prices exact, where it is not so now."""
        if self.missing_rounding is None or self.sums is None:
            return None
        if self.missing_rounding == self.sums.totals.rounding:
            return None
        return self.missing_rounding

    @property
    def gross_if_rounded(self) -> Decimal | None:
        if self.offered_rounding is None or self.sums is None:
            return None
        totals = self.sums.totals
        return totals.gross - totals.rounding + self.offered_rounding

    @property
    def blocking(self) -> list[Problem]:
        return [problem for problem in self.problems if problem.is_blocking]

    @property
    def can_let_go(self) -> bool:
        """True where a reason would do instead of mending."""
        return any(problem.can_be_let_go for problem in self.problems)

    def mark_outside_bids(self) -> None:
        """Mark the rows that a problem says left their special bid."""
        outside = {
            pk
            for problem in self.problems
            if problem.kind == OUTSIDE
            for pk in problem.lines
        }
        for row in self.rows:
            row.is_outside_bid = row.line.pk in outside

    def row_of(self, line: Line) -> Row:
        """Return the row of a line."""
        return next(row for row in self.rows if row.line.pk == line.pk)

    def group_of(self, row: Row) -> Group:
        """Return the group a row stands in."""
        here = row.line.section_id
        return next(
            group
            for group in self.groups
            if (group.section.pk if group.section else None) == here
        )


def lay_out(revision: Revision, percent: Decimal | None) -> Sheet:
    """Lay out a revision at a GST rate, without sums at an unknown one.

    Needs lines with products, and sections.
    """
    rows = [
        Row(line=line, number=number, texts=texts_of(line))
        for number, line in enumerate(revision.lines_in_order(), start=1)
    ]
    lines = [row.line for row in rows]
    sheet = Sheet(
        revision=revision,
        groups=_group(revision.sections.all(), rows),
        sums=None,
        profit=None,
        missing_rounding=None,
    )
    if percent is None:
        return sheet
    try:
        sheet.sums = sums_at(revision, percent)
        sheet.profit = work_out_profit(
            lines, revision.discount, revision.home_rate or Decimal(1)
        )
        sheet.missing_rounding = missing_rounding(revision, percent)
    except MoneyError:
        sheet.sums = None  # the checks say which line is too large
    return sheet


def _group(sections: Iterable[Section], rows: list[Row]) -> list[Group]:
    by_section: dict[int | None, list[Row]] = {}
    for row in rows:
        by_section.setdefault(row.line.section_id, []).append(row)
    loose = Group(section=None, rows=by_section.get(None, []))
    return [
        loose,
        *(
            Group(section=section, rows=by_section.get(section.pk, []))
            for section in sections
        ),
    ]


def texts_of(line: Line) -> dict[str, str]:
    """Return what the row's inputs say."""
    margin = margin_shown(line)
    return {
        "mpn": line.mpn,
        "description": line.description,
        "quantity": plain(line.quantity),
        "unit_cost": amount_text(line.unit_cost),
        "margin_percent": "" if margin is None else plain(margin),
        "unit_price": amount_text(line.unit_price),
        "lead_weeks_min": ""
        if line.lead_weeks_min is None
        else f"{line.lead_weeks_min}",
        "lead_weeks_max": ""
        if line.lead_weeks_max is None
        else f"{line.lead_weeks_max}",
    }


def _weeks_text(weeks: int | None) -> str:
    return "" if weeks is None else str(weeks)


def typed_texts(row: Row, post: Mapping[str, str]) -> dict[str, str]:
    """Return a row's texts with what was typed in their place."""
    prefix = row.line.pk
    return {
        name: post.get(f"{prefix}-{name}", text) for name, text in row.texts.items()
    }


def margin_shown(line: Line) -> Decimal | None:
    """Return the margin as typed where it leads, else as it follows from the price."""
    if line.price_source == Line.PriceSource.MARGIN:
        return line.margin_percent
    net = net_or_none(line)
    if net is None or line.kind == Kind.ROUNDING:
        return None
    margin = margin_percent(net, line.cost)
    try:
        return None if margin is None else round_money(margin)
    except MoneyError:
        return None


def net_or_none(line: Line) -> Decimal | None:
    """Return the line's net, or None where it does not fit."""
    try:
        return line.net
    except MoneyError:
        return None


def plain(number: Decimal) -> str:
    """Write a number without empty decimals: 4, 2.5, 1152."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def amount_text(amount: Decimal | None) -> str:
    """Write an amount for an input: 26,168.1193, 24,100.00."""
    if amount is None:
        return ""
    whole, _, fraction = f"{amount:,f}".partition(".")
    return f"{whole}.{fraction.rstrip('0').ljust(2, '0')}"
