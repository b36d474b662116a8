"""The quote as the customer reads it, and the customer's three answers.

Each page stands behind two doors, a secret link and an account: see `views.secret`.
"""

from __future__ import annotations

from datetime import date, datetime
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from quotes.bought import chosen_lines, totals_of
from quotes.change_forms import ChangeForm
from quotes.choosing import has_choices
from quotes.errors import QuoteError
from quotes.forms import AcceptForm, DeclineForm, DoorForm
from quotes.models import Revision
from quotes.services.answers import (
    Signature,
    accept_quote,
    acceptance_of,
    decline_quote,
    send_link_again,
)
from quotes.services.changes import NEW_PRICE, ask_for_change
from quotes.services.manifests import record_of
from quotes.services.orders import order_of
from quotes.services.po_files import po_of
from quotes.states import (
    CUSTOMER_REVISION_WORDS,
    REVISION_MOVES,
    Actor,
    RevisionStatus,
    allowed_actions,
)
from quotes.views import codes
from quotes.views.choosing import Picked, answer_update, is_update, read_choice
from quotes.views.secret import Reader, account_required, answer_link_required, seal
from sourceit.access import client_address
from sourceit.clock import days_left
from sourceit.events import events_of
from sourceit.htmx import wants_partial
from sourceit.http import HttpRequest
from sourceit.limits import RateLimited, check_rate
from sourceit.links import log_view
from sourceit.models import Document

ACTIONS = {"accept": "accept", "decline": "decline", "change": "ask_for_change"}
AnswerForm = AcceptForm | DeclineForm | ChangeForm


def _show(request: HttpRequest, reader: Reader, revision: Revision) -> HttpResponse:
    """Show the quote; opening it changes nothing but the view log."""
    if reader.link is not None and request.method == "GET":
        log_view(reader.link, request)
    acceptance = acceptance_of(revision)
    context = {
        **_frame(reader, revision),
        "events": events_of(revision).filter(is_internal=False),
        "acceptance": acceptance,
        "totals": totals_of(acceptance) if acceptance else revision.content,
        "chosen": chosen_lines(acceptance),
        "record": record_of(acceptance) if acceptance else None,
        "po": po_of(acceptance) if acceptance else None,
        "may_answer": reader.may_answer,
        "order": order_of(revision),
    }
    return render(request, "quotes/customer/answer.html", context)


answer = require_safe(answer_link_required(_show))
my_quote = require_safe(account_required(_show))


def _pdf(request: HttpRequest, reader: Reader, revision: Revision) -> FileResponse:
    """Hand out the stored file, byte for byte; there is none until it is ready."""
    document = revision.document
    if document is None or document.status != Document.Status.READY:
        raise Http404
    return pdf_response(document)


answer_pdf = require_safe(answer_link_required(_pdf))
my_quote_pdf = require_safe(account_required(_pdf))


def pdf_response(document: Document) -> FileResponse:
    """Answer with a stored PDF that browsers save, and never take as a page."""
    response = FileResponse(
        document.file.open("rb"),
        content_type="application/pdf",
        filename=document.name,
        as_attachment=True,
    )
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _accept(request: HttpRequest, reader: Reader, revision: Revision) -> HttpResponse:
    """Ask for name, title and a tick; a yes is written down once."""
    if not reader.may_answer:
        raise Http404
    if acceptance_of(revision) is not None:
        return redirect(reader.urls["answer"])
    picked = read_choice(request, revision)
    if is_update(request):
        return _update(request, reader, revision, picked)
    form = _accept_form(
        request,
        reader,
        revision,
        data=request.POST if request.method == "POST" else None,
        files=request.FILES if request.method == "POST" else None,
        initial={"name": reader.name},
    )
    if form.is_bound and not picked.is_lawful:
        form.add_error(None, picked.error)
    if form.is_valid():
        accept = partial(
            accept_quote,
            revision=revision,
            signature=_signature(request, reader, form),
            now=timezone.now(),
            yes=picked.yes,
        )
        try:
            codes.confirm(request, reader, revision, form, accept)
        except codes.WrongCode as error:
            form.add_error("code", str(error))
        except QuoteError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "Thank you. Your acceptance is with us.")
            return redirect(reader.urls["answer"])
    codes.offer_code(request, reader, revision, form)
    return _show_form(
        request, reader, revision, form, "accept", **picked.context(revision)
    )


def _update(
    request: HttpRequest, reader: Reader, revision: Revision, picked: Picked
) -> HttpResponse:
    """Show what a choice comes to; nothing is accepted, and what was typed stays."""
    answer = answer_update(request, revision, picked)
    if answer is not None:
        return answer
    form = _accept_form(request, reader, revision, initial=request.POST.dict())
    return _show_form(
        request, reader, revision, form, "accept", **picked.context(revision)
    )


def _accept_code(
    request: HttpRequest, reader: Reader, revision: Revision
) -> HttpResponse:
    """E-mail a code to the link's recipient; with htmx only the words change."""
    if not codes.needs_code(request, reader, revision):
        return redirect(reader.urls["accept"])
    if revision.status != RevisionStatus.SENT:
        raise Http404
    words = codes.send_words(request, reader, revision)
    if wants_partial(request):
        page = "quotes/customer/_code.html#sent"
        return render(request, page, {"code_sent": words})
    form = _accept_form(request, reader, revision, initial=request.POST.dict())
    more = read_choice(request, revision).context(revision)
    return _show_form(
        request, reader, revision, form, "accept", code_sent=words, **more
    )


accept_code = require_POST(answer_link_required(_accept_code))


def _accept_form(
    request: HttpRequest, reader: Reader, revision: Revision, **options: Any
) -> AcceptForm:
    return AcceptForm(
        may_be_repriced=bool((revision.content or {}).get("may_be_repriced")),
        needs_code=codes.needs_code(request, reader, revision),
        **options,
    )


accept = require_http_methods(["GET", "HEAD", "POST"])(answer_link_required(_accept))
my_quote_accept = require_http_methods(["GET", "HEAD", "POST"])(
    account_required(_accept)
)


def _signature(request: HttpRequest, reader: Reader, form: AcceptForm) -> Signature:
    typed = form.cleaned_data
    return Signature(
        name=typed["name"],
        job_title=typed["job_title"],
        email=reader.email,
        po_number=typed["po_number"],
        po_file=typed["po_file"],
        words=form.words,
        address=client_address(request),
        agent=request.headers.get("User-Agent", ""),
        user=reader.user,
    )


def _decline(request: HttpRequest, reader: Reader, revision: Revision) -> HttpResponse:
    if not reader.may_answer:
        raise Http404
    form = DeclineForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            decline_quote(
                revision=revision,
                reason=form.reason_words,
                comment=form.cleaned_data["comment"],
                **_who(reader),
            )
        except QuoteError as error:
            form.add_error(None, str(error))
        else:
            messages.success(
                request, "Thank you for telling us. We will not chase you."
            )
            return redirect(reader.urls["answer"])
    return _show_form(request, reader, revision, form, "decline")


decline = require_http_methods(["GET", "HEAD", "POST"])(answer_link_required(_decline))
my_quote_decline = require_http_methods(["GET", "HEAD", "POST"])(
    account_required(_decline)
)


def _change(request: HttpRequest, reader: Reader, revision: Revision) -> HttpResponse:
    if not reader.may_answer:
        raise Http404
    form = ChangeForm(
        request.POST if request.method == "POST" else None,
        content=revision.content or {},
    )
    if form.is_valid():
        try:
            check_rate("change", reader.email, limit=20, seconds=3600)
            ask_for_change(
                revision=revision,
                text=form.cleaned_data["text"],
                lines=form.line_wishes,
                **_who(reader),
            )
        except (QuoteError, RateLimited) as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _thanks(revision))
            return redirect(reader.urls["answer"])
    return _show_form(request, reader, revision, form, "change")


def _thanks(revision: Revision) -> str:
    if revision.has_expired(timezone.now()):
        return "We have your wish for a new price, and will answer by e-mail."
    return "We have your wish and will answer by e-mail."


change = require_http_methods(["GET", "HEAD", "POST"])(answer_link_required(_change))
my_quote_change = require_http_methods(["GET", "HEAD", "POST"])(
    account_required(_change)
)


@require_http_methods(["GET", "HEAD", "POST"])
def quote_door(request: HttpRequest, number: str) -> HttpResponseBase:
    """The address printed on the PDF: mails a recipient's own link to them again.

    It says the same whether or not the number and the e-mail belong together.
    """
    number = number.upper()
    is_asked = request.method == "POST"
    form = DoorForm(request.POST if is_asked else None)
    status, is_sent = (422 if is_asked else 200), False
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
    send_link_again(number=number, email=email, now=timezone.now())
    return 200, True


def _who(reader: Reader) -> dict[str, Any]:
    return {
        "email": reader.email,
        "name": reader.name or reader.email,
        "user": reader.user,
        "now": timezone.now(),
    }


def _show_form(
    request: HttpRequest,
    reader: Reader,
    revision: Revision,
    form: AnswerForm,
    action: str,
    **more: Any,
) -> HttpResponse:
    """Show an answer's own page, or go back where it cannot be given any more."""
    frame = _frame(reader, revision)
    more |= codes.code_context(request, reader)
    if request.method != "POST" and ACTIONS[action] not in frame["actions"]:
        messages.error(request, "This cannot be done any more.")
        return redirect(reader.urls["answer"])
    status = 422 if form.errors else 200
    page = f"quotes/customer/{action}.html"
    return render(request, page, {**frame, **more, "form": form}, status=status)


def _frame(reader: Reader, revision: Revision) -> dict[str, Any]:
    """What every page of a quote shows: content, state in words, what may be done."""
    now = timezone.now()
    has_expired = revision.has_expired(now)
    actors = {Actor.CUSTOMER} if reader.may_answer else set()
    words = CUSTOMER_REVISION_WORDS[revision.status]
    return {
        "revision": revision,
        "content": revision.content,
        "valid_until": _valid_until(revision),
        "urls": reader.urls,
        "actions": allowed_actions(
            REVISION_MOVES, revision.status, actors, has_expired=has_expired
        ),
        "has_expired": has_expired,
        "new_price": NEW_PRICE,
        "has_choices": has_choices(revision.content or {}),
        "words": "Expired" if has_expired else words,
        "days_left": _days_left(revision, now),
        "document": revision.document,
    }


def _valid_until(revision: Revision) -> date | None:
    """Read the last day from the frozen content, like all that is promised."""
    text = (revision.content or {}).get("valid_until", "")
    return date.fromisoformat(text) if text else None


def _days_left(revision: Revision, now: datetime) -> int | None:
    if revision.status != RevisionStatus.SENT or revision.valid_until is None:
        return None
    return max(days_left(revision.valid_until, now), 0)
