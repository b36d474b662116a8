"""/ /products/ /collections/ /compare/"""

from __future__ import annotations

from django.urls import path

from catalog import views

app_name = "catalog"

urlpatterns = [
    path("", views.home, name="home"),
    path("products/", views.product_list, name="list"),
    path("products/<slug:slug>/", views.product_detail, name="product"),
    path("collections/<slug:slug>/", views.collection, name="collection"),
    path("compare/", views.compare, name="compare"),
    path("sitemap.xml", views.sitemap, name="sitemap"),
    path("robots.txt", views.robots, name="robots"),
]
