"""Build a quote from what there is: templates, and lines of earlier quotes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max

from catalog.models import Product, Supplier
from quotes.errors import QuoteError
from quotes.models import Line, QuoteTemplate, Revision, Section
from quotes.models.requests import MAX_LINES
from quotes.pricing import Kind
from quotes.services.line_copies import describe_line, make_line
from quotes.services.lines import set_fields, touch
from quotes.services.listings import listings_of
from sourceit.events import record_event
from sourceit.models import User


def _without_prices() -> dict[str, Any]:
    """What a copy without prices says of them; anew each time, for its list."""
    return {
        "unit_price": None,
        "unit_cost": None,
        "margin_percent": None,
        "price_source": Line.PriceSource.PRICE,
        "discount_percent": "0",
        "price_breaks": [],
    }


@transaction.atomic
def save_template(
    *, revision: Revision, name: str, by: User, now: datetime
) -> QuoteTemplate:
    """Keep the lines and sections of a revision under a name.

    Raises:
        QuoteError: there is no name, it is taken, or there are no lines.
    """
    name = " ".join(name.split())[:80]
    if not name:
        raise QuoteError("Enter a name for the template.")
    content = _describe(revision, revision.lines_in_order())
    if not content["lines"]:
        raise QuoteError("There is no line to keep.")
    with _one_of_a_name():
        return QuoteTemplate.objects.create(
            name=name, content=content, by=by, saved_at=now
        )


def rename_template(*, template: QuoteTemplate, name: str) -> None:
    """Give a template another name.

    Raises:
        QuoteError: there is no name, or it is taken.
    """
    template.name = " ".join(name.split())[:80]
    if not template.name:
        raise QuoteError("Enter a name for the template.")
    with _one_of_a_name():
        template.save(update_fields=["name"])


def remove_template(*, template: QuoteTemplate, now: datetime) -> None:
    """Take a template away; `restore_template` puts it back."""
    template.removed_at = now
    template.save(update_fields=["removed_at"])


def restore_template(*, template: QuoteTemplate) -> None:
    """Put a template back.

    Raises:
        QuoteError: another template has taken its name meanwhile.
    """
    template.removed_at = None
    with _one_of_a_name():
        template.save(update_fields=["removed_at"])


@contextmanager
def _one_of_a_name() -> Iterator[None]:
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        raise QuoteError("There is a template of that name already.") from error


def insert_template(
    *,
    revision: Revision,
    template: QuoteTemplate,
    with_prices: bool,
    by: User,
    now: datetime,
) -> int:
    """Put a template's lines into a draft, under sections of its own; return how many.

    What a line of a product lacks comes from the catalogue.

    Raises:
        QuoteError: the revision is no longer a draft, or would have too many lines.
    """
    text = f"{by} put in the template {template}"
    return _insert(revision, template.content, with_prices, text, by=by, now=now)


def copy_lines(
    *,
    revision: Revision,
    source: Revision,
    lines: Sequence[Line],
    with_prices: bool,
    by: User,
    now: datetime,
) -> int:
    """Copy lines of an earlier quote into a draft; return how many.

    Raises:
        QuoteError: no line is chosen, the revision is no longer a draft, would have too
            many lines, or the prices are in another currency.
    """
    if not lines:
        raise QuoteError("Tick the lines to copy.")
    if with_prices and source.currency != revision.currency:
        raise QuoteError(
            f"{source} is in {source.currency}, this quote in {revision.currency}: "
            "copy the lines without their prices."
        )
    content = _describe(source, lines)
    text = f"{by} copied {len(content['lines'])} lines of {source}"
    return _insert(revision, content, with_prices, text, by=by, now=now)


def _describe(revision: Revision, lines: Sequence[Line]) -> dict[str, Any]:
    """Describe lines and the sections they stand in; a rounding line is left out."""
    kept = [line for line in lines if line.kind != Kind.ROUNDING]
    used = {line.section_id for line in kept}
    sections = [one for one in revision.sections.all() if one.pk in used]
    places = {section.pk: place for place, section in enumerate(sections)}
    return {
        "currency": revision.currency,
        "sections": [section.title for section in sections],
        "lines": [
            # What somebody else asked a price for is nothing to offer here.
            describe_line(line)
            | {"section": places.get(line.section_id or 0), "asked_quantities": []}
            for line in kept
        ],
    }


@transaction.atomic
def _insert(
    revision: Revision,
    content: Mapping[str, Any],
    with_prices: bool,
    text: str,
    *,
    by: User,
    now: datetime,
) -> int:
    touch(revision, by=by, now=now)
    described = content["lines"]
    there = Line.objects.filter(revision=revision)
    if there.count() + len(described) > MAX_LINES:
        raise QuoteError(f"A quote has at most {MAX_LINES:,} lines.")
    has_prices = with_prices and content["currency"] == revision.currency
    sections = _add_sections(revision, content["sections"])
    products = Product.objects.in_bulk([one["product"] for one in described])
    suppliers = Supplier.objects.in_bulk({one.get("supplier") for one in described})
    listings = listings_of(products.values(), currency=revision.currency, now=now)
    end = there.aggregate(last=Max("position"))["last"]
    lines = []
    for position, one in enumerate(described, start=0 if end is None else end + 1):
        line = make_line({**one, **({} if has_prices else _without_prices())})
        line.revision, line.position = revision, position
        line.section = None if one["section"] is None else sections[one["section"]]
        line.product = products.get(one["product"])
        # Templates that were kept before suppliers were known have none.
        line.supplier = suppliers.get(one.get("supplier"))
        if line.product:
            if not has_prices:
                line.unit_price = listings.price_of(line.product)
            set_fields(line, listings.missing_in(line, line.product))
        line.edited_at, line.edited_by = now, by
        lines.append(line)
    Line.objects.bulk_create(lines)
    record_event(revision, "lines_copied", text, by=by)
    return len(lines)


def _add_sections(revision: Revision, titles: Sequence[str]) -> list[Section]:
    """Return a section for each title: the draft's own of that name, or a new one."""
    own = {section.title: section for section in revision.sections.all()}
    last = max((section.position for section in own.values()), default=-1)
    for title in titles:
        if title not in own:
            last += 1
            own[title] = Section.objects.create(
                revision=revision, title=title, position=last
            )
    return [own[title] for title in titles]
