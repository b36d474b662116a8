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
    path("model/", views.model_traffic, name="model"),
    path("rules/", views.rules_page, name="rules"),
    path("save/", views.save, name="save"),
    path("export/<str:name>", views.export, name="export"),
    # Saved designs. The last version stands at the design's own address.
    path("designs/", views.design_list, name="list"),
    path("designs/difference/", views.design_difference, name="difference"),
    path("designs/<uuid:pk>/", views.design_detail, name="detail"),
    path("designs/<uuid:pk>/copy/", views.design_copy, name="copy"),
    path("designs/<uuid:pk>/rename/", views.design_rename, name="rename"),
    path("designs/<uuid:pk>/remove/", views.design_remove, name="remove"),
    path("designs/<uuid:pk>/restore/", views.design_restore, name="restore"),
    path("designs/<uuid:pk>/<int:n>/", views.design_version, name="version"),
    path("designs/<uuid:pk>/<int:n>/report/", views.design_report, name="report"),
    path(
        "designs/<uuid:pk>/<int:n>/export/<str:name>", views.design_export, name="file"
    ),
]
