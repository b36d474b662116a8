"""A refused or broken request still gets a page with a way on."""

from __future__ import annotations

import pytest
from django.core.exceptions import SuspiciousOperation
from django.http import Http404
from django.template.loader import render_to_string
from django.test import Client, RequestFactory

from sourceit import views

WAYS_ON = ("tel:+6569783502", "mailto:sales@sourceit.com.sg", "Reference")


def test_500_needs_no_database_and_no_context() -> None:
    """No database mark on this test: a query would fail it."""
    request = RequestFactory().get("/")
    request.request_id = "ab12cd34"
    response = views.server_error(request)

    page = response.content.decode()
    assert response.status_code == 500
    assert "ab12cd34" in page
    assert all(words in page for words in WAYS_ON)
    assert "css/tokens.css" in page
    assert "css/site.css" in page


@pytest.mark.django_db
def test_404_keeps_the_frame_and_offers_the_catalogue(client) -> None:
    response = client.get("/no-such-page/")

    page = response.content.decode()
    assert response.status_code == 404
    assert all(words in page for words in WAYS_ON)
    assert response["X-Request-Id"] in page
    assert "Search the catalogue" in page


@pytest.mark.django_db
def test_a_form_from_a_page_left_open_is_explained() -> None:
    response = Client(enforce_csrf_checks=True).post("/theme/", {"theme": "dark"})

    page = response.content.decode()
    assert response.status_code == 403
    assert "The page was open too long" in page
    assert "theme" not in response.cookies


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("view", "error", "status", "heading"),
    [
        (views.bad_request, SuspiciousOperation(), 400, "could not be read"),
        (views.forbidden, PermissionError(), 403, "may not open this page"),
        (views.not_found, Http404(), 404, "Page not found"),
    ],
)
def test_each_refusal_says_what_to_do(client, view, error, status, heading) -> None:
    request = client.get("/").wsgi_request
    response = view(request, error)

    page = response.content.decode()
    assert response.status_code == status
    assert f'<p class="code">Error {status}</p>' in page
    assert heading in page


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["410.html", "429.html"])
def test_the_others_render_in_the_same_frame(client, name) -> None:
    request = client.get("/").wsgi_request
    page = render_to_string(name, request=request)

    assert page.count("<h1>") == 1
    assert f"Error {name[:3]}" in page
    assert "price" not in page.split("<main")[1].split("</main>")[0].lower()
