"""One-time codes: who accepts by a link reads the mailbox that the link went to.

Anybody may hold a link that was forwarded, and nothing tells it from one that was not.
So every browser is asked once for a code, unless its visitor is known otherwise.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from hmac import compare_digest

from django.conf import settings
from django.db.models import F, QuerySet
from django.utils.crypto import salted_hmac

from quotes.models import AcceptCode, Revision
from sourceit.codes import DIGITS, code_of, code_placeholder
from sourceit.mail import queue_email
from sourceit.models import AccessLink

CODE_LIFE = timedelta(minutes=10)
MAX_TRIES = 5


def send_code(
    *, revision: Revision, link: AccessLink, session: str, now: datetime
) -> AcceptCode:
    """E-mail a new code to the link's recipient; the browser's older ones end."""
    codes_for(link, session).filter(used_at=None).delete()
    code = AcceptCode(
        link=link,
        session_hash=_hash_session(session),
        created_at=now,
        expires_at=now + CODE_LIFE,
    )
    code.code_hash = _hash_code(code, code_of(code.pk))
    code.save()
    owner = revision.quote.request.owner
    queue_email(
        revision,
        "accept_code",
        to=link.email,
        context={
            "revision": revision,
            "code": code_placeholder(code.pk),
            "until": code.expires_at,
        },
        reply_to=owner.email if owner else settings.SALES_EMAIL,
        occasion=code.pk.hex,
    )
    return code


def use_code(*, link: AccessLink, session: str, typed: str, now: datetime) -> str:
    """Use up a code, once; return what is wrong with it, "" for the right one.

    It does not raise, so that the try that a wrong code costs is kept.
    """
    code = codes_for(link, session).filter(expires_at__gt=now).first()
    if code is None:
        return "There is no code that still works. Have a new one sent."
    # Counted before it is compared: of tries at the same instant each takes a place.
    unused = AcceptCode.objects.filter(pk=code.pk, used_at=None)
    if not unused.filter(tries__lt=MAX_TRIES).update(tries=F("tries") + 1):
        return "The code was used or tried too often. Have a new one sent."
    if not compare_digest(_hash_code(code, _digits(typed)), code.code_hash):
        return "The code is not right. Look at the newest e-mail."
    unused.update(used_at=now)
    return ""


def codes_for(link: AccessLink, session: str) -> QuerySet[AcceptCode]:
    """Return the codes sent for one link to one browser, newest first."""
    return AcceptCode.objects.filter(link=link, session_hash=_hash_session(session))


def has_open_code(link: AccessLink, session: str, now: datetime) -> bool:
    """True while a code that was sent can still be used."""
    live = codes_for(link, session).filter(used_at=None, expires_at__gt=now)
    return live.filter(tries__lt=MAX_TRIES).exists()


def _digits(typed: str) -> str:
    """Read a code however it was typed: "123 456", "123-456"."""
    return "".join(sign for sign in typed if sign.isdecimal())[: DIGITS + 1]


def _hash_session(session: str) -> str:
    return salted_hmac("quotes.accept-session", session, algorithm="sha256").hexdigest()


def _hash_code(code: AcceptCode, digits: str) -> str:
    bound = f"{code.pk}:{code.link_id}:{code.session_hash}:{digits}"
    return salted_hmac("quotes.accept-code", bound, algorithm="sha256").hexdigest()
