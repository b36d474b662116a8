"""Find products: filters, words, order. A price on request never shows in an order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.db.models import F, Q
from django.db.models.expressions import OrderBy

from catalog.models import Collection, Product, ProductQuerySet

PAGE_SIZE = 24
SORTS = {
    "": "Ours first",
    "name": "Name",
    "price": "Price, lowest first",
    "-price": "Price, highest first",
    "newest": "Newest",
}
PRICES = {"": "Any", "shown": "Price shown", "request": "Price on request"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What the visitor asked for, cleaned: unknown values count as not given."""

    words: str = ""
    collection: str = ""
    maker: str = ""
    supply: str = ""
    price: str = ""
    sort: str = ""
    page: int = 1

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Search:
        return cls(
            words=" ".join(_text(query, "q", 100).split()),
            collection=_text(query, "collection", 50),
            maker=_text(query, "maker", 80),
            supply=_known(query.get("supply", ""), Product.Supply.values),
            price=_known(query.get("price", ""), PRICES),
            sort=_known(query.get("sort", ""), SORTS),
            page=_page(query.get("page", "")),
        )

    def query(self, **changes: object) -> str:
        """Return the address of this search with `changes`, without what is empty."""
        changed = replace(self, **{"page": 1, **changes})  # type: ignore[arg-type]
        pairs = {
            "q": changed.words,
            "collection": changed.collection,
            "maker": changed.maker,
            "supply": changed.supply,
            "price": changed.price,
            "sort": changed.sort,
            "page": changed.page if changed.page > 1 else "",
        }
        return "?" + urlencode({name: value for name, value in pairs.items() if value})

    @property
    def chips(self) -> list[tuple[str, str]]:
        """What is applied, in words, each with the address that takes it away."""
        supply = dict(Product.Supply.choices).get(self.supply, "")
        told = [
            (f"“{self.words}”" if self.words else "", "words"),
            (self.collection.replace("-", " "), "collection"),
            (self.maker, "maker"),
            (supply, "supply"),
            (PRICES[self.price] if self.price else "", "price"),
        ]
        return [(text, self.query(**{name: ""})) for text, name in told if text]


def _text(query: Mapping[str, str], name: str, longest: int) -> str:
    """Return a typed word; PostgreSQL refuses NUL characters, so they are left out."""
    return query.get(name, "").replace("\0", "")[:longest]


def _page(typed: str) -> int:
    """Return the page asked for; whatever is no page number means the first."""
    is_number = typed.isascii() and typed.isdigit() and len(typed) < 6
    return max(1, int(typed)) if is_number else 1


def _known(value: str, known: object) -> str:
    return value if value in known else ""  # type: ignore[operator]


def exact_part(words: str) -> Product | None:
    """Return the one product whose part number was typed exactly."""
    if not words:
        return None
    found = list(Product.objects.on_show().filter(mpn__iexact=words)[:2])
    return found[0] if len(found) == 1 else None


def find_products(search: Search) -> ProductQuerySet:
    """Return the products of a search, in its order."""
    rows = Product.objects.on_show()
    for word in search.words.split()[:8]:
        rows = rows.filter(
            Q(name__icontains=word)
            | Q(mpn__icontains=word)
            | Q(maker__icontains=word)
            | Q(summary__icontains=word)
        )
    if search.collection:
        rows = rows.filter(collection__slug=search.collection)
    if search.maker:
        rows = rows.filter(maker=search.maker)
    if search.supply:
        rows = rows.filter(supply=search.supply)
    if search.price:
        rows = rows.filter(price__isnull=search.price == "request")
    return rows.order_by(*_order(search.sort))


def _order(sort: str) -> list[str | OrderBy]:
    """Items without a price come last whichever way prices run."""
    orders: dict[str, list[str | OrderBy]] = {
        "name": ["name", "pk"],
        "price": [F("price").asc(nulls_last=True), "position", "pk"],
        "-price": [F("price").desc(nulls_last=True), "position", "pk"],
        "newest": ["-created_at", "pk"],
    }
    return orders.get(sort, ["position", "pk"])


def choices() -> dict[str, object]:
    """What the filters offer (two queries)."""
    return {
        "collections": list(Collection.objects.all()),
        "makers": list(
            Product.objects.filter(is_on_show=True)
            .order_by("maker")
            .values_list("maker", flat=True)
            .distinct()
        ),
        "supplies": Product.Supply.choices,
        "prices": PRICES.items(),
        "sorts": SORTS.items(),
    }
