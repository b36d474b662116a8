"""/desk/…"""

from __future__ import annotations

from django.urls import path

from quotes.urls import approvals, evidence, messages, sourcing
from quotes.views import (
    breaks,
    builder,
    calendar,
    comparing,
    currencies,
    deliveries,
    exports,
    library,
    lines,
    mailbox,
    pipeline,
    sending,
    triage,
)

app_name = "desk"

urlpatterns = [
    path("", pipeline.pipeline, name="pipeline"),
    path("pipeline.csv", pipeline.pipeline_csv, name="pipeline_csv"),
    path("pipeline/bulk/", pipeline.pipeline_bulk, name="pipeline_bulk"),
    path("views/save/", pipeline.view_save, name="view_save"),
    path("views/<int:pk>/remove/", pipeline.view_remove, name="view_remove"),
    path("views/<int:pk>/restore/", pipeline.view_restore, name="view_restore"),
    # Requests
    path("requests/new/", triage.request_new, name="request_new"),
    path("requests/<int:pk>/", triage.request_detail, name="request"),
    path("requests/<int:pk>/take/", triage.request_take, name="request_take"),
    path("requests/<int:pk>/assign/", triage.request_assign, name="request_assign"),
    path("requests/<int:pk>/decline/", triage.request_decline, name="request_decline"),
    path("requests/<int:pk>/lose/", triage.request_lose, name="request_lose"),
    path("requests/<int:pk>/spam/", triage.request_spam, name="request_spam"),
    path("requests/<int:pk>/quote/", triage.quote_new, name="quote_new"),
    *messages.DESK,
    # Quotes: the number in the address is the revision's
    path("quotes/<int:pk>/", builder.quote, name="quote"),
    path("quotes/<int:pk>/details/", builder.quote_details, name="quote_details"),
    path("quotes/<int:pk>/lines.csv", exports.quote_csv, name="quote_csv"),
    path("quotes/<int:pk>/lines.xlsx", exports.quote_xlsx, name="quote_xlsx"),
    path("quotes/<int:pk>/currency/", currencies.quote_currency, name="quote_currency"),
    path("quotes/<int:pk>/preview.pdf", sending.preview, name="preview"),
    path("quotes/<int:pk>/quotation.pdf", sending.document, name="document"),
    path("quotes/<int:pk>/send/", sending.quote_send, name="quote_send"),
    path("quotes/<int:pk>/undo/", sending.quote_undo, name="quote_undo"),
    path("quotes/<int:pk>/status/", sending.quote_status, name="quote_status"),
    path("quotes/<int:pk>/revise/", sending.quote_revise, name="quote_revise"),
    path("quotes/<int:pk>/discard/", sending.quote_discard, name="quote_discard"),
    path("quotes/<int:pk>/withdraw/", sending.quote_withdraw, name="quote_withdraw"),
    path(
        "quotes/<int:pk>/document/retry/",
        sending.document_retry,
        name="document_retry",
    ),
    path(
        "deliveries/<int:pk>/retry/", deliveries.delivery_retry, name="delivery_retry"
    ),
    # Lines and sections of a draft
    path("quotes/<int:pk>/lines/add/", lines.line_add, name="line_add"),
    path(
        "quotes/<int:pk>/lines/add-product/",
        lines.line_add_product,
        name="line_add_product",
    ),
    path("quotes/<int:pk>/lines/paste/", lines.line_paste, name="line_paste"),
    path("quotes/<int:pk>/lines/restore/", lines.line_restore, name="line_restore"),
    path("quotes/<int:pk>/lines/<int:line_pk>/", lines.line, name="line"),
    path(
        "quotes/<int:pk>/lines/<int:line_pk>/save/", lines.line_save, name="line_save"
    ),
    path(
        "quotes/<int:pk>/lines/<int:line_pk>/remove/",
        lines.line_remove,
        name="line_remove",
    ),
    path(
        "quotes/<int:pk>/lines/<int:line_pk>/move/", lines.line_move, name="line_move"
    ),
    path(
        "quotes/<int:pk>/lines/<int:line_pk>/break/",
        breaks.line_break,
        name="line_break",
    ),
    path("quotes/<int:pk>/products/", lines.product_options, name="product_options"),
    path("quotes/<int:pk>/sections/add/", lines.section_add, name="section_add"),
    path(
        "quotes/<int:pk>/sections/<int:section_pk>/rename/",
        lines.section_rename,
        name="section_rename",
    ),
    path(
        "quotes/<int:pk>/sections/<int:section_pk>/remove/",
        lines.section_remove,
        name="section_remove",
    ),
    # Built from what there is
    path(
        "quotes/<int:pk>/lines/<int:line_pk>/prices/",
        library.line_prices,
        name="line_prices",
    ),
    path("quotes/<int:pk>/reprice/", library.quote_reprice, name="quote_reprice"),
    path("quotes/<int:pk>/compare/", comparing.quote_compare, name="quote_compare"),
    path("quotes/<int:pk>/copy/", library.quote_copy, name="quote_copy"),
    path("quotes/<int:pk>/lines/fill/", library.lines_fill, name="lines_fill"),
    path("quotes/<int:pk>/template/", library.template_save, name="template_save"),
    path(
        "quotes/<int:pk>/template/insert/",
        library.template_insert,
        name="template_insert",
    ),
    path("templates/", library.templates, name="templates"),
    path("templates/<int:pk>/", library.template_change, name="template_change"),
    # What stands before the sending
    *approvals.DESK,
    # Suppliers
    *sourcing.DESK,
    # What follows a yes
    *evidence.DESK,
    # The days the desk works
    path("calendar/", calendar.calendar, name="calendar"),
    path("calendar/<int:pk>/forget/", calendar.calendar_forget, name="calendar_forget"),
    # The built-in mailbox
    path("mailbox/", mailbox.mailbox, name="mailbox"),
    path("mailbox/<str:name>/", mailbox.mailbox_message, name="mailbox_message"),
    path("mailbox/<str:name>/<int:index>/", mailbox.mailbox_part, name="mailbox_part"),
]
