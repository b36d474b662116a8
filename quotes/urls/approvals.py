"""What stands between a draft and its sending: approval, checks, screening."""

from __future__ import annotations

from django.urls import path

from quotes.views import approvals, rates, rules, screening, terms

DESK = [
    path("rules/", rules.rules, name="rules"),
    path("rates/", rates.rates, name="rates"),
    path("terms/", terms.terms, name="terms"),
    path("quotes/<int:pk>/submit/", approvals.quote_submit, name="quote_submit"),
    path("quotes/<int:pk>/approve/", approvals.quote_approve, name="quote_approve"),
    path("quotes/<int:pk>/reject/", approvals.quote_reject, name="quote_reject"),
    path("quotes/<int:pk>/recall/", approvals.quote_recall, name="quote_recall"),
    path("quotes/<int:pk>/end-use/", screening.end_use_save, name="end_use_save"),
    path(
        "quotes/<int:pk>/screening/",
        screening.screening_record,
        name="screening_record",
    ),
    path("quotes/<int:pk>/let-go/", approvals.check_let_go, name="check_let_go"),
]
