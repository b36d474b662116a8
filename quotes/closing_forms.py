"""What the desk types when something ends: why, and a yes that came on paper."""

from __future__ import annotations

from typing import Any

from django import forms

from quotes.forms import PlainTextMixin, PoFileField
from quotes.models import Revision
from quotes.reasons import DECLINED, LOST, ON_BEHALF, WITHDRAWN, words_of

Reasons = tuple[tuple[str, str], ...]


class WhyForm(PlainTextMixin, forms.Form):
    """A reason from a list, and a note for the desk."""

    use_required_attribute = False
    REASONS: Reasons = ()

    reason = forms.ChoiceField(
        label="Reason",
        error_messages={
            "required": "Enter a reason.",
            "invalid_choice": "Choose a reason of the list.",
        },
    )
    note = forms.CharField(
        label="Note for the desk (optional)",
        max_length=140,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        reason = self.fields["reason"]
        assert isinstance(reason, forms.ChoiceField)
        reason.choices = [("", "Choose a reason"), *self.REASONS]

    @property
    def words(self) -> str:
        """The reason as it is written down; "" while none was chosen."""
        if not self.is_valid():
            return ""
        typed = self.cleaned_data
        return words_of(self.REASONS, typed["reason"], typed["note"])

    @property
    def key(self) -> str:
        return str(self.cleaned_data.get("reason", "")) if self.is_valid() else ""


class DeclineRequestForm(WhyForm):
    REASONS = DECLINED


class LoseForm(WhyForm):
    REASONS = LOST


class WithdrawForm(WhyForm):
    REASONS = WITHDRAWN


class OnBehalfForm(PlainTextMixin, forms.Form):
    """A yes that reached the desk by other ways, with what shows it."""

    use_required_attribute = False
    how = forms.ChoiceField(label="How it came", choices=ON_BEHALF)
    name = forms.CharField(
        label="Who accepted",
        max_length=120,
        error_messages={"required": "Enter who accepted."},
    )
    job_title = forms.CharField(
        label="Their job title",
        max_length=120,
        error_messages={"required": "Enter their job title."},
    )
    email = forms.EmailField(
        label="Their e-mail",
        help_text="The confirmation goes here.",
        error_messages={
            "required": "Enter their e-mail address.",
            "invalid": "Enter an e-mail address like name@company.com.",
        },
    )
    po_number = forms.CharField(
        label="Purchase order number", max_length=80, required=False
    )
    po_file = PoFileField(label="Or its file")
    note = forms.CharField(
        label="Note for the desk (optional)",
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    late_reason = forms.CharField(
        label="Why it is accepted after its date",
        max_length=200,
        error_messages={"required": "Say why it is accepted after its date."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, revision: Revision, is_late: bool, **kwargs: Any):
        super().__init__(*args, **kwargs)
        if not is_late:
            del self.fields["late_reason"]
        for name, value in (("name", revision.to_name), ("email", revision.to_email)):
            self.fields[name].initial = value

    @property
    def reason(self) -> str:
        typed = self.cleaned_data
        return words_of(ON_BEHALF, typed["how"], typed["note"])
