"""How money, quantities, telephone numbers and icons are written."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest
from django.conf import settings

from sourceit.templatetags.sourceit import icon, money, quantity, telephone

SPRITE = (Path(settings.BASE_DIR) / "static/img/icons.svg").read_text()
NAMES = set(re.findall(r'id="i-([\w-]+)"', SPRITE))


@pytest.mark.parametrize(
    ("amount", "written"),
    [
        (Decimal("28523.25"), "S$28,523.25"),
        ("0", "S$0.00"),
        (Decimal("-12.5"), "-S$12.50"),
        (None, ""),
        ("", ""),
    ],
)
def test_money(amount, written) -> None:
    assert money(amount) == written


def test_money_of_another_currency_names_it() -> None:
    assert money(Decimal("1000"), "USD") == "US$1,000.00"


@pytest.mark.parametrize(
    ("amount", "written"),
    [
        (Decimal("4.000"), "4"),
        (Decimal("2.50"), "2.5"),
        (1152, "1,152"),
        (Decimal("1E+3"), "1,000"),
        ("four", "four"),
        (None, ""),
    ],
)
def test_quantity(amount, written) -> None:
    assert quantity(amount) == written


@pytest.mark.parametrize(
    ("number", "dialled"),
    [
        ("(65) 6978 3502", "+6569783502"),
        ("6978 3502", "+6569783502"),
        ("+44 20 7946 0000", "+442079460000"),
    ],
)
def test_telephone(number, dialled) -> None:
    assert telephone(number) == dialled


def test_an_icon_is_drawn_from_the_sprite_and_silent() -> None:
    drawn = icon("x")
    assert drawn.startswith('<svg class="icon" aria-hidden="true">')
    assert "img/icons.svg#i-x" in drawn


def test_every_icon_that_templates_name_is_in_the_sprite() -> None:
    named = set()
    for path in (Path(settings.BASE_DIR) / "templates").rglob("*.html"):
        named |= set(re.findall(r'{% icon "([\w-]+)"', path.read_text()))
    assert named
    assert named - NAMES == set()
