"""Who may: roles as groups, the permissions each role has, and the view decorators."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, cast

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.auth.models import Group, Permission
from django.contrib.auth.views import redirect_to_login
from django.http import Http404
from django.http.response import HttpResponseBase
from django.urls import reverse

from sourceit.http import AuthenticatedHttpRequest, HttpRequest
from sourceit.models import Membership, User

SALES = "sales"
APPROVER = "approver"
CATALOGUE_EDITOR = "catalogue editor"

# Role -> "app.codename". Names are strings: this layer knows no app above it.
ROLE_PERMISSIONS: dict[str, tuple[str, ...]] = {
    SALES: ("quotes.use_desk", "quotes.build_quote", "quotes.send_quote"),
    APPROVER: (
        "quotes.use_desk",
        "quotes.approve_quote",
        "quotes.void_acceptance",
        "quotes.change_approvalrule",
        "quotes.add_fxrate",
    ),
    CATALOGUE_EDITOR: (
        "catalog.view_collection",
        "catalog.add_collection",
        "catalog.change_collection",
        "catalog.view_product",
        "catalog.add_product",
        "catalog.change_product",
        "catalog.view_notice",
        "catalog.add_notice",
        "catalog.change_notice",
        "catalog.view_supplier",
        "catalog.add_supplier",
        "catalog.change_supplier",
        "catalog.view_supplierpart",
        "catalog.add_supplierpart",
        "catalog.change_supplierpart",
        "catalog.delete_supplierpart",
    ),
}


def sync_roles(**_: Any) -> None:
    """Make the groups and give each its permissions; runs after every migrate."""
    for role, names in ROLE_PERMISSIONS.items():
        group, _created = Group.objects.get_or_create(name=role)
        group.permissions.set(_find_permissions(names))


def _find_permissions(names: Iterable[str]) -> list[Permission]:
    wanted = set(names)
    apps = {name.split(".")[0] for name in wanted}
    found = Permission.objects.filter(content_type__app_label__in=apps)
    return [
        permission
        for permission in found.select_related("content_type")
        if f"{permission.content_type.app_label}.{permission.codename}" in wanted
    ]


View = Callable[..., HttpResponseBase]


def desk_permission_required(
    permission: str = "quotes.use_desk",
) -> Callable[[View], View]:
    """Let in staff who hold `permission`; others sign in, or find nothing (404).

    Staff without a second factor are sent to set one up when the settings ask for it.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(
            request: HttpRequest, *args: Any, **kwargs: Any
        ) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            if not (request.user.is_staff and request.user.has_perm(permission)):
                raise Http404
            if lacks_second_factor(request):
                return redirect_to_login(
                    request.get_full_path(), reverse("mfa_activate_totp")
                )
            return view(cast(AuthenticatedHttpRequest, request), *args, **kwargs)

        return guarded

    return decorate


def lacks_second_factor(request: HttpRequest) -> bool:
    """True for staff who must set up a second factor before they work."""
    return bool(settings.STAFF_MFA_REQUIRED and not is_mfa_enabled(request.user))


def buys_for(user: User, organisation_id: int) -> bool:
    """True for a buyer of the organisation; a viewer only reads (one query)."""
    mine = user.memberships.filter(organisation=organisation_id)
    return mine.filter(role=Membership.Role.BUYER).exists()


def client_address(request: HttpRequest) -> str:
    """Return the sender's IP address, from the proxy's header only when trusted."""
    if settings.TRUST_PROXY:
        forwarded = request.headers.get("X-Forwarded-For", "")
        # The last entry is the one our own proxy wrote; earlier ones can be invented.
        return forwarded.rsplit(",", 1)[-1].strip() or request.META["REMOTE_ADDR"]
    return cast(str, request.META.get("REMOTE_ADDR", ""))
