"""Tasks of what all apps share: thin, claimed, repeatable."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from sourceit.deliveries import (
    claim_delivery,
    due_deliveries,
    hand_over,
    release_stale,
    retry_or_fail,
)
from sourceit.models import Delivery
from sourceit.uploads import tidy_uploads


@shared_task
def send_delivery(pk: int) -> None:
    """Send one queued e-mail, unless another worker has it or it is not due."""
    from sourceit.mail import build_message, new_message_id

    now = timezone.now()
    delivery = claim_delivery(pk, now)
    if delivery is None:
        return
    delivery.message_id = delivery.message_id or new_message_id()
    delivery.save(update_fields=["message_id"])
    try:
        message = build_message(delivery)
    except (OSError, LookupError) as error:  # the file or the link's key is missing
        retry_or_fail(delivery, error, now)
        return
    hand_over(delivery, message, now)


@shared_task
def sweep_deliveries() -> None:
    """Queue every due e-mail again: the recovery when a broker or worker was down."""
    now = timezone.now()
    release_stale(now)
    due = list(due_deliveries(now).values_list("pk", flat=True)[:200])
    Delivery.objects.filter(pk__in=due).update(nudged_at=now)
    for pk in due:
        send_delivery.delay(pk)


@shared_task
def tidy_files() -> None:
    """Delete removed files for good, and those that a called-off change left."""
    tidy_uploads(timezone.now())
