"""Tables of what a customer may choose, for templates that hold a content."""

from __future__ import annotations

from django import template

from quotes import offer_tables

register = template.Library()
register.filter("plain_options", offer_tables.plain_options)
register.filter("choice_tables", offer_tables.choice_tables)
register.filter("break_tables", offer_tables.break_tables)
register.filter("range_words", offer_tables.range_words)
