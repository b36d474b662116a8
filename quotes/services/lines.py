"""Editing a draft: its lines and sections, one small write at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import F, Max

from catalog.models import Product, Supplier
from quotes.errors import QuoteError
from quotes.models import Line, OfferLine, Revision, Section, SpecialBid
from quotes.models.requests import MAX_LINES
from quotes.pricing import price_for_margin
from quotes.services.approvals import void_approval
from quotes.services.line_copies import describe_line, make_line
from quotes.services.listings import listings_of
from quotes.services.moves import move_revision
from quotes.states import Actor, RevisionStatus
from sourceit.clock import SINGAPORE, singapore_date
from sourceit.events import record_event
from sourceit.models import Event, User
from sourceit.money import HOME, MoneyError

LEADS = ("unit_price", "margin_percent")


class EditConflict(QuoteError):
    """Somebody saved a newer version of the row; `line` is that version."""

    def __init__(self, line: Line, number: int) -> None:
        self.line = line
        who = line.edited_by or "Somebody"
        at = line.edited_at
        when = f" at {at.astimezone(SINGAPORE):%H:%M}" if at else ""
        super().__init__(f"{who} changed line {number}{when}.")


def touch(revision: Revision, *, by: User, now: datetime) -> None:
    """Note an edit of anything on a revision; an approved one becomes a draft again.

    Raises:
        QuoteError: it is no longer a draft.
    """
    drafts = Revision.objects.filter(pk=revision.pk, status=RevisionStatus.DRAFT)
    edit = {"row_version": F("row_version") + 1, "edited_at": now, "edited_by": by}
    if drafts.update(**edit):
        return
    # Asked again, not taken from `revision`: it may have been approved meanwhile.
    approved = Revision.objects.filter(status=RevisionStatus.APPROVED)
    held = approved.select_for_update().filter(pk=revision.pk).first()
    if held is None:
        raise QuoteError("The quote is no longer a draft. Load the page again.")
    text = f"Edited by {by}: it needs approval again"
    move_revision(held, "edit", text, actor=Actor.SALES, by=by, internal=True)
    void_approval(held, by=by, now=now)
    drafts.update(**edit)
    revision.status = held.status


@transaction.atomic
def save_line(
    *,
    line: Line,
    changes: Mapping[str, Any],
    version: int,
    by: User,
    now: datetime,
) -> None:
    """Write the changed fields of a line; price and margin follow each other.

    Of price and margin, the later in `changes` leads: it is kept as typed, and the
    other is worked out from it, now and whenever cost or discount change. A quantity
    never changes a price. The line is compared and swapped by `version`.

    Raises:
        EditConflict: somebody saved the line after `version`.
        QuoteError: the revision is no longer a draft.
        MoneyError: the amount does not fit, or no price gives the margin.
    """
    set_fields(line, changes)
    follow_lead(line, changes)
    if {"lead_weeks_min", "lead_weeks_max"} & changes.keys():
        line.lead_as_of = singapore_date(now)
    if "unit_cost" in changes and "offer_line" not in changes:
        line.offer_line = None  # the cost is no longer that offer's
    _ = line.net  # raises where the amount does not fit
    line.row_version = version + 1
    line.edited_at, line.edited_by = now, by
    names = {*changes, *LEADS, "price_source", "lead_as_of", "offer_line"}
    names |= {"row_version", "edited_at", "edited_by"}
    rows = Line.objects.filter(pk=line.pk, row_version=version)
    if not rows.update(**{name: getattr(line, name) for name in names}):
        raise _conflict(line)
    touch(line.revision, by=by, now=now)


def unit_cost_of(line: Line) -> Decimal | None:
    """Return the cost of one in the quote's currency; None where it is not known."""
    rate = line.revision.home_rate
    if line.unit_cost is None or rate is None:
        return None
    return line.unit_cost if rate == 1 else line.unit_cost / rate


def follow_lead(line: Line, changes: Mapping[str, Any]) -> None:
    """Let the last typed of price and margin lead, and work out the price it asks for.

    Raises:
        MoneyError: a margin was typed but the cost is not known, or no price gives it.
    """
    typed = [name for name in changes if name in LEADS]
    if typed:
        is_margin = typed[-1] == "margin_percent" and line.margin_percent is not None
        sources = Line.PriceSource
        line.price_source = sources.MARGIN if is_margin else sources.PRICE
    if line.price_source != Line.PriceSource.MARGIN or line.margin_percent is None:
        line.margin_percent = None
        return
    if line.unit_cost is None:
        raise MoneyError("Enter the cost first: the price follows from it.")
    cost = unit_cost_of(line)
    if cost is None:
        raise MoneyError("Choose the quote's exchange rate first.")
    line.unit_price = price_for_margin(cost, line.margin_percent, line.discount_percent)


def _conflict(line: Line) -> QuoteError:
    theirs = Line.objects.select_related("edited_by", "revision").filter(pk=line.pk)
    found = theirs.first()
    if found is None:
        return QuoteError("Somebody removed this line. Load the page again.")
    return EditConflict(found, number_of(found))


def number_of(line: Line) -> int:
    """Return the line's number on the quote, counted over all its sections."""
    return [other.pk for other in line.revision.lines_in_order()].index(line.pk) + 1


@transaction.atomic
def add_line(*, revision: Revision, by: User, now: datetime, **fields: Any) -> Line:
    """Add a line at the end of its section (`section` among the fields, or none).

    Raises:
        QuoteError: the revision is no longer a draft, or has as many lines as may be.
    """
    touch(revision, by=by, now=now)
    if Line.objects.filter(revision=revision).count() >= MAX_LINES:
        raise QuoteError(f"A quote has at most {MAX_LINES:,} lines.")
    return Line.objects.create(
        revision=revision,
        position=_end_of(revision),
        edited_at=now,
        edited_by=by,
        **fields,
    )


@transaction.atomic
def add_lines(
    *, revision: Revision, rows: Sequence[Mapping[str, Any]], by: User, now: datetime
) -> None:
    """Add several lines at the end, such as a block pasted from a spreadsheet.

    A part number that the catalogue has brings its product and what the catalogue
    knows of it; what was pasted stays.

    Raises:
        QuoteError: the revision is no longer a draft, or would have too many lines.
        MoneyError: an amount does not fit.
    """
    touch(revision, by=by, now=now)
    count = Line.objects.filter(revision=revision).count()
    if count + len(rows) > MAX_LINES:
        raise QuoteError(f"A quote has at most {MAX_LINES:,} lines.")
    products = _products_by_mpn(rows)
    listings = listings_of(products.values(), currency=revision.currency, now=now)
    lines = []
    for position, row in enumerate(rows, start=_end_of(revision)):
        line = Line(revision=revision, position=position, edited_at=now, edited_by=by)
        product = products.get(str(row.get("mpn", "")).upper())
        pasted = {name: value for name, value in row.items() if value not in (None, "")}
        copied = listings.copy_of(product) if product else {}
        set_fields(line, copied | pasted)
        if product is not None:
            set_fields(line, listings.missing_in(line, product))
        follow_lead(line, pasted)
        _ = line.net  # raises where the amount does not fit
        lines.append(line)
    Line.objects.bulk_create(lines)


def _products_by_mpn(rows: Sequence[Mapping[str, Any]]) -> dict[str, Product]:
    """Return the catalogue's products for part numbers, in either case (one query)."""
    numbers = {str(row.get("mpn", "")) for row in rows} - {""}
    wanted = numbers | {number.upper() for number in numbers}
    found = Product.objects.filter(mpn__in=wanted)
    return {product.mpn.upper(): product for product in found}


def _end_of(revision: Revision) -> int:
    rows = Line.objects.filter(revision=revision)
    last = rows.aggregate(last=Max("position"))["last"]
    return 0 if last is None else int(last) + 1


def add_product_line(
    *,
    revision: Revision,
    product: Product,
    by: User,
    now: datetime,
    section: Section | None = None,
) -> Line:
    """Add a catalogue product with what is known of it, unpriced if on request."""
    listings = listings_of([product], currency=revision.currency, now=now)
    fields = listings.new_line(product)
    return add_line(revision=revision, by=by, now=now, section=section, **fields)


def set_fields(line: Line, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        setattr(line, name, value)


@transaction.atomic
def remove_line(*, line: Line, by: User, now: datetime) -> Event:
    """Take a line out. The event keeps all of it, so that it can be put back."""
    revision = line.revision
    touch(revision, by=by, now=now)
    text = f"Line removed: {line}"
    event = record_event(
        revision,
        "line_removed",
        text,
        by=by,
        line=describe_line(line),
        currency=_currency_of(revision),
    )
    line.delete()
    return event


def _currency_of(revision: Revision) -> str:
    """Read the currency anew: it may have changed since the revision was loaded."""
    return Revision.objects.values_list("currency", flat=True).get(pk=revision.pk)


@transaction.atomic
def restore_line(*, revision: Revision, event_pk: int, by: User, now: datetime) -> Line:
    """Put back the line that an event of this revision says was removed.

    Raises:
        QuoteError: the event is not such a one, the line was put back already, or its
            price is in another currency than the quote is now.
    """
    touch(revision, by=by, now=now)
    events = Event.objects.filter(
        subject_type=ContentType.objects.get_for_model(Revision),
        subject_id=revision.pk,
    )
    event = events.filter(pk=event_pk, kind="line_removed").first()
    if event is None:
        raise QuoteError("There is no such line to put back.")
    if events.filter(kind="line_restored", detail__event=event_pk).exists():
        raise QuoteError("The line was put back already.")
    was = event.detail.get("currency", HOME)
    if was != _currency_of(revision):
        raise QuoteError(
            f"The line was priced in {was}, and the quote is in another currency now: "
            "add it again."
        )
    line = _make_line(revision, dict(event.detail["line"]))
    line.edited_at, line.edited_by = now, by
    line.save()
    record_event(
        revision, "line_restored", f"Line put back: {line}", by=by, event=event_pk
    )
    return line


def _make_line(revision: Revision, values: dict[str, Any]) -> Line:
    """Make an unsaved line of a revision; what it pointed to may be gone meanwhile."""
    line = make_line(values)
    line.revision = revision
    line.section = revision.sections.filter(pk=values["section"]).first()
    line.product = Product.objects.filter(pk=values["product"]).first()
    # Lines that were taken out before suppliers were known have none.
    line.supplier = Supplier.objects.filter(pk=values.get("supplier") or 0).first()
    offers = OfferLine.objects.filter(pk=values.get("offer_line") or 0)
    line.offer_line = offers.first()
    bids = SpecialBid.objects.filter(pk=values.get("special_bid") or 0)
    line.special_bid = bids.first()
    return line


@transaction.atomic
def move_line(*, line: Line, up: bool, by: User, now: datetime) -> None:
    """Swap a line with its neighbour in the same section; at the end, do nothing."""
    revision = line.revision
    touch(revision, by=by, now=now)
    rows = Line.objects.filter(revision=revision, section=line.section_id)
    lines = list(rows.order_by("position", "pk"))
    places = [other.pk for other in lines]
    old = places.index(line.pk)
    new = old - 1 if up else old + 1
    if not 0 <= new < len(lines):
        return
    lines[old], lines[new] = lines[new], lines[old]
    _number(lines)


def _number(lines: list[Line]) -> None:
    """Write the positions of lines that stand in the wrong place."""
    positions = sorted({line.position for line in lines})
    if len(positions) < len(lines):
        positions = list(range(len(lines)))
    moved = []
    for line, position in zip(lines, positions, strict=True):
        if line.position != position:
            line.position = position
            moved.append(line)
    Line.objects.bulk_update(moved, ["position"])
