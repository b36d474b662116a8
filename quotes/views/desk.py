"""The desk's pages."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render

from sourceit.access import desk_permission_required
from sourceit.http import HttpRequest


@desk_permission_required()
def pipeline(request: HttpRequest) -> HttpResponse:
    return render(request, "quotes/desk/pipeline.html")


@desk_permission_required()
def request_detail(request: HttpRequest, pk: int) -> HttpResponse:
    raise Http404


@desk_permission_required()
def quote_edit(request: HttpRequest, pk: int) -> HttpResponse:
    raise Http404
