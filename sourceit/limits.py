"""How often a public form may be sent: a few lines on Django's shared cache."""

from __future__ import annotations

import hashlib

from django.core.cache import cache


class RateLimited(Exception):
    """Too many tries; the message tells the person what to do."""


def check_rate(action: str, who: str, *, limit: int, seconds: int) -> None:
    """Count one try of `action` by `who`; refuse the one after `limit` in the window.

    The window starts with the first try. Two tries at the same instant may count as
    one on the database cache: a limit against floods, not a lock.

    Raises:
        RateLimited: the limit is reached.
    """
    digest = hashlib.sha256(who.lower().encode()).hexdigest()[:32]
    key = f"rate:{action}:{digest}"
    cache.add(key, 0, seconds)
    try:
        tries = cache.incr(key)
    except ValueError:  # the window ended between the two calls
        cache.set(key, 1, seconds)
        tries = 1
    if tries > limit:
        raise RateLimited("Please wait a minute and try again, or call us.")
