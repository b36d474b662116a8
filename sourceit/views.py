"""Pages that belong to no app: health, theme, style guide, errors."""

from __future__ import annotations

from django.conf import settings
from django.db import connection
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template import loader
from django.templatetags.static import static
from django.views.decorators.http import require_POST, require_safe

from sourceit.context_processors import THEMES
from sourceit.http import HttpRequest
from sourceit.posted import safe_next
from sourceit.styleguide import sample


@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """Answer 200 when the database answers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return JsonResponse({"status": "ok"})


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Keep the chosen theme in a cookie that the server reads, so nothing flashes."""
    response = redirect(safe_next(request, "/"))
    theme = request.POST.get("theme", "")
    if theme in THEMES:
        response.set_cookie("theme", theme, max_age=365 * 86400, samesite="Lax")
    else:
        response.delete_cookie("theme")
    return response


@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    """Show every component in every state, to staff and while developing."""
    if not (settings.DEBUG or request.user.is_staff):
        raise Http404
    return render(request, "styleguide.html", sample())


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "403.html", status=403)


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    return render(request, "403_csrf.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Render without the database or any context processor: either may be broken."""
    html = loader.render_to_string(
        "500.html",
        {
            "request_id": getattr(request, "request_id", ""),
            "sales_phone": settings.SALES_PHONE,
            "sales_email": settings.SALES_EMAIL,
            "tokens_css": static("css/tokens.css"),
            "site_css": static("css/site.css"),
        },
    )
    return HttpResponse(html, status=500)
