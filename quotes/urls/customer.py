"""/basket/ /request/ /requests/ /r/<token>/ /q/<token>/ /contact/"""

from __future__ import annotations

from django.urls import path, re_path

from quotes.urls import evidence, messages, sourcing
from quotes.views import (
    answers,
    basket,
    comparing,
    contact,
    exports,
    requests,
    tracking,
)

app_name = "quotes"

urlpatterns = [
    # /basket/
    path("basket/", basket.basket, name="basket"),
    path("basket/add/", basket.basket_add, name="basket_add"),
    path("basket/add-text/", basket.basket_add_text, name="basket_add_text"),
    path("basket/add-design/", basket.basket_add_design, name="basket_add_design"),
    path("basket/lines/<int:pk>/", basket.basket_line, name="basket_line"),
    path("basket/lines/<int:pk>/remove/", basket.basket_remove, name="basket_remove"),
    path(
        "basket/lines/<int:pk>/restore/", basket.basket_restore, name="basket_restore"
    ),
    # /request/ and /requests/
    path("request/", requests.request_form, name="request_form"),
    path("request/check/", requests.request_check, name="request_check"),
    path("request/send/", requests.request_send, name="request_send"),
    path("requests/", tracking.my_requests, name="my_requests"),
    path("requests/<int:pk>/", tracking.request_detail, name="request"),
    path("requests/<int:pk>/cancel/", tracking.request_cancel, name="request_cancel"),
    # /quotes/: the same pages for those who sign in
    path("quotes/<int:pk>/", answers.my_quote, name="my_quote"),
    path("quotes/<int:pk>/pdf/", answers.my_quote_pdf, name="my_quote_pdf"),
    path("quotes/<int:pk>/lines.csv", exports.my_quote_csv, name="my_quote_csv"),
    path("quotes/<int:pk>/lines.xlsx", exports.my_quote_xlsx, name="my_quote_xlsx"),
    path("quotes/<int:pk>/accept/", answers.my_quote_accept, name="my_quote_accept"),
    path("quotes/<int:pk>/decline/", answers.my_quote_decline, name="my_quote_decline"),
    path("quotes/<int:pk>/change/", answers.my_quote_change, name="my_quote_change"),
    path(
        "quotes/<int:pk>/compare/", comparing.my_quote_compare, name="my_quote_compare"
    ),
    # Secret links: /r/<token>/ follows a request, /q/<token>/ answers a quote.
    path("r/<slug:token>/", tracking.track, name="track"),
    path("r/<slug:token>/cancel/", tracking.track_cancel, name="track_cancel"),
    re_path(
        r"^q/(?P<number>[Qq]-[0-9]{4}-[0-9]{4,9})/$",
        answers.quote_door,
        name="quote_door",
    ),
    path("q/<slug:token>/", answers.answer, name="answer"),
    path("q/<slug:token>/pdf/", answers.answer_pdf, name="answer_pdf"),
    path("q/<slug:token>/lines.csv", exports.answer_csv, name="answer_csv"),
    path("q/<slug:token>/lines.xlsx", exports.answer_xlsx, name="answer_xlsx"),
    path("q/<slug:token>/accept/", answers.accept, name="accept"),
    path("q/<slug:token>/decline/", answers.decline, name="decline"),
    path("q/<slug:token>/change/", answers.change, name="change"),
    # Messages and files
    *messages.CUSTOMER,
    # What follows a yes
    *evidence.CUSTOMER,
    # Suppliers by their own links
    *sourcing.SUPPLIERS,
    # Who we are
    path("contact/", contact.contact, name="contact"),
    path("privacy/", contact.privacy, name="privacy"),
]
