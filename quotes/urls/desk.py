"""/desk/…"""

from __future__ import annotations

from django.urls import path

from quotes.views import desk as views

app_name = "desk"

urlpatterns = [
    path("", views.pipeline, name="pipeline"),
    path("requests/<int:pk>/", views.request_detail, name="request"),
    path("quotes/<int:pk>/", views.quote_edit, name="quote"),
]
