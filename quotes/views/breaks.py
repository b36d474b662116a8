"""A price break of a draft's line, taken by hand."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from quotes.errors import QuoteError
from quotes.offering import break_for
from quotes.services.lines import save_line
from quotes.views.builder import builder_only, tell_refusal, to_builder
from quotes.views.lines import get_editable_line, or_say_why
from sourceit.http import AuthenticatedHttpRequest
from sourceit.money import MoneyError
from sourceit.posted import read_id


@require_POST
@builder_only
@tell_refusal
def line_break(
    request: AuthenticatedHttpRequest, pk: int, line_pk: int
) -> HttpResponse:
    """Give a line the price that its breaks say for its quantity."""
    line = get_editable_line(request, pk, line_pk)
    text = request.POST.get("version", "")
    version = read_id(text)
    try:
        price = break_for(line, line.quantity)
        if price is None:
            raise QuoteError("No price break reaches this quantity.")
        save_line(
            line=line,
            changes={"unit_price": price},
            version=version,
            by=request.user,
            now=timezone.now(),
        )
    except (MoneyError, QuoteError) as error:
        return or_say_why(request, line.revision, error)
    return to_builder(line.revision, f"line-{line.pk}")
