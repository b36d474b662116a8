"""The configurator, saved designs, their files, comparison and racks."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_POST, require_safe

from fabrics.calculator import TrafficForm
from fabrics.comparing import compare_context
from fabrics.drawing import nvlink_svg
from fabrics.engine import ENGINE_VERSION, FabricDesign
from fabrics.exports import (
    CABLE_LISTS,
    CABLING,
    FROM_DESIGN,
    FROM_PARTS,
    ExportError,
    Printed,
    design_json,
    design_pdf,
)
from fabrics.figures import Result
from fabrics.forms import FabricForm, spec_query
from fabrics.guide import claims
from fabrics.models import Design
from fabrics.pages import design_context, parts_of, rack_context, topology_context
from fabrics.services import save_design, sized_alike
from fabrics.words import name_of
from sourceit.access import client_address
from sourceit.htmx import render_page, wants_partial
from sourceit.http import HttpRequest
from sourceit.limits import RateLimited, check_rate
from sourceit.models import User

CONFIGURE = "fabrics/configure.html"


@require_safe
def configure(request: HttpRequest) -> HttpResponse:
    """Size what the address says; with htmx swap the outputs alone."""
    form = FabricForm.of_page(request.GET)
    if not form.is_valid():
        return _impossible(request, form)
    query = spec_query(form.spec)
    if "unit" in request.GET and not wants_partial(request):
        return redirect(_configure_url(query))
    context = _configured(request, form, _open_unit(request))
    if wants_partial(request) and request.htmx.target == "topology":
        return render_page(request, CONFIGURE, context, partial="topology")
    if isinstance(request.user, User) and not wants_partial(request):
        context["own_designs"] = Design.objects.latest_of(request.user)
    response = render_page(request, CONFIGURE, context, partial="result")
    if wants_partial(request):
        response["HX-Replace-Url"] = _configure_url(query)
    return response


def _configured(
    request: HttpRequest, form: FabricForm, open_unit: int | None
) -> dict[str, Any]:
    design = form.engine_design
    query = spec_query(form.spec)
    url = _configure_url(query)
    return {
        "form": form,
        "share_url": request.build_absolute_uri(url),
        "files_url": _folder("fabrics:export"),
        "files_query": query,
        **design_context(design.to_json(), design),
        **topology_context(design, base=url, open_unit=open_unit),
    }


def _impossible(request: HttpRequest, form: FabricForm) -> HttpResponse:
    """Say why not and keep what was typed; the last design stays, greyed.

    With htmx it is still on the page. Without, the address the form was sent from
    has it.
    """
    if wants_partial(request):
        response = render_page(
            request, CONFIGURE, {"form": form}, partial="problem", status=422
        )
        response["HX-Retarget"], response["HX-Reswap"] = "#problem", "innerHTML"
        return response
    last = _last_design(request)
    context = {**_configured(request, last, None), "form": form, "is_stale": True}
    return render_page(request, CONFIGURE, context, status=422)


def _last_design(request: HttpRequest) -> FabricForm:
    """The design of the page this request comes from, else the one to start on."""
    came_from = urlsplit(request.headers.get("Referer", ""))
    if came_from.path == reverse("fabrics:configure"):
        form = FabricForm.of_page(QueryDict(came_from.query[:2000]))
        if form.is_valid():
            return form
    form = FabricForm.of_page({})
    form.is_valid()
    return form


def _configure_url(query: str) -> str:
    url = reverse("fabrics:configure")
    return f"{url}?{query}" if query else url


def _folder(name: str, *args: UUID) -> str:
    """The address that a file's name follows."""
    return reverse(name, args=[*args, "-"]).removesuffix("-")


def _open_unit(request: HttpRequest) -> int | None:
    text = request.GET.get("open", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """Two networks for one system and size."""
    context = compare_context(request.GET)
    has_fault = any(side.problem for side in context["sides"])
    status = 422 if has_fault else 200
    return render(request, "fabrics/compare.html", context, status=status)


@require_safe
def racks(request: HttpRequest) -> HttpResponse:
    """One rack of a design, unit by unit."""
    form = FabricForm.of_page(request.GET)
    if not form.is_valid():
        return _refused(request, form.problem, 422)
    context = rack_context(form.engine_design, request.GET.get("rack", ""))
    if context is None:
        raise Http404
    template = "fabrics/racks.html"
    return render_page(request, template, context, partial="elevation")


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """NVLink and InfiniBand explained, with a calculator for the reader's numbers."""
    asked = request.GET if "collective" in request.GET else TrafficForm.START
    form = TrafficForm(asked)
    is_valid = form.is_valid()
    spec = FabricForm.of_page({})
    spec.is_valid()
    context = {
        "form": form,
        "claims": claims(),
        "share_url": request.build_absolute_uri(reverse("fabrics:guide")),
        "nvlink": mark_safe(nvlink_svg(spec.engine_design) or ""),
    }
    status = 200 if is_valid else 422
    return render_page(
        request, "fabrics/guide.html", context, partial="estimate", status=status
    )


@require_POST
def save(request: HttpRequest) -> HttpResponse:
    """Freeze the configurator's design; its address is the guest's secret link."""
    form = FabricForm(request.POST)
    try:
        _limit(request, "save-design", 30)
    except RateLimited as error:
        return _refused(request, str(error), 429)
    if not form.is_valid():
        return _refused(request, form.problem, 422)
    owner = request.user if isinstance(request.user, User) else None
    name = request.POST.get("name", "").replace("\x00", "")
    design = save_design(spec=form.spec, owner=owner, name=name)
    messages.success(request, "Design saved. Keep its link: whoever has it can see it.")
    return redirect(design)


def _limit(request: HttpRequest, action: str, limit: int) -> None:
    check_rate(action, client_address(request), limit=limit, seconds=60)


def _refused(request: HttpRequest, problem: str, status: int) -> HttpResponse:
    context = {"problem": problem, "url": reverse("fabrics:configure")}
    return render(request, "fabrics/refused.html", context, status=status)


@require_safe
def design_detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A saved design as it was sized, whatever the engine says today."""
    saved = get_object_or_404(Design.objects.select_related("owner"), pk=pk)
    design = sized_alike(saved.spec, saved.result)
    context = {
        "saved": saved,
        "share_url": request.build_absolute_uri(saved.get_absolute_url()),
        "files_url": _folder("fabrics:file", saved.pk),
        "engine_version": ENGINE_VERSION,
        **design_context(saved.result, design),
    }
    if design is not None:
        context |= topology_context(
            design, base=saved.get_absolute_url(), open_unit=_open_unit(request)
        )
    partial = "topology" if request.htmx.target == "topology" else ""
    template = "fabrics/design_detail.html"
    return _secret(render_page(request, template, context, partial=partial))


def _secret(response: HttpResponse) -> HttpResponse:
    """The address is the key to the page: keep it from indexes and other sites."""
    response["X-Robots-Tag"] = "noindex"
    response["Referrer-Policy"] = "same-origin"
    return response


@require_safe
def export(request: HttpRequest, name: str) -> HttpResponseBase:
    """A file of the design that the address says."""
    form = FabricForm.of_page(request.GET)
    if not form.is_valid():
        return _refused(request, form.problem, 422)
    design = form.engine_design
    url = request.build_absolute_uri(_configure_url(spec_query(form.spec)))
    printed = Printed(name=name_of(form.spec), url=url, created=timezone.now())
    return _file(request, name, design.to_json(), design, printed)


@require_safe
def design_export(request: HttpRequest, pk: UUID, name: str) -> HttpResponseBase:
    """A file of a saved design."""
    saved = get_object_or_404(Design, pk=pk)
    url = request.build_absolute_uri(saved.get_absolute_url())
    printed = Printed(name=saved.name, url=url, created=saved.created_at)
    design = sized_alike(saved.spec, saved.result)
    return _file(request, name, saved.result, design, printed)


def _file(
    request: HttpRequest,
    name: str,
    result: Result,
    design: FabricDesign | None,
    printed: Printed,
) -> HttpResponseBase:
    """Make a file; a printed one takes half a second, so it is limited further."""
    try:
        _limit(request, "export-design", 60)
        if name == "design.json":
            return design_json(result)
        if name == "design.pdf":
            _limit(request, "print-design", 10)
            return design_pdf(result, parts_of(result), design, printed)
        if name in FROM_PARTS:
            return FROM_PARTS[name](result, parts_of(result))
        if name in FROM_DESIGN and design is not None:
            return FROM_DESIGN[name](result, design)
        network = request.GET.get("network", "")
        if name in CABLING and design is not None and network in CABLE_LISTS:
            return CABLING[name](result, design, network)
    except RateLimited as error:
        return _refused(request, str(error), 429)
    except ExportError as error:
        return _refused(request, str(error), 422)
    raise Http404
