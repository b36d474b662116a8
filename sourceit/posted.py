"""Read what a form or an address names: ids, and where to go next."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.http import url_has_allowed_host_and_scheme

from sourceit.http import HttpRequest

# The digits that fit the database's integers.
MOST_DIGITS = 18


def read_id(text: str) -> int:
    """Return a typed id; 0, which is nobody's, for what cannot be one."""
    is_id = text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS
    return int(text) if is_id else 0


def read_ids(texts: Iterable[str]) -> list[int]:
    """Return the ids among typed texts."""
    return [pk for pk in map(read_id, texts) if pk]


def safe_next(request: HttpRequest, otherwise: str) -> str:
    """Return the path that a form asks to go to next, if it is one of this site."""
    wanted = str(request.POST.get("next", ""))
    is_path = wanted.startswith("/")
    is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()})
    return wanted if is_path and is_ours else otherwise
