"""Tasks of quotes: thin, claimed, repeatable."""

from __future__ import annotations

from typing import Any

from celery import shared_task
from celery.signals import worker_process_init
from django.utils import timezone

from quotes.services.clock import ring_clocks
from quotes.services.inquiries import inquiries_due, print_inquiry
from quotes.services.manifests import make_record, records_due
from quotes.services.orders import confirmations_due, print_confirmation
from quotes.services.reminders import remind_customers
from quotes.services.risks import find_risks
from quotes.services.sending import dispatch_revision, find_due
from quotes.services.tidying import forget_baskets
from sourceit.pdf import warm_up


@shared_task(soft_time_limit=60, time_limit=90)
def dispatch(pk: int) -> None:
    """Send one revision, unless another worker has it or there is nothing to do."""
    dispatch_revision(pk, timezone.now())


@shared_task
def sweep_sending() -> None:
    """Queue every revision whose undo time has passed: the clock of sending."""
    for pk in find_due(timezone.now()):
        dispatch.delay(pk)


@shared_task(soft_time_limit=60, time_limit=90)
def print_record(pk: int) -> None:
    """Print the record of one acceptance, unless another worker has it."""
    make_record(pk, timezone.now())


@shared_task(soft_time_limit=60, time_limit=90)
def print_order(pk: int) -> None:
    """Print the confirmation of one order, unless another worker has it."""
    print_confirmation(pk, timezone.now())


@shared_task(soft_time_limit=60, time_limit=90)
def print_supplier_inquiry(pk: int) -> None:
    """Print one inquiry and queue its e-mails, unless another worker has it."""
    print_inquiry(pk, timezone.now())


@shared_task
def sweep_papers() -> None:
    """Queue every paper that waits: of acceptances, orders and inquiries."""
    for pk in records_due(timezone.now()):
        print_record.delay(pk)
    for pk in confirmations_due(timezone.now()):
        print_order.delay(pk)
    for pk in inquiries_due(timezone.now()):
        print_supplier_inquiry.delay(pk)


@shared_task
def remind() -> None:
    """Queue the reminders that are due: safe to run as often as one likes."""
    now = timezone.now()
    remind_customers(now)
    ring_clocks(now)
    find_risks(now)


@shared_task
def tidy_baskets() -> None:
    """Forget guests' baskets that nobody can open any more."""
    forget_baskets(timezone.now())


@worker_process_init.connect
def warm_up_worker(**_kwargs: Any) -> None:
    """Read fonts and styles when a worker starts, not when its first quote waits."""
    warm_up()
