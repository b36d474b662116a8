"""What people write about a request, with files."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from quotes.forms import PlainTextMixin
from quotes.models import Message
from quotes.models.messages import MAX_MESSAGE
from sourceit.file_types import ENDINGS
from sourceit.uploads import UploadRefused, check_upload

FILES_HINT = "PDF, PNG, JPEG, CSV or Excel, up to 10 MB each."
ACCEPTS = ",".join(f".{ending}" for ends in ENDINGS.values() for ending in ends)


class FilesInput(forms.FileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Any number of files; each is checked by its bytes, and named when refused."""

    def __init__(self, **options: Any) -> None:
        widget = FilesInput(attrs={"accept": ACCEPTS})
        super().__init__(widget=widget, required=False, **options)

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        single = super().clean
        files = [single(each, initial) for each in data or [] if each]
        for file in files:
            try:
                check_upload(file)
            except UploadRefused as error:
                raise ValidationError(f"{file.name}: {error}") from error
        return files


class MessageForm(PlainTextMixin, forms.Form):
    """A customer's message about a request."""

    use_required_attribute = False
    text = forms.CharField(
        label="Your message",
        max_length=MAX_MESSAGE,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": "Enter your message."},
    )
    attachments = FilesField(label="Files (optional)", help_text=FILES_HINT)


class DeskMessageForm(MessageForm):
    """The desk's: who reads it is chosen each time, so that no note goes out."""

    kind = forms.ChoiceField(
        label="Who reads it?",
        widget=forms.RadioSelect,
        choices=[
            (Message.Kind.QUESTION, "Ask the customer (the reply clock waits)"),
            (Message.Kind.TOLD, "Tell the customer"),
            (Message.Kind.NOTE, "Only the desk"),
        ],
        error_messages={"required": "Choose who reads it."},
    )
    field_order = ("text", "kind", "attachments")
