"""The configurator, its files, comparison and racks."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from fabrics.comparing import compare_context
from fabrics.differences import difference
from fabrics.forms import FabricForm, spec_query
from fabrics.models import Design, DesignVersion
from fabrics.pages import design_context, rack_context, topology_context
from fabrics.services import DesignError, save_design, save_version
from fabrics.services.reports import ask_report
from fabrics.tasks import make_report
from fabrics.views.common import (
    edited_design,
    folder,
    limit,
    open_unit,
    refused,
    send_file,
    visitor_of,
)
from sourceit.htmx import render_page, wants_partial
from sourceit.http import HttpRequest
from sourceit.limits import RateLimited
from sourceit.queue import run_after_commit

CONFIGURE = "fabrics/configure.html"
MOST_OWN = 5


@require_safe
def configure(request: HttpRequest) -> HttpResponse:
    """Size what the address says; with htmx swap the outputs alone.

    `of` names a saved design that is being changed.
    """
    form = FabricForm.of_page(request.GET)
    if not form.is_valid():
        return _impossible(request, form)
    edited = edited_design(request, request.GET.get("of", ""))
    url = _configure_url(form, edited)
    if "unit" in request.GET and not wants_partial(request):
        return redirect(url)
    context = _configured(request, form, edited, open_unit(request))
    if wants_partial(request) and request.htmx.target == "topology":
        return render_page(request, CONFIGURE, context, partial="topology")
    response = render_page(request, CONFIGURE, context, partial="result")
    if wants_partial(request):
        response["HX-Replace-Url"] = url
    return response


def _configured(
    request: HttpRequest,
    form: FabricForm,
    edited: DesignVersion | None,
    unit: int | None = None,
) -> dict[str, Any]:
    design = form.engine_design
    result = design.to_json()
    context = {
        "form": form,
        "share_url": request.build_absolute_uri(_configure_url(form)),
        "files_url": folder("fabrics:export"),
        "files_query": spec_query(form.spec),
        **design_context(result, design),
        **topology_context(design, base=_configure_url(form, edited), open_unit=unit),
    }
    if edited is not None:
        since = difference(edited.result, result)
        context |= {"edited": edited, "since": since, "next_n": edited.n + 1}
    visitor = visitor_of(request)
    if visitor is not None and not wants_partial(request):
        own = Design.objects.kept().owned_by(visitor)
        context["own_designs"] = own[:MOST_OWN]
    return context


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
    edited = edited_design(request, request.GET.get("of", ""))
    context = {**_configured(request, last, edited), "form": form, "is_stale": True}
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


def _configure_url(form: FabricForm, edited: DesignVersion | None = None) -> str:
    more = {"of": str(edited.design_id)} if edited else {}
    query = spec_query(form.spec, **more)
    url = reverse("fabrics:configure")
    return f"{url}?{query}" if query else url


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
        return refused(request, form.problem, 422)
    context = rack_context(form.engine_design, request.GET.get("rack", ""))
    if context is None:
        raise Http404
    template = "fabrics/racks.html"
    return render_page(request, template, context, partial="elevation")


@require_POST
def save(request: HttpRequest) -> HttpResponse:
    """Freeze the configurator's design: a new one, or the next version of one (`of`).

    Its address is a guest's secret link. `report` asks for its PDF, too.
    """
    form = FabricForm(request.POST)
    try:
        limit(request, "save-design", 30)
        if not form.is_valid():
            return refused(request, form.problem, 422)
        version = _save(request, form)
    except RateLimited as error:
        return refused(request, str(error), 429)
    except DesignError as error:
        return refused(request, str(error), 409)
    messages.success(request, _saved_words(version))
    if "report" in request.POST:
        ask_report(version)
        run_after_commit(make_report, version.pk)
        return redirect(f"{version.design.get_absolute_url()}#report")
    return redirect(version.design)


def _save(request: HttpRequest, form: FabricForm) -> DesignVersion:
    post = request.POST
    edited = None if "as_new" in post else edited_design(request, post.get("of", ""))
    if edited is None:
        return save_design(
            spec=form.spec, owner=visitor_of(request), name=post.get("name", "")
        )
    return save_version(design=edited.design, spec=form.spec, note=post.get("note", ""))


def _saved_words(version: DesignVersion) -> str:
    said = "Design saved." if version.n == 1 else f"Version {version.n} saved."
    if version.design.owner_id is None:
        return f"{said} Keep its link: whoever has it can see and change it."
    return said


@require_safe
def export(request: HttpRequest, name: str) -> HttpResponseBase:
    """A file of the design that the address says."""
    form = FabricForm.of_page(request.GET)
    if not form.is_valid():
        return refused(request, form.problem, 422)
    design = form.engine_design
    return send_file(request, name, design.to_json(), design)
