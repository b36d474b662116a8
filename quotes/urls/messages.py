"""Lists and files for the basket, and what is said about a request with its files."""

from __future__ import annotations

from django.urls import path

from quotes.views import files, imports, messages

CUSTOMER = [
    path("r/<slug:token>/message/", messages.track_message, name="track_message"),
    path("r/<slug:token>/files/<int:file_pk>/", messages.track_file, name="track_file"),
    path(
        "requests/<int:pk>/message/", messages.request_message, name="request_message"
    ),
    path(
        "requests/<int:pk>/files/<int:file_pk>/",
        messages.request_file,
        name="request_file",
    ),
    path("basket/paste/", imports.basket_paste, name="basket_paste"),
    path("basket/upload/", imports.basket_upload, name="basket_upload"),
    path("basket/import/", imports.basket_import, name="basket_import"),
    path("basket/import/<uuid:batch>/undo/", imports.basket_undo, name="basket_undo"),
    path("basket/files/", files.basket_attach, name="basket_attach"),
    path("basket/files/<int:pk>/", files.basket_file, name="basket_file"),
    path("basket/files/<int:pk>/remove/", files.basket_detach, name="basket_detach"),
    path(
        "basket/files/<int:pk>/restore/", files.basket_put_back, name="basket_put_back"
    ),
]

DESK = [
    path("requests/<int:pk>/message/", messages.desk_message, name="request_message"),
    path(
        "requests/<int:pk>/files/<int:file_pk>/",
        messages.desk_file,
        name="request_file",
    ),
]
