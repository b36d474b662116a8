"""What the views of fabrics share: who asks, limits, refusals, files."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse

from fabrics.engine import FabricDesign
from fabrics.exports import (
    CABLE_LISTS,
    CABLING,
    FROM_DESIGN,
    FROM_PARTS,
    ExportError,
    design_json,
    drawing_file,
)
from fabrics.frozen import KEPT_FILES, printed
from fabrics.headline import Result
from fabrics.models import Design, DesignVersion
from fabrics.pages import parts_of
from sourceit.access import client_address
from sourceit.http import HttpRequest
from sourceit.limits import RateLimited, check_rate
from sourceit.models import User


def visitor_of(request: HttpRequest) -> User | None:
    """Return who is signed in; None for a guest."""
    return request.user if isinstance(request.user, User) else None


def limit(request: HttpRequest, action: str, most: int) -> None:
    """Count one try of a visitor's address.

    Raises:
        RateLimited: there were `most` within a minute.
    """
    check_rate(action, client_address(request), limit=most, seconds=60)


def refused(
    request: HttpRequest, problem: str, status: int, url: str = ""
) -> HttpResponse:
    context = {"problem": problem, "url": url or reverse("fabrics:configure")}
    return render(request, "fabrics/refused.html", context, status=status)


def open_unit(request: HttpRequest) -> int | None:
    """The unit of a drawing that the address opens."""
    text = request.GET.get("open", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None


def edited_design(request: HttpRequest, text: str) -> DesignVersion | None:
    """The last version of the design that a form changes, if the visitor may."""
    try:
        design = Design.objects.kept().filter(pk=UUID(text)).first()
    except ValueError:
        return None
    if design is None or not design.is_changeable_by(visitor_of(request)):
        return None
    return design.versions.select_related("design").latest("n")


def folder(name: str, *args: UUID | int) -> str:
    """The address that a file's name follows."""
    return reverse(name, args=[*args, "-"]).removesuffix("-")


def send_file(
    request: HttpRequest,
    name: str,
    result: Result,
    design: FabricDesign | None,
    drawings: Mapping[str, str] | None = None,
) -> HttpResponseBase:
    """Make a file of a design; 404 for one that is not made of it.

    A saved design's drawing is the one it keeps.
    """
    try:
        limit(request, "export-design", 60)
        if name == "design.json":
            return design_json(result)
        kept = KEPT_FILES.get(name, "")
        if drawings and kept in drawings:
            return drawing_file(result, name, printed(drawings)[kept])
        if name in FROM_PARTS:
            return FROM_PARTS[name](result, parts_of(result))
        if name in FROM_DESIGN and design is not None:
            return FROM_DESIGN[name](result, design)
        network = request.GET.get("network", "")
        if name in CABLING and design is not None and network in CABLE_LISTS:
            return CABLING[name](result, design, network)
    except RateLimited as error:
        return refused(request, str(error), 429)
    except ExportError as error:
        return refused(request, str(error), 422)
    raise Http404
