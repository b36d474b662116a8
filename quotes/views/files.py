"""Files that a visitor gathers with the basket."""

from __future__ import annotations

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from quotes.errors import QuoteError
from quotes.models import QuoteRequest
from quotes.services import files
from quotes.views.basket import current_basket, open_basket, show_basket, visitor_of
from sourceit.access import client_address
from sourceit.http import HttpRequest
from sourceit.limits import RateLimited, check_rate
from sourceit.models import Upload
from sourceit.uploads import UploadRefused, serve_upload

BASKET = "quotes:basket"


@require_POST
def basket_attach(request: HttpRequest) -> HttpResponse:
    """Keep each chosen file with the basket; those refused are named, others stay."""
    chosen = request.FILES.getlist("files")
    if not chosen:
        return show_basket(request, problem="Choose a file first.", anchor="files")
    refused = []
    for file in chosen:
        try:
            check_rate("files", client_address(request), limit=60, seconds=3600)
            files.attach_file(
                basket=open_basket(request),
                file=file,
                by=visitor_of(request),
                now=timezone.now(),
            )
        except (UploadRefused, QuoteError, RateLimited) as error:
            refused.append(str(error))
    if refused:
        return show_basket(request, problem=" ".join(refused), anchor="files")
    count = len(chosen)
    messages.success(request, f"Added {count} file{'' if count == 1 else 's'}.")
    return redirect(BASKET)


@require_safe
def basket_file(request: HttpRequest, pk: int) -> FileResponse:
    _basket, upload = _own_file(request, pk)
    if upload.removed_at is not None:
        raise Http404
    return serve_upload(upload)


@require_POST
def basket_detach(request: HttpRequest, pk: int) -> HttpResponse:
    basket, upload = _own_file(request, pk)
    try:
        files.detach_file(basket=basket, upload=upload, now=timezone.now())
    except QuoteError as error:
        messages.error(request, str(error))
        return redirect(BASKET)
    return show_basket(request, removed_file=upload)


@require_POST
def basket_put_back(request: HttpRequest, pk: int) -> HttpResponse:
    basket, upload = _own_file(request, pk)
    try:
        files.put_back_file(basket=basket, upload=upload)
        messages.success(request, f"{upload.name} is back in your request.")
    except (QuoteError, UploadRefused) as error:
        messages.error(request, str(error))
    return redirect(BASKET)


def _own_file(request: HttpRequest, pk: int) -> tuple[QuoteRequest, Upload]:
    """Return a file of the visitor's own basket; anything else is not found."""
    found = current_basket(request)
    if found is None:
        raise Http404
    rows = files.basket_files(found)
    return found, get_object_or_404(rows, pk=pk)
