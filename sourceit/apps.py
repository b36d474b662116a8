from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class SourceitConfig(AppConfig):
    name = "sourceit"
    verbose_name = "People and documents"

    def ready(self) -> None:
        # Permissions exist only after migrate has made them, so roles follow it.
        from sourceit.access import sync_roles

        post_migrate.connect(sync_roles, dispatch_uid="sourceit.sync_roles")
