"""Read a mail server's report of an e-mail that came back, from standard input."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from sourceit.bounces import take_bounces

# A report carries the e-mail it is about, and that one a quotation.
MAX_BYTES = 50 * 1024 * 1024


class Command(BaseCommand):
    help = __doc__ or ""

    def handle(self, *_args: Any, **_options: Any) -> None:
        data = sys.stdin.buffer.read(MAX_BYTES)
        marked = take_bounces(data, timezone.now())
        for delivery in marked:
            self.stdout.write(f"{delivery.recipient}: {delivery.error}")
        if not marked:
            self.stdout.write("Nothing of ours came back in it.")
