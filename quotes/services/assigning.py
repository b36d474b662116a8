"""What is done to one request or many: give them to somebody, remind their buyers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import Permission
from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from quotes.errors import QuoteError
from quotes.models import QuoteRequest
from quotes.services.moves import move_request
from quotes.services.reminders import remind_by_hand
from quotes.states import Actor, RequestStatus
from sourceit.mail import queue_email
from sourceit.models import User
from sourceit.posted import read_id


@dataclass(slots=True)
class Outcome:
    """What a change of many requests did: their numbers, and why not for the rest."""

    done: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def sales_people() -> QuerySet[User]:
    """Everybody who may own a request, by name."""
    may_build = Q(codename="build_quote", content_type__app_label="quotes")
    permission = Permission.objects.filter(may_build)
    people = User.objects.filter(is_active=True, is_staff=True)
    holds = Q(groups__permissions__in=permission) | Q(user_permissions__in=permission)
    return people.filter(holds | Q(is_superuser=True)).distinct().order_by("name")


def find_owner(typed: str) -> User | None:
    """Return the person a form chose by id, if they may own a request."""
    return sales_people().filter(pk=read_id(typed)).first()


@transaction.atomic
def assign_request(
    *, request: QuoteRequest, to: User, by: User, now: datetime | None = None
) -> None:
    """Make `to` the owner, and write to them unless they did it themselves.

    A new request becomes in progress; an open one changes hands.

    Raises:
        QuoteError: `to` has it already, cannot have it, or the request is closed.
    """
    if request.owner_id == to.pk:
        raise QuoteError(f"{request} is with {to} already.")
    if not sales_people().filter(pk=to.pk).exists():
        raise QuoteError(f"{to} does not work on requests.")
    is_new = request.status == RequestStatus.SUBMITTED
    text = f"Taken by {by}" if to == by else f"{by} gave it to {to}"
    move_request(
        request,
        "assign" if is_new else "hand_over",
        text,
        actor=Actor.SALES,
        by=by,
        internal=True,
        owner=to,
    )
    if to != by:
        _tell_owner(request, to, by, now or timezone.now())


def assign_requests(*, pks: Iterable[int], to: User, by: User) -> Outcome:
    """Give many requests to one person; each by itself, so one refusal stops none."""
    return _each(pks, lambda request: assign_request(request=request, to=to, by=by))


def remind_customers_of(*, pks: Iterable[int], now: datetime) -> Outcome:
    """Remind the customers of many requests of the quotes they have not answered."""
    return _each(pks, lambda request: remind_by_hand(request=request, now=now))


def _each(pks: Iterable[int], act: Callable[[QuoteRequest], None]) -> Outcome:
    outcome = Outcome()
    for request in QuoteRequest.objects.sent().filter(pk__in=pks).order_by("pk"):
        try:
            with transaction.atomic():
                act(request)
        except QuoteError as error:
            outcome.refused.append(str(error))
        else:
            outcome.done.append(request.number)
    return outcome


def _tell_owner(request: QuoteRequest, to: User, by: User, now: datetime) -> None:
    queue_email(
        request,
        "request_assigned",
        to=to.email,
        reply_to=by.email,
        # Handed to and fro, each time is an occasion of its own.
        occasion=now.isoformat(),
        context={
            "request": request,
            "giver": str(by),
            "desk_url": settings.SITE_URL + reverse("desk:request", args=[request.pk]),
        },
    )
