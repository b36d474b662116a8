"""The basket: a request in draft, found by session or by account."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation

from django.db import transaction
from django.db.models import F, Max

from catalog.models import Product
from fabrics.models import Design
from quotes.errors import QuoteError
from quotes.models import QuoteRequest, RequestLine
from quotes.models.requests import MAX_LINES, MAX_QUANTITY
from quotes.states import RequestStatus
from sourceit.models import User
from sourceit.money import MAX_UNIT_PRICE


@dataclass(frozen=True, slots=True, kw_only=True)
class PastedRow:
    """One pasted row and what became of it, in words."""

    text: str
    verdict: str
    is_added: bool


def find_basket(*, user: User | None, basket_pk: int | None) -> QuoteRequest | None:
    """Return the person's basket, or the session's; None when there is none yet.

    Signing in keeps what the guest had gathered: the guest's basket becomes the
    person's own, or its lines move into the one that waits there.
    """
    drafts = QuoteRequest.objects.filter(status=RequestStatus.DRAFT)
    of_session = drafts.filter(pk=basket_pk, user=None).first() if basket_pk else None
    if user is None:
        return of_session
    own = drafts.filter(user=user).order_by("pk").first()
    if of_session is None:
        return own
    return _adopt(of_session, own, user)


@transaction.atomic
def _adopt(guest: QuoteRequest, own: QuoteRequest | None, user: User) -> QuoteRequest:
    if own is None:
        guest.user = user
        guest.save(update_fields=["user"])
        return guest
    guest.lines.update(request=own, position=F("position") + _end_of(own))
    guest.delete()
    return own


def make_basket(*, user: User | None) -> QuoteRequest:
    return QuoteRequest.objects.create(user=user)


def count_lines(basket: QuoteRequest) -> int:
    return basket.lines.filter(removed_at=None).count()


@transaction.atomic
def add_product(
    *, basket: QuoteRequest, product: Product, quantity: int
) -> RequestLine:
    """Add a catalogue item, or raise the quantity of its line.

    Raises:
        QuoteError: the quantity is out of bounds or the basket is full.
    """
    line = basket.lines.filter(product=product, removed_at=None).first()
    if line is not None:
        set_line(line=line, quantity=line.quantity + quantity)
        return line
    return _add(
        basket,
        quantity,
        product=product,
        maker=product.maker,
        mpn=product.mpn,
        description=product.name,
    )


@transaction.atomic
def add_text(
    *,
    basket: QuoteRequest,
    description: str,
    quantity: int,
    mpn: str = "",
    note: str = "",
    target_price: Decimal | None = None,
) -> RequestLine:
    """Add what the customer typed; an exact part number becomes that catalogue item.

    Raises:
        QuoteError: nothing was typed, a bound was passed, or the basket is full.
    """
    description, mpn = description.strip(), mpn.strip()
    if not description and not mpn:
        raise QuoteError("Enter a part number or describe the item.")
    product = _find_product(mpn or description)
    if product is not None:
        line = add_product(basket=basket, product=product, quantity=quantity)
        set_line(
            line=line, note=note or line.note, target_price=target_price, keep=True
        )
        return line
    return _add(
        basket,
        quantity,
        mpn=mpn[:80],
        description=(description or mpn)[:500],
        note=note[:500],
        target_price=target_price,
    )


def add_design(*, basket: QuoteRequest, design: Design) -> RequestLine:
    """Add a sized fabric as one line; the same design is added once."""
    line = basket.lines.filter(design=design, removed_at=None).first()
    return line or _add(basket, 1, design=design, description=design.name)


def paste_rows(*, basket: QuoteRequest, text: str) -> list[PastedRow]:
    """Add rows pasted from a spreadsheet: part number or words, then a quantity.

    Cells are parted by tabs, semicolons or commas. A row that cannot be read is told
    with its reason and nothing of it is added.
    """
    rows = [row for row in text.splitlines() if row.strip()]
    return [_paste_row(basket, row) for row in rows[:MAX_LINES]]


def _paste_row(basket: QuoteRequest, row: str) -> PastedRow:
    cells = [cell.strip() for cell in re.split(r"[\t;]|,(?!\d{3}\b)", row)]
    words, quantity = _split_cells(cells)
    try:
        line = add_text(
            basket=basket,
            description=words,
            quantity=read_quantity(quantity),
            mpn=words if " " not in words else "",
        )
    except QuoteError as error:
        return PastedRow(text=row, verdict=str(error), is_added=False)
    if line.product_id:
        return PastedRow(text=row, verdict=f"Matched {line.description}", is_added=True)
    return PastedRow(text=row, verdict="Not listed: we will find it", is_added=True)


def _split_cells(cells: Sequence[str]) -> tuple[str, str]:
    """Part the words from the quantity: the last cell that is a number, else 1."""
    for index in range(len(cells) - 1, 0, -1):
        if re.fullmatch(r"[\d., ]+", cells[index]):
            return " ".join(c for c in cells[:index] if c), cells[index]
    return " ".join(cell for cell in cells if cell), "1"


def read_quantity(text: str) -> int:
    """Read a typed quantity: "4", "1,152", " 12 ".

    Raises:
        QuoteError: not a whole number from 1 to the most a line takes.
    """
    plain = re.sub(r"[,\s]", "", text)
    if not re.fullmatch(r"[0-9]{1,9}", plain, re.ASCII):
        raise QuoteError(f"Enter a quantity from 1 to {MAX_QUANTITY:,}.")
    return _check_quantity(int(plain))


def read_price(text: str) -> Decimal | None:
    """Read a typed target price: "S$26,000", "26000.50"; None when nothing is typed.

    Raises:
        QuoteError: not an amount, or not one that fits.
    """
    plain = re.sub(r"[,\s]|S?\$|SGD", "", text)
    if not plain:
        return None
    try:
        amount = Decimal(plain)
    except InvalidOperation as error:
        raise QuoteError("Enter the target price as a number, like 26000.") from error
    if not amount.is_finite() or not 0 < amount <= MAX_UNIT_PRICE:
        raise QuoteError("Enter a target price above zero.")
    if amount != round(amount, 4):
        raise QuoteError("A target price has at most four decimals.")
    return amount


def set_line(
    *,
    line: RequestLine,
    quantity: int | None = None,
    note: str | None = None,
    target_price: Decimal | None = None,
    keep: bool = False,
) -> None:
    """Change a line. `keep` leaves a target price that is there when none is given.

    Raises:
        QuoteError: the quantity is out of bounds.
    """
    if quantity is not None:
        line.quantity = _check_quantity(quantity)
    if note is not None:
        line.note = note.strip()[:500]
    if target_price is not None or (note is not None and not keep):
        line.target_price = target_price
    line.save(update_fields=["quantity", "note", "target_price"])


def remove_line(*, line: RequestLine, now: datetime) -> None:
    line.remove(now)


def restore_line(*, line: RequestLine) -> None:
    """Put a removed line back where it stood."""
    line.removed_at = None
    line.save(update_fields=["removed_at"])


def _add(basket: QuoteRequest, quantity: int, **fields: object) -> RequestLine:
    if count_lines(basket) >= MAX_LINES:
        raise QuoteError(f"A request takes at most {MAX_LINES:,} lines. Call us.")
    return RequestLine.objects.create(
        request=basket,
        position=_end_of(basket),
        quantity=_check_quantity(quantity),
        **fields,
    )


def _end_of(basket: QuoteRequest) -> int:
    last = basket.lines.aggregate(last=Max("position"))["last"]
    return 0 if last is None else last + 1


def _check_quantity(quantity: int) -> int:
    if not 1 <= quantity <= MAX_QUANTITY:
        raise QuoteError(f"Enter a quantity from 1 to {MAX_QUANTITY:,}.")
    return quantity


def _find_product(mpn: str) -> Product | None:
    found = list(Product.objects.on_show().filter(mpn__iexact=mpn)[:2])
    return found[0] if len(found) == 1 else None
