from __future__ import annotations

import logging
from functools import partial

import pytest
from celery import shared_task
from django.db import transaction
from kombu.exceptions import OperationalError

from sourceit.celery import app
from sourceit.queue import run_after_commit

pytestmark = pytest.mark.django_db

ran: list[int] = []


@shared_task
def note(number: int) -> None:
    ran.append(number)


@pytest.fixture(autouse=True)
def _nothing_ran():
    ran.clear()


def test_work_is_queued_only_after_commit(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        run_after_commit(note, 1)
        assert ran == []

    assert ran == [1]


def test_what_is_rolled_back_is_never_queued(django_capture_on_commit_callbacks):
    with (
        django_capture_on_commit_callbacks(execute=True) as callbacks,
        transaction.atomic(),
    ):
        run_after_commit(note, 1)
        transaction.set_rollback(True)

    assert callbacks == []
    assert ran == []


@pytest.mark.parametrize("error", [OperationalError("gone"), ConnectionRefusedError()])
def test_a_dead_broker_is_a_line_in_the_log(
    error, monkeypatch, caplog, django_capture_on_commit_callbacks
):
    def broken(*_args):
        raise error

    monkeypatch.setattr(note, "delay", broken)
    with django_capture_on_commit_callbacks(execute=True):
        run_after_commit(note, 1)

    (line,) = caplog.records
    assert line.levelno == logging.WARNING
    assert "not queued, the sweep will find it" in line.getMessage()


@pytest.mark.filterwarnings("ignore::celery.exceptions.AlwaysEagerIgnored")
@pytest.mark.parametrize(
    "url", ["redis://127.0.0.1:1/0", "filesystem://"], ids=["redis", "files"]
)
def test_a_broker_that_really_is_away_raises_nothing(
    url, monkeypatch, caplog, tmp_path, django_capture_on_commit_callbacks
):
    options = {"data_folder_out": str(tmp_path / "gone"), "control_folder": tmp_path}
    with (
        app.connection_for_write(url=url, transport_options=options) as connection,
        django_capture_on_commit_callbacks(execute=True),
    ):
        publish = partial(app.send_task, note.name, connection=connection)
        monkeypatch.setattr(note, "delay", lambda *args: publish(args=args))
        run_after_commit(note, 1)

    lines = [line.levelno for line in caplog.records if line.name == "sourceit.queue"]
    assert lines == [logging.WARNING]
    assert ran == []
