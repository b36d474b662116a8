"""/fabrics/…"""

from __future__ import annotations

from django.urls import path

from fabrics import views

app_name = "fabrics"

urlpatterns = [
    path("", views.configure, name="configure"),
    path("designs/<uuid:pk>/", views.design_detail, name="detail"),
]
