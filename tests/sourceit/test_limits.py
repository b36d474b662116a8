from __future__ import annotations

from datetime import timedelta
from threading import Barrier, Thread

import pytest
import time_machine
from django.core.cache import cache
from django.core.management import call_command
from django.utils import timezone

from sourceit.limits import RateLimited, check_rate


@pytest.fixture(params=["memory", "database"])
def any_cache(request, settings, db):
    """The cache of the tests, and the one of the embedded set-up."""
    if request.param == "database":
        backend = "django.core.cache.backends.db.DatabaseCache"
        settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": "some_cache"}}
        call_command("createcachetable", verbosity=0)
        cache.clear()


def tries(
    count: int, who: str = "carol", action: str = "ask", seconds: int = 60
) -> int:
    """Try some times; return how often it was allowed."""
    allowed = 0
    for _n in range(count):
        try:
            check_rate(action, who, limit=3, seconds=seconds)
        except RateLimited:
            continue
        allowed += 1
    return allowed


def test_the_one_after_the_limit_is_refused_in_plain_words(any_cache):
    assert tries(3) == 3

    with pytest.raises(RateLimited, match="Please wait"):
        check_rate("ask", "carol", limit=3, seconds=60)


def test_people_and_actions_count_apart_whatever_the_case(any_cache):
    assert tries(5) == 3

    assert tries(1, who="Carol") == 0
    assert tries(1, who="mallory") == 1
    assert tries(1, action="answer") == 1


@pytest.mark.parametrize("seconds", [60, 3600])
def test_a_place_is_free_again_after_the_window_and_not_before(any_cache, seconds):
    start = timezone.now()
    with time_machine.travel(start, tick=False) as clock:
        assert tries(1, seconds=seconds) == 1
        clock.move_to(start + timedelta(seconds=seconds - 10))
        assert tries(5, seconds=seconds) == 2
        clock.move_to(start + timedelta(seconds=seconds - 2))
        assert tries(5, seconds=seconds) == 0
        clock.move_to(start + timedelta(seconds=seconds + 2))
        assert tries(5, seconds=seconds) == 1


def test_tries_at_the_same_instant_count_each(db):
    together, allowed = Barrier(8), []

    def run() -> None:
        together.wait(timeout=10)
        allowed.append(tries(1))

    threads = [Thread(target=run) for _n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)

    assert sum(allowed) == 3
