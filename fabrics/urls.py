"""/fabrics/…"""

from __future__ import annotations

from django.urls import path

from fabrics import views

app_name = "fabrics"

urlpatterns = [
    path("", views.configure, name="configure"),
    path("compare/", views.compare, name="compare"),
    path("racks/", views.racks, name="racks"),
    path("guide/", views.guide, name="guide"),
    path("save/", views.save, name="save"),
    path("export/<str:name>", views.export, name="export"),
    path("designs/<uuid:pk>/", views.design_detail, name="detail"),
    path("designs/<uuid:pk>/export/<str:name>", views.design_export, name="file"),
]
