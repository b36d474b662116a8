"""Request types: what the middleware adds, for mypy and for readers."""

from __future__ import annotations

from django.http import HttpRequest as DjangoHttpRequest
from django_htmx.middleware import HtmxDetails

from sourceit.models import User


class HttpRequest(DjangoHttpRequest):
    """Any request after the middleware."""

    htmx: HtmxDetails
    request_id: str


class AuthenticatedHttpRequest(HttpRequest):
    """A request from somebody who has signed in."""

    user: User
