"""Controlled items at the desk: what the customer said, and the screening of it."""

from __future__ import annotations

from django import forms
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from quotes.approval_forms import EndUseForm, ScreeningForm
from quotes.errors import QuoteError
from quotes.models import QuoteRequest
from quotes.services import screening
from quotes.views.builder import builder_only, tell_refusal, to_builder
from quotes.views.sending import get_whole
from sourceit.http import AuthenticatedHttpRequest


@require_POST
@builder_only
@tell_refusal
def end_use_save(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Save end user, end use and destination; others than screened reopen it."""
    revision = get_whole(request, pk)
    asked = revision.quote.request
    # A copy for the form to write on: what is stored is compared with it.
    form = EndUseForm(request.POST, instance=QuoteRequest.objects.get(pk=asked.pk))
    refuse_errors(form)
    screening.save_end_use(
        request=asked,
        changes=form.cleaned_data,
        by=request.user,
        now=timezone.now(),
    )
    return to_builder(revision, "screening")


@require_POST
@builder_only
@tell_refusal
def screening_record(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Record what came of the screening of the parties as they stand."""
    revision = get_whole(request, pk)
    form = ScreeningForm(request.POST)
    refuse_errors(form)
    screening.record_screening(
        revision=revision, by=request.user, now=timezone.now(), **form.cleaned_data
    )
    return to_builder(revision, "screening")


def refuse_errors(form: forms.BaseForm) -> None:
    """Say the first thing that is wrong.

    Raises:
        QuoteError: something is.
    """
    for errors in form.errors.values():
        raise QuoteError(str(errors[0]))
