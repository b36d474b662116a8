"""Redis as the cache, for pages that must work while it is away."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from django.core.cache.backends import redis
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


class RedisCache(redis.RedisCache):
    """A cache whose server is away is an empty one that takes everything.

    Nothing here is kept only in the cache. While it is away, limits do not count:
    better than turning customers away.
    """

    def get(self, *args: Any, **options: Any) -> Any:
        default = args[1] if len(args) > 1 else options.get("default")
        return _try(super().get, default, *args, **options)

    def get_many(self, *args: Any, **options: Any) -> Any:
        return _try(super().get_many, {}, *args, **options)

    def add(self, *args: Any, **options: Any) -> Any:
        return _try(super().add, True, *args, **options)

    def set(self, *args: Any, **options: Any) -> Any:
        return _try(super().set, None, *args, **options)

    def set_many(self, *args: Any, **options: Any) -> Any:
        return _try(super().set_many, [], *args, **options)

    def delete(self, *args: Any, **options: Any) -> Any:
        return _try(super().delete, False, *args, **options)

    def has_key(self, *args: Any, **options: Any) -> Any:
        return _try(super().has_key, False, *args, **options)


def _try(act: Callable[..., Any], instead: Any, *args: Any, **options: Any) -> Any:
    try:
        return act(*args, **options)
    except RedisError as error:
        logger.warning("The cache is away: %s", error)
        return instead
