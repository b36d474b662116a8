"""SourceIT: settings and what all apps share."""

from __future__ import annotations

from sourceit.celery import app as celery_app

__all__ = ["celery_app"]
