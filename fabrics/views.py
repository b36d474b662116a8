"""The configurator and saved designs."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from fabrics.models import Design
from sourceit.http import HttpRequest


@require_GET
def configure(request: HttpRequest) -> HttpResponse:
    return render(request, "fabrics/configure.html")


@require_GET
def design_detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    design = get_object_or_404(Design, pk=pk)
    return render(request, "fabrics/design_detail.html", {"design": design})
