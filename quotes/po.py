"""A customer's purchase order, read as rows and held against what was accepted.

Pure: no database. Lines are matched one to one, by part number first, so that two lines
of one part stay two; what differs is said in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from quotes.content import Content
from quotes.pricing import Kind
from sourceit.money import format_money, round_money

MAX_ROWS = 1_000
COLUMNS = ("part", "quantity", "unit_price", "amount")
WIDE = ("part", "description", "quantity", "unit_price", "amount")
# What the heads of such columns say.
HEADS = {
    "part": {"part", "partnumber", "partno", "mpn", "item", "itemno", "sku", "model"},
    "description": {"description", "desc", "itemdescription", "name", "product"},
    "quantity": {"qty", "quantity", "orderqty", "orderedqty"},
    "unit_price": {"unitprice", "price", "unitcost", "priceeach", "rate"},
    "amount": {"amount", "total", "linetotal", "net", "extended", "extendedprice"},
}
_AROUND = re.compile(r"(?i)s\$|us\$|sgd|usd|[$,\s\u00a0]|pcs?$|ea$|units?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class PoLine:
    """One row of a purchase order; None is what it does not say."""

    row: int
    part: str
    description: str = ""
    quantity: Decimal | None = None
    unit_price: Decimal | None = None
    amount: Decimal | None = None

    @property
    def name(self) -> str:
        return self.part or self.description or f"row {self.row}"


def read_rows(rows: Iterable[Sequence[str]]) -> tuple[list[PoLine], list[str]]:
    """Read rows as lines; also say what could not be read ("Row 3: ...")."""
    filled = [
        (number, list(row))
        for number, row in enumerate(rows, start=1)
        if any(cell.strip() for cell in row)
    ]
    if not filled:
        return [], ["There are no rows."]
    if len(filled) > MAX_ROWS:
        return [], [f"Give at most {MAX_ROWS:,} rows."]
    columns = _columns_of(filled[0][1])
    if columns is not None:
        filled = filled[1:]
    lines: list[PoLine] = []
    faults: list[str] = []
    for number, row in filled:
        names = columns or (WIDE if len(row) >= len(WIDE) else COLUMNS)
        cells = dict(zip(names, row, strict=False))
        _read_row(number, cells, lines, faults)
    return lines, faults


def _columns_of(row: Sequence[str]) -> tuple[str, ...] | None:
    """Return what each column is when the row is a heading, else None."""
    plain = [re.sub(r"[^a-z]", "", cell.lower()) for cell in row]
    names = tuple(
        next((name for name, words in HEADS.items() if head in words), f"other-{n}")
        for n, head in enumerate(plain)
    )
    known = [name for name in names if name in HEADS]
    is_heading = "quantity" in known and len(known) > 1
    return names if is_heading else None


def _read_row(
    number: int, cells: dict[str, str], lines: list[PoLine], faults: list[str]
) -> None:
    numbers: dict[str, Decimal | None] = {}
    for name in ("quantity", "unit_price", "amount"):
        typed = cells.get(name, "")
        try:
            numbers[name] = _number(typed)
        except InvalidOperation:
            words = name.replace("_", " ")
            faults.append(f"Row {number}: the {words} “{typed[:40]}” is not a number.")
            return
    part, description = cells.get("part", "")[:200], cells.get("description", "")[:500]
    if not (part or description):
        return  # a total under the lines names nothing
    lines.append(PoLine(row=number, part=part, description=description, **numbers))


def _number(typed: str) -> Decimal | None:
    plain = _AROUND.sub("", typed.strip())
    if not plain:
        return None
    number = Decimal(plain)
    if not number.is_finite() or abs(number) >= Decimal(10) ** 13:
        raise InvalidOperation
    return number


def find_differences(
    bought: Iterable[Content], ordered: Iterable[PoLine], currency: str
) -> list[str]:
    """Say in words what differs between what was accepted and what was ordered."""
    rest = [
        line
        for line in bought
        if line["kind"] not in (Kind.TEXT, Kind.ROUNDING) and line["net"]
    ]
    differences: list[str] = []
    for order in ordered:
        line = _match(order, rest)
        if line is None:
            differences.append(f"{order.name} is not on the accepted quotation.")
            continue
        rest.remove(line)
        differences += _compare(line, order, currency)
    differences += [f"{_name(line)} is not on the purchase order." for line in rest]
    return differences


def _match(order: PoLine, rest: Sequence[Content]) -> Content | None:
    """Find the line that a row orders: of several with one part, the most alike."""
    part, words = _plain(order.part), _plain(order.description)
    alike = [line for line in rest if part and _plain(line["mpn"]) == part]
    if not alike:
        names = {name for name in (part, words) if name}
        alike = [line for line in rest if _plain(line["description"]) in names]
    return min(alike, key=lambda line: _distance(line, order), default=None)


def _distance(line: Content, order: PoLine) -> tuple[bool, bool, int]:
    return (
        order.quantity is not None and order.quantity != Decimal(line["quantity"]),
        order.unit_price is not None and not _is_price(line, order.unit_price),
        line["number"],
    )


def _compare(line: Content, order: PoLine, currency: str) -> list[str]:
    name, found = _name(line), []
    quantity, net = Decimal(line["quantity"]), Decimal(line["net"])
    if order.quantity is None:
        found.append(f"{name}: the purchase order gives no quantity.")
    elif order.quantity != quantity:
        found.append(f"{name}: quantity {order.quantity:f} instead of {quantity:f}.")
    if order.unit_price is not None and not _is_price(line, order.unit_price):
        ours = format_money(_net_price(line), currency)
        theirs = format_money(order.unit_price, currency)
        found.append(f"{name}: unit price {theirs} instead of {ours}.")
    if order.amount is not None and round_money(order.amount) != net:
        theirs, ours = (format_money(each, currency) for each in (order.amount, net))
        found.append(f"{name}: amount {theirs} instead of {ours}.")
    return found


def _is_price(line: Content, price: Decimal) -> bool:
    """True for the unit price, before or after the line's discount.

    Orders give two decimals where quotations have four.
    """
    listed = Decimal(line["unit_price"])
    prices = {listed, _net_price(line)}
    return price in prices or price in {round_money(one) for one in prices}


def _net_price(line: Content) -> Decimal:
    discount = Decimal(line["discount_percent"])
    return Decimal(line["unit_price"]) * (100 - discount) / 100


def _name(line: Content) -> str:
    return f"Line {line['number']} ({line['mpn'] or line['description'][:60]})"


def _plain(text: str) -> str:
    """Compare part numbers however they are written: MSN3700-VS2F, msn3700 vs2f."""
    return re.sub(r"[^0-9a-z]", "", text.lower())
