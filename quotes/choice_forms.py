"""What a customer may choose of a quotation, as a form over its frozen content."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from quotes.choosing import Choice, groups_of, is_choosable, lines_of, range_of
from quotes.desk_fields import NumberField
from quotes.offer_tables import range_words
from quotes.pricing import Kind
from sourceit.money import format_money

Content = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Part:
    """One thing to choose: its field, and the words that name its line."""

    field: BoundField
    kind: str


class ChoiceForm(forms.Form):
    """Options as ticks, one of several as radio buttons, quantities as numbers.

    Fields are named by line number ("option-4", "quantity-2") or by the place of the
    choice ("pick-0"). What is not posted is as quoted. What may not be chosen is
    refused by `quotes.choosing`, not here.
    """

    use_required_attribute = False

    def __init__(self, *args: Any, content: Content, **options: Any) -> None:
        super().__init__(*args, **options)
        self.content = content
        self._kinds: dict[str, str] = {}
        self._picks = {f"pick-{n}": one for n, one in enumerate(groups_of(content))}
        known = {line["number"]: line for line in lines_of(content)}
        for name, group in self._picks.items():
            self._add(name, "pick", self._pick_field(group, known))
        for line in known.values():
            if is_choosable(content, line):
                self._add_line(line)

    def _add(self, name: str, kind: str, field: forms.Field) -> None:
        self.fields[name] = field
        self._kinds[name] = kind

    def _add_line(self, line: Content) -> None:
        number, currency = line["number"], self.content["currency"]
        if line["kind"] == Kind.OPTIONAL:
            field = forms.BooleanField(label=self._told(line), required=False)
            self._add(f"option-{number}", "option", field)
        if range_of(line):
            self._add(f"quantity-{number}", "quantity", _quantity_field(line, currency))

    def _pick_field(self, group: Content, known: Mapping[int, Content]) -> forms.Field:
        lines = [known[number] for number in group["lines"]]
        return forms.ChoiceField(
            label=f"One of: {group['name']}",
            choices=[
                (str(line["number"]), self._told(line))
                for line in lines
                if line["unit_price"]
            ],
            initial=str(group["default"]),
            widget=forms.RadioSelect,
            required=False,
            error_messages={"invalid_choice": "Choose one of those shown."},
        )

    def _told(self, line: Content) -> str:
        amount = format_money(Decimal(line["net"]), self.content["currency"])
        return f"{line['quantity']} × {_name(line)}, {amount} before GST"

    @property
    def parts(self) -> Iterator[Part]:
        """The fields in the order of the page: choices, options, quantities."""
        for name, kind in self._kinds.items():
            yield Part(self[name], kind)

    @property
    def choice(self) -> Choice:
        """What was picked; the form must be valid."""
        typed = self.cleaned_data
        picks = self._picks.items()
        return Choice(
            options=frozenset(_numbers(typed, "option-")),
            picks={one["name"]: int(typed[n]) for n, one in picks if typed[n]},
            quantities={
                number: typed[f"quantity-{number}"]
                for number in _numbers(typed, "quantity-")
            },
        )


def _numbers(typed: Mapping[str, Any], prefix: str) -> Iterator[int]:
    for name, value in typed.items():
        if name.startswith(prefix) and value not in (None, False):
            yield int(name.removeprefix(prefix))


def _quantity_field(line: Content, currency: str) -> NumberField:
    return NumberField(
        noun="a quantity",
        label=f"Quantity of line {line['number']}: {_name(line)}",
        help_text=" ".join(_quantity_help(line, currency)),
        initial=Decimal(line["quantity"]),
        required=False,
        max_digits=12,
        decimal_places=3,
    )


def _quantity_help(line: Content, currency: str) -> Iterator[str]:
    yield f"Choose {range_words(line)}."
    for one in line.get("breaks", []):
        each = format_money(Decimal(one["unit_price"]), currency)
        yield f"From {one['from']}: {each} each."
    if (range_of(line) or {}).get("min") == "0":
        yield "With 0 it is left out."


def _name(line: Content) -> str:
    return str(line["description"] or line["mpn"])
