"""A request that came by phone or e-mail, entered at the desk for the customer."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.http import QueryDict

from quotes.desk_fields import DateText
from quotes.errors import QuoteError
from quotes.list_files import ListField
from quotes.models import QuoteRequest
from quotes.models.requests import MAX_LINES
from quotes.services.imports import Judged, Verdict, judge_rows
from quotes.sheets import Table, find_rows, read_pasted, write_rows

# So many faults are named at once: a wrong column makes one of every row.
MOST_FAULTS = 5


class EntryForm(forms.ModelForm[QuoteRequest]):
    """Who asks and for what: typed or pasted rows, or a list as a file.

    The rows of a file come back as text to correct where something is wrong.
    """

    source = forms.ChoiceField(
        label="How it came",
        choices=[("By phone", "By phone"), ("By e-mail", "By e-mail")],
    )
    asked = forms.CharField(
        label="What they want",
        help_text="One line each, such as 4 x MSN3700-VS2F, or rows of a spreadsheet. "
        "Several quantities: 10/50/100.",
        required=False,
        widget=forms.Textarea(attrs={"rows": 8}),
        max_length=1_000_000,
    )
    parts_list = ListField(
        label="Or their list as a file", help_text="CSV or Excel, up to 10 MB."
    )

    class Meta:
        model = QuoteRequest
        fields = (
            "company",
            "name",
            "email",
            "phone",
            "uen",
            "delivery_address",
            "reference",
            "needed_by",
            "message",
        )
        labels = {
            "company": "Company",
            "email": "E-mail",
            "uen": "UEN",
            "reference": "Their reference",
            "message": "What was said",
        }
        widgets = {
            "delivery_address": forms.Textarea(attrs={"rows": 3}),
            "needed_by": DateText,
            "message": forms.Textarea(attrs={"rows": 3}),
        }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in ("name", "email"):
            self.fields[name].required = True
        self.rows: list[Judged] = []

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        text, table = cleaned.get("asked", ""), cleaned.get("parts_list")
        if text.strip() and table:
            self.add_error("parts_list", "Enter the lines or choose a file, not both.")
        elif "parts_list" not in self.errors and "asked" not in self.errors:
            self._read(self._written(table) if table else text)
        return cleaned

    def _written(self, table: Table) -> str:
        """Put the rows of a file where they can be seen and corrected."""
        text = write_rows(find_rows(table))
        typed = cast(QueryDict, self.data).copy()
        typed["asked"] = text
        self.data = typed
        return text

    def _read(self, text: str) -> None:
        try:
            rows = read_pasted(text)
        except QuoteError as error:
            self.add_error("asked", str(error))
            return
        if not rows:
            self.add_error("asked", "Enter at least one line.")
        elif len(rows) > MAX_LINES:
            self.add_error("asked", f"Enter at most {MAX_LINES:,} lines.")
        else:
            self.rows = judge_rows(rows)
            faults = [one.problem for one in self.rows if one.verdict == Verdict.BAD]
            for fault in faults[:MOST_FAULTS]:
                self.add_error("asked", fault)

    def contact(self) -> dict[str, Any]:
        """Return the request's own fields, without the lines and how it came."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}
