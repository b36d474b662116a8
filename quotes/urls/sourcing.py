"""Suppliers: what they are asked, what they offer, and their own page."""

from __future__ import annotations

from django.urls import path

from quotes.views import bids, offering, sourcing

SUPPLIERS = [
    path("s/<slug:token>/", offering.supplier, name="supplier"),
    path("s/<slug:token>/decline/", offering.supplier_decline, name="supplier_decline"),
    path("s/<slug:token>/inquiry.pdf", offering.supplier_pdf, name="supplier_pdf"),
    path(
        "s/<slug:token>/files/<int:file_pk>/",
        offering.supplier_file,
        name="supplier_file",
    ),
]

DESK = [
    path("inquiries/", sourcing.inquiry_list, name="inquiries"),
    path("inquiries/<int:pk>/", sourcing.inquiry, name="inquiry"),
    path("inquiries/<int:pk>/save/", sourcing.inquiry_save, name="inquiry_save"),
    path(
        "inquiries/<int:pk>/discard/", sourcing.inquiry_discard, name="inquiry_discard"
    ),
    path("inquiries/<int:pk>/close/", sourcing.inquiry_close, name="inquiry_close"),
    path("inquiries/<int:pk>/again/", sourcing.inquiry_again, name="inquiry_again"),
    path("inquiries/<int:pk>/retry/", sourcing.inquiry_retry, name="inquiry_retry"),
    path("inquiries/<int:pk>/take/", sourcing.offers_take, name="offers_take"),
    path("inquiries/<int:pk>/inquiry.pdf", sourcing.inquiry_pdf, name="inquiry_pdf"),
    path("invites/<int:pk>/offer/", offering.offer_enter, name="offer_enter"),
    path("invites/<int:pk>/decline/", offering.offer_decline, name="offer_decline"),
    path(
        "invites/<int:pk>/files/<int:file_pk>/", offering.offer_file, name="offer_file"
    ),
    path("quotes/<int:pk>/inquiry/", sourcing.inquiry_new, name="inquiry_new"),
    path("bids/", bids.bid_list, name="bids"),
    path("bids/new/", bids.bid_new, name="bid_new"),
    path("bids/<int:pk>/", bids.bid, name="bid"),
    path("quotes/<int:pk>/bid/", bids.quote_bid, name="quote_bid"),
    path("quotes/<int:pk>/risks/", sourcing.risks_settle, name="risks_settle"),
]
