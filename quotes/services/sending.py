"""Send a quote: time to undo, then number, PDF and e-mails; each exactly once."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from decimal import Decimal

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from quotes.choosing import has_choices
from quotes.content import Content, build_content, hash_content
from quotes.errors import QuoteError
from quotes.models import Quote, Revision
from quotes.pdf import file_name, render_quote
from quotes.services.approvals import refuse_unapproved, standing_approval
from quotes.services.checks import find_problems
from quotes.services.moves import move_request, move_revision
from quotes.states import BOUGHT, Actor, RequestStatus, RevisionStatus
from sourceit.clock import end_of_day, singapore_date
from sourceit.deliveries import cancel_queued
from sourceit.documents import (
    await_document,
    claim_document,
    document_of,
    drop_file,
    fail_document,
    finish_document,
    nudge_due,
    release_stale,
    store_file,
    take_back_document,
)
from sourceit.documents import retry_document as retry
from sourceit.events import record_event
from sourceit.links import issue_link, revoke_links
from sourceit.mail import queue_email
from sourceit.models import AccessLink, Document, User
from sourceit.money import format_money
from sourceit.numbers import take_number

QUOTATION = "quotation"
ANSWER = "answer"
MAX_COPIES = 10
# A customer may still read a quote for half a year after it ran out.
LINK_LIFE = timedelta(days=180)


class _ClaimLost(Exception):
    """Another worker took this document over; its result counts, not ours."""


def send_quote(
    *,
    revision: Revision,
    by: User,
    to_email: str,
    to_name: str,
    cc: list[str],
    message: str,
    now: datetime,
) -> None:
    """Start sending: nothing leaves before `SEND_UNDO_SECONDS` have passed.

    Raises:
        QuoteError: an address is wrong, the quote is not complete or not approved, or
            it was moved.
    """
    to, copies = _check_recipients(to_email, cc)
    with transaction.atomic():
        # Held, so that what is checked here is what is sent.
        Revision.objects.select_for_update().get(pk=revision.pk)
        whole = Revision.objects.with_lines().get(pk=revision.pk)
        whole.to_email, whole.message = to, message.strip()
        _refuse_problems(whole, now)
        refuse_unapproved(whole, now)
        move_revision(
            revision,
            "send",
            f"{by} sends it to {', '.join([to, *copies])}",
            actor=Actor.SALES,
            by=by,
            internal=True,
            to_email=to,
            to_name=to_name.strip()[:120],
            cc=copies,
            message=message.strip(),
            send_after=now + timedelta(seconds=settings.SEND_UNDO_SECONDS),
            sent_by=by,
        )
        await_document(revision, QUOTATION, f"Quotation rev {revision.n}")


def undo_send(*, revision: Revision, by: User, now: datetime) -> None:
    """Take a quote back to what it was, unless a worker has begun to send it.

    Raises:
        QuoteError: it is being sent, or has been.
    """
    with transaction.atomic():
        if not take_back_document(revision, QUOTATION, now):
            raise QuoteError("It is too late to undo: the quotation is on its way.")
        is_approved = standing_approval(revision) is not None
        move_revision(
            revision,
            "undo_approved" if is_approved else "undo",
            f"{by} took it back before it was sent",
            actor=Actor.SALES,
            by=by,
            internal=True,
            send_after=None,
            sent_by=None,
        )


def retry_document(*, revision: Revision, by: User, now: datetime) -> None:
    """Let a PDF that could not be made be made again; the sweep takes it up.

    Raises:
        QuoteError: there is nothing to retry.
    """
    with transaction.atomic():
        document = document_of(revision, QUOTATION)
        if document is None or not retry(document):
            raise QuoteError("There is no failed document to make again.")
        text = f"{by} asked to make the PDF again"
        record_event(revision, "document_retried", text, by=by, at=now.isoformat())


def find_due(now: datetime) -> list[int]:
    """Return ids of revisions to dispatch now; lets go of what dead workers held."""
    release_stale(QUOTATION, now)
    due = Revision.objects.filter(
        status=RevisionStatus.SENDING, send_after__lte=now
    ).order_by("send_after")
    return nudge_due(QUOTATION, due, now)


def dispatch_revision(pk: int, now: datetime) -> bool:
    """Send a due revision; False when there is nothing to do or it could not be made.

    The claim is what makes a repeated task harmless. Whatever breaks is written on the
    document, for a person to see and retry; the revision stays `sending` and the one
    before it stays live.
    """
    due = Revision.objects.filter(
        pk=pk, status=RevisionStatus.SENDING, send_after__lte=now
    ).first()
    document = claim_document(due, QUOTATION, now) if due else None
    if document is None:
        return False
    try:
        _make_and_send(pk, document, now)
    except _ClaimLost:
        drop_file(document)
        return False
    except Exception as error:
        # Also the soft time limit and a full disk. The file goes only with the claim:
        # once the transaction is through, it is the customer's.
        if fail_document(document, error):
            drop_file(document)
        return False
    return True


def _make_and_send(pk: int, document: Document, now: datetime) -> None:
    """Number, freeze and render outside any transaction; then one short one."""
    revision = Revision.objects.with_lines().get(pk=pk)
    _refuse_problems(revision, now)
    _give_number(revision.quote, now)
    content = build_content(revision, now=now)
    pdf = render_quote(content, is_draft=False, created=now)
    store_file(document, pdf.data, file_name(content["number"], revision.n))
    with transaction.atomic():
        if not finish_document(document, pages=pdf.pages):
            raise _ClaimLost
        _supersede_parent(revision, content)
        _mark_sent(revision, document, content, now)
        _mark_replied(revision, now)
        _queue_emails(revision, document, content)


def _give_number(quote: Quote, now: datetime) -> None:
    """Give the quote its number once, at the first send; it keeps it whatever comes."""
    with transaction.atomic():
        kept = Quote.objects.select_for_update().get(pk=quote.pk)
        if not kept.number:
            kept.number = take_number("Q", singapore_date(now).year)
            kept.save(update_fields=["number"])
    quote.number = kept.number


def _supersede_parent(revision: Revision, content: Content) -> None:
    """Replace the live revision; an accepted one stays in force until this is accepted.

    Raises:
        QuoteError: an earlier revision was accepted, or voided, in the meantime, so
            that this one no longer says what it changes.
    """
    others = Revision.objects.filter(quote=revision.quote).exclude(pk=revision.pk)
    bought = others.filter(status__in=BOUGHT).values_list("n", flat=True).first()
    if bought != content["amends"]:
        raise QuoteError(
            "An earlier revision was accepted or voided in the meantime, so this was "
            "not sent."
        )
    for parent in others.filter(status=RevisionStatus.SENT):
        text = f"Replaced by rev {revision.n}"
        move_revision(parent, "supersede", text, actor=Actor.SYSTEM)
        revoke_links(parent, purpose=ANSWER)
        cancel_queued(parent)


def _mark_sent(
    revision: Revision, document: Document, content: Content, now: datetime
) -> None:
    totals = content["totals"]
    gross = format_money(Decimal(totals["gross"]), content["currency"])
    move_revision(
        revision,
        "dispatch",
        f"{content['number']} rev {revision.n} sent to {revision.to_email}: {gross}",
        actor=Actor.SYSTEM,
        by=revision.sent_by,
        frozen_at=now,
        sent_at=now,
        content=content,
        content_sha256=hash_content(content),
        net=Decimal(totals["net"]),
        gst=Decimal(totals["gst"]),
        gross=Decimal(totals["gross"]),
        document=document,
    )


def _mark_replied(revision: Revision, now: datetime) -> None:
    request = revision.quote.request
    if request.status == RequestStatus.WON:
        # A change to what was accepted: the request stays won.
        return
    move_request(
        request,
        "quote",
        f"Quotation {revision.quote.number} rev {revision.n} sent",
        actor=Actor.SYSTEM,
        replied_at=request.replied_at or now,
    )


def _queue_emails(revision: Revision, document: Document, content: Content) -> None:
    """Queue one e-mail for each recipient, each with a link of their own."""
    last_day = date.fromisoformat(content["valid_until"])
    people = [(revision.to_email, revision.to_name)]
    people += [(address, "") for address in revision.cc]
    for email, name in people:
        queue_email(
            revision,
            "quote_sent",
            to=email,
            reply_to=content["salesperson"]["email"],
            link=issue_answer_link(revision, email, name, last_day),
            document=document,
            occasion=f"rev-{revision.n}",
            context=_email_context(content, name, [to for to, _name in people]),
        )


def issue_answer_link(
    revision: Revision, email: str, name: str, last_day: date
) -> AccessLink:
    """Return the recipient's link to read and answer a quote; it outlives the quote."""
    return issue_link(
        revision,
        purpose=ANSWER,
        email=email,
        name=name,
        expires_at=end_of_day(last_day) + LINK_LIFE,
    )


def _email_context(content: Content, to_name: str, everybody: list[str]) -> Content:
    last_day = date.fromisoformat(content["valid_until"])
    gross = _money(content, "gross")
    has_rounding = bool(Decimal(content["totals"]["rounding"]))
    return {
        "number": content["number"],
        "n": content["revision"],
        "amends": content["amends"],
        "to_name": to_name,
        "message": content["message"],
        "salesperson": content["salesperson"],
        "notices": content["notices"],
        "valid_until": last_day,
        "gross": gross,
        "facts": [
            ("Discount included", _discount_words(content)),
            ("Before GST", _money(content, "net")),
            ("GST", _money(content, "gst")),
            ("Rounding", _money(content, "rounding") if has_rounding else ""),
            ("Total including GST", gross),
            ("For you to choose", _choice_words(content)),
            ("In Singapore dollars", _home_words(content)),
            ("Valid until", f"{last_day:%-d %b %Y}, end of day, Singapore time (SGT)"),
            ("Delivery", content["delivery_terms"]),
            ("Payment", content["payment_terms"]),
            ("Your reference", content["buyer"]["reference"]),
            ("Sent to", ", ".join(everybody) if len(everybody) > 1 else ""),
        ],
    }


def _money(content: Content, name: str) -> str:
    return format_money(Decimal(content["totals"][name]), content["currency"])


def _choice_words(content: Content) -> str:
    return "Options and quantities, when you accept" if has_choices(content) else ""


def _home_words(content: Content) -> str:
    """Write the totals in S$ and the rate; empty for a quote in S$."""
    sgd, fx = content["totals"].get("sgd"), content.get("fx")
    if not (sgd and fx):
        return ""
    net, gst, gross = (format_money(Decimal(sgd[n])) for n in ("net", "gst", "gross"))
    on = f", {date.fromisoformat(fx['on']):%-d %b %Y}" if fx["on"] else ""
    rate = f"S${fx['rate']} for 1 {content['currency']}, {fx['source']}{on}"
    return f"{gross} ({net} before GST, GST {gst}), at {rate}"


def _discount_words(content: Content) -> str:
    """Write the discount on the whole, before GST; empty where there is none."""
    totals = content["totals"]
    if not totals.get("discount"):
        return ""
    percent = totals["discount_percent"]
    amount = format_money(Decimal(totals["discount"]), content["currency"])
    return f"{percent}%: {amount} before GST" if percent else f"{amount} before GST"


def _check_recipients(to_email: str, cc: Iterable[str]) -> tuple[str, list[str]]:
    to = to_email.strip().lower()
    copies = list(dict.fromkeys(address.strip().lower() for address in cc))
    copies = [address for address in copies if address and address != to]
    if len(copies) > MAX_COPIES:
        raise QuoteError(f"At most {MAX_COPIES} people can be sent a copy.")
    for address in (to, *copies):
        try:
            validate_email(address)
        except ValidationError:
            raise QuoteError(
                f"{address or 'Nothing'} is not an e-mail address."
            ) from None
    return to, copies


def _refuse_problems(revision: Revision, now: datetime) -> None:
    """Refuse what must never reach a customer, at the send and again at dispatch.

    Raises:
        QuoteError: says the first thing that is wrong.
    """
    for problem in find_problems(revision, now):
        if problem.is_blocking:
            raise QuoteError(problem.message)
