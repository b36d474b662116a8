from __future__ import annotations

import pytest
from django.core.cache import cache

from sourceit.limits import check_rate


@pytest.fixture
def _dead_redis(settings):
    backend = "sourceit.cache.RedisCache"
    place = "redis://127.0.0.1:1/0"
    settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": place}}


@pytest.mark.usefixtures("_dead_redis")
def test_a_cache_that_is_away_is_an_empty_one(caplog):
    cache.set("key", 1, 60)

    assert cache.get("key") is None
    assert cache.get("key", "other") == "other"
    assert cache.get("key", default="other") == "other"
    assert cache.get_many(["key"]) == {}
    assert cache.get_or_set("key", 2) == 2
    assert cache.add("key", 1)
    assert not cache.delete("key")
    assert "key" not in cache
    assert "The cache is away" in caplog.text


@pytest.mark.usefixtures("_dead_redis")
def test_a_cache_that_is_away_turns_nobody_away():
    for _n in range(5):
        check_rate("ask", "carol", limit=1, seconds=60)
