"""A list of parts as a file: checked by its bytes, and read as a table of text."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.base import File

from quotes.errors import QuoteError
from quotes.sheets import Table, read_table
from sourceit.file_types import CSV, ENDINGS, XLSX
from sourceit.uploads import UploadRefused, check_upload

TYPES = (CSV, XLSX)
ACCEPTS = ",".join(f".{ending}" for kind in TYPES for ending in ENDINGS[kind])


def read_list(file: File[bytes]) -> Table:
    """Return the first sheet of an uploaded list.

    Raises:
        QuoteError: too large, not a list, broken, or with too many rows.
    """
    try:
        content_type = check_upload(file)
    except UploadRefused as error:
        raise QuoteError(str(error)) from error
    if content_type not in TYPES:
        raise QuoteError("Send the list as CSV or Excel (XLSX).")
    file.seek(0)
    return read_table(file.read(), content_type)


class ListField(forms.FileField):
    """An optional list; its clean value is a table, empty without a file."""

    def __init__(self, **options: Any) -> None:
        widget = forms.FileInput(attrs={"accept": ACCEPTS})
        super().__init__(widget=widget, required=False, **options)

    def clean(self, data: Any, initial: Any = None) -> Any:
        file = super().clean(data, initial)
        if not file:
            return []
        try:
            return read_list(file)
        except QuoteError as error:
            raise forms.ValidationError(f"{file.name}: {error}") from error
