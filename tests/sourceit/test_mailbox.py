from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.core.mail import EmailMultiAlternatives, get_connection

from sourceit.mailbox import list_messages, read_message


@pytest.fixture
def folder(settings, tmp_path) -> Path:
    settings.EMAIL_BACKEND = "sourceit.mailbox.MailboxBackend"
    settings.MAILBOX_DIR = tmp_path / "var" / "mailbox"
    return settings.MAILBOX_DIR


def letter(subject: str) -> EmailMultiAlternatives:
    message = EmailMultiAlternatives(subject, "Söng", to=["carol@example.com"])
    message.attach("quote.pdf", b"%PDF-1.7 \x00\xff", "application/pdf")
    return message


def test_messages_are_kept_whole_and_listed_newest_first(folder):
    assert get_connection().send_messages([letter("First"), letter("Second")]) == 2

    listed = list_messages()
    assert [message["Subject"] for _name, message in listed] == ["Second", "First"]
    read = read_message(listed[0][0])
    assert read.get_body(("plain",)).get_content().strip() == "Söng"
    (pdf,) = read.iter_attachments()
    assert pdf.get_content() == b"%PDF-1.7 \x00\xff"


def test_the_list_is_limited(folder):
    get_connection().send_messages([letter(str(n)) for n in range(5)])

    assert [m["Subject"] for _name, m in list_messages(limit=2)] == ["4", "3"]


def test_an_empty_mailbox_lists_nothing(folder):
    assert list_messages() == []
    assert read_message("20261201T020000000000-0123abcd.eml") is None


@pytest.mark.parametrize("broken", ["write_bytes", "replace"])
def test_a_message_is_complete_or_not_there(folder, monkeypatch, broken):
    def half(path: Path, data: bytes) -> None:
        path.write_text("half")
        raise OSError(28, "No space left on device")

    def fail(*_names) -> None:
        raise OSError(28, "No space left on device")

    if broken == "write_bytes":
        monkeypatch.setattr(Path, "write_bytes", half)
    else:
        monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space left"):
        get_connection().send_messages([letter("Lost")])

    assert list(folder.iterdir()) == []
    assert list_messages() == []


@pytest.mark.parametrize(
    "name",
    [
        "../secret.eml",
        "..",
        "",
        "/etc/passwd",
        "../mailbox/ok.eml",
        "..\\secret.eml",
        ".draft.eml",
        "ok.eml/",
        "ok.eml\n",
        "ok.txt",
        "ok\x00.eml",
        "a" * 300 + ".eml",
        "folder.eml",
    ],
)
def test_a_name_leads_nowhere_else(folder, name):
    folder.mkdir(parents=True)
    for place in ("../secret.eml", ".draft.eml", "ok.eml", "ok.txt"):
        (folder / place).write_text("Subject: Secret\n\nText")
    (folder / "folder.eml").mkdir()

    assert read_message("ok.eml") is not None
    assert read_message(name) is None


@pytest.mark.parametrize(
    "data", [b"", b"\x00\xff\xfe", b"Subject: =?utf-8?b?!!?=\n\nx"]
)
def test_a_broken_file_does_not_hide_the_others(folder, data):
    get_connection().send_messages([letter("Good")])
    (folder / "20991201T020000000000-0123abcd.eml").write_bytes(data)

    subjects = [message["Subject"] for _name, message in list_messages()]

    assert subjects[1] == "Good"


def test_a_file_that_cannot_be_read_does_not_hide_the_others(folder):
    get_connection().send_messages([letter("Good")])
    (folder / "20991201T020000000000-0123abcd.eml").symlink_to("gone")

    assert [message["Subject"] for _name, message in list_messages()] == ["Good"]
