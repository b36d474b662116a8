"""Mounts the apps. Apps are named as strings: this layer imports none of them."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from sourceit import views

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
    path("healthz/", views.health, name="health"),
    path("styleguide/", views.styleguide, name="styleguide"),
    path("theme/", views.set_theme, name="theme"),
    path("desk/", include("quotes.urls.desk")),
    path("fabrics/", include("fabrics.urls")),
    path("", include("quotes.urls.customer")),
    path("", include("catalog.urls")),
]

handler400 = "sourceit.views.bad_request"
handler403 = "sourceit.views.forbidden"
handler404 = "sourceit.views.not_found"
handler500 = "sourceit.views.server_error"
