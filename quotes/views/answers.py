"""The quote as the customer reads it, and the customer's three answers."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from quotes.compare import compare_contents
from quotes.errors import QuoteError
from quotes.forms import AcceptForm, ChangeForm, DeclineForm, DoorForm
from quotes.models import Acceptance, Revision
from quotes.services.answers import (
    Signature,
    accept_quote,
    ask_for_change,
    decline_quote,
)
from quotes.states import (
    CUSTOMER_REVISION_WORDS,
    REVISION_MOVES,
    Actor,
    RevisionStatus,
    allowed_actions,
)
from quotes.views.secret import ANSWER, answer_link_required, seal
from sourceit.access import client_address
from sourceit.clock import days_left
from sourceit.events import events_of
from sourceit.http import HttpRequest
from sourceit.limits import RateLimited, check_rate
from sourceit.links import issue_link, log_view, token_of
from sourceit.mail import queue_email
from sourceit.models import AccessLink, Document, User


@require_GET
@answer_link_required
def answer(request: HttpRequest, link: AccessLink, revision: Revision) -> HttpResponse:
    """Show the quote; opening it changes nothing but the view log."""
    log_view(link, request)
    context = {
        **_frame(link, revision),
        "events": events_of(revision).filter(is_internal=False),
        "acceptance": Acceptance.objects.filter(revision=revision).first(),
        "changes": _changes_since_last(revision),
    }
    return render(request, "quotes/customer/answer.html", context)


@require_GET
@answer_link_required
def answer_pdf(
    request: HttpRequest, link: AccessLink, revision: Revision
) -> FileResponse:
    """Hand out the stored file, byte for byte; there is none until it is ready."""
    document = revision.document
    if document is None or document.status != Document.Status.READY:
        raise Http404
    return pdf_response(document)


def pdf_response(document: Document) -> FileResponse:
    """Answer with a stored PDF that browsers show or save, and never take as a page."""
    response = FileResponse(
        document.file.open("rb"),
        content_type="application/pdf",
        filename=document.name,
        as_attachment=True,
    )
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_http_methods(["GET", "POST"])
@answer_link_required
def accept(request: HttpRequest, link: AccessLink, revision: Revision) -> HttpResponse:
    """Ask for name, title and a tick; a yes is written down once."""
    if Acceptance.objects.filter(revision=revision).exists():
        return redirect("quotes:answer", token_of(link))
    content = revision.content or {}
    may_be_repriced = bool(content.get("may_be_repriced"))
    form = AcceptForm(
        request.POST or None,
        may_be_repriced=may_be_repriced,
        initial={"name": link.name},
    )
    if request.method == "POST" and form.is_valid():
        try:
            accept_quote(
                revision=revision,
                signature=_signature(request, link, form),
                now=timezone.now(),
            )
        except QuoteError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "Thank you. Your acceptance is with us.")
            return redirect("quotes:answer", token_of(link))
    return _show_form(request, link, revision, form, "accept")


def _signature(request: HttpRequest, link: AccessLink, form: AcceptForm) -> Signature:
    typed = form.cleaned_data
    return Signature(
        name=typed["name"],
        job_title=typed["job_title"],
        email=link.email,
        po_number=typed["po_number"],
        words=form.words,
        address=client_address(request),
        agent=request.headers.get("User-Agent", ""),
        user=request.user if isinstance(request.user, User) else None,
    )


@require_http_methods(["GET", "POST"])
@answer_link_required
def decline(request: HttpRequest, link: AccessLink, revision: Revision) -> HttpResponse:
    form = DeclineForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            decline_quote(
                revision=revision,
                reason=form.reason_words,
                comment=form.cleaned_data["comment"],
                **_who(request, link),
            )
        except QuoteError as error:
            form.add_error(None, str(error))
        else:
            messages.success(
                request, "Thank you for telling us. We will not chase you."
            )
            return redirect("quotes:answer", token_of(link))
    return _show_form(request, link, revision, form, "decline")


@require_http_methods(["GET", "POST"])
@answer_link_required
def change(request: HttpRequest, link: AccessLink, revision: Revision) -> HttpResponse:
    form = ChangeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            ask_for_change(
                revision=revision,
                text=form.cleaned_data["text"],
                **_who(request, link),
            )
        except QuoteError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "We have your wish and will answer by e-mail.")
            return redirect("quotes:answer", token_of(link))
    return _show_form(request, link, revision, form, "change")


@require_http_methods(["GET", "POST"])
def quote_door(request: HttpRequest, number: str) -> HttpResponseBase:
    """The address printed on the PDF: mails a recipient's own link to them again.

    It says the same whether or not the number and the e-mail belong together.
    """
    form = DoorForm(request.POST or None)
    is_sent = False
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            status, is_sent = _knock(request, form, number)
    context = {"form": form, "number": number, "is_sent": is_sent}
    page = "quotes/customer/quote_door.html"
    return seal(render(request, page, context, status=status))


def _knock(request: HttpRequest, form: DoorForm, number: str) -> tuple[int, bool]:
    email = form.cleaned_data["email"].lower()
    try:
        check_rate("door", client_address(request), limit=10, seconds=3600)
        check_rate("door-email", email, limit=5, seconds=3600)
    except RateLimited as error:
        form.add_error(None, str(error))
        return 429, False
    revision = (
        Revision.objects.shown_to_customer()
        .exclude(status=RevisionStatus.SUPERSEDED)
        .filter(quote__number=number, to_email__iexact=email)
        .select_related("quote__request")
        .order_by("-n")
        .first()
    )
    if revision is not None:
        queue_email(
            revision,
            "link_again",
            to=email,
            context={"revision": revision},
            link=issue_link(revision, purpose=ANSWER, email=email),
            occasion=f"{timezone.now():%Y%m%d%H%M%S}",
        )
    return 200, True


def _who(request: HttpRequest, link: AccessLink) -> dict[str, Any]:
    return {
        "email": link.email,
        "name": link.name or link.email,
        "user": request.user if isinstance(request.user, User) else None,
        "now": timezone.now(),
    }


def _show_form(
    request: HttpRequest,
    link: AccessLink,
    revision: Revision,
    form: AcceptForm | DeclineForm | ChangeForm,
    action: str,
) -> HttpResponse:
    frame = _frame(link, revision)
    wanted = "ask_for_change" if action == "change" else action
    if request.method == "GET" and wanted not in frame["actions"]:
        messages.error(request, "This cannot be done any more.")
        return redirect("quotes:answer", token_of(link))
    status = 422 if form.errors else 200
    page = f"quotes/customer/{action}.html"
    return render(request, page, {**frame, "form": form}, status=status)


def _frame(link: AccessLink, revision: Revision) -> dict[str, Any]:
    """What every page of a quote shows: content, state in words, what may be done."""
    now = timezone.now()
    has_expired = revision.has_expired(now)
    actions = allowed_actions(
        REVISION_MOVES, revision.status, {Actor.CUSTOMER}, has_expired=has_expired
    )
    words = CUSTOMER_REVISION_WORDS[revision.status]
    return {
        "revision": revision,
        "content": revision.content,
        "token": token_of(link),
        "actions": actions,
        "has_expired": has_expired,
        "words": "Expired" if has_expired else words,
        "days_left": _days_left(revision, now),
        "document": revision.document,
    }


def _days_left(revision: Revision, now: Any) -> int | None:
    if revision.status != RevisionStatus.SENT or revision.valid_until is None:
        return None
    return max(days_left(revision.valid_until, now), 0)


def _changes_since_last(revision: Revision) -> Any:
    """Compare with the revision that this one replaced, if there was one."""
    if revision.n == 1 or revision.content is None:
        return None
    older = (
        Revision.objects.filter(quote_id=revision.quote_id, n__lt=revision.n)
        .exclude(content=None)
        .order_by("-n")
        .first()
    )
    if older is None or older.content is None:
        return None
    return {"n": older.n, **_compared(older.content, revision.content)}


def _compared(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    found = compare_contents(old, new)
    return {"comparison": found, "is_different": bool(found)}
