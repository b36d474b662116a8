"""Fill in the demo desk: people, sample terms, and work in every state."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction
from django.utils import timezone

from quotes.demo import CUSTOMERS, PASSWORD, STAFF, make_people, make_terms, make_work
from quotes.models import QuoteRequest


class Command(BaseCommand):
    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--logins", action="store_true", help="print the demo's logins, do no more"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["logins"]:
            self._print_logins()
            return
        # Seeding again must not disturb what people did with the demo.
        with transaction.atomic():
            people = make_people()
            make_terms()
            if QuoteRequest.objects.exists():
                return
            make_work(people, timezone.now())
        self.stdout.write("Filled in the demo desk with sample data.")

    def _print_logins(self) -> None:
        self.stdout.write(f"  Demo logins, all with the password {PASSWORD}")
        for email, name, title, _roles in STAFF:
            self.stdout.write(f"    {email:<24} {name}, {title.lower()}")
        for email, name, _title, company in CUSTOMERS:
            self.stdout.write(f"    {email:<24} {name}, customer at {company}")
        self.stdout.write("")
