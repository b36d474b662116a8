"""Typed makers of test data; every argument is optional."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import Group
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from catalog.models import Collection, Product
from quotes.content import build_content
from quotes.models import (
    Approval,
    Line,
    Order,
    Quote,
    QuoteRequest,
    RequestLine,
    Revision,
)
from quotes.services.answers import Signature, accept_quote
from quotes.services.approvals import reviewed_hash
from quotes.services.clock import UNANSWERED, clock_fields
from quotes.services.manifests import make_record
from quotes.services.orders import confirm_order, convert_quote, print_confirmation
from quotes.services.sending import dispatch_revision, send_quote
from quotes.states import RequestStatus, RevisionStatus
from sourceit.access import APPROVER, SALES
from sourceit.models import Organisation, User
from tests.files import PDF_BYTES


def make_user(email: str = "", **fields: Any) -> User:
    email = email or f"{uuid4().hex[:8]}@example.com"
    return User.objects.create_user(email, "let me in please", **fields)


def make_staff(email: str = "", *roles: str, **fields: Any) -> User:
    user = make_user(email, is_staff=True, **fields)
    user.groups.set(Group.objects.filter(name__in=roles or [SALES]))
    return user


def make_approver(email: str = "", **fields: Any) -> User:
    return make_staff(email, SALES, APPROVER, **fields)


def make_collection(name: str = "Switches", **fields: Any) -> Collection:
    slug = fields.pop("slug", name.lower().replace(" ", "-"))
    found, _created = Collection.objects.get_or_create(
        slug=slug, defaults={"name": name, **fields}
    )
    return found


def make_product(**fields: Any) -> Product:
    mpn = fields.pop("mpn", f"PART-{uuid4().hex[:8]}")
    defaults: dict[str, Any] = {
        "collection": fields.pop("collection", None) or make_collection(),
        "name": f"Product {mpn}",
        "slug": mpn.lower(),
        "maker": "NVIDIA",
        "price": Decimal("28523.25"),
        "listed_on": date(2026, 11, 6),
        "form": Product.Form.SWITCH,
        "supply": Product.Supply.AVAILABLE_TO_ORDER,
    }
    return Product.objects.create(mpn=mpn, **(defaults | fields))


def make_organisation(name: str = "Example Research Pte Ltd") -> Organisation:
    return Organisation.objects.create(name=name)


def make_request(*, lines: int = 1, **fields: Any) -> QuoteRequest:
    """A submitted request unless `status` says otherwise."""
    now = timezone.now()
    defaults: dict[str, Any] = {
        "status": RequestStatus.SUBMITTED,
        "number": f"RFQ-2026-{uuid4().int % 10**6:06d}",
        "name": "Carol Tan",
        "email": "carol@example.com",
        "company": "Example Research Pte Ltd",
        "submitted_at": now,
        "consent_at": now,
    }
    request = QuoteRequest(**(defaults | fields))
    if request.status in UNANSWERED and request.submitted_at and not request.clock_from:
        for name, value in clock_fields(
            request, "submit", request.submitted_at
        ).items():
            setattr(request, name, value)
    request.save()
    for position in range(lines):
        RequestLine.objects.create(
            request=request,
            position=position,
            mpn=f"PART-{position}",
            description=f"Thing {position}",
            quantity=position + 1,
        )
    return request


def make_revision(*, lines: int = 1, **fields: Any) -> Revision:
    """A complete draft that could be sent; `status` and the rest may be given."""
    author = fields.pop("author", None) or make_staff()
    quote = fields.pop("quote", None) or Quote.objects.create(
        request=fields.pop("request", None)
        or make_request(status=RequestStatus.IN_PROGRESS, owner=author)
    )
    defaults: dict[str, Any] = {
        "valid_until": timezone.localdate() + timedelta(days=14),
        "to_email": quote.request.email,
        "to_name": quote.request.name,
    }
    revision = Revision.objects.create(
        quote=quote, author=author, **(defaults | fields)
    )
    for position in range(lines):
        make_line(revision, position=position)
    if revision.status in (RevisionStatus.PENDING_APPROVAL, RevisionStatus.APPROVED):
        make_approval(revision)
    return revision


def make_bought(by: User, *, lines: int = 1, **asked: Any) -> Revision:
    """A quote that was sent and accepted, with its record printed.

    Renders no quotation of its own: patch `quotes.services.sending.render_quote`.
    """
    now = timezone.now()
    request = make_request(status=RequestStatus.IN_PROGRESS, owner=by, **asked)
    revision = make_revision(request=request, author=by, lines=lines)
    send_quote(
        revision=revision,
        by=by,
        to_email=request.email,
        to_name=request.name,
        cc=[],
        message="",
        now=now - timedelta(minutes=1),
    )
    assert dispatch_revision(revision.pk, now)
    signature = Signature(
        name=request.name,
        job_title="Head of purchasing",
        email=request.email,
        words="I accept.",
        po_number="PO-4711",
        po_file=SimpleUploadedFile("po-4711.pdf", PDF_BYTES),
    )
    revision.refresh_from_db()
    acceptance = accept_quote(revision=revision, signature=signature, now=now)
    assert make_record(acceptance.pk, now)
    return Revision.objects.get(pk=revision.pk)


def make_approval(revision: Revision, **fields: Any) -> Approval:
    """The look that a revision's state stands on: waiting, or given by an approver."""
    whole = Revision.objects.with_lines().get(pk=revision.pk)
    content = build_content(whole, now=timezone.now())
    defaults: dict[str, Any] = {
        "row_version": revision.row_version,
        "content": content,
        "content_sha256": reviewed_hash(content),
        "reasons": [{"kind": "margin_under", "words": "The margin is 3.0%, under 8%."}],
        "submitted_by": revision.author,
    }
    if revision.status == RevisionStatus.APPROVED:
        defaults |= {
            "outcome": Approval.Outcome.APPROVED,
            "decided_by": fields.pop("decided_by", None) or make_approver(),
            "decided_at": timezone.now(),
        }
    return Approval.objects.create(revision=revision, **(defaults | fields))


def make_order(bought: Revision, by: User, *, is_confirmed: bool = True) -> Order:
    """The order of an accepted quote, printed, and confirmed unless said otherwise."""
    now = timezone.now()
    order = convert_quote(revision=bought, by=by, now=now)
    assert print_confirmation(order.pk, now)
    order.refresh_from_db()
    if is_confirmed:
        confirm_order(order=order, by=by, now=now)
        order.refresh_from_db()
    return order


def make_line(revision: Revision, **fields: Any) -> Line:
    defaults: dict[str, Any] = {
        "description": "NVIDIA Spectrum-2 SN3700",
        "maker": "NVIDIA",
        "mpn": "MSN3700-VS2F",
        "quantity": Decimal(1),
        "unit_price": Decimal("26168.1193"),
        "unit_cost": Decimal("21234.5600"),
        "lead_weeks_min": 4,
        "lead_weeks_max": 6,
        "lead_source": "sample data",
        "warranty": "1 year",
    }
    return Line.objects.create(revision=revision, **(defaults | fields))
