"""Asking for a change: of the whole, and of single lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from quotes.choosing import lines_of
from quotes.forms import PlainTextMixin

Content = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LineWish:
    """A line that may be changed: its field, number and name."""

    field: BoundField
    number: int
    line: str


class ChangeForm(PlainTextMixin, forms.Form):
    """What should change, in the customer's own words, for the whole or line by line.

    The lines are those of the frozen content: "line-4" is what to change of line 4.
    """

    use_required_attribute = False
    text = forms.CharField(
        label="What should change?",
        max_length=3000,
        required=False,
        help_text="For example: delivery by 15 January.",
        widget=forms.Textarea(attrs={"rows": 5}),
    )

    def __init__(self, *args: Any, content: Content, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lines = {f"line-{line['number']}": line for line in lines_of(content)}
        for name, line in self._lines.items():
            self.fields[name] = forms.CharField(
                label=f"Line {line['number']}: {name_of(line)}",
                max_length=300,
                required=False,
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            )

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or {}
        if not self.errors and not any(typed.values()):
            self.add_error("text", "Tell us what should change.")
        return typed

    @property
    def picker(self) -> Iterator[LineWish]:
        """The lines with their fields, as the page shows them."""
        for name, line in self._lines.items():
            yield LineWish(self[name], line["number"], name_of(line))

    @property
    def has_lines(self) -> bool:
        """True where something was typed of a line: the picker is then open."""
        return any(self[name].value() or self[name].errors for name in self._lines)

    @property
    def line_wishes(self) -> list[dict[str, Any]]:
        """What was typed of lines, as it is kept."""
        return [
            {
                "number": line["number"],
                "line": name_of(line),
                "text": self.cleaned_data[name],
            }
            for name, line in self._lines.items()
            if self.cleaned_data[name]
        ]


def name_of(line: Content) -> str:
    return f"{line['quantity']} × {line['description'] or line['mpn']}"
