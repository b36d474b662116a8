"""How many lines stand in the visitor's basket."""

from __future__ import annotations

from typing import Any

from quotes.views.basket import refresh_count
from sourceit.http import HttpRequest


def basket(request: HttpRequest) -> dict[str, Any]:
    """The basket's line count, kept in the session so that pages need not ask for it.

    The first page after signing in joins the guest's basket to the one that waits in
    the account, and counts once.
    """
    session, user = getattr(request, "session", None), getattr(request, "user", None)
    if session is None or user is None:  # refused before the middleware
        return {"basket_count": 0}
    match = request.resolver_match
    is_desk = match is not None and match.app_name == "desk"  # it shows no basket
    if not is_desk and user.is_authenticated and session.get("basket_of") != user.pk:
        refresh_count(request)
        session["basket_of"] = user.pk
    return {"basket_count": session.get("basket_count", 0)}
