"""The Celery app. Its settings are the CELERY_ names in sourceit.settings."""

from __future__ import annotations

import os

from celery import Celery
from kombu.transport import TRANSPORT_ALIASES

# Before any connection is made: filesystem:// means ours.
TRANSPORT_ALIASES["filesystem"] = "sourceit.broker:Transport"

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sourceit.settings")

app = Celery("sourceit")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
