"""The settings for tests: quick hashes, mail in memory, a throw-away folder."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

os.environ.setdefault("SECRET_KEY", "tests")
_folder = Path(tempfile.mkdtemp(prefix="sourceit-tests-"))
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
os.environ["VAR_DIR"] = str(_folder / "var")
os.environ.setdefault("STAFF_MFA_REQUIRED", "false")
os.environ.setdefault("SELLER_IS_SAMPLE", "true")

from sourceit.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True
STORAGES = {
    **STORAGES,  # noqa: F405
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# Whitenoise warns of a folder that collectstatic has not made.
STATIC_ROOT = _folder / "static"
STATIC_ROOT.mkdir()
# A file, as in use: threads that race then wait their turn; in memory they would fail.
if "sqlite3" in DATABASES["default"]["ENGINE"]:  # noqa: F405
    DATABASES["default"]["TEST"] = {"NAME": str(_folder / "tests.sqlite3")}  # noqa: F405
