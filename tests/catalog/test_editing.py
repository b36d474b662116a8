"""What an editor, or the file, may say of a product."""

from __future__ import annotations

import json
from datetime import date

import pytest
from django.forms import modelform_factory

from catalog.admin import ProductForm
from catalog.management.commands.load_catalogue import DATA, load_catalogue
from catalog.models import Product
from tests.factories import make_collection


@pytest.fixture
def posted(db) -> dict[str, object]:
    """What an editor posts for a switch with a price."""
    return {
        "name": "Switch",
        "slug": "switch",
        "maker": "NVIDIA",
        "mpn": "SW-1",
        "collection": make_collection().pk,
        "price": "100.00",
        "currency": "sgd",
        "price_includes_gst": True,
        "listed_on": "2026-11-06",
        "supply": "limited",
        "form": "switch",
        "specs": "",
        "drawing": "",
        "position": 0,
        "warranty": "1 year",
        "lead_weeks_min": 2,
        "lead_weeks_max": 4,
        "lead_as_of": "2026-11-06",
        "origin": "Taiwan",
        "hs_code": "8517.62",
    }


def test_an_editor_can_leave_specifications_and_drawing_empty(posted) -> None:
    form = editor_form()(posted)

    assert form.errors == {}
    product = form.save()
    assert (product.currency, product.specs, product.drawing) == ("SGD", [], {})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("currency", "XXX"),
        ("price", "0.0040"),
        ("price", "0"),
        ("listed_on", ""),
        ("drawing", '{"rows": 0}'),
        ("specs", "[1]"),
        ("lead_weeks_max", "1"),
        ("lead_as_of", ""),
        ("hs_code", "85 17"),
    ],
)
def test_an_editor_is_told_what_cannot_be_shown(posted, field, value) -> None:
    form = editor_form()(posted | {field: value})

    assert form.errors


def editor_form():
    return modelform_factory(Product, form=ProductForm, fields=FIELDS)


FIELDS = (
    *("name", "slug", "maker", "mpn", "collection", "price", "currency"),
    *("price_includes_gst", "listed_on", "supply", "form", "specs", "drawing"),
    *("position", "warranty", "lead_weeks_min", "lead_weeks_max", "lead_as_of"),
    *("origin", "hs_code"),
)


@pytest.mark.django_db
def test_the_file_may_say_what_new_lines_start_with() -> None:
    data = json.loads(DATA.read_text())
    data["products"][0] |= {"warranty": "1 year", "lead_as_of": "2026-11-06"}

    load_catalogue(data)

    first = Product.objects.get(mpn=data["products"][0]["mpn"])
    assert (first.warranty, first.lead_as_of) == ("1 year", date(2026, 11, 6))
