"""The days the desk works: Singapore's holidays, and what it does otherwise."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from quotes.desk_fields import DateText
from quotes.models import DeskDay
from quotes.reply_clock import holidays_between
from quotes.services.clock import change_day, forget_day
from quotes.views.builder import builder_only
from sourceit.clock import singapore_date
from sourceit.http import AuthenticatedHttpRequest

AHEAD = timedelta(days=400)


class DayForm(forms.Form):
    """One day that differs from the calendar."""

    day = forms.DateField(
        widget=DateText(),
        input_formats=["%d %b %Y", "%d %B %Y", "%Y-%m-%d", "%d/%m/%Y"],
        error_messages={
            "required": "Enter the day",
            "invalid": "Enter the day like 24 Dec 2026",
        },
    )
    is_working = forms.BooleanField(label="The desk works on it", required=False)
    note = forms.CharField(label="Why", max_length=80, required=False)

    def clean_day(self) -> date:
        day: date = self.cleaned_data["day"]
        if day < singapore_date(timezone.now()):
            raise forms.ValidationError("Enter a day that is not over")
        return day


@require_http_methods(["GET", "HEAD", "POST"])
@builder_only
def calendar(request: AuthenticatedHttpRequest) -> HttpResponse:
    """List the days without replies, and add one that differs; due times follow."""
    form = DayForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        changed = change_day(**form.cleaned_data)
        messages.success(request, f"{changed}. Replies owed are due by that now.")
        return redirect("desk:calendar")
    today = singapore_date(timezone.now())
    context: dict[str, Any] = {
        "form": form,
        "changed": DeskDay.objects.filter(day__gte=today),
        "holidays": holidays_between(today, today + AHEAD),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "quotes/desk/calendar.html", context, status=status)


@require_POST
@builder_only
def calendar_forget(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Follow the calendar again on a day."""
    changed = get_object_or_404(DeskDay, pk=pk)
    day = changed.day
    forget_day(changed=changed)
    messages.success(request, f"{day:%-d %b %Y} follows the calendar again.")
    return redirect("desk:calendar")
