"""From a draft to the customer: preview, review, send, undo, and what became of it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from csp.decorators import csp
from django.contrib import messages
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Max
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)
from django_htmx.http import HttpResponseClientRefresh

from quotes.closing_forms import WithdrawForm
from quotes.content import Content, build_content, content_of
from quotes.desk_review import answers_to, review_of
from quotes.errors import QuoteError
from quotes.models import Revision
from quotes.pdf import render_quote
from quotes.services import sending
from quotes.services.checks import find_problems
from quotes.services.moves import actors_of
from quotes.services.orders import order_of
from quotes.services.overrides import DROPPED
from quotes.services.quotes import (
    REVISABLE,
    discard_draft,
    revise_quote,
    withdraw_quote,
)
from quotes.services.repricing import find_movements
from quotes.services.risks import open_risks
from quotes.services.rules import reasons_for
from quotes.states import (
    REVISION_MOVES,
    UNSENT,
    RevisionStatus,
    allowed_actions,
)
from quotes.views.answers import pdf_response
from quotes.views.deliveries import deliveries_of
from sourceit.access import desk_permission_required
from sourceit.documents import document_of
from sourceit.events import events_of
from sourceit.http import AuthenticatedHttpRequest
from sourceit.models import Delivery, Document, ViewLog

staff_only = desk_permission_required()
builder_only = desk_permission_required("quotes.build_quote")
sender_only = desk_permission_required("quotes.send_quote")

IN_MOTION = (
    Delivery.Status.QUEUED,
    Delivery.Status.CLAIMED,
    Delivery.Status.SENDING,
)


def get_whole(request: AuthenticatedHttpRequest, pk: int) -> Revision:
    """Return a revision with everything that printing it needs, or 404."""
    revisions = Revision.objects.visible_to(request.user).with_lines()
    return get_object_or_404(revisions, pk=pk)


def show_quote(
    request: AuthenticatedHttpRequest, revision: Revision, *, message: str = ""
) -> HttpResponse:
    """Show a revision as the customer has it, with its fate and what may be done."""
    whole = get_whole(request, revision.pk)
    now = timezone.now()
    content = content_of(whole, now=now)
    context = {
        **status_of(request, whole, now),
        **review_of(whole, request.user),
        "content": content,
        "changes": changes_in(content),
        "costs": [
            (number, line)
            for number, line in enumerate(whole.lines_in_order(), start=1)
        ],
        **answers_to(whole, content),
        "risks": open_risks(whole),
        "siblings": list(whole.quote.revisions.defer("content").order_by("-n")),
        "events": list(events_of(whole)),
        "message": message,
    }
    status = 422 if message else 200
    return render(request, "quotes/desk/quote.html", context, status=status)


def status_of(
    request: AuthenticatedHttpRequest, revision: Revision, now: datetime
) -> dict[str, Any]:
    """Return what the polled part of the page shows."""
    deliveries = deliveries_of([revision])
    document = revision.document or document_of(revision, sending.QUOTATION)
    seconds = 0
    if revision.status == RevisionStatus.SENDING and revision.send_after:
        seconds = max(0, round((revision.send_after - now).total_seconds()))
    return {
        "revision": revision,
        "deliveries": deliveries,
        "document": document,
        "opened": opened_by(revision),
        "undo_seconds": seconds,
        "has_expired": revision.has_expired(now),
        "is_moving": is_moving(revision, document, deliveries),
        "can_revise": revision.status in REVISABLE
        and request.user.has_perm("quotes.build_quote"),
        "actions": allowed_actions(
            REVISION_MOVES, revision.status, actors_of(request.user)
        ),
        "order": order_of(revision),
        "withdraw_form": WithdrawForm(auto_id="withdraw-%s"),
        "now": now,
    }


def opened_by(revision: Revision) -> list[tuple[str, datetime]]:
    """Return who opened the quote and when last; mail scanners do not count."""
    views = ViewLog.objects.filter(
        link__subject_type=ContentType.objects.get_for_model(Revision),
        link__subject_id=revision.pk,
        is_scanner=False,
    )
    latest = views.order_by().values_list("link__email").annotate(last=Max("at"))
    return list(latest.order_by("-last"))


def is_moving(
    revision: Revision, document: Document | None, deliveries: Iterable[Delivery]
) -> bool:
    """True while something is still going to change by itself."""
    if revision.status == RevisionStatus.SENDING:
        return document is None or document.status != Document.Status.FAILED
    return any(one.status in IN_MOTION for one in deliveries)


@require_safe
@staff_only
def quote_status(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Answer the poll of a page whose quote is on its way.

    Once the quote has another state the whole page is other than it was: it reloads.
    """
    found = Revision.objects.visible_to(request.user)
    revision = get_object_or_404(
        found.select_related("quote__request", "document", "sent_by"), pk=pk
    )
    if not request.htmx:
        return redirect("desk:quote", pk)
    if request.GET.get("was", revision.status) != revision.status:
        return HttpResponseClientRefresh()
    context = status_of(request, revision, timezone.now())
    return render(request, "quotes/desk/_status.html", context)


# A browser shows a PDF in a page of its own making, styled inline and with the file as
# an object; the site's policy would leave it empty.
PDF_POLICY = {
    "default-src": ["'none'"],
    "object-src": ["'self'"],
    "style-src": ["'unsafe-inline'"],
    "frame-ancestors": ["'none'"],
}


@require_safe
@csp(PDF_POLICY)
@staff_only
def preview(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Make the draft's PDF as it stands now; it says Draft and has no number."""
    revision = get_whole(request, pk)
    if revision.content is not None:
        raise Http404
    now = timezone.now()
    pdf = render_quote(build_content(revision, now=now), is_draft=True, created=now)
    response = HttpResponse(pdf.data, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="Draft-{revision.pk}.pdf"'
    response["Cache-Control"] = "no-store"
    return response


@require_safe
@staff_only
def document(request: AuthenticatedHttpRequest, pk: int) -> FileResponse:
    """Hand out the PDF that the customer has, byte for byte."""
    revisions = Revision.objects.visible_to(request.user).select_related("document")
    stored = get_object_or_404(revisions, pk=pk).document
    if stored is None or stored.status != Document.Status.READY:
        raise Http404
    return pdf_response(stored)


@require_http_methods(["GET", "HEAD", "POST"])
@sender_only
def quote_send(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Show what will be sent and to whom (GET), and send exactly that (POST)."""
    revision = get_whole(request, pk)
    if not revision.is_editable:
        return redirect("desk:quote", pk)
    if request.method != "POST":
        return show_review(request, revision)
    version = request.POST.get("version", "")
    try:
        send_reviewed(request, revision, version)
    except QuoteError as error:
        fresh = get_whole(request, pk)
        return show_review(request, fresh, message=str(error), status=409)
    return redirect("desk:quote", pk)


@transaction.atomic
def send_reviewed(
    request: AuthenticatedHttpRequest, revision: Revision, version: str
) -> None:
    """Send the revision if it is still the one that was reviewed.

    Raises:
        QuoteError: it was edited since, or may not be sent.
    """
    held = Revision.objects.select_for_update().get(pk=revision.pk)
    if version != str(held.row_version):
        raise QuoteError(
            f"{held.edited_by or 'Somebody'} changed the quote after you opened this "
            "page. Check it again."
        )
    sending.send_quote(
        revision=revision,
        by=request.user,
        to_email=revision.to_email,
        to_name=revision.to_name,
        cc=revision.cc,
        message=revision.message,
        now=timezone.now(),
    )


def show_review(
    request: AuthenticatedHttpRequest,
    revision: Revision,
    *,
    message: str = "",
    status: int = 200,
) -> HttpResponse:
    now = timezone.now()
    problems = find_problems(revision, now)
    content = draft_content(revision, now)
    is_draft = revision.status == RevisionStatus.DRAFT
    context = {
        **review_of(revision, request.user),
        "reasons": reasons_for(revision) if is_draft else [],
        "revision": revision,
        "problems": problems,
        "can_let_go": [problem for problem in problems if problem.can_be_let_go],
        "can_send": not any(problem.is_blocking for problem in problems),
        "content": content,
        "changes": changes_in(content) if content else None,
        "message": message,
    }
    return render(request, "quotes/desk/send.html", context, status=status)


def changes_in(content: Content) -> Content | None:
    """Return what the content says changed since the revision sent before, if any."""
    changes = content.get("changes")
    if not changes or not any(changes[kind] for kind in changes if kind != "since"):
        return None
    return {"n": changes["since"], "comparison": changes}


def draft_content(revision: Revision, now: datetime) -> Content | None:
    """Return what the customer would see; None where it cannot be added up yet."""
    try:
        return build_content(revision, now=now)
    except (ValueError, LookupError):
        return None


@require_POST
@sender_only
def quote_undo(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Take back a sending within its 30 seconds; the draft opens again."""
    revision = get_whole(request, pk)
    try:
        sending.undo_send(revision=revision, by=request.user, now=timezone.now())
    except QuoteError as error:
        return show_quote(request, revision, message=str(error))
    return redirect("desk:quote", pk)


@require_POST
@builder_only
def quote_revise(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Open the next draft, on what has moved since if anything has."""
    revision = get_whole(request, pk)
    try:
        draft = revise_quote(revision=revision, by=request.user, now=timezone.now())
    except QuoteError as error:
        open_draft = revision.quote.revisions.filter(status__in=UNSENT).first()
        if open_draft is None:
            return show_quote(request, revision, message=str(error))
        messages.info(request, str(error))
        return redirect("desk:quote", open_draft.pk)
    for dropped in events_of(draft).filter(kind=DROPPED):
        messages.info(request, dropped.text)
    copied = Revision.objects.with_lines().get(pk=draft.pk)
    has_moved = bool(find_movements(copied, timezone.now()))
    return redirect("desk:quote_reprice" if has_moved else "desk:quote", draft.pk)


@require_POST
@builder_only
def quote_discard(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Throw a draft away that no customer has seen."""
    revision = get_whole(request, pk)
    try:
        discard_draft(revision=revision, by=request.user)
    except QuoteError as error:
        return show_quote(request, revision, message=str(error))
    messages.success(request, f"Draft revision {revision.n} is discarded.")
    return redirect("desk:request", revision.quote.request_id)


@require_POST
@sender_only
def quote_withdraw(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Take a sent quote back, with a reason."""
    revision = get_whole(request, pk)
    why = WithdrawForm(request.POST)
    try:
        withdraw_quote(
            revision=revision, by=request.user, reason=why.words, now=timezone.now()
        )
    except QuoteError as error:
        return show_quote(request, revision, message=str(error))
    return redirect("desk:quote", pk)


@require_POST
@sender_only
def document_retry(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Have a PDF made again that could not be made."""
    revision = get_whole(request, pk)
    try:
        sending.retry_document(revision=revision, by=request.user, now=timezone.now())
    except QuoteError as error:
        return show_quote(request, revision, message=str(error))
    return redirect("desk:quote", pk)
