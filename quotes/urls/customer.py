"""/basket/ /request/ /r/<token>/ /q/<token>/ …"""

from __future__ import annotations

from django.urls import path

from quotes.views import customer as views

app_name = "quotes"

urlpatterns = [
    path("basket/", views.basket, name="basket"),
    path("r/<slug:token>/", views.track, name="track"),
    path("q/<slug:token>/", views.answer, name="answer"),
]
