"""Contact and privacy."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from quotes.errors import QuoteError
from quotes.forms import ContactForm
from quotes.models import QuoteRequest
from quotes.services import baskets
from quotes.services.requests import submit_request, tracking_link
from quotes.views.requests import check_person, sign_start
from sourceit.http import HttpRequest
from sourceit.limits import RateLimited
from sourceit.links import token_of
from sourceit.models import User


@require_http_methods(["GET", "POST"])
def contact(request: HttpRequest) -> HttpResponse:
    """Show how to reach the shop; what is written here becomes a request."""
    form = ContactForm(request.POST or None, initial=_known(request))
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
    request.session["just_sent"] = done.pk
    return redirect("quotes:track", token_of(tracking_link(done)))


@transaction.atomic
def _submit(request: HttpRequest, form: ContactForm, key: UUID) -> QuoteRequest:
    """Make a request of one line: the message's first words; the whole goes with it."""
    user = request.user if isinstance(request.user, User) else None
    draft = baskets.make_basket(user=user)
    message = form.cleaned_data["message"]
    first_line = message.splitlines()[0][:200]
    baskets.add_text(basket=draft, description=first_line, quantity=1)
    return submit_request(
        basket=draft, details=form.cleaned_data, key=key, user=user, now=timezone.now()
    )


def _known(request: HttpRequest) -> dict[str, str]:
    if not isinstance(request.user, User):
        return {"message": request.GET.get("about", "")[:500]}
    return {
        "name": request.user.name,
        "email": request.user.email,
        "message": request.GET.get("about", "")[:500],
    }


@require_GET
def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "quotes/customer/privacy.html")
