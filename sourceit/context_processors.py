"""What every page's frame shows."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from sourceit.http import HttpRequest

THEMES = ("light", "dark")


def site(request: HttpRequest) -> dict[str, Any]:
    """The contact line, the chosen theme, and the request's id for error pages."""
    theme = request.COOKIES.get("theme", "")
    return {
        "sales_phone": settings.SALES_PHONE,
        "sales_email": settings.SALES_EMAIL,
        "seller": settings.SELLER,
        "theme": theme if theme in THEMES else "",
        "request_id": getattr(request, "request_id", ""),
        "reply_within": settings.REPLY_WITHIN,
    }
