from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import FieldDoesNotExist
from django.test import RequestFactory
from django.utils import timezone

from sourceit.links import (
    find_dead_link,
    find_link,
    hash_token,
    issue_link,
    log_view,
    revoke_links,
    token_of,
)
from sourceit.models import AccessLink

pytestmark = pytest.mark.django_db


@pytest.fixture
def link(sam) -> AccessLink:
    return issue_link(sam, purpose="track", email="Carol@example.com", name="Carol Tan")


def test_the_database_holds_only_the_hash(link):
    token = token_of(link)

    assert len(token) == 43
    row = AccessLink.objects.values().get()
    assert row["token_sha256"] == hash_token(token)
    assert all(token not in str(value) for value in row.values())
    with pytest.raises(FieldDoesNotExist):
        AccessLink._meta.get_field("token")


def test_the_token_is_derived_again_and_finds_its_link(link):
    again = AccessLink.objects.get(pk=link.pk)

    assert token_of(again) == token_of(link)
    assert find_link(token_of(again), purpose="track") == link


def test_the_same_recipient_has_one_link_for_one_purpose(sam, link):
    same = issue_link(sam, purpose="track", email="carol@EXAMPLE.com")
    other = issue_link(sam, purpose="answer", email="carol@example.com")
    somebody = issue_link(sam, purpose="track", email="dan@example.com")

    assert same == link
    assert len({token_of(one) for one in (link, other, somebody)}) == 3


def test_a_link_opens_only_its_purpose(link):
    assert find_link(token_of(link), purpose="answer") is None


@pytest.mark.parametrize("token", ["", "x", "a" * 43, "é" * 43, "\x00", "--"])
def test_an_unknown_token_finds_nothing(link, token):
    assert find_link(token, purpose="track") is None
    assert find_dead_link(token, purpose="track") is None


def test_the_hash_itself_opens_nothing(link):
    assert find_link(link.token_sha256, purpose="track") is None


def test_a_link_outlives_a_new_secret_key_beside_the_old_one(link, settings):
    token = token_of(link)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "the next one"

    assert token_of(link) == token
    assert find_link(token, purpose="track") == link


def test_without_its_key_a_token_cannot_be_written_again(link, settings):
    token = token_of(link)
    settings.SECRET_KEY = "the next one"

    with pytest.raises(LookupError, match="No secret key"):
        token_of(link)
    assert find_link(token, purpose="track") == link


def test_a_revoked_link_is_dead_and_replaced_by_a_new_one(sam, link):
    token = token_of(link)

    revoke_links(sam, purpose="track")

    assert find_link(token, purpose="track") is None
    assert find_dead_link(token, purpose="track") == link
    new = issue_link(sam, purpose="track", email="carol@example.com")
    assert token_of(new) != token


def test_revoking_leaves_other_purposes_and_subjects(sam, carol, link):
    answer = issue_link(sam, purpose="answer", email="carol@example.com")
    other = issue_link(carol, purpose="track", email="carol@example.com")

    revoke_links(sam, purpose="track")

    assert find_link(token_of(answer), purpose="answer") == answer
    assert find_link(token_of(other), purpose="track") == other


def test_an_expired_link_looks_unknown(sam):
    soon = timezone.now() + timedelta(seconds=30)
    link = issue_link(sam, purpose="track", email="dan@example.com", expires_at=soon)
    token = token_of(link)
    assert find_link(token, purpose="track") == link

    AccessLink.objects.update(expires_at=timezone.now())

    assert find_link(token, purpose="track") is None
    assert find_dead_link(token, purpose="track") is None


@pytest.mark.parametrize(
    ("agent", "is_scanner"),
    [("Mozilla/5.0 Firefox/140", False), ("SafeLinks 1.0", True), ("", True)],
)
def test_a_scanner_that_opens_a_link_is_told_apart(link, agent, is_scanner):
    request = RequestFactory().get("/", headers={"user-agent": agent})
    request.user = AnonymousUser()

    log_view(link, request)

    assert link.views.get().is_scanner is is_scanner
