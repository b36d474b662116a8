"""A line as values: what is copied of it, and how it is kept to be made again."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any, cast

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Field
from django.forms.models import model_to_dict

from quotes.models import Line

# What a line is, without whose it is and who edited it: for copies and for undo.
COPIED = (
    "kind",
    "product",
    "supplier",
    "offer_line",
    "special_bid",
    "maker",
    "mpn",
    "description",
    "quantity",
    "unit",
    "unit_price",
    "unit_cost",
    "margin_percent",
    "price_source",
    "discount_percent",
    "tax",
    "lead_weeks_min",
    "lead_weeks_max",
    "lead_source",
    "lead_as_of",
    "warranty",
    "our_part",
    "origin",
    "hs_code",
    "note",
    "may_be_repriced",
    "choice",
    "quantity_min",
    "quantity_max",
    "quantity_step",
    "price_breaks",
    "asked_quantities",
)
# What may be gone when a line is made again: whoever makes it looks it up.
RELATIONS = ("section", "product", "supplier", "offer_line", "special_bid")


def describe_line(line: Line) -> dict[str, Any]:
    """Return a line as JSON values, enough to make it again."""
    encoder = DjangoJSONEncoder()
    values = model_to_dict(line, fields=[*COPIED, "section", "position"])
    return {
        name: encoder.default(value) if isinstance(value, date | Decimal) else value
        for name, value in values.items()
    }


def make_line(values: Mapping[str, Any]) -> Line:
    """Make an unsaved line of what `describe_line` returned, but for its relations."""
    line = Line()
    for name, value in values.items():
        if name not in RELATIONS:
            field = cast(Field[Any, Any], Line._meta.get_field(name))
            setattr(line, name, field.to_python(value))
    return line
