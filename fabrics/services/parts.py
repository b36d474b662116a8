"""The parts of a design in the catalogue, with their listed prices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from catalog.models import Product
from catalog.pricing import PublicPrice, public_price
from fabrics.chapters import chapter_of
from fabrics.figures import SourceRef, Sources
from fabrics.headline import Result
from sourceit.money import ZERO

CURRENCY = "SGD"


def match_products(mpns: Iterable[str]) -> dict[str, Product]:
    """Find the catalogue's products on show by maker's part number (one query)."""
    wanted = {mpn for mpn in mpns if mpn}
    found = Product.objects.on_show().filter(mpn__in=wanted).order_by("-pk")
    return {product.mpn: product for product in found}


@dataclass(frozen=True, slots=True, kw_only=True)
class BomRow:
    """A line of the parts list with what the catalogue knows about the part.

    `price` is the public price of one, None for price on request.
    """

    section: str
    part: str
    opn: str
    maker: str
    description: str
    quantity: int
    because: str
    source: SourceRef | None
    product: Product | None
    price: PublicPrice | None

    @property
    def rule(self) -> str:
        """The chapter of the rules that works out the quantity."""
        return chapter_of(self.section)

    @property
    def supply(self) -> str:
        return self.product.supply if self.product else Product.Supply.BY_SOURCING

    @property
    def supply_label(self) -> str:
        return str(Product.Supply(self.supply).label)

    @property
    def amount(self) -> Decimal | None:
        """The listed price of all, with GST."""
        return self.price.inclusive * self.quantity if self.price else None


def bom_rows(result: Result, *, percent: Decimal | None = None) -> list[BomRow]:
    """The parts list with catalogue products, in the design's order (one query).

    `percent` is the GST rate for listed prices; without it no price is read.
    """
    lines: list[Mapping[str, Any]] = result["bom"]
    numbers = {line[key] for line in lines for key in ("opn", "part")}
    products = match_products(numbers)
    cites = Sources()
    return [_bom_row(line, products, cites, percent) for line in lines]


def _bom_row(
    line: Mapping[str, Any],
    products: Mapping[str, Product],
    cites: Sources,
    percent: Decimal | None,
) -> BomRow:
    # A cable's ordering number ends in its length; the catalogue has the family.
    product = products.get(line["opn"]) or products.get(line["part"])
    price = None
    if product and percent is not None and product.currency == CURRENCY:
        price = public_price(product, percent)
    return BomRow(
        section=line["section"],
        part=line["part"],
        opn=line["opn"],
        maker=line["maker"],
        description=line["description"],
        quantity=line["quantity"],
        because=line["because"],
        source=cites.cite(line["source"]),
        product=product,
        price=price,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTotal:
    """What the listed lines come to with GST, and how many lines have no price."""

    amount: Decimal
    listed: int
    on_request: int


def listed_total(rows: Iterable[BomRow]) -> ListedTotal:
    """Add up in Python: money is never summed in the database."""
    amounts = [row.amount for row in rows]
    listed = [amount for amount in amounts if amount is not None]
    return ListedTotal(
        amount=sum(listed, start=ZERO),
        listed=len(listed),
        on_request=len(amounts) - len(listed),
    )
