"""A list of parts into the basket: what would become of each row, then all at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Upper

from catalog.models import Product
from quotes.errors import QuoteError
from quotes.models import QuoteRequest, RequestLine
from quotes.models.requests import MAX_LINES
from quotes.services.baskets import count_lines, end_of, hold_basket
from quotes.sheets import SheetRow
from quotes.typed import (
    MAX_DESCRIPTION,
    MAX_MPN,
    MAX_NOTE,
    clean_words,
    read_price,
    read_quantities,
)

# A part number may be typed without its ending; shorter ones would match anything.
LEAST_LETTERS = 5
MOST_CHOICES = 6
AT_A_TIME = 50
# Looking for words reads every product: for few words each, and not for too many rows.
MOST_WORDS = 8
MOST_DESCRIBED = 100


class Verdict(StrEnum):
    MATCHED = "matched"
    SEVERAL = "several"
    FREE = "free"
    BAD = "bad"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A row with what would become of it; `problem` tells why it cannot be taken."""

    row: SheetRow
    verdict: Verdict
    products: tuple[Product, ...] = ()
    quantities: tuple[int, ...] = ()
    target_price: Decimal | None = None
    description: str = ""
    part: str = ""
    note: str = ""
    problem: str = ""
    pick: int | None = None


def judge_rows(
    rows: Sequence[SheetRow], picks: Mapping[int, int] | None = None
) -> list[Judged]:
    """Tell of each row what it would become; nothing is written.

    `picks` says for a row's number which of several products was chosen (its id).
    """
    exact, like = _find_products(rows)
    chosen = picks or {}
    return [
        replace(_judge(row, exact, like), pick=chosen.get(row.number)) for row in rows
    ]


def count_verdicts(judged: Sequence[Judged]) -> dict[str, int]:
    counts = {verdict.value: 0 for verdict in Verdict}
    for each in judged:
        counts[each.verdict] += 1
    return counts


def _judge(
    row: SheetRow,
    exact: Mapping[str, list[Product]],
    like: Mapping[str, list[Product]],
) -> Judged:
    try:
        if not row.quantity:
            raise QuoteError("enter a quantity.")
        quantities = tuple(read_quantities(row.quantity))
        part = clean_words(row.part, "part number", MAX_MPN)
        description = clean_words(row.description, "description", MAX_DESCRIPTION)
        if not part and not description:
            raise QuoteError("enter a part number or describe the item.")
        note = clean_words(row.note, "note", MAX_NOTE)
        target = read_price(row.target)
    except QuoteError as error:
        words = str(error)
        told = f"Row {row.number}: {words[0].lower()}{words[1:]}"
        return Judged(row=row, verdict=Verdict.BAD, problem=told)
    key = (part or description).upper()
    products = exact.get(key) or like.get(key) or []
    is_sure = len(products) == 1 and key in exact
    verdict = Verdict.MATCHED if is_sure else Verdict.SEVERAL
    if not products:
        verdict = Verdict.FREE
        if " " in part and not description:
            # Words in the part number's column describe; they are no part number.
            part, description = "", part
    return Judged(
        row=row,
        verdict=verdict,
        products=tuple(products[:MOST_CHOICES]),
        quantities=quantities,
        target_price=target,
        description=description,
        part=part,
        note=note,
    )


def _find_products(
    rows: Sequence[SheetRow],
) -> tuple[dict[str, list[Product]], dict[str, list[Product]]]:
    """Find products by their whole part numbers, by how those begin, by their words."""
    keys = sorted({(row.part or row.description).upper() for row in rows} - {""})
    shown = Product.objects.on_show().annotate(key=Upper("mpn"))
    exact: dict[str, list[Product]] = defaultdict(list)
    for some in _parts(keys):
        for product in shown.filter(key__in=some):
            exact[product.mpn.upper()].append(product)
    open_keys = [key for key in keys if key not in exact and _is_start(key)]
    like: dict[str, list[Product]] = defaultdict(list)
    for some in _parts(open_keys):
        begins = Q()
        for key in some:
            begins |= Q(key__startswith=key)
        for product in shown.filter(begins)[: MOST_CHOICES * len(some)]:
            for key in some:
                if product.mpn.upper().startswith(key):
                    like[key].append(product)
    worded = [key for key in keys if key not in exact and key not in like]
    return dict(exact), dict(like) | _find_by_words(worded)


def _find_by_words(keys: list[str]) -> dict[str, list[Product]]:
    """Find what has every word of a few words in its maker, name or part number."""
    words = {key: key.split() for key in keys}
    described = [key for key in keys if 2 <= len(words[key]) <= MOST_WORDS]
    described = described[:MOST_DESCRIBED]
    found: dict[str, list[Product]] = defaultdict(list)
    for some in _parts(described):
        wanted = Q()
        for key in some:
            wanted |= _has_words(words[key])
        rows = Product.objects.on_show().filter(wanted)
        for product in rows[: MOST_CHOICES * len(some)]:
            text = f"{product.maker} {product.name} {product.mpn}".upper()
            for key in some:
                if all(word in text for word in words[key]):
                    found[key].append(product)
    return dict(found)


def _has_words(words: list[str]) -> Q:
    condition = Q()
    for word in words:
        condition &= (
            Q(name__icontains=word) | Q(mpn__icontains=word) | Q(maker__icontains=word)
        )
    return condition


def _is_start(key: str) -> bool:
    return len(key) >= LEAST_LETTERS and " " not in key and len(key) <= MAX_MPN


def _parts(keys: list[str]) -> list[list[str]]:
    return [keys[at : at + AT_A_TIME] for at in range(0, len(keys), AT_A_TIME)]


@transaction.atomic
def import_rows(
    *,
    basket: QuoteRequest,
    rows: Sequence[SheetRow],
    picks: Mapping[int, int],
) -> tuple[UUID, int]:
    """Add the rows that can be taken, as one batch; return it and how many they are.

    `picks` says for a row's number which of its several products is meant (its id); a
    row without a pick stays the customer's own words.

    Raises:
        QuoteError: nothing can be taken, the basket is full or was sent.
    """
    hold_basket(basket)
    judged = judge_rows(rows, picks)
    taken = [each for each in judged if each.verdict != Verdict.BAD]
    if not taken:
        raise QuoteError("None of these rows can be taken. Correct them first.")
    if count_lines(basket) + len(taken) > MAX_LINES:
        raise QuoteError(f"A request takes at most {MAX_LINES:,} lines. Call us.")
    batch, start = uuid4(), end_of(basket)
    RequestLine.objects.bulk_create(
        make_line(basket, each, start + n, batch) for n, each in enumerate(taken)
    )
    return batch, len(taken)


def make_line(
    request: QuoteRequest, judged: Judged, position: int, batch: UUID | None = None
) -> RequestLine:
    """Make an unsaved line of a request from a row that can be taken."""
    product = next((one for one in judged.products if one.pk == judged.pick), None)
    if judged.verdict == Verdict.MATCHED:
        product = judged.products[0]
    first, *more = judged.quantities
    note = judged.note
    if product is not None and judged.description and not note:
        known = {product.name.lower(), product.mpn.lower()}
        note = "" if judged.description.lower() in known else judged.description
    return RequestLine(
        request=request,
        position=position,
        product=product,
        maker=product.maker if product else "",
        mpn=product.mpn if product else judged.part,
        description=product.name if product else judged.description or judged.part,
        quantity=first,
        more_quantities=more,
        target_price=judged.target_price,
        note=note,
        batch=batch,
    )


@transaction.atomic
def undo_import(*, basket: QuoteRequest, batch: UUID, now: datetime) -> int:
    """Take a whole list out of the basket again; return how many lines went.

    Raises:
        QuoteError: the basket was sent.
    """
    hold_basket(basket)
    lines = basket.lines.filter(batch=batch, removed_at=None)
    return lines.update(removed_at=now)
