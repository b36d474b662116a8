"""From basket to request: the form, the check, the sending."""

from __future__ import annotations

import time
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.core import signing
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from quotes.errors import QuoteError
from quotes.forms import RequestForm
from quotes.models import QuoteRequest
from quotes.services.files import files_of
from quotes.services.requests import (
    confirmation_link,
    is_controlled,
    is_empty,
    submit_request,
)
from quotes.views.basket import current_basket, visitor_of
from sourceit.access import client_address
from sourceit.http import HttpRequest
from sourceit.limits import RateLimited, check_rate
from sourceit.links import token_of

# Nobody fills in the form in less; a script does.
LEAST_SECONDS = 2
TRAPPED = "This was not sent. Please call us."
STARTED = signing.TimestampSigner(salt="request-form")


@require_http_methods(["GET", "HEAD", "POST"])
def request_form(request: HttpRequest) -> HttpResponse:
    """Show the form; a POST comes back from the check page to change something."""
    basket = current_basket(request)
    if basket is None or is_empty(basket):
        messages.info(request, "Your request is empty. Add an item first.")
        return redirect("quotes:basket")
    initial = _known_details(request)
    form = RequestForm(initial=initial, is_controlled=is_controlled(basket))
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
    if form.is_valid() and form.cleaned_data["website"]:
        form.add_error(None, TRAPPED)
    if not form.is_valid():
        return _show_form(request, form, basket, request.POST, status=422)
    context = {
        "form": form,
        "lines": basket.lines_asked(),
        "files": files_of(basket),
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
        return confirm(request, done)
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
            user=visitor_of(request),
            now=timezone.now(),
        )
    except (QuoteError, RateLimited) as error:
        form.add_error(None, str(error))
        status = 429 if isinstance(error, RateLimited) else 422
        return _show_form(request, form, basket, request.POST, status=status)
    request.session.pop("basket", None)
    request.session["basket_count"] = 0
    return confirm(request, asked)


def confirm(request: HttpRequest, asked: QuoteRequest) -> HttpResponse:
    """Go to the request's own page, which tells this browser that it was received."""
    request.session["just_sent"] = asked.pk
    link = confirmation_link(asked, visitor_of(request))
    return redirect("quotes:track", token_of(link))


def check_person(
    request: HttpRequest, details: dict[str, Any], post: QueryDict
) -> None:
    """Refuse what no person sends: a filled trap, a form sent at once, a flood.

    Raises:
        QuoteError: the trap was filled or the form came back too soon.
        RateLimited: too many from this address or for this e-mail.
    """
    if details.get("website"):
        raise QuoteError(TRAPPED)
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


def _bound_form(post: QueryDict, basket: QuoteRequest) -> RequestForm:
    # A fresh instance: validating must never write into the basket.
    return RequestForm(
        post, instance=QuoteRequest(), is_controlled=is_controlled(basket)
    )


def _known_details(request: HttpRequest) -> dict[str, Any]:
    """Fill in what is known of a signed-in person, from their last request too."""
    user = visitor_of(request)
    if user is None:
        return {}
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
        "lines": basket.lines_asked(),
        "files": files_of(basket),
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
