"""The PDF report of a version: ask for it, and take it once it is made."""

from __future__ import annotations

from uuid import UUID

from django.http import FileResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from fabrics.services.reports import ask_report, report_of
from fabrics.tasks import make_report
from fabrics.views.common import limit, refused
from fabrics.views.designs import find_version, secret, show_version
from sourceit.http import HttpRequest
from sourceit.limits import RateLimited
from sourceit.models import Document
from sourceit.queue import run_after_commit


@require_http_methods(["GET", "HEAD", "POST"])
def design_report(request: HttpRequest, pk: UUID, n: int) -> HttpResponseBase:
    """Hand out the report (GET), or ask for it and show how far it is (POST)."""
    version = find_version(request, pk, n)
    page = f"{version.get_absolute_url()}#report"
    if request.method != "POST":
        document = report_of(version)
        is_ready = document and document.status == Document.Status.READY
        return _file(document) if document and is_ready else redirect(page)
    try:
        limit(request, "print-design", 10)
    except RateLimited as error:
        return refused(request, str(error), 429, page)
    ask_report(version)
    run_after_commit(make_report, version.pk)
    if request.htmx.target == "report":
        return show_version(request, version.design, version)
    return redirect(page)


def _file(document: Document) -> HttpResponseBase:
    """The stored bytes, to save and never to take as a page."""
    response = FileResponse(
        document.file.open("rb"),
        content_type="application/pdf",
        filename=document.name,
        as_attachment=True,
    )
    response["X-Content-Type-Options"] = "nosniff"
    response["ETag"] = f'"{document.sha256}"'
    return secret(response)
