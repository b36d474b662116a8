"""How many lines stand in the visitor's basket."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest


def basket(request: HttpRequest) -> dict[str, Any]:
    """The basket's line count, kept in the session so that no page asks for it."""
    return {"basket_count": request.session.get("basket_count", 0)}
