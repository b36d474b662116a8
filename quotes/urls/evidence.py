"""What stands around a yes and follows it, for both sides."""

from __future__ import annotations

from django.urls import path

from quotes.views import acceptances, answers, records, verify

CUSTOMER = [
    path("q/<slug:token>/accept/code/", answers.accept_code, name="accept_code"),
    path("q/<slug:token>/record.pdf", records.answer_record, name="answer_record"),
    path(
        "q/<slug:token>/record.json",
        records.answer_record_json,
        name="answer_record_json",
    ),
    path("quotes/<int:pk>/record.pdf", records.my_quote_record, name="my_quote_record"),
    path(
        "quotes/<int:pk>/record.json",
        records.my_quote_record_json,
        name="my_quote_record_json",
    ),
    path("verify/", verify.verify, name="verify"),
]

DESK = [
    path("quotes/<int:pk>/accept/", acceptances.quote_accept, name="quote_accept"),
    path("quotes/<int:pk>/void/", acceptances.quote_void, name="quote_void"),
    path(
        "acceptances/<int:pk>/record.pdf", records.desk_record, name="acceptance_record"
    ),
    path(
        "acceptances/<int:pk>/record.json",
        records.desk_record_json,
        name="acceptance_record_json",
    ),
]
