"""What staff type about approval rules, screenings and end use."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms

from quotes.approval_rules import UNITS, WITHOUT_THRESHOLD, RuleKind
from quotes.desk_fields import NumberField
from quotes.models import ApprovalRule

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
