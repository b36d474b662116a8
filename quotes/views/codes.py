"""Accepting by a link: is the visitor the one whom the link was sent to?

A link may have been forwarded whenever its browser has not shown otherwise. It shows
so with a code from the recipient's mailbox, which then holds for half a day, or with
an account that may buy for the customer.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from quotes.errors import QuoteError
from quotes.forms import AcceptForm
from quotes.models import Revision
from quotes.services.answers import acceptance_of
from quotes.services.codes import has_open_code, send_code, use_code
from quotes.states import RevisionStatus
from quotes.views.secret import Reader, may_act_for
from sourceit.access import client_address
from sourceit.http import HttpRequest
from sourceit.limits import RateLimited, check_rate

PROVED = "mailboxes"
PROOF_LIFE = timedelta(hours=12)


class WrongCode(QuoteError):
    """The code does not open; the message is fit to show beside its field."""


def needs_code(request: HttpRequest, reader: Reader, revision: Revision) -> bool:
    """True where nothing yet shows that the visitor is the link's recipient."""
    if reader.link is None or revision.has_expired(timezone.now()):
        # By account, or there is nothing to accept: that is said without a code.
        return False
    if reader.user and may_act_for(reader.user, revision.quote.request):
        return False
    since = request.session.get(PROVED, {}).get(reader.link.email, "")
    if not since:
        return True
    return datetime.fromisoformat(since) + PROOF_LIFE < timezone.now()


def confirm(
    request: HttpRequest,
    reader: Reader,
    revision: Revision,
    form: AcceptForm,
    accept: Callable[[], object],
) -> None:
    """Accept, after using up the code where the form has one.

    Both are one transaction: of two clicks the second waits, finds the code used, and
    is the first result again.

    Raises:
        WrongCode: and nothing was accepted.
        QuoteError: as `accept` says; the code is not used up then.
    """
    if reader.link is None or "code" not in form.fields:
        accept()
        return
    with transaction.atomic():
        wrong = use_code(
            link=reader.link,
            session=_session_of(request),
            typed=form.cleaned_data["code"],
            now=timezone.now(),
        )
        if not wrong:
            accept()
    if wrong and acceptance_of(revision) is None:
        raise WrongCode(wrong)
    if not wrong:
        _remember(request, reader.link.email)


def offer_code(
    request: HttpRequest, reader: Reader, revision: Revision, form: AcceptForm
) -> None:
    """Send the code by itself when everything but it was filled in."""
    if reader.link is None or set(form.errors) != {"code"}:
        return
    if form["code"].value() or revision.status != RevisionStatus.SENT:
        return
    if has_open_code(reader.link, _session_of(request), timezone.now()):
        return
    form.errors["code"] = form.error_class([send_words(request, reader, revision)])


def code_context(request: HttpRequest, reader: Reader) -> dict[str, str]:
    """What the accept page says about the code."""
    if reader.link is None:
        return {}
    back = urlencode({"next": request.path.removesuffix("code/")})
    return {
        "code_email": masked(reader.link.email),
        "signin_url": f"{reverse(settings.LOGIN_URL)}?{back}",
    }


def masked(email: str) -> str:
    """Show enough of an address for its owner: g•••@buyer.example."""
    name, _, domain = email.partition("@")
    return f"{name[:1]}•••@{domain}"


def send_words(request: HttpRequest, reader: Reader, revision: Revision) -> str:
    """Send a code, at most so many an hour; return what to tell the visitor."""
    assert reader.link is not None, "only links ask for codes"
    try:
        check_rate("code-address", client_address(request), limit=20, seconds=3600)
        check_rate("code-link", str(reader.link.pk), limit=6, seconds=3600)
    except RateLimited as error:
        return str(error)
    send_code(
        revision=revision,
        link=reader.link,
        session=_session_of(request),
        now=timezone.now(),
    )
    return f"We have e-mailed a code to {masked(reader.link.email)}. Enter it here."


def _session_of(request: HttpRequest) -> str:
    """The browser's session; it is begun with the first code."""
    if not request.session.session_key:
        request.session.create()
    return str(request.session.session_key)


def _remember(request: HttpRequest, email: str) -> None:
    proved = request.session.get(PROVED, {})
    request.session[PROVED] = {**proved, email: timezone.now().isoformat()}
