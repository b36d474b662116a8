"""Tasks of fabrics: thin, claimed, repeatable."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from fabrics.services import reports


@shared_task(soft_time_limit=60, time_limit=90)
def make_report(pk: int) -> None:
    """Make one design's report, unless another worker has it or it is there."""
    reports.make_report(pk, timezone.now())


@shared_task
def sweep_reports() -> None:
    """Queue every report that waits: the recovery when a broker or worker was down."""
    for pk in reports.find_due_reports(timezone.now()):
        make_report.delay(pk)
