"""Messages and files of a request, by each of its doors: link, account, desk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from quotes.errors import QuoteError
from quotes.message_forms import DeskMessageForm, MessageForm
from quotes.models import Message, QuoteRequest
from quotes.services import messages as talk
from quotes.services.files import files_about
from quotes.views.basket import visitor_of
from quotes.views.secret import seal, track_link_required
from quotes.views.tracking import get_own, get_visible
from quotes.views.triage import builder_only, get_request, show_request, staff_only
from sourceit.http import AuthenticatedHttpRequest, HttpRequest
from sourceit.limits import RateLimited, check_rate
from sourceit.links import token_of
from sourceit.models import AccessLink
from sourceit.uploads import UploadRefused, serve_upload

# What the desk may say, by the kind that was chosen.
SAY: dict[str, Callable[..., Message]] = {
    Message.Kind.QUESTION: talk.ask_customer,
    Message.Kind.TOLD: talk.tell_customer,
    Message.Kind.NOTE: talk.add_note,
}
SAID = {
    Message.Kind.QUESTION: "Asked. The reply clock waits for the answer.",
    Message.Kind.TOLD: "The customer is written to.",
    Message.Kind.NOTE: "Noted for the desk.",
}


@require_POST
@track_link_required
def track_message(
    request: HttpRequest, link: AccessLink, asked: QuoteRequest
) -> HttpResponse:
    back = reverse("quotes:track", args=[token_of(link)])
    return _pass_message(request, asked, back)


@login_required
@require_POST
def request_message(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    back = reverse("quotes:request", args=[pk])
    return _pass_message(request, get_own(request.user, pk), back)


def _pass_message(request: HttpRequest, asked: QuoteRequest, back: str) -> HttpResponse:
    """Keep the message with its files; what cannot be taken is shown again."""
    form = MessageForm(request.POST, request.FILES)
    if form.is_valid() and _try(request, asked, form):
        messages.success(request, "We have your message.")
        return redirect(back)
    context: dict[str, Any] = {"form": form, "asked": asked, "back": back}
    context["chose_files"] = bool(request.FILES)
    return render(request, "quotes/customer/message.html", context, status=422)


def _try(request: HttpRequest, asked: QuoteRequest, form: MessageForm) -> bool:
    try:
        check_rate("message", str(asked.pk), limit=20, seconds=3600)
        talk.add_message(
            request=asked,
            text=form.cleaned_data["text"],
            files=form.cleaned_data["attachments"],
            by=visitor_of(request),
            now=timezone.now(),
        )
    except (QuoteError, RateLimited) as error:
        form.add_error(None, str(error))
    except UploadRefused as error:
        form.add_error("attachments", str(error))
    return not form.errors


@require_POST
@builder_only
def desk_message(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Ask or tell the customer, or note something for the desk."""
    asked = get_request(request, pk)
    form = DeskMessageForm(request.POST, request.FILES)
    if not form.is_valid():
        return show_request(request, asked, message_form=form, status=422)
    said: dict[str, Any] = form.cleaned_data
    try:
        SAY[said["kind"]](
            request=asked,
            text=said["text"],
            files=said["attachments"],
            by=request.user,
            now=timezone.now(),
        )
    except (QuoteError, UploadRefused) as error:
        form.add_error(None, str(error))
        fresh = get_request(request, pk)
        return show_request(request, fresh, message_form=form, status=409)
    messages.success(request, SAID[said["kind"]])
    return redirect("desk:request", pk)


@require_safe
@staff_only
def desk_file(request: AuthenticatedHttpRequest, pk: int, file_pk: int) -> FileResponse:
    return _file(get_request(request, pk), file_pk, for_desk=True)


@login_required
@require_safe
def request_file(
    request: AuthenticatedHttpRequest, pk: int, file_pk: int
) -> HttpResponseBase:
    return seal(_file(get_visible(request.user, pk), file_pk))


@require_safe
@track_link_required
def track_file(
    request: HttpRequest, link: AccessLink, asked: QuoteRequest, *, file_pk: int
) -> FileResponse:
    return _file(asked, file_pk)


def _file(asked: QuoteRequest, file_pk: int, *, for_desk: bool = False) -> FileResponse:
    """Serve a file of this request; any other number is not found."""
    rows = files_about(asked, for_desk=for_desk)
    return serve_upload(get_object_or_404(rows, pk=file_pk))
