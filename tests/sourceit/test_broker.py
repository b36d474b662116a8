"""The broker of plain files hands over whole messages only."""

from __future__ import annotations

from pathlib import Path
from queue import Empty

import pytest

from sourceit.celery import app


@pytest.fixture
def channel(tmp_path):
    options = {
        "data_folder_in": str(tmp_path),
        "data_folder_out": str(tmp_path),
        "control_folder": str(tmp_path / "control"),
    }
    with app.connection("filesystem://", transport_options=options) as connection:
        yield connection.default_channel


def test_a_message_comes_out_as_it_went_in(channel) -> None:
    channel._put("celery", {"task": "send", "words": "S$28,523.25 – Ωmega"})

    assert channel._get("celery")["words"] == "S$28,523.25 – Ωmega"
    with pytest.raises(Empty):
        channel._get("celery")


def test_nobody_is_handed_half_a_message(channel, monkeypatch) -> None:
    write = Path.write_text

    def write_slowly(path, text, **options):
        write(path, text[:5], **options)
        with pytest.raises(Empty):
            channel._get("celery")
        return write(path, text, **options)

    monkeypatch.setattr(Path, "write_text", write_slowly)
    channel._put("celery", {"task": "send"})

    assert channel._get("celery") == {"task": "send"}
