"""The table of exchange rates: read by the desk, added to by who may."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from quotes.desk_fields import NumberField
from quotes.errors import QuoteError
from quotes.forms import PlainTextMixin
from quotes.services.rates import add_rate, newest_rates, rates_on
from quotes.sourcing_forms import day_field
from quotes.views.builder import staff_only
from sourceit.clock import singapore_date
from sourceit.http import AuthenticatedHttpRequest

MAY_ADD = "quotes.add_fxrate"
# A rate this old is told: what it converts may be far from today's.
OLD = timedelta(days=7)


class RateForm(PlainTextMixin, forms.Form):
    """One rate of one day."""

    use_required_attribute = False
    currency = forms.RegexField(
        r"^[A-Z]{3}$",
        label="Currency",
        help_text="Three letters, such as USD.",
        error_messages={
            "required": "Enter the currency, such as USD.",
            "invalid": "Enter three letters, such as USD.",
        },
    )
    rate = NumberField(
        noun="a rate",
        label="S$ for one",
        max_digits=14,
        decimal_places=6,
        min_value=Decimal("0.000001"),
    )
    on = day_field("Of the day", required="Enter the day of the rate.")
    source = forms.CharField(
        label="Source",
        max_length=120,
        help_text="Printed on quotes: the bank, or MAS.",
        error_messages={"required": "Enter whose rate it is."},
    )
    locked_until = day_field(
        "Held until (optional)",
        required="",
        help_text="The last day the bank holds it: quotes at this rate end by then.",
    )

    def __init__(self, data: Any = None) -> None:
        if data is not None:
            data = data.copy()
            data["currency"] = data.get("currency", "").strip().upper()
        today = singapore_date(timezone.now())
        super().__init__(data, initial={"currency": "USD", "on": today})
        self.fields["locked_until"].required = False

    def clean_on(self) -> date:
        day: date = self.cleaned_data["on"]
        if day > singapore_date(timezone.now()):
            raise forms.ValidationError("Enter a day that has come.")
        return day

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        on, until = cleaned.get("on"), cleaned.get("locked_until")
        if on is not None and until is not None and until < on:
            self.add_error("locked_until", "Enter a day from that of the rate on.")
        return cleaned


@require_http_methods(["GET", "HEAD", "POST"])
@staff_only
def rates(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Show the rates, the newest of each currency marked; POST adds one."""
    may_add = request.user.has_perm(MAY_ADD)
    if request.method == "POST" and not may_add:
        raise Http404
    form = RateForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            made = add_rate(by=request.user, **form.cleaned_data)
        except QuoteError as error:
            form.add_error("on", str(error))
        else:
            messages.success(request, f"Added: {made}.")
            return redirect("desk:rates")
    today = singapore_date(timezone.now())
    used = {rate.pk for rate in rates_on(today).values()}
    context = {
        "form": form,
        "has_errors": bool(form.errors),
        "may_add": may_add,
        "rates": [
            (rate, rate.pk in used, today - rate.on > OLD) for rate in newest_rates()
        ],
    }
    status = 422 if form.errors else 200
    return render(request, "quotes/desk/rates.html", context, status=status)
