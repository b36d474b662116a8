"""Asking suppliers, at the desk: inquiries, the comparison, and taking offers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from catalog.models import Supplier
from quotes.errors import QuoteError
from quotes.models import SupplierInquiry, SupplierInvite
from quotes.services import awards, inquiries, risks
from quotes.services.moves import actors_of
from quotes.services.offers import OFFER_FILE
from quotes.services.purchasing import find_or_make_supplier
from quotes.sourcing_forms import InquiryForm, InquiryLineForm, read_inquiry
from quotes.states import INQUIRY_MOVES, InquiryStatus, allowed_actions
from quotes.views.builder import get_revision, to_builder
from quotes.views.deliveries import deliveries_of
from quotes.views.offering import inquiry_paper
from quotes.views.sending import show_quote
from quotes.views.triage import builder_only, staff_only
from sourceit.documents import document_of
from sourceit.events import events_of
from sourceit.http import AuthenticatedHttpRequest
from sourceit.models import Upload
from sourceit.money import MoneyError
from sourceit.posted import read_id, read_ids
from sourceit.uploads import uploads_of

SHOWN = 200


def get_inquiry(request: AuthenticatedHttpRequest, pk: int) -> SupplierInquiry:
    """Return an inquiry the person may see, or 404."""
    rows = SupplierInquiry.objects.visible_to(request.user)
    return get_object_or_404(
        rows.select_related("author", "request__owner", "again_of"), pk=pk
    )


@require_safe
@staff_only
def inquiry_list(request: AuthenticatedHttpRequest) -> HttpResponse:
    """The newest inquiries with how many have answered."""
    status = SupplierInvite.Status
    rows = SupplierInquiry.objects.visible_to(request.user).select_related(
        "request", "author"
    )
    counted = rows.annotate(
        asked=Count("invites", distinct=True),
        received=Count(
            "invites", filter=Q(invites__status=status.RECEIVED), distinct=True
        ),
    )
    context = {"inquiries": counted[:SHOWN], "now": timezone.now()}
    return render(request, "quotes/desk/inquiries.html", context)


@require_POST
@builder_only
def inquiry_new(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Start an inquiry for a quote's lines: those that are ticked, or all of them."""
    revision = get_revision(request, pk)
    ticked = set(read_ids(request.POST.getlist("line")))
    lines = [one for one in revision.lines.all() if not ticked or one.pk in ticked]
    try:
        inquiry = inquiries.draft_inquiry(
            revision=revision, lines=lines, by=request.user, now=timezone.now()
        )
    except QuoteError as error:
        messages.error(request, str(error))
        return to_builder(revision, "lines")
    return redirect("desk:inquiry", inquiry.pk)


@require_safe
@staff_only
def inquiry(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """A draft to fill in, or what was asked and what came of it."""
    return show_inquiry(request, get_inquiry(request, pk))


def show_inquiry(
    request: AuthenticatedHttpRequest,
    found: SupplierInquiry,
    *,
    form: InquiryForm | None = None,
    line_forms: list[InquiryLineForm] | None = None,
    message: str = "",
    picked: dict[int, int] | None = None,
) -> HttpResponse:
    now = timezone.now()
    context: dict[str, Any] = {
        "inquiry": found,
        "asked": found.request,
        "actions": allowed_actions(
            INQUIRY_MOVES, found.status, actors_of(request.user)
        ),
        "message": message,
        "now": now,
    }
    if found.status == InquiryStatus.DRAFT:
        context |= {
            "form": form or InquiryForm(inquiry=found),
            "line_forms": line_forms
            or [InquiryLineForm(line=line) for line in found.lines.all()],
        }
        template = "quotes/desk/inquiry_draft.html"
    else:
        context |= _standing(found, picked or {})
        template = "quotes/desk/inquiry.html"
    has_errors = bool(form and form.errors) or any(
        one.errors for one in line_forms or []
    )
    status = 422 if has_errors else 409 if message else 200
    return render(request, template, context, status=status)


def _files(comparison: awards.Comparison) -> list[Upload]:
    """Return the files of the standing offers (one query)."""
    offers = [column.offer for column in comparison.columns if column.offer]
    return list(uploads_of(*offers, kind=OFFER_FILE)) if offers else []


def _standing(found: SupplierInquiry, picked: dict[int, int]) -> dict[str, Any]:
    now = timezone.now()
    comparison = awards.compare_offers(found, now)
    invites = [column.invite for column in comparison.columns]
    return {
        "comparison": comparison,
        "late": {one.pk for one in invites if one.is_late(now)},
        "document": document_of(found, inquiries.INQUIRY),
        "drafts": list(awards.drafts_of(found).select_related("quote")),
        "events": list(events_of(found)),
        "deliveries": deliveries_of(invites),
        "files": _files(comparison),
        "picked": picked,
    }


@require_POST
@builder_only
def inquiry_save(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Keep a draft, and send it where that was asked for."""
    found = get_inquiry(request, pk)
    form = InquiryForm(request.POST, inquiry=found)
    lines = [InquiryLineForm(request.POST, line=one) for one in found.lines.all()]
    are_valid = [one.is_valid() for one in lines]
    if not (form.is_valid() and all(are_valid)):
        return show_inquiry(request, found, form=form, line_forms=lines)
    try:
        asked = read_inquiry(form, lines, _suppliers(form))
        inquiries.save_inquiry(inquiry=found, asked=asked, by=request.user)
        if "send" in request.POST:
            inquiries.send_inquiry(inquiry=found, by=request.user, now=timezone.now())
            messages.success(request, f"{found} is on its way to the suppliers.")
        else:
            messages.success(request, "Saved.")
    except QuoteError as error:
        form.add_error(None, str(error))
        return show_inquiry(request, found, form=form, line_forms=lines)
    return redirect("desk:inquiry", pk)


def _suppliers(form: InquiryForm) -> list[Supplier]:
    """Return whom to ask; a new name makes a new supplier with its e-mail."""
    chosen = list(form.cleaned_data["suppliers"])
    name, email = form.cleaned_data["new_name"], form.cleaned_data["new_email"]
    if name:
        supplier = find_or_make_supplier(name)
        if email and not supplier.email:
            supplier.email = email
            supplier.save(update_fields=["email"])
        chosen.append(supplier)
    return chosen


def _do(
    request: AuthenticatedHttpRequest, pk: int, act: Callable[[SupplierInquiry], str]
) -> HttpResponse:
    """Do something to an inquiry and say so, or show it with why not."""
    found = get_inquiry(request, pk)
    try:
        words = act(found)
    except (QuoteError, MoneyError) as error:
        return show_inquiry(request, get_inquiry(request, pk), message=str(error))
    messages.success(request, words)
    return redirect("desk:inquiry", pk)


@require_POST
@builder_only
def inquiry_discard(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Throw a draft away."""
    found = get_inquiry(request, pk)
    try:
        inquiries.discard_inquiry(inquiry=found, by=request.user)
    except QuoteError as error:
        return show_inquiry(request, get_inquiry(request, pk), message=str(error))
    messages.success(request, "The draft is gone. No supplier has seen it.")
    return redirect("desk:inquiries")


@require_POST
@builder_only
def inquiry_close(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Take no more offers."""

    def close(found: SupplierInquiry) -> str:
        inquiries.close_inquiry(inquiry=found, by=request.user, now=timezone.now())
        return f"{found} is closed."

    return _do(request, pk, close)


@require_POST
@builder_only
def inquiry_again(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Ask the same suppliers again, in a new draft."""
    found = get_inquiry(request, pk)
    try:
        again = inquiries.ask_again(inquiry=found, by=request.user, now=timezone.now())
    except QuoteError as error:
        return show_inquiry(request, found, message=str(error))
    return redirect("desk:inquiry", again.pk)


@require_POST
@builder_only
def inquiry_retry(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Have the inquiry printed again that could not be."""

    def retry(found: SupplierInquiry) -> str:
        inquiries.retry_inquiry(inquiry=found, by=request.user)
        return "The PDF is being made again."

    return _do(request, pk, retry)


@require_POST
@builder_only
def offers_take(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Let the draft's lines stand on the picked offers."""
    found = get_inquiry(request, pk)
    picks = _picks(request, found)
    try:
        count = awards.take_offers(
            inquiry=found, picks=picks, by=request.user, now=timezone.now()
        )
    except (QuoteError, MoneyError) as error:
        return show_inquiry(
            request, get_inquiry(request, pk), message=str(error), picked=picks
        )
    noun = "line stands" if count == 1 else "lines stand"
    messages.success(request, f"{count} {noun} on the picked offers now.")
    return redirect("desk:inquiry", pk)


def _picks(request: AuthenticatedHttpRequest, found: SupplierInquiry) -> dict[int, int]:
    """Return the offer line picked for each line asked for."""
    picks = {}
    for pk in found.lines.values_list("pk", flat=True):
        if chosen := read_id(request.POST.get(f"pick-{pk}", "")):
            picks[pk] = chosen
    return picks


@require_safe
@staff_only
def inquiry_pdf(request: AuthenticatedHttpRequest, pk: int) -> FileResponse:
    """The inquiry as the suppliers have it."""
    return inquiry_paper(get_inquiry(request, pk))


@require_POST
@builder_only
def risks_settle(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Keep a sent quote's price in spite of its risks, with the reason."""
    revision = get_revision(request, pk)
    if revision.status not in risks.PROMISED:
        raise Http404
    try:
        risks.settle_risks(
            revision=revision,
            reason=request.POST.get("reason", ""),
            by=request.user,
            now=timezone.now(),
        )
    except QuoteError as error:
        return show_quote(request, revision, message=str(error))
    messages.success(request, "Noted. The price is kept.")
    return redirect("desk:quote", pk)
