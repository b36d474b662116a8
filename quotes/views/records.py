"""The record of an acceptance as a file, for both sides."""

from __future__ import annotations

from django.http import FileResponse, Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from quotes.models import Acceptance, Revision
from quotes.services.manifests import manifest_name, record_of, write_manifest
from quotes.services.po_files import po_file_of
from quotes.views.answers import pdf_response
from quotes.views.secret import Reader, account_required, answer_link_required
from quotes.views.sending import staff_only
from sourceit.http import AuthenticatedHttpRequest, HttpRequest
from sourceit.posted import read_id
from sourceit.uploads import serve_upload


def _latest(revision: Revision) -> Acceptance:
    """Return the newest acceptance that has a record; a voided one is history."""
    rows = revision.acceptances.exclude(manifest=None).select_related("revision__quote")
    acceptance = rows.first()
    if acceptance is None:
        raise Http404
    return acceptance


def _pdf(request: HttpRequest, reader: Reader, revision: Revision) -> FileResponse:
    return _printed(_latest(revision))


def _json(request: HttpRequest, reader: Reader, revision: Revision) -> HttpResponse:
    return _data(_latest(revision))


answer_record = require_safe(answer_link_required(_pdf))
answer_record_json = require_safe(answer_link_required(_json))
my_quote_record = require_safe(account_required(_pdf))
my_quote_record_json = require_safe(account_required(_json))


def _po(request: HttpRequest, reader: Reader, revision: Revision) -> FileResponse:
    return _po_of(request, _latest(revision))


answer_po = require_safe(answer_link_required(_po))
my_quote_po = require_safe(account_required(_po))


def _po_of(request: HttpRequest, acceptance: Acceptance) -> FileResponse:
    """Serve the file that came last, or the one of the acceptance that is asked for."""
    asked = request.GET.get("file", "")
    file = po_file_of(acceptance, pk=read_id(asked) if asked else None)
    if file is None:
        raise Http404
    return serve_upload(file)


@require_safe
@staff_only
def desk_po(request: AuthenticatedHttpRequest, pk: int) -> HttpResponseBase:
    """Hand out the purchase order that came with an acceptance."""
    return _po_of(request, _find(request, pk))


@require_safe
@staff_only
def desk_record(request: AuthenticatedHttpRequest, pk: int) -> HttpResponseBase:
    """Hand out an acceptance's printed record at the desk."""
    return _printed(_find(request, pk))


@require_safe
@staff_only
def desk_record_json(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Hand out an acceptance's record as data at the desk."""
    return _data(_find(request, pk))


def _find(request: AuthenticatedHttpRequest, pk: int) -> Acceptance:
    mine = Revision.objects.visible_to(request.user)
    rows = Acceptance.objects.filter(revision__in=mine).exclude(manifest=None)
    return get_object_or_404(rows.select_related("revision__quote"), pk=pk)


def _printed(acceptance: Acceptance) -> FileResponse:
    document = record_of(acceptance)
    if document is None:
        raise Http404
    return pdf_response(document)


def _data(acceptance: Acceptance) -> HttpResponse:
    response = HttpResponse(
        write_manifest(acceptance.manifest or {}), content_type="application/json"
    )
    name = f"{manifest_name(acceptance)}.json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response
