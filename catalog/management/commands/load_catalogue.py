"""Load the start-up catalogue: what is missing is added, what was edited stays."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from catalog.models import Collection, Notice, Product

DATA = Path(__file__).resolve().parents[2] / "data" / "catalogue.json"
COPIED = (
    "name",
    "slug",
    "summary",
    "price_includes_gst",
    "supply",
    "specs",
    "form",
    "drawing",
    "source",
    "is_controlled",
)
# What new lines of quotes start with; the file gives them where they are known.
DEFAULTS = (
    "warranty",
    "lead_weeks_min",
    "lead_weeks_max",
    "lead_source",
    "origin",
    "hs_code",
)


class Command(BaseCommand):
    help = __doc__ or ""

    def handle(self, *_args: Any, **options: Any) -> None:
        added = load_catalogue(json.loads(DATA.read_text()))
        if options["verbosity"] and added:
            self.stdout.write(f"Added {added} products of the start-up catalogue.")


@transaction.atomic
def load_catalogue(data: dict[str, Any]) -> int:
    """Add the collections, products and notices that are not there yet.

    Returns the number of products added. Notices are added to an empty table only:
    their wording is the editor's from then on.
    """
    shelves = {
        row["name"]: _shelf(row, position)
        for position, row in enumerate(data["collections"])
    }
    known = set(Product.objects.values_list("maker", "mpn"))
    new = [
        _product(row, shelves[row["collection"]], position)
        for position, row in enumerate(data["products"])
        if (row["maker"], row["mpn"]) not in known
    ]
    Product.objects.bulk_create(new)
    if not Notice.objects.exists():
        Notice.objects.bulk_create(Notice(**row) for row in data["notices"])
    return len(new)


def _shelf(row: dict[str, str], position: int) -> Collection:
    shelf, _created = Collection.objects.get_or_create(
        slug=row["slug"],
        defaults={**row, "position": position},
    )
    return shelf


def _product(row: dict[str, Any], shelf: Collection, position: int) -> Product:
    return Product(
        collection=shelf,
        maker=row["maker"],
        mpn=row["mpn"],
        price=Decimal(row["price"]) if row["price"] else None,
        listed_on=_day(row["listed_on"]),
        lead_as_of=_day(row.get("lead_as_of")),
        position=position,
        **{name: row[name] for name in COPIED},
        **{name: row[name] for name in DEFAULTS if name in row},
    )


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
