"""The built-in mailbox, for when there is no mail server: staff read what was sent."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.message import EmailMessage
from functools import wraps
from typing import Any
from urllib.parse import quote

from csp.decorators import csp, csp_update
from django.conf import settings
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from sourceit.access import View, desk_permission_required
from sourceit.http import AuthenticatedHttpRequest
from sourceit.mailbox import list_messages, read_message

# E-mail is styled inline and may be hostile: no script, no network, no forms. A link
# that a person clicks may leave the frame.
SANDBOX = "allow-top-navigation-by-user-activation"
HEADERS = ("From", "To", "Cc", "Reply-To", "Message-ID")
HTML_POLICY = {
    "default-src": ["'none'"],
    "style-src": ["'unsafe-inline'"],
    "img-src": ["data:"],
    "frame-ancestors": ["'self'"],
    "base-uri": ["'none'"],
    "sandbox": [SANDBOX],
}


def mailbox_only(view: View) -> View:
    """Find nothing where a real mail server is set."""

    @wraps(view)
    def guarded(request: Any, *args: Any, **options: Any) -> HttpResponseBase:
        if not settings.EMAIL_IS_MAILBOX:
            raise Http404
        return view(request, *args, **options)

    return desk_permission_required()(guarded)


@require_safe
@mailbox_only
def mailbox(request: AuthenticatedHttpRequest) -> HttpResponse:
    """List the newest messages."""
    letters = [
        (
            name,
            {key: letter[key] for key in ("subject", "to", "cc")}
            | {"sent_at": sent_at(letter)},
        )
        for name, letter in list_messages()
    ]
    context = {"letters": letters}
    return render(request, "quotes/desk/mailbox.html", context)


@require_safe
@csp_update({"frame-src": ["'self'"]})
@mailbox_only
def mailbox_message(request: AuthenticatedHttpRequest, name: str) -> HttpResponse:
    """Show one message: headers, text, HTML in a sandboxed frame, attachments."""
    letter = get_letter(name)
    text = letter.get_body(("plain",))
    html = letter.get_body(("html",))
    parts: list[Any] = list(letter.walk())
    context = {
        "name": name,
        "subject": letter["Subject"],
        "sent_at": sent_at(letter),
        "headers": [(name, letter[name]) for name in HEADERS if letter[name]],
        "text": text.get_content() if text else "",
        "html_part": parts.index(html) if html else None,
        "attachments": [
            (parts.index(part), part.get_filename() or "attachment", _size(part))
            for part in letter.iter_attachments()
        ],
        "sandbox": SANDBOX,
    }
    return render(request, "quotes/desk/mailbox_message.html", context)


def get_letter(name: str) -> EmailMessage:
    letter = read_message(name)
    if letter is None:
        raise Http404
    return letter


def sent_at(letter: EmailMessage) -> datetime | None:
    """Return when a message says it was sent."""
    date = letter["Date"]
    moment: datetime | None = date.datetime if date else None
    if moment is not None and moment.tzinfo is None:
        # "-0000" is UTC without a word on where it was written.
        moment = moment.replace(tzinfo=UTC)
    return moment


def _size(part: Any) -> int:
    return len(part.get_payload(decode=True) or b"")


@require_safe
@xframe_options_sameorigin
@csp(HTML_POLICY)
@mailbox_only
def mailbox_part(
    request: AuthenticatedHttpRequest, name: str, index: int
) -> HttpResponse:
    """Serve the HTML body for the frame, or an attachment to be saved."""
    letter = get_letter(name)
    parts = list(letter.walk())
    if index >= len(parts) or parts[index].is_multipart():
        raise Http404
    part = parts[index]
    if part is letter.get_body(("html",)):
        return HttpResponse(_open_links_outside(str(part.get_content())))
    response = HttpResponse(
        part.get_payload(decode=True), content_type=part.get_content_type()
    )
    file_name = quote(part.get_filename() or "attachment")
    response["Content-Disposition"] = f"attachment; filename*=UTF-8''{file_name}"
    return response


def _open_links_outside(html: str) -> str:
    """Let links of the message leave the frame, which no page of ours may fill."""
    base = '<base target="_top">'
    opened, found = re.subn(r"(?i)<head[^>]*>", rf"\g<0>{base}", html, count=1)
    return opened if found else base + html
