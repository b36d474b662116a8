"""The Celery app. Its settings are the CELERY_ names in sourceit.settings."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sourceit.settings")

app = Celery("sourceit")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
