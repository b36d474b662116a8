"""Files that people send: checked by their bytes, stored and handed out safely.

Nothing here decides who may read one: the views do, and answer 404 to everybody else.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import BinaryIO, cast
from uuid import uuid4

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.files.base import File
from django.core.files.storage import Storage
from django.db import models
from django.http import FileResponse

from sourceit.file_types import ENDINGS, WORDS, BadFile, find_type
from sourceit.models import Upload, User, private_storage

MAX_NAME = 120
# How long a removed file can be put back.
KEEP_REMOVED = timedelta(days=1)
# Control characters, path separators and what a file system or a header reads apart.
_UNSAFE = re.compile(
    r'[\x00-\x1f\x7f/\\:*?"<>|;\u200b-\u200f\u202a-\u202e\u2066-\u2069]'
)


class UploadRefused(Exception):
    """The file is not taken; the message tells the person why and what to do."""


def store_upload(
    file: File[bytes],
    *,
    subject: models.Model,
    kind: str,
    by: User | None,
    now: datetime,
    by_name: str = "",
) -> Upload:
    """Check a file and store it for `subject`, in the caller's transaction.

    Raises:
        UploadRefused: too large, empty, one too many, or not of a type on the list.
    """
    _check_count(subject)
    content_type = check_upload(file)
    upload = Upload(
        subject=subject,
        kind=kind,
        name=safe_name(file.name or "", content_type),
        content_type=content_type,
        size=file.size,
        sha256=_digest(file),
        uploaded_by=by,
        uploaded_by_name=by_name or (str(by) if by else ""),
        uploaded_at=now,
    )
    file.seek(0)
    random_name = f"{uuid4().hex}.{ENDINGS[content_type][0]}"
    upload.file.save(random_name, file, save=False)
    try:
        upload.save()
    except Exception:
        upload.file.delete(save=False)
        raise
    return upload


def _check_count(subject: models.Model) -> None:
    most = settings.UPLOAD_MAX_FILES
    if uploads_of(subject).count() >= most:
        files = "1 file" if most == 1 else f"{most} files"
        raise UploadRefused(f"At most {files} can be sent. Remove one first.")


def check_upload(file: File[bytes]) -> str:
    """Return the media type of a file that may be stored.

    Raises:
        UploadRefused: as `store_upload` says.
    """
    limit = settings.UPLOAD_MAX_BYTES
    if file.size > limit:
        raise UploadRefused(
            f"This file is {tell_size(file.size)}. The limit is {tell_size(limit)}."
        )
    if not file.size:
        raise UploadRefused("This file is empty.")
    try:
        found = find_type(cast(BinaryIO, file))
    except BadFile as error:
        raise UploadRefused(str(error)) from error
    ending = (file.name or "").rpartition(".")[2].lower()
    if found is None or ending not in ENDINGS[found]:
        raise UploadRefused(_not_taken(found, ending))
    return found


def _not_taken(found: str | None, ending: str) -> str:
    known = {end for ends in ENDINGS.values() for end in ends}
    if ending in known:
        return f"This file is named .{ending} and is something else inside."
    *most, last = WORDS.values()
    return f"This type of file is not taken. Send {', '.join(most)} or {last}."


def serve_upload(upload: Upload) -> FileResponse:
    """Hand the file out as an attachment that no browser runs or sniffs."""
    response = FileResponse(
        upload.file.open("rb"),
        as_attachment=True,
        filename=upload.name,
        content_type=upload.content_type,
    )
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["Cache-Control"] = "private, no-store"
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


def uploads_of(*subjects: models.Model, kind: str = "") -> models.QuerySet[Upload]:
    """Return the files of some objects that were not removed, oldest first."""
    wanted = models.Q(pk__in=[])
    for subject in subjects:
        of_type = ContentType.objects.get_for_model(subject)
        wanted |= models.Q(subject_type=of_type, subject_id=subject.pk)
    rows = Upload.objects.filter(wanted, removed_at=None)
    return rows.filter(kind=kind) if kind else rows


def move_uploads(old: models.Model, new: models.Model) -> None:
    """Give one object's files to another of its kind (one update)."""
    of_type = ContentType.objects.get_for_model(old)
    mine = Upload.objects.filter(subject_type=of_type, subject_id=old.pk)
    mine.update(subject_id=new.pk)


def remove_upload(upload: Upload, now: datetime) -> None:
    """Take a file away; `restore_upload` puts it back until it is tidied away."""
    upload.removed_at = now
    upload.save(update_fields=["removed_at"])


def restore_upload(upload: Upload) -> None:
    """Put a removed file back.

    Raises:
        UploadRefused: there are as many files as may be.
    """
    if upload.removed_at is None:
        return
    _check_count(cast(models.Model, upload.subject))
    upload.removed_at = None
    upload.save(update_fields=["removed_at"])


def tidy_uploads(now: datetime) -> int:
    """Delete what was removed long enough ago, and files that no row knows.

    A file without a row is what a transaction left that was called off after the file
    was written. Returns how many files went.
    """
    before = now - KEEP_REMOVED
    count = 0
    for upload in Upload.objects.filter(removed_at__lt=before):
        name, storage = str(upload.file.name), upload.file.storage
        upload.delete()
        storage.delete(name)
        count += 1
    return count + _delete_unknown(before)


def _delete_unknown(before: datetime) -> int:
    """Delete old stored files of no row (one query a folder)."""
    storage = private_storage()
    count = 0
    for folder in _folders(storage, "uploads"):
        names = [f"{folder}/{name}" for name in storage.listdir(folder)[1]]
        known = set(
            Upload.objects.filter(file__startswith=f"{folder}/").values_list(
                "file", flat=True
            )
        )
        for name in set(names) - known:
            if storage.get_modified_time(name) < before:
                storage.delete(name)
                count += 1
    return count


def _folders(storage: Storage, top: str) -> Iterator[str]:
    """Yield a folder and all below it; nothing before the first file is stored."""
    try:
        inner, _files = storage.listdir(top)
    except FileNotFoundError:
        return
    yield top
    for name in inner:
        yield from _folders(storage, f"{top}/{name}")


def safe_name(name: str, content_type: str) -> str:
    """Return the sender's name for the file, without what could do harm.

    >>> safe_name("../../etc/pass\\nwd.pdf", "application/pdf")
    'etc pass wd.pdf'
    """
    plain = _UNSAFE.sub(" ", unicodedata.normalize("NFC", name))
    stem, _, ending = " ".join(plain.split()).rpartition(".")
    ending = ending.lower()
    if ending not in ENDINGS[content_type]:
        stem, ending = f"{stem} {ending}", ENDINGS[content_type][0]
    stem = " ".join(stem.split()).strip(". ")
    return f"{stem[: MAX_NAME - len(ending) - 1].strip() or 'file'}.{ending}"


def tell_size(size: int) -> str:
    """Write a size as people say it: 14 MB, 320 KB (1 MB = 1024 x 1024 bytes).

    >>> tell_size(14 * 1024 * 1024), tell_size(10_700_000), tell_size(300)
    ('14 MB', '10.2 MB', '1 KB')
    """
    if size < 1024 * 1024:
        return f"{max(1, round(size / 1024))} KB"
    return f"{size / 1024 / 1024:.1f}".removesuffix(".0") + " MB"


def _digest(file: File[bytes]) -> str:
    file.seek(0)
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    return digest.hexdigest()
