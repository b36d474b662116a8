"""How often a public form may be sent: a few lines on Django's shared cache."""

from __future__ import annotations

import hashlib

from django.core.cache import cache


class RateLimited(Exception):
    """Too many tries; the message tells the person what to do."""


def check_rate(action: str, who: str, *, limit: int, seconds: int) -> None:
    """Count one try of `action` by `who`; refuse more than `limit` in `seconds`.

    Each try takes one of `limit` places for `seconds`. A place is given once, by the
    cache's own `add`, so tries at the same instant count as what they are on every
    cache. (`incr` would not do: on the database cache it moves the end of the window.)

    Raises:
        RateLimited: no place is free.
    """
    digest = hashlib.sha256(who.lower().encode()).hexdigest()[:32]
    places = [f"rate:{action}:{digest}:{n}" for n in range(limit)]
    taken = cache.get_many(places)
    for place in places:
        if place not in taken and cache.add(place, 1, seconds):
            return
    raise RateLimited("Please wait a minute and try again, or call us.")
