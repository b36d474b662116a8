"""What staff type about approval rules, screenings and end use."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms

from quotes.approval_rules import UNITS, WITHOUT_THRESHOLD, RuleKind
from quotes.desk_fields import NumberField
from quotes.models import ApprovalRule, QuoteRequest, Screening

PERCENT = (RuleKind.MARGIN_UNDER, RuleKind.DISCOUNT_OVER)


class RuleForm(forms.ModelForm[ApprovalRule]):
    """One rule as a row of the rules page."""

    threshold = NumberField(
        noun="a threshold", max_digits=15, decimal_places=2, required=False
    )
    row_version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    class Meta:
        model = ApprovalRule
        fields = ("threshold", "is_active", "words")
        widgets = {"words": forms.TextInput(attrs={"autocomplete": "off"})}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        rule = self.instance
        self.unit = UNITS.get(rule.kind, "")
        self.initial["row_version"] = rule.row_version
        if rule.kind in WITHOUT_THRESHOLD:
            del self.fields["threshold"]
        for name, field in self.fields.items():
            label = field.label or name.capitalize()
            field.widget.attrs["aria-label"] = f"{label}, {rule}"
            field.widget.attrs.setdefault("class", "input")
        self.fields["is_active"].widget.attrs.pop("class")

    def clean(self) -> dict[str, Any]:
        return self.cleaned_data  # the constraints are said in words below

    def clean_threshold(self) -> Decimal:
        threshold: Decimal | None = self.cleaned_data["threshold"]
        kind = self.instance.kind
        if threshold is None:
            raise forms.ValidationError(f"{self.instance}: enter a threshold.")
        if threshold < 0:
            raise forms.ValidationError(f"{self.instance}: enter zero or more.")
        if kind in PERCENT and threshold > 100:
            raise forms.ValidationError(f"{self.instance}: enter at most 100%.")
        if kind == RuleKind.PAYMENT_OVER and threshold != int(threshold):
            raise forms.ValidationError(f"{self.instance}: enter whole days.")
        return threshold

    def changes(self) -> dict[str, Any]:
        """Return what was typed, by the rule's fields."""
        names = [name for name in self.Meta.fields if name in self.fields]
        return {name: self.cleaned_data[name] for name in names}


class EndUseForm(forms.ModelForm[QuoteRequest]):
    """Who uses controlled items, for what and where, as the customer said it."""

    class Meta:
        model = QuoteRequest
        fields = ("end_user", "end_use", "final_country", "delivery_address")
        widgets = {
            "end_use": forms.TextInput,
            "delivery_address": forms.Textarea(attrs={"rows": 3}),
        }


class ScreeningForm(forms.ModelForm[Screening]):
    """What came of a screening, with the reference it is filed under."""

    class Meta:
        model = Screening
        fields = ("result", "reference", "note")
        widgets = {"note": forms.TextInput}
        error_messages = {
            "result": {"required": "Choose the result of the screening."},
            "reference": {"required": "Enter the reference of the screening."},
        }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for field in self.fields.values():
            field.widget.attrs["autocomplete"] = "off"
