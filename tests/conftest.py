"""The cast: sam sells, carol buys, mallory must see nothing."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client

from sourceit.models import User
from tests.factories import make_staff, make_user


@pytest.fixture(autouse=True)
def _clean_cache():
    cache.clear()


@pytest.fixture
def sam(db) -> User:
    return make_staff("sam@example.com", name="Sam Lim")


@pytest.fixture
def carol(db) -> User:
    return make_user("carol@example.com", name="Carol Tan")


@pytest.fixture
def mallory(db) -> User:
    return make_user("mallory@example.com", name="Mallory Ng")


@pytest.fixture
def sam_client(sam) -> Client:
    return _client_of(sam)


@pytest.fixture
def carol_client(carol) -> Client:
    return _client_of(carol)


@pytest.fixture
def mallory_client(mallory) -> Client:
    return _client_of(mallory)


def _client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client
