"""Saved designs: the list, a design and its versions, and what differs between two."""

from __future__ import annotations

from typing import Any, TypeVar
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from fabrics.engine import FabricDesign
from fabrics.forms import spec_query
from fabrics.frozen import shown
from fabrics.models import Design, DesignVersion
from fabrics.pages import design_context, topology_context
from fabrics.saved import (
    choose_pair,
    difference_context,
    list_context,
    versions_context,
)
from fabrics.services import (
    DesignError,
    copy_design,
    remove_design,
    rename_design,
    restore_design,
    sized_alike,
)
from fabrics.services.reports import report_of
from fabrics.views.common import folder, open_unit, send_file, visitor_of
from sourceit.htmx import render_page
from sourceit.http import AuthenticatedHttpRequest, HttpRequest

Sealed = TypeVar("Sealed", bound=HttpResponseBase)


@login_required
@require_safe
def design_list(request: AuthenticatedHttpRequest) -> HttpResponse:
    """A person's own designs, the newest first."""
    context = list_context(request.user, request.GET)
    return render(request, "fabrics/design_list.html", context)


@require_safe
def design_detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A design as it was saved last; one taken away can be put back."""
    design = _visible(request, pk)
    if design.removed_at is not None:
        return _removed(request, design)
    return show_version(request, design, design.latest())


@require_safe
def design_version(request: HttpRequest, pk: UUID, n: int) -> HttpResponse:
    """One version as it was frozen. A removed design's versions are not shown."""
    version = find_version(request, pk, n)
    return show_version(request, version.design, version)


def _visible(request: HttpRequest, pk: UUID) -> Design:
    designs = Design.objects.visible_to(visitor_of(request)).select_related("owner")
    return get_object_or_404(designs, pk=pk)


def find_version(request: HttpRequest, pk: UUID, n: int) -> DesignVersion:
    mine = Design.objects.kept().visible_to(visitor_of(request))
    versions = DesignVersion.objects.select_related("design")
    return get_object_or_404(versions, design__in=mine.filter(pk=pk), n=n)


def _changeable(request: HttpRequest, pk: UUID) -> Design:
    """A design that the visitor may change; any other is not found."""
    design = _visible(request, pk)
    if not design.is_changeable_by(visitor_of(request)):
        raise Http404
    return design


def show_version(
    request: HttpRequest, design: Design, version: DesignVersion
) -> HttpResponse:
    """Render a version: what was frozen, and what today's engine can add to it."""
    sized = sized_alike(version.spec, version.result)
    url = request.path
    context: dict[str, Any] = {
        "saved": design,
        "version": version,
        "may_change": design.is_changeable_by(visitor_of(request)),
        "is_own": design.owner is not None and design.owner == visitor_of(request),
        "share_url": _share_url(request, design, sized),
        "files_url": folder("fabrics:file", design.pk, version.n),
        **design_context(version.result, sized),
        "report": report_of(version),
        **versions_context(design, version, visitor_of(request)),
    }
    if sized is not None:
        context |= topology_context(sized, base=url, open_unit=open_unit(request))
    else:
        context["topology"] = shown(version.topology)
    target = request.htmx.target
    partial = target if target in ("topology", "report") else ""
    template = "fabrics/design_detail.html"
    return secret(render_page(request, template, context, partial=partial))


def _share_url(request: HttpRequest, design: Design, sized: FabricDesign | None) -> str:
    """A guest's secret link; for an owner's design the same question, open to all."""
    if design.owner_id is None or sized is None:
        return request.build_absolute_uri(design.get_absolute_url())
    url = f"{reverse('fabrics:configure')}?{spec_query(sized.spec)}"
    return request.build_absolute_uri(url)


def _removed(request: HttpRequest, design: Design) -> HttpResponse:
    if not design.is_changeable_by(visitor_of(request)):
        raise Http404
    response = render(
        request, "fabrics/design_removed.html", {"saved": design}, status=410
    )
    return secret(response)


def secret(response: Sealed) -> Sealed:
    """The address is the key to the page: keep it from indexes and other sites."""
    response["X-Robots-Tag"] = "noindex"
    response["Referrer-Policy"] = "same-origin"
    return response


@require_safe
def design_export(
    request: HttpRequest, pk: UUID, n: int, name: str
) -> HttpResponseBase:
    """A file of a version."""
    version = find_version(request, pk, n)
    sized = sized_alike(version.spec, version.result)
    return send_file(request, name, version.result, sized, version.drawings)


@login_required
@require_POST
def design_copy(request: AuthenticatedHttpRequest, pk: UUID) -> HttpResponse:
    """Keep a design that one may see among one's own."""
    design = _visible(request, pk)
    if design.removed_at is not None:
        raise Http404
    if design.owner_id == request.user.pk:
        messages.info(request, "This design is yours already.")
        return redirect(design)
    copy = copy_design(design=design, owner=request.user)
    messages.success(request, f"{copy.name} is among your saved designs now.")
    return redirect(copy)


@require_POST
def design_rename(request: HttpRequest, pk: UUID) -> HttpResponse:
    design = _changeable(request, pk)
    try:
        rename_design(design=design, name=request.POST.get("name", ""))
    except DesignError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"The design is called {design.name} now.")
    return redirect(design)


@require_POST
def design_remove(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Take a design away. It can be put back from the page this leads to."""
    design = _changeable(request, pk)
    try:
        remove_design(design=design, now=timezone.now())
    except DesignError as error:
        messages.error(request, str(error))
        return redirect(design)
    if visitor_of(request) is None:
        return redirect(design)
    return redirect(f"{reverse('fabrics:list')}?removed={design.pk}")


@require_POST
def design_restore(request: HttpRequest, pk: UUID) -> HttpResponse:
    design = _changeable(request, pk)
    restore_design(design=design)
    messages.success(request, f"{design.name} is back.")
    return redirect(design)


@require_safe
def design_difference(request: HttpRequest) -> HttpResponse:
    """What differs between two versions, of one design or of two."""
    if not request.GET:
        return redirect("fabrics:list")
    visible = Design.objects.kept().visible_to(visitor_of(request))
    left, right = choose_pair(visible, request.GET)
    if left is None or right is None:
        raise Http404
    context = difference_context(left, right, visitor_of(request))
    return secret(render(request, "fabrics/design_difference.html", context))
