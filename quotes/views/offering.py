"""The offer's page: a supplier's own by its secret link, and the desk's for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from quotes.errors import QuoteError
from quotes.models import SupplierInquiry, SupplierInvite, SupplierOffer
from quotes.services import offers
from quotes.services.inquiries import INQUIRY, SUPPLIER
from quotes.services.offer_costs import Rates
from quotes.sourcing_forms import OfferForm, OfferLineForm, read_offer
from quotes.views.answers import pdf_response
from quotes.views.secret import seal
from quotes.views.triage import builder_only, staff_only
from sourceit.documents import document_of
from sourceit.http import AuthenticatedHttpRequest, HttpRequest
from sourceit.limits import RateLimited, check_rate
from sourceit.links import find_link, log_view, token_of
from sourceit.models import Document, User
from sourceit.uploads import UploadRefused, serve_upload, uploads_of

View = Callable[..., HttpResponseBase]
ENTERED = "The offer is entered."
THANKS = "Thank you. We have your offer."


def supplier_link_required(view: View) -> View:
    """Call `view(request, invite, ...)` for a live link to a sent inquiry.

    The supplier is the link's and nobody else's; everything unknown is one 404.
    """

    @wraps(view)
    def guarded(request: HttpRequest, token: str, **more: int) -> HttpResponseBase:
        link = find_link(token, purpose=SUPPLIER)
        rows = SupplierInvite.objects.select_related(
            "supplier", "inquiry__author", "inquiry__request__owner"
        )
        invite = link and rows.filter(pk=link.subject_id).first()
        if link is None or invite is None:
            raise Http404
        if request.method == "GET":
            log_view(link, request)
        return seal(view(request, invite, token_of(link), **more))

    return guarded


@require_http_methods(["GET", "HEAD", "POST"])
@supplier_link_required
def supplier(request: HttpRequest, invite: SupplierInvite, token: str) -> HttpResponse:
    """What is asked, and the supplier's own offer; a new one replaces it."""
    form, lines = _forms(request, invite)
    if request.method == "POST" and _try(request, invite, form, lines, by=None):
        messages.success(request, THANKS)
        return redirect("quotes:supplier", token)
    return _show(
        request,
        "quotes/supplier/offer.html",
        invite,
        form,
        lines,
        urls={
            "offer": reverse("quotes:supplier", args=[token]),
            "decline": reverse("quotes:supplier_decline", args=[token]),
            "pdf": reverse("quotes:supplier_pdf", args=[token]),
        },
        token=token,
    )


@require_POST
@supplier_link_required
def supplier_decline(
    request: HttpRequest, invite: SupplierInvite, token: str
) -> HttpResponse:
    """The supplier does not offer; it may change its mind while we ask."""
    try:
        check_rate("supplier", str(invite.pk), limit=30, seconds=3600)
        offers.decline_inquiry(
            invite=invite,
            reason=request.POST.get("reason", "").strip(),
            now=timezone.now(),
        )
    except (QuoteError, RateLimited) as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Thank you for telling us.")
    return redirect("quotes:supplier", token)


@require_safe
@supplier_link_required
def supplier_pdf(
    request: HttpRequest, invite: SupplierInvite, token: str
) -> FileResponse:
    """The inquiry as it was e-mailed."""
    return inquiry_paper(invite.inquiry)


def inquiry_paper(inquiry: SupplierInquiry) -> FileResponse:
    document = document_of(inquiry, INQUIRY)
    if document is None or document.status != Document.Status.READY:
        raise Http404
    return pdf_response(document)


@require_safe
@supplier_link_required
def supplier_file(
    request: HttpRequest, invite: SupplierInvite, token: str, *, file_pk: int
) -> FileResponse:
    """A file that came with one of the supplier's own offers."""
    return _file(invite, file_pk)


def _file(invite: SupplierInvite, file_pk: int) -> FileResponse:
    own = list(invite.offers.all())
    rows = uploads_of(*own, kind=offers.OFFER_FILE)
    return serve_upload(get_object_or_404(rows, pk=file_pk))


# The desk


def get_invite(request: AuthenticatedHttpRequest, pk: int) -> SupplierInvite:
    """Return an invite of an inquiry that the person may see, or 404."""
    visible = SupplierInquiry.objects.visible_to(request.user)
    rows = SupplierInvite.objects.filter(inquiry__in=visible).select_related(
        "supplier", "inquiry__author", "inquiry__request__owner"
    )
    return get_object_or_404(rows, pk=pk)


@require_http_methods(["GET", "HEAD", "POST"])
@builder_only
def offer_enter(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Enter what a supplier offered by phone or e-mail."""
    invite = get_invite(request, pk)
    form, lines = _forms(request, invite, for_desk=True)
    if request.method == "POST" and _try(request, invite, form, lines, request.user):
        messages.success(request, ENTERED)
        return redirect("desk:inquiry", invite.inquiry_id)
    return _show(request, "quotes/desk/offer.html", invite, form, lines, for_desk=True)


@require_POST
@builder_only
def offer_decline(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Note that a supplier does not offer."""
    invite = get_invite(request, pk)
    reason = request.POST.get("reason", "").strip()
    try:
        offers.decline_inquiry(
            invite=invite, reason=reason, by=request.user, now=timezone.now()
        )
    except QuoteError as error:
        messages.error(request, str(error))
    return redirect("desk:inquiry", invite.inquiry_id)


@require_safe
@staff_only
def offer_file(
    request: AuthenticatedHttpRequest, pk: int, file_pk: int
) -> FileResponse:
    return _file(get_invite(request, pk), file_pk)


# Both


def _forms(
    request: HttpRequest, invite: SupplierInvite, *, for_desk: bool = False
) -> tuple[OfferForm, list[OfferLineForm]]:
    """Return the forms, bound where something was posted, else with what stands."""
    data = request.POST if request.method == "POST" else None
    offer = offers.standing_offer(invite)
    offered = {line.asked_id: line for line in offer.lines.all()} if offer else {}
    form = OfferForm(
        data,
        request.FILES if data is not None else None,
        currencies=Rates(timezone.now()).currencies,
        currency=invite.supplier.currency,
        offer=offer,
        for_desk=for_desk,
    )
    lines = [
        OfferLineForm(data, asked=line, offered=offered.get(line.pk))
        for line in invite.inquiry.lines.all()
    ]
    return form, lines


def _try(
    request: HttpRequest,
    invite: SupplierInvite,
    form: OfferForm,
    lines: list[OfferLineForm],
    by: User | None,
) -> bool:
    """Keep the offer; False leaves the reason on the form."""
    are_valid = [line.is_valid() for line in lines]
    if not (form.is_valid() and all(are_valid)):
        return False
    try:
        check_rate("supplier", str(invite.pk), limit=30, seconds=3600)
        offers.record_offer(
            invite=invite,
            offered=read_offer(form, lines),
            files=form.cleaned_data["attachments"],
            by=by,
            now=timezone.now(),
        )
    except (QuoteError, RateLimited) as error:
        form.add_error(None, str(error))
    except UploadRefused as error:
        form.add_error("attachments", str(error))
    return not form.errors


def _show(
    request: HttpRequest,
    template: str,
    invite: SupplierInvite,
    form: OfferForm,
    lines: list[OfferLineForm],
    **more: Any,
) -> HttpResponse:
    offer = offers.standing_offer(invite)
    context = {
        "invite": invite,
        "inquiry": invite.inquiry,
        "owner": invite.inquiry.author,
        "form": form,
        "line_forms": lines,
        "offer": offer,
        "files": _files(offer),
        "has_errors": bool(form.errors) or any(line.errors for line in lines),
        "chose_files": bool(request.FILES),
        **more,
    }
    status = 422 if context["has_errors"] else 200
    return render(request, template, context, status=status)


def _files(offer: SupplierOffer | None) -> Any:
    return uploads_of(offer, kind=offers.OFFER_FILE) if offer else []
