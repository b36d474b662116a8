"""What staff type: is it well formed?"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.utils import timezone

from catalog.models import Notice
from quotes.choice_fields import PriceBreaksField, faults_of_range, quantity_field
from quotes.desk_fields import DateText, EmailsField, NumberField, WeeksField
from quotes.models import Line, Revision, Section, Terms
from quotes.models.requests import MAX_QUANTITY
from quotes.pricing import Kind
from quotes.terms_field import TermsField
from sourceit.clock import has_ended


def _price(label: str) -> NumberField:
    return NumberField(
        noun="an amount",
        label=label,
        required=False,
        max_digits=15,
        decimal_places=4,
    )


class LineForm(forms.ModelForm[Line]):
    """One line of the builder: all fields, or only those named in `names`.

    The row of the table posts the few it shows, the line's own page posts all.
    """

    quantity = NumberField(noun="a quantity", max_digits=12, decimal_places=3)
    unit_cost = _price("Unit cost")
    unit_price = _price("Unit price before GST")
    margin_percent = NumberField(
        noun="a margin",
        label="Margin %",
        required=False,
        max_digits=7,
        decimal_places=2,
    )
    discount_percent = NumberField(
        noun="a discount",
        label="Discount %",
        required=False,
        max_digits=7,
        decimal_places=4,
    )
    lead_weeks_min = WeeksField(label="Lead time from, weeks")
    lead_weeks_max = WeeksField(label="Lead time to, weeks")
    quantity_min = quantity_field(
        "Smallest quantity the customer may choose",
        help_text="Empty: the quantity is fixed. 0: the line may be left out.",
    )
    quantity_max = quantity_field("Largest quantity they may choose")
    quantity_step = quantity_field("In steps of", help_text="Empty: one.")
    price_breaks = PriceBreaksField(
        label="Price breaks",
        help_text="One a line, such as 10: 95.00. They are offered: a price that you "
        "typed stays.",
    )
    section = forms.ModelChoiceField(
        Section.objects.none(), required=False, empty_label="No section"
    )

    class Meta:
        model = Line
        fields = (
            "kind",
            "section",
            "maker",
            "mpn",
            "description",
            "choice",
            "quantity",
            "unit",
            "quantity_min",
            "quantity_max",
            "quantity_step",
            "unit_cost",
            "supplier",
            "margin_percent",
            "unit_price",
            "price_breaks",
            "discount_percent",
            "tax",
            "lead_weeks_min",
            "lead_weeks_max",
            "lead_source",
            "lead_as_of",
            "warranty",
            "our_part",
            "origin",
            "hs_code",
            "note",
            "may_be_repriced",
        )
        labels = {
            "kind": "Kind of line",
            "choice": "One of",
            "tax": "GST treatment",
            "lead_source": "Source of the lead time",
            "lead_as_of": "Day of that source",
            "may_be_repriced": "The maker may re-price or cancel until shipment",
        }
        widgets = {"lead_as_of": DateText}
        help_texts = {
            "warranty": "Length, kind, and who serves it.",
            "choice": "A name, such as Switch. Of the lines with the same one, the "
            "standard line counts unless the customer picks an alternative.",
        }

    def __init__(
        self, *args: Any, names: Iterable[str] | None = None, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        if names is not None:
            wanted = set(names)
            for name in [name for name in self.fields if name not in wanted]:
                del self.fields[name]
        if "section" in self.fields:
            sections = Section.objects.filter(revision=self.instance.revision_id)
            field = self.fields["section"]
            assert isinstance(field, forms.ModelChoiceField)
            field.queryset = sections
        if "price_breaks" in self.fields:
            breaks = self.fields["price_breaks"]
            assert isinstance(breaks, PriceBreaksField)
            breaks.offer(self.instance.unpriced_quantities)

    def clean(self) -> dict[str, Any]:
        # Not the model form's: it would ask the database about each constraint, and
        # the methods below say the same bounds in words.
        if "quantity_min" in self.fields:
            for name, words in faults_of_range(self.cleaned_data).items():
                if name not in self.errors:
                    self.add_error(name, words)
        return self.cleaned_data

    def clean_choice(self) -> str:
        return " ".join(str(self.cleaned_data["choice"]).split())

    def clean_quantity(self) -> Decimal:
        quantity: Decimal = self.cleaned_data["quantity"]
        if not 0 < quantity <= MAX_QUANTITY:
            raise forms.ValidationError(
                f"Enter a quantity above zero and up to {MAX_QUANTITY:,}"
            )
        return quantity

    def clean_unit_cost(self) -> Decimal | None:
        cost: Decimal | None = self.cleaned_data["unit_cost"]
        if cost is not None and cost < 0:
            raise forms.ValidationError("Enter a cost of zero or more")
        return cost

    def clean_unit_price(self) -> Decimal | None:
        price: Decimal | None = self.cleaned_data["unit_price"]
        kind = self.cleaned_data.get("kind", self.instance.kind)
        if price is not None and price < 0 and kind != Kind.ROUNDING:
            raise forms.ValidationError("Enter a price of zero or more")
        return price

    def clean_margin_percent(self) -> Decimal | None:
        margin: Decimal | None = self.cleaned_data["margin_percent"]
        if margin is not None and margin >= 100:
            raise forms.ValidationError("Enter a margin under 100%")
        return margin

    def clean_discount_percent(self) -> Decimal:
        discount: Decimal = self.cleaned_data["discount_percent"] or Decimal(0)
        if not 0 <= discount <= 100:
            raise forms.ValidationError("Enter a discount of 0 to 100%")
        return discount

    def clean_unit(self) -> str:
        return self.cleaned_data["unit"] or "pc"


def read_block(
    block: str, names: Sequence[str], revision: Revision
) -> tuple[list[dict[str, Any]], list[str]]:
    """Read rows pasted from a spreadsheet whose columns are `names` in order.

    Returns the rows as clean values, and what is wrong ("Row 3: enter a quantity").
    Empty cells are left out.
    """
    rows: list[dict[str, Any]] = []
    faults: list[str] = []
    texts = [line for line in block.splitlines() if line.strip()]
    for number, text in enumerate(texts, start=1):
        cells = [cell.strip() for cell in text.split("\t")]
        typed = {name: cell for name, cell in zip(names, cells, strict=False) if cell}
        form = LineForm(typed, instance=Line(revision=revision), names=typed)
        if form.is_valid():
            rows.append({name: form.cleaned_data[name] for name in typed})
        faults += [
            f"Row {number}: {words[:1].lower()}{words[1:]}."
            for words in first_errors(form).values()
        ]
    return rows, faults


def first_errors(form: forms.BaseForm) -> dict[str, str]:
    """Return the first thing that is wrong with each field of a bound form."""
    return {name: str(errors[0]) for name, errors in form.errors.items()}


class FillForm(forms.Form):
    """What the lines that lack it are given: a lead time, a warranty."""

    fill_from = WeeksField(label="Lead time from, weeks")
    fill_to = WeeksField(label="to, weeks")
    fill_warranty = forms.CharField(
        label="Warranty and support",
        max_length=Line._meta.get_field("warranty").max_length,
        required=False,
        widget=forms.TextInput(attrs={"placeholder": "3 years, next business day"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        low, high = cleaned.get("fill_from"), cleaned.get("fill_to")
        if low is not None and high is not None and low > high:
            self.add_error("fill_to", "Enter a longer time than the first")
        return cleaned


class DetailsForm(forms.ModelForm[Revision]):
    """What goes with the lines: validity, recipients, terms, notices, words."""

    cc = EmailsField(label="Cc", required=False)
    terms = TermsField(Terms.objects.none(), label="Terms of sale", required=False)
    discount_percent = NumberField(
        noun="a discount",
        label="Discount on the whole, %",
        help_text="Of all that counts; lines keep discounts of their own.",
        required=False,
        max_digits=7,
        decimal_places=4,
        min_value=Decimal(0),
        max_value=Decimal(100),
    )
    discount_amount = NumberField(
        noun="an amount",
        label="Or an amount off the whole",
        help_text="Before GST; split over the lines so that the parts add up.",
        required=False,
        max_digits=15,
        decimal_places=2,
        min_value=Decimal(0),
    )

    class Meta:
        model = Revision
        fields = (
            "to_email",
            "to_name",
            "cc",
            "valid_until",
            "discount_percent",
            "discount_amount",
            "message",
            "incoterm",
            "delivery_place",
            "partial_shipment",
            "delivery_terms",
            "payment_terms",
            "excluded",
            "terms",
            "notices",
            "internal_note",
        )
        labels = {
            "to_email": "To",
            "to_name": "Name",
            "notices": "Notices to print",
            "internal_note": "Note for the desk",
        }
        help_texts = {
            "valid_until": "Through the end of that day in Singapore.",
            "cc": "Separated by commas.",
            "delivery_terms": "Printed after the rule and the place.",
            "internal_note": "Never shown to the customer.",
        }
        widgets = {
            "valid_until": DateText,
            "message": forms.Textarea(attrs={"rows": 4}),
            "excluded": forms.Textarea(attrs={"rows": 2}),
            "internal_note": forms.Textarea(attrs={"rows": 3}),
            "notices": forms.CheckboxSelectMultiple,
        }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        notices = self.fields["notices"]
        assert isinstance(notices, forms.ModelMultipleChoiceField)
        ticked = [notice.pk for notice in self.instance.notices.all()]
        in_force = Notice.objects.in_force(timezone.now())
        notices.queryset = in_force | Notice.objects.filter(pk__in=ticked)
        terms = self.fields["terms"]
        assert isinstance(terms, TermsField)
        terms.offer(self.instance.terms_id)
        # The builder's one form, which its inputs name: they stand outside of it.
        for field in self.fields.values():
            field.widget.attrs["form"] = "builder"

    def clean_valid_until(self) -> Any:
        day = self.cleaned_data["valid_until"]
        if day is not None and has_ended(day, timezone.now()):
            raise forms.ValidationError("Enter a date from today on.")
        return day

    def clean_discount_percent(self) -> Decimal:
        return self.cleaned_data["discount_percent"] or Decimal(0)

    def clean_discount_amount(self) -> Decimal:
        amount: Decimal = self.cleaned_data["discount_amount"] or Decimal(0)
        if amount and self.cleaned_data.get("discount_percent"):
            raise forms.ValidationError("Enter a percentage or an amount, not both.")
        return amount

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        rule, place = cleaned.get("incoterm"), cleaned.get("delivery_place")
        if rule and not place and "delivery_place" not in self.errors:
            self.add_error("delivery_place", "Name the place that the rule is for.")
        if place and not rule and "incoterm" not in self.errors:
            self.add_error("incoterm", "Choose the rule that the place is for.")
        return cleaned

    @property
    def stamp(self) -> str:
        """A fingerprint of what the form was filled with, to find a conflict by."""
        return stamp_of(self.initial)


def stamp_of(initial: Mapping[str, Any]) -> str:
    """Hash a form's initial values; objects of a relation count by their keys."""
    plain = {
        name: sorted(row.pk for row in value) if name == "notices" else str(value)
        for name, value in initial.items()
    }
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:16]
