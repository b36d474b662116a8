"""Customers' forms: is what they typed well formed?"""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar

import phonenumbers
from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from stdnum.exceptions import ValidationError as NumberError
from stdnum.sg import uen as singapore_uen

from quotes.models import QuoteRequest
from quotes.services.requests import DETAIL_FIELDS
from quotes.typed import INVISIBLE
from sourceit.uploads import UploadRefused, check_upload

WORDS_OF_ACCEPTANCE = (
    "I accept this quotation and its terms, and I may commit my company to this."
)
WORDS_ON_REPRICING = (
    "I understand that, on the lines marked so, the maker may change the price or "
    "cancel until shipment, and that SourceIT will then put a new revision to me."
)


if TYPE_CHECKING:
    _Form = forms.BaseForm
else:
    # A mixin must not put another base class in the forms' way when they run.
    _Form = object


class PlainTextMixin(_Form):
    """Cleans every text field of a form of what could disturb a page or an e-mail."""

    def clean(self) -> dict[str, Any]:
        for name, value in list(self.cleaned_data.items()):
            if isinstance(value, str):
                self.cleaned_data[name] = INVISIBLE.sub("", value).strip()
                if value and not self.cleaned_data[name]:
                    self._require(name)
        cleaned: dict[str, Any] = self.cleaned_data
        return cleaned

    def _require(self, name: str) -> None:
        """Nothing but control characters was typed: that is nothing at all."""
        field = self.fields[name]
        if field.required:
            self.add_error(name, str(field.error_messages["required"]))


def _plain_label(field: forms.BoundField) -> str:
    return str(field.label).removesuffix(" (optional)").removesuffix("?")


# What the makers of controlled items ask for.
END_USE = ("end_user", "end_use", "final_country")


class RequestForm(PlainTextMixin, forms.ModelForm[QuoteRequest]):
    """Who asks, for which company and project. `is_controlled` asks for the end use."""

    use_required_attribute = False
    error_css_class = "bad"

    consent = forms.BooleanField(
        label="SourceIT may use these details to answer this request",
        error_messages={"required": "Tick the box so that we may answer you."},
    )
    # A field no person sees. What fills it in is not a person.
    website = forms.CharField(required=False, label="Leave this empty")

    class Meta:
        model = QuoteRequest
        fields = DETAIL_FIELDS
        labels: ClassVar[dict[str, str]] = {
            "name": "Your name",
            "email": "Work e-mail",
            "phone": "Phone (optional)",
            "job_title": "Job title (optional)",
            "company": "Company",
            "uen": "UEN (optional)",
            "is_gst_registered": "Is the company registered for GST?",
            "billing_address": "Billing address (optional)",
            "delivery_address": "Delivery address or site (optional)",
            "reference": "Your reference (optional)",
            "needed_by": "Needed by (optional)",
            "budget": "Budget (optional)",
            "end_user": "End user",
            "end_use": "What it is for",
            "final_country": "Country of final use",
            "message": "Anything else (optional)",
        }
        help_texts: ClassVar[dict[str, str]] = {
            "email": "The quotation and its link go here.",
            "uen": "Singapore companies only, such as 201912345A.",
            "needed_by": "For example 15 Jan 2027.",
            "reference": "We print it on the quotation.",
            "end_user": "The company that will use the goods.",
            "end_use": "Advanced chips are export-controlled: makers ask us this.",
            "budget": "A range is enough. It helps us to propose what fits.",
        }
        error_messages: ClassVar[dict[str, dict[str, str]]] = {
            "name": {"required": "Enter your name."},
            "email": {
                "required": "Enter your e-mail address.",
                "invalid": "Enter an e-mail address like name@company.com.",
            },
            "company": {"required": "Enter the company's name."},
            "end_user": {"required": "Enter who will use the goods."},
            "end_use": {"required": "Enter what the goods are for."},
            "final_country": {"required": "Enter where the goods will be used."},
            "needed_by": {"invalid": "Enter a date like 15 Jan 2027."},
        }
        widgets: ClassVar[dict[str, forms.Widget]] = {
            "phone": forms.TextInput(attrs={"autocomplete": "tel", "inputmode": "tel"}),
            "billing_address": forms.Textarea(attrs={"rows": 3}),
            "delivery_address": forms.Textarea(attrs={"rows": 3}),
            "message": forms.Textarea(attrs={"rows": 4}),
            "end_use": forms.Textarea(attrs={"rows": 2}),
            "needed_by": forms.DateInput(format="%-d %b %Y"),
            "is_gst_registered": forms.Select(
                choices=[("", "Not said"), ("true", "Yes"), ("false", "No")]
            ),
        }

    def __init__(self, *args: Any, is_controlled: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_controlled = is_controlled
        self.warnings: list[str] = []
        for name in ("name", "email", "company"):
            self.fields[name].required = True
        if is_controlled:
            for name in END_USE:
                self.fields[name].required = True
        else:
            for name in END_USE:
                self.fields[name].label = f"{self.fields[name].label} (optional)"
        complete = {"name": "name", "email": "email", "company": "organization"}
        for name, token in complete.items():
            self.fields[name].widget.attrs["autocomplete"] = token
        needed_by = self.fields["needed_by"]
        assert isinstance(needed_by, forms.DateField)
        needed_by.input_formats = DATE_FORMATS

    GROUPS: ClassVar[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
        ("who", "Who you are", ("name", "email", "phone", "job_title")),
        (
            "company",
            "Your company",
            ("company", "uen", "is_gst_registered", "billing_address"),
        ),
        (
            "project",
            "Your project",
            ("delivery_address", "needed_by", "budget", "reference"),
        ),
        ("use", "Use and anything else", (*END_USE, "message")),
    )

    def groups(self) -> list[tuple[str, str, list[forms.BoundField]]]:
        """The fields as the pages show them: anchor, title, fields."""
        return [
            (anchor, title, [self[name] for name in names])
            for anchor, title, names in self.GROUPS
        ]

    def answers(self) -> list[tuple[str, str, list[tuple[str, str]]]]:
        """The groups with each valid answer in words, to be checked before sending."""
        return [
            (anchor, title, [(_plain_label(f), self._tell(f.name)) for f in fields])
            for anchor, title, fields in self.groups()
        ]

    def _tell(self, name: str) -> str:
        value = self.cleaned_data.get(name)
        if name == "is_gst_registered":
            return "Not said" if value is None else ("Yes" if value else "No")
        if isinstance(value, date):
            return f"{value:%-d %b %Y}"
        return str(value) if value else "Not given"

    def clean_needed_by(self) -> Any:
        day = self.cleaned_data["needed_by"]
        if day is not None and day < timezone.localdate():
            raise ValidationError("This date is past. Enter a later one.")
        return day

    def clean_phone(self) -> str:
        """Accept any layout; keep a number that can be read in international form."""
        typed = str(self.cleaned_data["phone"])
        if not typed:
            return ""
        try:
            number = phonenumbers.parse(typed, "SG")
        except phonenumbers.NumberParseException as error:
            raise ValidationError("Enter a phone number like 6978 3502.") from error
        return phonenumbers.format_number(
            number, phonenumbers.PhoneNumberFormat.INTERNATIONAL
        )

    def clean_uen(self) -> str:
        """Write a UEN in one form. A wrong check letter is a warning, not a refusal."""
        typed = re.sub(r"[\s-]", "", str(self.cleaned_data["uen"])).upper()
        if not typed:
            return ""
        try:
            singapore_uen.validate(typed)
        except NumberError:
            self.warnings.append(
                f"The UEN {typed} does not look right. You can send it all the same."
            )
        return typed


DATE_FORMATS = ["%d %b %Y", "%d %B %Y", "%Y-%m-%d", "%d/%m/%Y", "%d-%m-%Y", "%d.%m.%Y"]


class PoFileField(forms.FileField):
    """A purchase order's file, checked by its bytes before anything is accepted."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("help_text", "PDF, picture, CSV or Excel, up to 10 MB.")
        super().__init__(required=False, **options)

    def clean(self, data: Any, initial: Any = None) -> Any:
        file = super().clean(data, initial)
        if file:
            try:
                check_upload(file)
            except UploadRefused as error:
                raise ValidationError(str(error)) from error
        return file


class PurchaseOrderForm(PlainTextMixin, forms.Form):
    """A purchase order that comes after the yes: its number, its file or both."""

    use_required_attribute = False

    po_number = forms.CharField(
        label="Purchase order number", max_length=80, required=False
    )
    po_file = PoFileField(label="Its file")

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors and not any(cleaned.values()):
            words = "Enter the number of your purchase order, or choose its file."
            self.add_error("po_number", words)
        return cleaned


class AcceptForm(PlainTextMixin, forms.Form):
    """Accepting: who, in what office, under which order number, with words ticked."""

    use_required_attribute = False

    name = forms.CharField(
        label="Your name",
        max_length=120,
        error_messages={"required": "Enter your name."},
    )
    job_title = forms.CharField(
        label="Your job title",
        max_length=120,
        error_messages={"required": "Enter your job title."},
    )
    po_number = forms.CharField(
        label="Purchase order number (optional)", max_length=80, required=False
    )
    po_file = PoFileField(label="Purchase order file (optional)")
    code = forms.CharField(
        label="Code from the e-mail",
        max_length=20,
        error_messages={"required": "Enter the code that we e-mailed to you."},
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}
        ),
    )
    agrees = forms.BooleanField(
        label=WORDS_OF_ACCEPTANCE,
        error_messages={"required": "Tick the box to accept."},
    )
    agrees_to_repricing = forms.BooleanField(
        label=WORDS_ON_REPRICING,
        error_messages={"required": "Tick the box about the maker's price."},
    )

    def __init__(
        self,
        *args: Any,
        may_be_repriced: bool,
        needs_code: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        if not may_be_repriced:
            del self.fields["agrees_to_repricing"]
        if not needs_code:
            del self.fields["code"]

    @property
    def words(self) -> str:
        """The words that were ticked, as they stood on the page."""
        ticked = [WORDS_OF_ACCEPTANCE]
        if "agrees_to_repricing" in self.fields:
            ticked.append(WORDS_ON_REPRICING)
        return " ".join(ticked)


class DeclineForm(PlainTextMixin, forms.Form):
    """Declining: a reason from a list, and words if there are any."""

    use_required_attribute = False
    REASONS = (
        ("price", "The price"),
        ("lead_time", "The lead time"),
        ("elsewhere", "Bought elsewhere"),
        ("stopped", "The project stopped"),
        ("other", "Another reason"),
    )
    reason = forms.ChoiceField(
        label="Why?",
        choices=REASONS,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose a reason."},
    )
    comment = forms.CharField(
        label="Tell us more (optional)",
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    @property
    def reason_words(self) -> str:
        return dict(self.REASONS)[self.cleaned_data["reason"]]


class DoorForm(PlainTextMixin, forms.Form):
    """The printed address of a quote asks for a recipient's e-mail."""

    use_required_attribute = False
    email = forms.EmailField(
        label="Your e-mail address",
        help_text="The one the quotation was sent to.",
        error_messages={
            "required": "Enter your e-mail address.",
            "invalid": "Enter an e-mail address like name@company.com.",
        },
    )


class ContactForm(PlainTextMixin, forms.Form):
    """A question from the contact page; it becomes a request."""

    use_required_attribute = False
    name = forms.CharField(
        label="Your name",
        max_length=120,
        error_messages={"required": "Enter your name."},
    )
    email = forms.EmailField(
        label="Work e-mail",
        error_messages={
            "required": "Enter your e-mail address.",
            "invalid": "Enter an e-mail address like name@company.com.",
        },
    )
    company = forms.CharField(
        label="Company",
        max_length=200,
        error_messages={"required": "Enter the company's name."},
    )
    message = forms.CharField(
        label="What do you need?",
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 5}),
        error_messages={"required": "Tell us what you need."},
    )
    consent = forms.BooleanField(
        label="SourceIT may use these details to answer me",
        error_messages={"required": "Tick the box so that we may answer you."},
    )
    website = forms.CharField(required=False, label="Leave this empty")
