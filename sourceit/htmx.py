"""One decision: htmx gets the partial, everyone else the page."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from sourceit.http import HttpRequest


def wants_partial(request: HttpRequest) -> bool:
    """True for an htmx swap; boosted and history-restoring requests get the page."""
    htmx = request.htmx
    return bool(htmx) and not htmx.boosted and not htmx.history_restore_request


def render_page(
    request: HttpRequest,
    template: str,
    context: dict[str, Any] | None = None,
    *,
    partial: str = "",
    status: int = 200,
) -> HttpResponse:
    """Render `template`, or its `partial` for htmx; the answer varies by HX-Request."""
    name = f"{template}#{partial}" if partial and wants_partial(request) else template
    response = render(request, name, context or {}, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response
