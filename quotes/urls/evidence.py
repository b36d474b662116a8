"""What stands around a yes and follows it, for both sides."""

from __future__ import annotations

from django.urls import path

from quotes.views import (
    acceptances,
    answers,
    matching,
    orders,
    purchase_orders,
    records,
    verify,
)

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
    path("q/<slug:token>/po/", records.answer_po, name="answer_po"),
    path("quotes/<int:pk>/po/", records.my_quote_po, name="my_quote_po"),
    path("q/<slug:token>/purchase-order/", purchase_orders.po_send, name="po_send"),
    path(
        "quotes/<int:pk>/purchase-order/",
        purchase_orders.my_quote_po_send,
        name="my_quote_po_send",
    ),
    path("q/<slug:token>/order.pdf", orders.answer_order, name="answer_order"),
    path("quotes/<int:pk>/order.pdf", orders.my_quote_order, name="my_quote_order"),
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
    path("acceptances/<int:pk>/po-file/", records.desk_po, name="po_file"),
    path("acceptances/<int:pk>/po/add/", purchase_orders.po_add, name="po_add"),
    path("acceptances/<int:pk>/po/", matching.po_check, name="po_check"),
    path("quotes/<int:pk>/convert/", orders.quote_convert, name="quote_convert"),
    path("orders/", orders.order_list, name="orders"),
    path("orders/<int:pk>/", orders.order_detail, name="order"),
    path(
        "orders/<int:pk>/confirmation.pdf", orders.order_document, name="order_document"
    ),
    path("orders/<int:pk>/confirm/", orders.order_confirm, name="order_confirm"),
    path("orders/<int:pk>/retry/", orders.order_retry, name="order_retry"),
    path("orders/<int:pk>/purchase/", orders.purchase, name="purchase"),
    path(
        "orders/<int:pk>/purchase/assign/",
        orders.purchase_assign,
        name="purchase_assign",
    ),
    path("orders/<int:pk>/purchase.csv", orders.purchase_csv, name="purchase_csv"),
    path("orders/<int:pk>/purchase.xlsx", orders.purchase_xlsx, name="purchase_xlsx"),
]
