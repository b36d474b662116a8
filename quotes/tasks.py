"""Tasks of quotes: thin, claimed, repeatable."""

from __future__ import annotations

from celery import shared_task


@shared_task
def sweep_sending() -> None:
    """Dispatch every revision whose undo time has passed."""
