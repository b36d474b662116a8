from __future__ import annotations

import pytest
from django.contrib import admin
from django.urls import reverse

from sourceit.models import User
from tests.factories import make_request


@pytest.fixture
def boss_client(db, client):
    client.force_login(User.objects.create_superuser("boss@example.com", "a password"))
    return client


def _pages() -> list[str]:
    return [
        reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}")
        for model, model_admin in admin.site._registry.items()
        for page in ("changelist", "add")
    ]


@pytest.mark.parametrize("path", _pages())
def test_every_admin_page_opens(boss_client, path: str) -> None:
    response = boss_client.get(path)

    # History pages refuse to add; nothing else may.
    assert response.status_code in (200, 403)
    if response.status_code == 403:
        assert path.endswith("/add/")


def test_history_cannot_be_changed(boss_client) -> None:
    from sourceit.events import record_event

    event = record_event(make_request(), "test", "It happened.")
    page = reverse("admin:sourceit_event_change", args=[event.pk])

    response = boss_client.post(page, {"text": "It did not."})

    assert response.status_code == 403
    event.refresh_from_db()
    assert event.text == "It happened."


def test_a_new_person_signs_in_by_e_mail(boss_client) -> None:
    boss_client.post(
        reverse("admin:sourceit_user_add"),
        {
            "email": "new@example.com",
            "usable_password": "true",
            "password1": "cluster-of-eight",
            "password2": "cluster-of-eight",
            "memberships-TOTAL_FORMS": 0,
            "memberships-INITIAL_FORMS": 0,
        },
    )

    assert User.objects.get(email="new@example.com").check_password("cluster-of-eight")
