"""The e-mails about something, and sending one again."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from quotes.models import (
    QuoteRequest,
    Revision,
    SupplierInquiry,
    SupplierInvite,
    SupplierOffer,
)
from sourceit.access import desk_permission_required
from sourceit.deliveries import retry_by_hand
from sourceit.events import record_event
from sourceit.http import AuthenticatedHttpRequest
from sourceit.models import Delivery

sender_only = desk_permission_required("quotes.send_quote")
PAGES = {
    Revision: "desk:quote",
    QuoteRequest: "desk:request",
    SupplierInquiry: "desk:inquiry",
}


def deliveries_of(things: Iterable[models.Model]) -> list[Delivery]:
    """Return the e-mails about some objects, newest first (one query)."""
    pks: dict[type[models.Model], list[int]] = {}
    for thing in things:
        pks.setdefault(type(thing), []).append(thing.pk)
    rows = Delivery.objects.none()
    for model, keys in pks.items():
        kind = ContentType.objects.get_for_model(model)
        rows |= Delivery.objects.filter(subject_type=kind, subject_id__in=keys)
    return list(rows.order_by("-created_at", "-pk"))


@require_POST
@sender_only
def delivery_retry(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Send an e-mail again that failed or may not have gone."""
    delivery = get_object_or_404(Delivery, pk=pk)
    subject = find_visible(request, _about(delivery.subject))
    if retry_by_hand(delivery, timezone.now()):
        text = f"{request.user} had the e-mail to {delivery.recipient} sent again"
        record_event(subject, "email_retried", text, by=request.user)
    return redirect(PAGES[type(subject)], subject.pk)


def _about(subject: object) -> object:
    """Return what an e-mail is about at the desk: a supplier's is the inquiry."""
    if isinstance(subject, SupplierOffer):
        subject = subject.invite
    return subject.inquiry if isinstance(subject, SupplierInvite) else subject


def find_visible(
    request: AuthenticatedHttpRequest, subject: object
) -> Revision | QuoteRequest | SupplierInquiry:
    """Return a request, revision or inquiry that the person may see, or 404."""
    user = request.user
    if isinstance(subject, Revision):
        return get_object_or_404(Revision.objects.visible_to(user), pk=subject.pk)
    if isinstance(subject, QuoteRequest):
        return get_object_or_404(QuoteRequest.objects.visible_to(user), pk=subject.pk)
    if isinstance(subject, SupplierInquiry):
        visible = SupplierInquiry.objects.visible_to(user)
        return get_object_or_404(visible, pk=subject.pk)
    raise Http404
