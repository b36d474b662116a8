"""The basket: a request in draft, found by session or by account."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import F, Max

from catalog.models import Product
from fabrics.models import Design, DesignVersion
from quotes.errors import QuoteError
from quotes.models import QuoteRequest, RequestLine
from quotes.models.requests import MAX_LINES, MAX_QUANTITY
from quotes.states import RequestStatus
from quotes.typed import (
    MAX_DESCRIPTION,
    MAX_MPN,
    MAX_NOTE,
    check_quantity,
    clean_words,
)
from sourceit.models import User
from sourceit.uploads import move_uploads


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
    _join_same_items(guest, own)
    guest.lines.update(request=own, position=F("position") + end_of(own))
    move_uploads(guest, own)
    guest.delete()
    return own


def _join_same_items(guest: QuoteRequest, own: QuoteRequest) -> None:
    """Add what both baskets hold into one line, as adding it twice would have done."""
    mine = {
        line.product_id: line
        for line in own.lines.filter(removed_at=None).exclude(product=None)
    }
    for line in guest.lines.filter(removed_at=None, product__in=mine):
        kept = mine[line.product_id]
        kept.quantity = min(kept.quantity + line.quantity, MAX_QUANTITY)
        kept.note = kept.note or line.note
        kept.target_price = kept.target_price or line.target_price
        kept.save(update_fields=["quantity", "note", "target_price"])
        line.delete()


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
        QuoteError: the quantity is out of bounds, the basket is full or was sent.
    """
    hold_basket(basket)
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
    more_quantities: Sequence[int] = (),
) -> RequestLine:
    """Add what the customer typed; an exact part number becomes that catalogue item.

    Words typed beside such a part number are kept as the line's note.

    Raises:
        QuoteError: nothing was typed, a bound was passed, the basket is full or sent.
    """
    description = clean_words(description, "description", MAX_DESCRIPTION)
    mpn = clean_words(mpn, "part number", MAX_MPN)
    note = clean_words(note, "note", MAX_NOTE)
    if not description and not mpn:
        raise QuoteError("Enter a part number or describe the item.")
    hold_basket(basket)
    product = _find_product(mpn or description)
    if product is None:
        return _add(
            basket,
            quantity,
            mpn=mpn,
            description=description or mpn,
            note=note,
            target_price=target_price,
            more_quantities=list(more_quantities),
        )
    line = add_product(basket=basket, product=product, quantity=quantity)
    typed = _beside(product, description, note)
    line.note = clean_words(_join(line.note, typed), "note", MAX_NOTE)
    if target_price is not None:
        line.target_price = target_price
    line.more_quantities = _above(line, [*line.more_quantities, *more_quantities])
    line.save(update_fields=["note", "target_price", "more_quantities"])
    return line


def _beside(product: Product, description: str, note: str) -> str:
    """Return what was typed that the catalogue's own name does not say."""
    known = {product.mpn.lower(), product.name.lower()}
    return _join("" if description.lower() in known else description, note)


def _join(first: str, second: str) -> str:
    if second in first:
        return first
    return f"{first}; {second}" if first else second


@transaction.atomic
def add_design(*, basket: QuoteRequest, design: DesignVersion) -> RequestLine:
    """Add a version of a sized fabric as one line, or put it in its older one's place.

    Raises:
        QuoteError: the basket is full or was sent, or the design was taken away.
    """
    hold_basket(basket)
    # Held, so that its owner does not take it away at this instant.
    kept = Design.objects.kept().select_for_update().filter(pk=design.design_id)
    if not kept.exists():
        raise QuoteError("This design was deleted. Put it back first.")
    lines = basket.lines.filter(design__design=design.design_id, removed_at=None)
    line = lines.first()
    if line is None:
        return _add(basket, 1, design=design, description=design.name)
    line.design, line.description = design, design.name
    line.save(update_fields=["design", "description"])
    return line


@transaction.atomic
def set_line(
    *,
    line: RequestLine,
    quantity: int,
    note: str | None = None,
    target_price: Decimal | None = None,
    more_quantities: Sequence[int] | None = None,
) -> None:
    """Change a line's quantity and, when a note is given, note and target price.

    Raises:
        QuoteError: the quantity is out of bounds, the note too long, the basket sent.
    """
    hold_basket(line.request)
    line.quantity = check_quantity(quantity)
    if note is not None:
        line.note = clean_words(note, "note", MAX_NOTE)
        line.target_price = target_price
    more = line.more_quantities if more_quantities is None else more_quantities
    line.more_quantities = _above(line, more)
    line.save(update_fields=["quantity", "note", "target_price", "more_quantities"])


def _above(line: RequestLine, more: Sequence[int]) -> list[int]:
    """Keep the other quantities that are more than the line's own, each once."""
    return sorted({quantity for quantity in more if quantity > line.quantity})


@transaction.atomic
def remove_line(*, line: RequestLine, now: datetime) -> None:
    """Take a line out; it can be put back until the request is sent.

    Raises:
        QuoteError: the basket was sent.
    """
    hold_basket(line.request)
    line.remove(now)


@transaction.atomic
def restore_line(*, line: RequestLine) -> None:
    """Put a removed line back where it stood, or into the line of the same item.

    Raises:
        QuoteError: the basket was sent, or is full.
    """
    hold_basket(line.request)
    if line.removed_at is None:
        return
    same = line.request.lines.filter(removed_at=None, product=line.product_id or 0)
    kept = same.first()
    if kept is not None:
        set_line(line=kept, quantity=kept.quantity + line.quantity)
        line.delete()
        return
    _check_room(line.request)
    line.removed_at = None
    line.save(update_fields=["removed_at"])


def hold_basket(basket: QuoteRequest) -> None:
    """Keep the basket a basket until this transaction ends: a sent one is frozen.

    Raises:
        QuoteError: it was sent a moment ago, in another window.
    """
    drafts = QuoteRequest.objects.filter(pk=basket.pk, status=RequestStatus.DRAFT)
    if not drafts.select_for_update().exists():
        raise QuoteError("This request was sent already. Start a new one.")


def _add(basket: QuoteRequest, quantity: int, **fields: object) -> RequestLine:
    _check_room(basket)
    return RequestLine.objects.create(
        request=basket,
        position=end_of(basket),
        quantity=check_quantity(quantity),
        **fields,
    )


def _check_room(basket: QuoteRequest) -> None:
    if count_lines(basket) >= MAX_LINES:
        raise QuoteError(f"A request takes at most {MAX_LINES:,} lines. Call us.")


def end_of(basket: QuoteRequest) -> int:
    last = basket.lines.aggregate(last=Max("position"))["last"]
    return 0 if last is None else last + 1


def _find_product(mpn: str) -> Product | None:
    found = list(Product.objects.on_show().filter(mpn__iexact=mpn)[:2])
    return found[0] if len(found) == 1 else None
