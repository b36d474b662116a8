"""What to buy of whom for an order. For the desk alone: costs and suppliers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction

from catalog.models import Supplier, SupplierPart
from quotes.errors import QuoteError
from quotes.models import Order, OrderLine
from quotes.pricing import Kind
from quotes.services.offer_costs import offers_under
from sourceit.events import record_event
from sourceit.models import User
from sourceit.money import HOME, round_money

NO_SUPPLIER = "No supplier yet"
HEADINGS = (
    "Order",
    "Supplier",
    "Line",
    "Maker",
    "Part number",
    "Supplier's part number",
    "Description",
    "Quantity",
    "Unit",
    "Unit cost",
    "Cost",
    "Currency",
    "Lead time",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PurchaseList:
    """The lines to buy of one supplier; `cost` None: one of them is not known."""

    supplier: Supplier | None
    lines: tuple[OrderLine, ...]
    cost: Decimal | None

    @property
    def name(self) -> str:
        return self.supplier.name if self.supplier else NO_SUPPLIER


def purchase_lists(order: Order) -> list[PurchaseList]:
    """Group an order's goods by supplier; those without one come last (one query)."""
    found: dict[Supplier | None, list[OrderLine]] = {}
    for line in order.lines.select_related("supplier", "source").exclude(
        kind=Kind.ROUNDING
    ):
        found.setdefault(line.supplier, []).append(line)
    lists = [
        PurchaseList(supplier=supplier, lines=tuple(lines), cost=_cost_of(lines))
        for supplier, lines in found.items()
    ]
    return sorted(lists, key=lambda one: (one.supplier is None, one.name))


def cost_of(line: OrderLine) -> Decimal | None:
    """Return what a line costs, to the cent; None while the unit cost is not known."""
    if line.unit_cost is None:
        return None
    return round_money(line.unit_cost * line.quantity)


def _cost_of(lines: list[OrderLine]) -> Decimal | None:
    costs = [cost_of(line) for line in lines]
    known = [cost for cost in costs if cost is not None]
    return sum(known, start=Decimal(0)) if len(known) == len(costs) else None


def offers_moved(groups: Iterable[PurchaseList], now: datetime) -> dict[int, str]:
    """Say of each line, by id, why it cannot be bought at its cost any more.

    Only of lines whose cost stands on a supplier's offer: it ended, or is another now.
    """
    lines = [line for group in groups for line in group.lines]
    under = offers_under(line.source for line in lines)
    moved = {}
    for line in lines:
        used = under.get(line.source_id)
        if used is None:
            continue
        if used.offer.has_ended(now):
            day = used.offer.valid_until
            moved[line.pk] = f"The offer ended on {day:%-d %b %Y}: ask again"
        elif not used.offer.stands:
            moved[line.pk] = "The supplier changed its offer: ask again"
    return moved


@transaction.atomic
def assign_supplier(*, line: OrderLine, supplier: Supplier | None, by: User) -> None:
    """Say of whom a line is bought; None takes it back.

    Raises:
        QuoteError: the order was replaced.
    """
    if line.order.replaced_at is not None:
        raise QuoteError(f"{line.order} was changed; buy for the order that stands.")
    if line.supplier_id == (supplier.pk if supplier else None):
        return
    parts = SupplierPart.objects.filter(product=line.source.product_id)
    part = parts.filter(supplier=supplier).first() if supplier else None
    line.supplier, line.supplier_part = supplier, part.part_number if part else ""
    line.save(update_fields=["supplier", "supplier_part"])
    name = supplier.name if supplier else "nobody yet"
    text = f"{line.order} line {line.number} is bought from {name}"
    record_event(line.order.acceptance.revision, "supplier_assigned", text, by=by)


def find_or_make_supplier(name: str) -> Supplier:
    """Return the supplier of a name, however its letters are written, or a new one.

    Raises:
        QuoteError: there is no name.
    """
    name = " ".join(name.split())[:120]
    if not name:
        raise QuoteError("Choose a supplier, or enter the name of a new one.")
    known = Supplier.objects.filter(name__iexact=name).first()
    return known or Supplier.objects.create(name=name)


def purchase_rows(order: Order) -> Iterator[tuple[object, ...]]:
    """Yield the purchase list as rows under `HEADINGS`."""
    for group in purchase_lists(order):
        for line in group.lines:
            yield (
                order.number,
                group.name,
                line.number,
                line.maker,
                line.mpn,
                line.supplier_part,
                line.description,
                _number(line.quantity),
                line.unit,
                _number(line.unit_cost),
                _number(cost_of(line)),
                HOME,
                line.lead_time,
            )


def _number(amount: Decimal | None) -> str:
    """Write an exact number: a spreadsheet's float would not keep it."""
    return "" if amount is None else f"{amount.normalize():f}"
