"""Requests from the customer's side: submit, cancel."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction

from catalog.models import Product
from quotes.errors import QuoteError
from quotes.models import QuoteRequest, Revision
from quotes.services.moves import move_request, move_revision
from quotes.states import Actor, RequestStatus, RevisionStatus
from sourceit.clock import singapore_date
from sourceit.links import issue_link
from sourceit.mail import queue_email
from sourceit.models import AccessLink, User
from sourceit.numbers import take_number

TRACK = "track"

# What the request form fills in; everything else of a request is ours to write.
DETAIL_FIELDS = (
    "name",
    "email",
    "phone",
    "job_title",
    "company",
    "uen",
    "is_gst_registered",
    "billing_address",
    "delivery_address",
    "reference",
    "needed_by",
    "budget",
    "end_user",
    "end_use",
    "final_country",
    "message",
)


def submit_request(
    *,
    basket: QuoteRequest,
    details: Mapping[str, Any],
    key: UUID,
    user: User | None,
    now: datetime,
) -> QuoteRequest:
    """Freeze a basket as a numbered request and queue the acknowledgement.

    The same `key` again, at the same instant too, gives the first request.

    Raises:
        QuoteError: the basket is empty or was sent already with another key.
    """
    done = QuoteRequest.objects.filter(submit_key=key).first()
    if done is not None:
        return done
    try:
        return _submit(basket, details, key, user, now)
    except (IntegrityError, QuoteError):
        # Lost a race with a second click: its twin has the key.
        twin = QuoteRequest.objects.filter(submit_key=key).first()
        if twin is None:
            raise
        return twin


@transaction.atomic
def _submit(
    basket: QuoteRequest,
    details: Mapping[str, Any],
    key: UUID,
    user: User | None,
    now: datetime,
) -> QuoteRequest:
    if not basket.lines.filter(removed_at=None).exists():
        raise QuoteError("Your request is empty. Add an item first.")
    fields = {name: details[name] for name in DETAIL_FIELDS if name in details}
    fields["email"] = fields["email"].lower()
    number = take_number("RFQ", singapore_date(now).year)
    move_request(
        basket,
        "submit",
        f"Request {number} received",
        actor=Actor.CUSTOMER,
        by=user,
        by_name=fields["name"],
        number=number,
        submitted_at=now,
        consent_at=now,
        submit_key=key,
        user=user,
        organisation=_organisation_of(user),
        **fields,
    )
    basket.lines.exclude(removed_at=None).delete()
    _acknowledge(basket)
    return basket


def _acknowledge(request: QuoteRequest) -> None:
    """Queue the customer's acknowledgement and the desk's notice.

    The acknowledgement repeats no free text: anybody can type anybody's address.
    """
    queue_email(
        request,
        "request_received",
        to=request.email,
        context={"request": request, "reply_within": settings.REPLY_WITHIN},
        reply_to=settings.SALES_EMAIL,
        link=tracking_link(request),
    )
    queue_email(
        request,
        "request_new",
        to=settings.SALES_EMAIL,
        context={"request": request, "lines": list(request.lines.all()[:50])},
        reply_to=request.email,
    )


def tracking_link(request: QuoteRequest) -> AccessLink:
    """Return the secret link that is e-mailed to the person who asked."""
    return issue_link(request, purpose=TRACK, email=request.email, name=request.name)


def confirmation_link(request: QuoteRequest, user: User | None) -> AccessLink:
    """Return the link for the browser that sent the request.

    Anybody can type anybody's address. Until the e-mailed link is used, a guest has not
    shown that the address is theirs, so this link follows the request but opens no
    quotation: it stands for no address.
    """
    if user is not None and user.email.lower() == request.email:
        return tracking_link(request)
    return issue_link(request, purpose=TRACK, email="", name=request.name)


@transaction.atomic
def cancel_request(*, request: QuoteRequest, by: User | None, now: datetime) -> None:
    """Cancel an open request; its quotations that wait for an answer end with it.

    The revisions are moved first, in the order in which an acceptance takes its locks.

    Raises:
        QuoteError: it is closed already.
    """
    for revision in Revision.objects.filter(
        quote__request=request, status=RevisionStatus.SENT
    ).select_related("quote"):
        move_revision(
            revision,
            "cancel",
            "Withdrawn: the request was cancelled",
            actor=Actor.SYSTEM,
            by_name=request.name,
            closed_reason="The request was cancelled",
        )
    move_request(
        request,
        "cancel",
        "Cancelled by the customer",
        actor=Actor.CUSTOMER,
        by=by,
        by_name=request.name,
        closed_at=now,
    )
    tell_desk(request, "request_cancelled_desk")


def tell_desk(
    request: QuoteRequest, kind: str, *, occasion: str = "", **context: Any
) -> None:
    """Write to the owner of the request, or to the team while nobody owns it."""
    owner = request.owner
    queue_email(
        request,
        kind,
        to=owner.email if owner else settings.SALES_EMAIL,
        context={"request": request, **context},
        reply_to=request.email,
        occasion=occasion,
    )


def _organisation_of(user: User | None) -> Any:
    """Return the one organisation of the person; with several, nobody can tell."""
    if user is None:
        return None
    memberships = list(user.memberships.select_related("organisation")[:2])
    return memberships[0].organisation if len(memberships) == 1 else None


def is_controlled(basket: QuoteRequest) -> bool:
    """True when a line, or a part of a design in it, is export-controlled."""
    lines = basket.lines.filter(removed_at=None).select_related("design")
    if lines.filter(product__is_controlled=True).exists():
        return True
    parts = {
        part["part"]
        for line in lines
        if line.design is not None
        for part in line.design.result["bom"]
    }
    return Product.objects.filter(is_controlled=True, mpn__in=parts).exists()


def is_empty(basket: QuoteRequest | None) -> bool:
    """True when there is nothing to ask for."""
    return (
        basket is None
        or basket.status != RequestStatus.DRAFT
        or not basket.lines.filter(removed_at=None).exists()
    )
