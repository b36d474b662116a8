from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class QuotesConfig(AppConfig):
    name = "quotes"
    verbose_name = "Requests and quotes"

    def ready(self) -> None:
        from quotes.services.rules import make_default_rules

        post_migrate.connect(
            make_default_rules, sender=self, dispatch_uid="quotes.default_rules"
        )
