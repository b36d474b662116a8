"""Put work on the queue after commit; a dead broker loses nothing."""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from celery import Task
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)


def run_after_commit(task: Task[..., Any], *args: Any) -> None:
    """Queue `task` once the transaction has committed.

    State is in the database and a sweep finds it, so a broker that cannot be reached
    is a line in the log and a delay of seconds, not an error for the person.
    """
    transaction.on_commit(partial(_publish, task, args))


def _publish(task: Task[..., Any], args: tuple[Any, ...]) -> None:
    try:
        task.delay(*args)
    except (OperationalError, OSError) as error:
        logger.warning("%s not queued, the sweep will find it: %s", task.name, error)
