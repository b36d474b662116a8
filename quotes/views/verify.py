"""/verify/: what a SHA-256 fingerprint is. Anybody may ask; nothing is kept."""

from __future__ import annotations

import hashlib
import re
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from quotes.services.verifying import identify
from sourceit.access import client_address
from sourceit.http import HttpRequest
from sourceit.limits import RateLimited, check_rate

MAX_FILE_BYTES = 20 * 1024 * 1024
_AROUND = re.compile(r"[\s:-]|sha-?256", re.IGNORECASE)


class VerifyForm(forms.Form):
    """A fingerprint as typed, or a file to take it from."""

    use_required_attribute = False
    sha256 = forms.CharField(
        label="Fingerprint (SHA-256)",
        help_text="64 letters and digits, as printed on our papers.",
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    file = forms.FileField(
        label="Or the file itself",
        help_text="Up to 20 MB. We work out its fingerprint and keep nothing.",
        required=False,
    )

    def clean_sha256(self) -> str:
        digest = _AROUND.sub("", str(self.cleaned_data["sha256"])).lower()
        if digest and not re.fullmatch(r"[0-9a-f]{64}", digest):
            raise forms.ValidationError(
                "A fingerprint has 64 signs: 0 to 9 and a to f."
            )
        return digest

    def clean_file(self) -> str:
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file is None:
            return ""
        if (file.size or 0) > MAX_FILE_BYTES:
            raise forms.ValidationError("This file is larger than 20 MB.")
        digest = hashlib.sha256()
        for chunk in file.chunks():
            digest.update(chunk)
        return digest.hexdigest()

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors and not (cleaned.get("sha256") or cleaned.get("file")):
            self.add_error("sha256", "Enter a fingerprint, or choose a file.")
        return cleaned

    @property
    def digest(self) -> str:
        """The fingerprint to look up; a file's own comes first."""
        return str(self.cleaned_data["file"] or self.cleaned_data["sha256"])


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def verify(request: HttpRequest) -> HttpResponse:
    """Say which document of ours a fingerprint is, and whether it still counts."""
    form = VerifyForm(
        request.POST if request.method == "POST" else None,
        request.FILES if request.method == "POST" else None,
    )
    context: dict[str, Any] = {"form": form}
    status = 422 if form.is_bound and not form.is_valid() else 200
    if form.is_bound and form.is_valid():
        try:
            check_rate("verify", client_address(request), limit=30, seconds=600)
        except RateLimited as error:
            form.add_error(None, str(error))
            status = 429
        else:
            context |= {
                "digest": form.digest,
                "verdict": identify(form.digest, timezone.now()),
            }
    return render(request, "quotes/customer/verify.html", context, status=status)
