from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class QuotesConfig(AppConfig):
    name = "quotes"
    verbose_name = "Requests and quotes"

    def ready(self) -> None:
        # Models may only be imported once the apps are there.
        from fabrics.uses import register_uses
        from quotes.designs import find_uses
        from quotes.services.rules import make_default_rules

        post_migrate.connect(
            make_default_rules, sender=self, dispatch_uid="quotes.default_rules"
        )
        register_uses(find_uses)
