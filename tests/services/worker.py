"""A real worker with its clock, in processes of its own, on the test's database."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection


def database_url() -> str:
    found = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{found['NAME']}"
    place = f"{found['HOST']}:{found['PORT']}"
    return f"postgres://{found['USER']}:{found['PASSWORD']}@{place}/{found['NAME']}"


def redis_url() -> str:
    """The Redis of the run, a database of it for each process that runs tests."""
    server, _slash, _number = os.environ.get("TEST_REDIS_URL", "").rpartition("/")
    number = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    return f"{server}/{number}" if server else ""


@contextmanager
def running(folder: Path, *, email_url: str = "", largest_file: int = 0):
    """Run a worker with its clock on the test's database; killed at the end.

    With `largest_file`, no process of it can write a file of more bytes, as on a full
    disk.
    """
    for name in ("broker/queue", "broker/control"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "celery", "-A", "sourceit", "worker", "--beat"]
    command += ["--schedule", str(folder / "beat"), "--concurrency", "2"]
    with (folder / "worker.log").open("ab") as log:
        worker = subprocess.Popen(
            command,
            cwd=settings.BASE_DIR,
            env=os.environ
            | {
                "DJANGO_SETTINGS_MODULE": "sourceit.settings",
                "DATABASE_URL": database_url(),
                "VAR_DIR": str(folder),
                "REDIS_URL": redis_url(),
                "EMAIL_URL": email_url,
                "C_FORCE_ROOT": "1",
            },
            stdout=log,
            stderr=log,
            start_new_session=True,
            preexec_fn=(lambda: _limit_files(largest_file)) if largest_file else None,
        )
    try:
        yield worker
    finally:
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()


def _limit_files(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def wait_for(truth: Callable[[], bool], seconds: float = 90) -> None:
    until = time.monotonic() + seconds
    while not truth():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.05)
