"""The catalogue in Django's admin."""

from __future__ import annotations

from django.contrib import admin

from catalog.models import Collection, Notice, Product

admin.site.register(Collection)
admin.site.register(Product)
admin.site.register(Notice)
