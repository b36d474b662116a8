"""The currency of a draft."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from quotes.errors import QuoteError
from quotes.services.currencies import How, set_currency
from quotes.services.rates import rates_on
from quotes.views.builder import (
    builder_only,
    get_editable,
    tell_refusal,
    to_builder,
)
from sourceit.clock import singapore_date
from sourceit.http import AuthenticatedHttpRequest
from sourceit.money import HOME, MoneyError


class CurrencyForm(forms.Form):
    """Which currency, and what becomes of the prices: neither has a default."""

    currency = forms.ChoiceField(choices=())
    how = forms.ChoiceField(
        choices=[(How.CONVERT, "Convert prices"), (How.KEEP, "Keep the numbers")]
    )

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]  # as Form has it
        rates = rates_on(singapore_date(timezone.now()))
        field = self.fields["currency"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(one, one) for one in (HOME, *sorted(rates))]


@require_POST
@builder_only
@tell_refusal
def quote_currency(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Change the currency, or take the newest rate; prices as was asked."""
    revision = get_editable(request, pk)
    form = CurrencyForm(request.POST)
    if not form.is_valid():
        raise QuoteError("Choose a currency, and what becomes of the prices.")
    try:
        set_currency(
            revision=revision,
            currency=form.cleaned_data["currency"],
            how=How(form.cleaned_data["how"]),
            by=request.user,
            now=timezone.now(),
        )
    except MoneyError as error:
        raise QuoteError(str(error)) from error
    messages.success(request, f"The quote is in {form.cleaned_data['currency']}.")
    return to_builder(revision, "currency")
