"""Contact and privacy."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from quotes.errors import QuoteError
from quotes.forms import ContactForm
from quotes.models import QuoteRequest
from quotes.services import baskets
from quotes.services.requests import submit_request
from quotes.views.basket import visitor_of
from quotes.views.requests import check_person, confirm, sign_start
from sourceit.http import HttpRequest
from sourceit.limits import RateLimited


@require_http_methods(["GET", "HEAD", "POST"])
def contact(request: HttpRequest) -> HttpResponse:
    """Show how to reach the shop; what is written here becomes a request."""
    posted = request.POST if request.method == "POST" else None
    form = ContactForm(posted, initial=_known(request))
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                return _become_request(request, form)
            except (QuoteError, RateLimited) as error:
                form.add_error(None, str(error))
                status = 429 if isinstance(error, RateLimited) else 422
    context = {
        "form": form,
        "started": request.POST.get("started") or sign_start(),
        "submit_key": request.POST.get("submit_key") or uuid4(),
    }
    return render(request, "quotes/customer/contact.html", context, status=status)


def _become_request(request: HttpRequest, form: ContactForm) -> HttpResponse:
    try:
        key = UUID(request.POST.get("submit_key", ""))
    except ValueError as error:
        raise QuoteError("Please check and send again.") from error
    done = QuoteRequest.objects.filter(submit_key=key).first()
    if done is None:
        check_person(request, form.cleaned_data, request.POST)
        done = _submit(request, form, key)
    messages.success(request, "We have your message.")
    return confirm(request, done)


@transaction.atomic
def _submit(request: HttpRequest, form: ContactForm, key: UUID) -> QuoteRequest:
    """Make a request of one line: the message's first words; the whole goes with it."""
    user = visitor_of(request)
    draft = baskets.make_basket(user=None)
    message = form.cleaned_data["message"]
    first_line = message.splitlines()[0][:200]
    baskets.add_text(basket=draft, description=first_line, quantity=1)
    asked = submit_request(
        basket=draft, details=form.cleaned_data, key=key, user=user, now=timezone.now()
    )
    if asked.pk != draft.pk:  # a second click was quicker
        draft.delete()
    return asked


def _known(request: HttpRequest) -> dict[str, str]:
    about = {"message": request.GET.get("about", "")[:500]}
    user = visitor_of(request)
    return about if user is None else {**about, "name": user.name, "email": user.email}


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "quotes/customer/privacy.html")
