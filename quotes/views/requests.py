"""From basket to request: the form, the check, the sending, and following it."""

from __future__ import annotations

import time
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from quotes.errors import QuoteError
from quotes.forms import RequestForm
from quotes.models import QuoteRequest, Revision
from quotes.services.requests import (
    cancel_request,
    is_empty,
    submit_request,
    tracking_link,
)
from quotes.states import (
    CUSTOMER_REQUEST_WORDS,
    CUSTOMER_REVISION_WORDS,
    REQUEST_MOVES,
    Actor,
    RevisionStatus,
    allowed_actions,
)
from quotes.views.basket import current_basket
from quotes.views.secret import ANSWER, track_link_required
from sourceit.access import client_address
from sourceit.events import events_of
from sourceit.http import AuthenticatedHttpRequest, HttpRequest
from sourceit.limits import RateLimited, check_rate
from sourceit.links import issue_link, log_view, token_of
from sourceit.models import AccessLink, User

# Nobody fills in the form in less; a script does.
LEAST_SECONDS = 2
STARTED = signing.TimestampSigner(salt="request-form")


@require_http_methods(["GET", "POST"])
def request_form(request: HttpRequest) -> HttpResponse:
    """Show the form; a POST comes back from the check page to change something."""
    basket = current_basket(request)
    if basket is None or is_empty(basket):
        messages.info(request, "Your request is empty. Add an item first.")
        return redirect("quotes:basket")
    initial = _known_details(request)
    form = RequestForm(initial=initial, is_controlled=_is_controlled(basket))
    if request.method == "POST":
        form = _bound_form(request.POST, basket)
    return _show_form(request, form, basket, request.POST)


@require_POST
def request_check(request: HttpRequest) -> HttpResponse:
    """Show the answers once more before they are sent; nothing is stored yet."""
    basket = current_basket(request)
    if basket is None or is_empty(basket):
        return redirect("quotes:basket")
    form = _bound_form(request.POST, basket)
    if not form.is_valid():
        return _show_form(request, form, basket, request.POST, status=422)
    context = {
        "form": form,
        "lines": _lines_of(basket),
        "warnings": form.warnings,
        "started": request.POST.get("started", ""),
        "submit_key": request.POST.get("submit_key") or uuid4(),
    }
    return render(request, "quotes/customer/request_check.html", context)


@require_POST
def request_send(request: HttpRequest) -> HttpResponse:
    """Submit the request; the same form again leads to the same confirmation."""
    key = _read_key(request.POST.get("submit_key", ""))
    done = QuoteRequest.objects.filter(submit_key=key).first() if key else None
    if done is not None:
        return redirect("quotes:track", token_of(tracking_link(done)))
    basket = current_basket(request)
    if basket is None or is_empty(basket) or key is None:
        return redirect("quotes:basket")
    form = _bound_form(request.POST, basket)
    if not form.is_valid():
        return _show_form(request, form, basket, request.POST, status=422)
    try:
        check_person(request, form.cleaned_data, request.POST)
        asked = submit_request(
            basket=basket,
            details=form.cleaned_data,
            key=key,
            user=request.user if isinstance(request.user, User) else None,
            now=timezone.now(),
        )
    except (QuoteError, RateLimited) as error:
        form.add_error(None, str(error))
        status = 429 if isinstance(error, RateLimited) else 422
        return _show_form(request, form, basket, request.POST, status=status)
    request.session.pop("basket", None)
    request.session["basket_count"] = 0
    request.session["just_sent"] = asked.pk
    return redirect("quotes:track", token_of(tracking_link(asked)))


def check_person(
    request: HttpRequest, details: dict[str, Any], post: QueryDict
) -> None:
    """Refuse what no person sends: a filled trap, a form sent at once, a flood.

    Raises:
        QuoteError: the trap was filled or the form came back too soon.
        RateLimited: too many from this address or for this e-mail.
    """
    if details.get("website"):
        raise QuoteError("This was not sent. Please call us.")
    try:
        started = STARTED.unsign(post.get("started", ""), max_age=7 * 24 * 3600)
    except signing.BadSignature as error:
        raise QuoteError(
            "This page was open too long. Check and send again."
        ) from error
    if time.time() - float(started) < LEAST_SECONDS:
        raise QuoteError("That was very quick. Please check and send again.")
    address = client_address(request)
    check_rate("request-address", address, limit=20, seconds=3600)
    check_rate("request-email", details["email"], limit=6, seconds=3600)


def sign_start() -> str:
    return STARTED.sign(f"{time.time():.1f}")


@require_GET
@track_link_required
def track(request: HttpRequest, link: AccessLink, asked: QuoteRequest) -> HttpResponse:
    """Show the request's state in the customer's words, with its quotes."""
    log_view(link, request)
    is_new = request.session.pop("just_sent", None) == asked.pk
    context = {
        "asked": asked,
        "is_new": is_new,
        "cancel_token": token_of(link),
        **tracking_context(asked, link.email),
    }
    return render(request, "quotes/customer/track.html", context)


@require_http_methods(["GET", "POST"])
@track_link_required
def track_cancel(
    request: HttpRequest, link: AccessLink, asked: QuoteRequest
) -> HttpResponse:
    """Ask once more on a page of its own, then cancel the request."""
    if request.method == "POST":
        try:
            cancel_request(request=asked, by=None, now=timezone.now())
            messages.success(request, f"{asked.number} is cancelled.")
        except QuoteError as error:
            messages.error(request, str(error))
        return redirect("quotes:track", token_of(link))
    context = {"asked": asked, "token": token_of(link)}
    return render(request, "quotes/customer/track_cancel.html", context)


@login_required
@require_GET
def my_requests(request: AuthenticatedHttpRequest) -> HttpResponse:
    rows = QuoteRequest.objects.sent().visible_to(request.user).order_by("-pk")
    before = request.GET.get("before", "")
    if before.isascii() and before.isdigit() and len(before) < 19:
        rows = rows.filter(pk__lt=int(before))
    found = list(rows.prefetch_related("lines")[:51])
    for each in found:
        each.words = CUSTOMER_REQUEST_WORDS[each.status]  # type: ignore[attr-defined]
    more = found[49].pk if len(found) > 50 else None
    context = {"requests": found[:50], "more": more}
    return render(request, "quotes/customer/my_requests.html", context)


@login_required
@require_GET
def request_detail(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Show a request to those who may see it by their account."""
    rows = QuoteRequest.objects.sent().visible_to(request.user)
    asked = get_object_or_404(rows.select_related("owner"), pk=pk)
    context = {"asked": asked, **tracking_context(asked, request.user.email)}
    return render(request, "quotes/customer/track.html", context)


def tracking_context(asked: QuoteRequest, email: str) -> dict[str, Any]:
    """Gather what the tracking page shows, in a fixed number of queries."""
    revisions = list(
        Revision.objects.shown_to_customer()
        .filter(quote__request=asked)
        .select_related("quote", "document")
        .order_by("-sent_at")
    )
    now = timezone.now()
    quotes = [_quote_row(revision, email, now) for revision in revisions]
    actions = allowed_actions(REQUEST_MOVES, asked.status, {Actor.CUSTOMER})
    return {
        "lines": _lines_of(asked),
        "words": CUSTOMER_REQUEST_WORDS[asked.status],
        "quotes": quotes,
        "events": events_of(asked, *revisions).filter(is_internal=False),
        "can_cancel": "cancel" in actions,
    }


def _quote_row(revision: Revision, email: str, now: Any) -> dict[str, Any]:
    """Tell one sent revision; only the one that stands has a link."""
    is_live = revision.status != RevisionStatus.SUPERSEDED
    words = CUSTOMER_REVISION_WORDS[revision.status]
    if revision.has_expired(now):
        words = "Expired"
    is_mine = email.lower() == revision.to_email.lower()
    token = ""
    if is_live and is_mine:
        token = token_of(issue_link(revision, purpose=ANSWER, email=email))
    return {
        "revision": revision,
        "words": words,
        "is_live": is_live,
        "token": token,
    }


def _lines_of(asked: QuoteRequest) -> list[Any]:
    lines = asked.lines.select_related("product", "design").filter(removed_at=None)
    return list(lines)


def _is_controlled(basket: QuoteRequest) -> bool:
    return basket.lines.filter(removed_at=None, product__is_controlled=True).exists()


def _bound_form(post: QueryDict, basket: QuoteRequest) -> RequestForm:
    # A fresh instance: validating must never write into the basket.
    return RequestForm(
        post, instance=QuoteRequest(), is_controlled=_is_controlled(basket)
    )


def _known_details(request: HttpRequest) -> dict[str, Any]:
    """Fill in what is known of a signed-in person, from their last request too."""
    if not isinstance(request.user, User):
        return {}
    user = request.user
    last = QuoteRequest.objects.sent().filter(user=user).order_by("-pk").first()
    known = {"name": user.name, "email": user.email, "phone": user.phone}
    known["job_title"] = user.job_title
    if last is not None:
        for name in ("company", "uen", "billing_address", "delivery_address", "phone"):
            known[name] = getattr(last, name)
    return known


def _show_form(
    request: HttpRequest,
    form: RequestForm,
    basket: QuoteRequest,
    post: QueryDict,
    *,
    status: int = 200,
) -> HttpResponse:
    context = {
        "form": form,
        "lines": _lines_of(basket),
        "started": post.get("started") or sign_start(),
        "submit_key": post.get("submit_key") or uuid4(),
    }
    page = "quotes/customer/request_form.html"
    return render(request, page, context, status=status)


def _read_key(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
