"""What is typed about supply: an inquiry at the desk, an offer at either side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from django import forms
from django.utils import timezone

from catalog.models import Supplier
from quotes.choice_fields import PriceBreaksField
from quotes.desk_fields import DateText, NumberField, WeeksField
from quotes.forms import PlainTextMixin
from quotes.message_forms import FILES_HINT, FilesField
from quotes.models import InquiryLine, OfferLine, SupplierInquiry, SupplierOffer
from quotes.services.inquiries import Asked
from quotes.services.offers import Offered, OfferedLine
from sourceit.clock import has_ended

DAYS = ["%d %b %Y", "%d %B %Y", "%Y-%m-%d", "%d/%m/%Y"]
# What suppliers here quote in, besides the currencies of the table of rates.
CURRENCIES = ("SGD", "USD", "EUR", "CNY", "HKD", "JPY", "TWD")


def day_field(label: str, *, required: str, help_text: str = "") -> forms.DateField:
    return forms.DateField(
        label=label,
        help_text=help_text,
        widget=DateText(),
        input_formats=DAYS,
        error_messages={
            "required": required,
            "invalid": "Enter a day like 24 Dec 2026.",
        },
    )


def _not_over(day: date) -> date:
    if has_ended(day, timezone.now()):
        raise forms.ValidationError("Enter a day that is not over.")
    return day


class InquiryForm(PlainTextMixin, forms.Form):
    """A draft inquiry: until when, what is said, and whom it goes to."""

    use_required_attribute = False
    reply_by = day_field("Answer by", required="Enter the day to answer by.")
    message = forms.CharField(
        label="Message to the suppliers (optional)",
        help_text="Suppliers do not learn who the customer is: do not name them here.",
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    suppliers = forms.ModelMultipleChoiceField(
        Supplier.objects.all(),
        label="Suppliers to ask",
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    new_name = forms.CharField(label="Another supplier", max_length=120, required=False)
    new_email = forms.EmailField(
        label="Its e-mail",
        required=False,
        help_text="Without one it is asked by phone.",
        error_messages={"invalid": "Enter an e-mail address like name@company.com."},
    )

    def __init__(self, data: Any = None, *, inquiry: SupplierInquiry) -> None:
        initial = {
            "reply_by": inquiry.reply_by,
            "message": inquiry.message,
            "suppliers": list(inquiry.invites.values_list("supplier", flat=True)),
        }
        super().__init__(data, initial=initial)

    def clean_reply_by(self) -> date:
        return _not_over(self.cleaned_data["reply_by"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("new_email") and not cleaned.get("new_name"):
            self.add_error("new_name", "Enter the name of the supplier.")
        return cleaned


class InquiryLineForm(PlainTextMixin, forms.Form):
    """One line of a draft inquiry."""

    use_required_attribute = False
    keep = forms.BooleanField(label="Ask for it", required=False, initial=True)
    quantity = NumberField(
        noun="a quantity",
        max_digits=12,
        decimal_places=3,
        min_value=Decimal("0.001"),
    )
    note = forms.CharField(
        label="Note to the suppliers", max_length=500, required=False
    )

    def __init__(self, data: Any = None, *, line: InquiryLine) -> None:
        self.line = line
        initial = {"keep": True, "quantity": line.quantity, "note": line.note}
        super().__init__(data, prefix=f"line-{line.pk}", initial=initial)


def read_inquiry(
    form: InquiryForm, lines: Iterable[InquiryLineForm], suppliers: Iterable[Supplier]
) -> Asked:
    """Return what valid forms say."""
    kept = [one for one in lines if one.cleaned_data["keep"]]
    return Asked(
        reply_by=form.cleaned_data["reply_by"],
        message=form.cleaned_data["message"],
        lines={
            one.line.pk: (one.cleaned_data["quantity"], one.cleaned_data["note"])
            for one in kept
        },
        suppliers=suppliers,
    )


class OfferForm(PlainTextMixin, forms.Form):
    """What holds for the whole of an offer."""

    use_required_attribute = False
    currency = forms.ChoiceField(label="Currency", choices=())
    valid_until = day_field(
        "The offer holds until",
        required="Enter until when the offer holds.",
        help_text="The end of that day in Singapore.",
    )
    freight = NumberField(
        noun="an amount",
        label="Freight and charges to Singapore, for all of it",
        help_text="Empty: none, or within the prices.",
        required=False,
        max_digits=15,
        decimal_places=2,
        min_value=Decimal(0),
    )
    reference = forms.CharField(
        label="Your reference (optional)", max_length=80, required=False
    )
    note = forms.CharField(
        label="Remarks (optional)",
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    attachments = FilesField(label="Files (optional)", help_text=FILES_HINT)

    def __init__(
        self,
        data: Any = None,
        files: Any = None,
        *,
        currencies: Iterable[str],
        currency: str,
        offer: SupplierOffer | None = None,
        for_desk: bool = False,
    ) -> None:
        super().__init__(data, files, initial=_initial(offer, currency))
        known = dict.fromkeys((*currencies, *CURRENCIES, currency))
        field = self.fields["currency"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(code, code) for code in known]
        if for_desk:
            self.fields["reference"].label = "Their reference (optional)"

    def clean_valid_until(self) -> date:
        return _not_over(self.cleaned_data["valid_until"])


def _initial(offer: SupplierOffer | None, currency: str) -> dict[str, Any]:
    if offer is None:
        return {"currency": currency}
    return {
        "currency": offer.currency,
        "valid_until": offer.valid_until,
        "freight": offer.freight or None,
        "reference": offer.reference,
        "note": offer.note,
    }


class OfferLineForm(PlainTextMixin, forms.Form):
    """The price of one line asked for; empty: it is not offered."""

    use_required_attribute = False
    price = NumberField(
        noun="a price",
        label="Price of one, before tax",
        required=False,
        max_digits=15,
        decimal_places=4,
        min_value=Decimal(0),
    )
    pack = NumberField(
        noun="a number",
        label="Units in a pack",
        help_text="If you sell packs: the price is then for one pack.",
        required=False,
        max_digits=12,
        decimal_places=3,
        min_value=Decimal("0.001"),
    )
    least = NumberField(
        noun="a quantity",
        label="Fewest units you sell",
        help_text="Empty: any.",
        required=False,
        max_digits=12,
        decimal_places=3,
        min_value=Decimal(0),
    )
    lead_weeks_min = WeeksField(label="Lead time from, weeks")
    lead_weeks_max = WeeksField(label="Lead time to, weeks")
    price_breaks = PriceBreaksField(
        label="Price breaks",
        help_text="One a line, such as 10: 95.00 for a pack at 95.00 from ten units.",
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    note = forms.CharField(
        label="Remark, such as another part", max_length=500, required=False
    )

    def __init__(
        self,
        data: Any = None,
        *,
        asked: InquiryLine,
        offered: OfferLine | None = None,
    ) -> None:
        self.asked = asked
        initial = _initial_line(offered)
        super().__init__(data, prefix=f"line-{asked.pk}", initial=initial)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        others = [name for name in self.fields if name not in ("price", "note")]
        if (
            cleaned.get("price") is None
            and "price" not in self.errors
            and any(cleaned.get(name) not in (None, "", []) for name in others)
        ):
            self.add_error("price", "Enter a price, or empty the rest of the line.")
        low, high = cleaned.get("lead_weeks_min"), cleaned.get("lead_weeks_max")
        if low is not None and high is not None and low > high:
            self.add_error("lead_weeks_max", "Enter a last week after the first.")
        return cleaned

    @property
    def is_offered(self) -> bool:
        return self.cleaned_data.get("price") is not None

    def read(self) -> OfferedLine:
        """Return the line as it is kept; one lead time given is both ends."""
        typed = self.cleaned_data
        weeks = [typed["lead_weeks_min"], typed["lead_weeks_max"]]
        known = [week for week in weeks if week is not None]
        return OfferedLine(
            asked=self.asked.pk,
            price=typed["price"],
            pack=typed["pack"] or Decimal(1),
            least=typed["least"] or Decimal(0),
            price_breaks=typed["price_breaks"],
            lead_weeks_min=known[0] if known else None,
            lead_weeks_max=known[-1] if known else None,
            note=typed["note"],
        )


def _initial_line(offered: OfferLine | None) -> dict[str, Any]:
    if offered is None:
        return {}
    return {
        "price": offered.price,
        "pack": offered.pack if offered.pack != 1 else None,
        "least": offered.least or None,
        "price_breaks": offered.price_breaks,
        "lead_weeks_min": offered.lead_weeks_min,
        "lead_weeks_max": offered.lead_weeks_max,
        "note": offered.note,
    }


def read_offer(form: OfferForm, lines: Iterable[OfferLineForm]) -> Offered:
    """Return what valid forms say."""
    typed: Mapping[str, Any] = form.cleaned_data
    return Offered(
        currency=typed["currency"],
        valid_until=typed["valid_until"],
        freight=typed["freight"] or Decimal(0),
        reference=typed["reference"],
        note=typed["note"],
        lines=[one.read() for one in lines if one.is_offered],
    )
