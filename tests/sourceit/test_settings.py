"""The settings, read in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.conf import settings

READ = """
import environs, json
environs.FileAwareEnv.read_env = lambda *args, **options: True  # no .env of anybody
from sourceit import settings as s
shown = ("DEBUG", "ALLOWED_HOSTS", "IS_HTTPS", "SESSION_COOKIE_SECURE", "SITE_URL",
         "SECRET_KEY", "EMAIL_IS_MAILBOX", "CELERY_BROKER_URL", "STAFF_MFA_REQUIRED")
print(json.dumps({name: getattr(s, name) for name in shown}))
"""


@pytest.fixture
def read(tmp_path):
    """Return (whether it worked, what it said) for an environment."""

    def run(**given: str) -> tuple[bool, str]:
        env = {"PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path), **given}
        done = subprocess.run(
            [sys.executable, "-c", READ],
            cwd=settings.BASE_DIR,
            env=env,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return done.returncode == 0, done.stdout + done.stderr

    return run


def test_a_missing_secret_key_is_named(read):
    works, said = read()

    assert not works
    assert "SECRET_KEY" in said


def test_debug_needs_no_secret_key(read):
    works, said = read(DEBUG="true")

    assert works, said
    assert '"DEBUG": true' in said


@pytest.mark.parametrize("name", ["DEBUG", "STAFF_MFA_REQUIRED", "TRUST_PROXY"])
def test_a_flag_that_is_neither_yes_nor_no_is_refused(read, name):
    works, said = read(SECRET_KEY="x", **{name: "maybe"})

    assert not works
    assert name in said
    assert "valid boolean" in said


def test_all_mistakes_are_told_at_once(read):
    works, said = read(
        DEBUG="maybe", QUOTE_VALID_DAYS="soon", SEND_UNDO_SECONDS="", TRUST_PROXY="2"
    )

    assert not works
    for name in ("DEBUG", "SECRET_KEY", "QUOTE_VALID_DAYS", "TRUST_PROXY"):
        assert name in said.rpartition("Traceback")[2]


def test_a_secret_is_read_from_a_file_without_its_newline(read, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("from a file\n")

    works, said = read(SECRET_KEY_FILE=str(secret))

    assert works, said
    assert '"SECRET_KEY": "from a file"' in said


def test_an_https_site_is_secure_and_knows_its_host(read):
    works, said = read(SECRET_KEY="x", SITE_URL="https://shop.example/")

    assert works, said
    assert '"SITE_URL": "https://shop.example"' in said
    assert '"SESSION_COOKIE_SECURE": true' in said
    assert '"shop.example"' in said
    assert '"STAFF_MFA_REQUIRED": true' in said


def test_without_servers_all_is_in_files(read, tmp_path):
    works, said = read(SECRET_KEY="x")

    assert works, said
    assert '"EMAIL_IS_MAILBOX": true' in said
    assert '"CELERY_BROKER_URL": "filesystem://"' in said


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "nonsense"),
        ("EMAIL_URL", "nonsense"),
        ("SEND_UNDO_SECONDS", "half"),
    ],
)
def test_a_wrong_address_or_number_is_named(read, name, value):
    works, said = read(SECRET_KEY="x", **{name: value})

    assert not works
    assert name in said
