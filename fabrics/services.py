"""Save designs, and find their parts in the catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from catalog.models import Product
from catalog.pricing import PublicPrice, public_price
from fabrics.engine import (
    ENGINE_VERSION,
    FabricDesign,
    FabricSpec,
    SpecError,
    size,
)
from fabrics.figures import Result, SourceRef, Sources
from fabrics.models import Design
from fabrics.words import name_of
from sourceit.models import User
from sourceit.money import ZERO

CURRENCY = "SGD"


def save_design(*, spec: FabricSpec, owner: User | None, name: str = "") -> Design:
    """Size a spec and keep both as they are now: a later engine changes neither."""
    design = size(spec)
    return Design.objects.create(
        name=(name.strip() or name_of(spec))[:120],
        owner=owner,
        spec=spec.to_json(),
        result=design.to_json(),
        engine_version=ENGINE_VERSION,
    )


def sized_alike(spec: Mapping[str, Any], result: Result) -> FabricDesign | None:
    """Size a frozen question again, to draw or cable it.

    None when today's engine refuses it or answers it with other parts: then the saved
    figures stand and nothing new is drawn beside them.
    """
    try:
        design = size(FabricSpec.from_json(spec))
    except SpecError:
        return None
    again = design.to_json()
    same = all(again[key] == result.get(key) for key in ("compute", "bom"))
    return design if same else None


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
