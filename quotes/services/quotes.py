"""Revisions before and after sending: build, details, revise, withdraw.

Sending itself is in `quotes.services.sending`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db import IntegrityError, transaction
from django.db.models import Max

from catalog.models import Notice, Product
from fabrics.models import DesignVersion
from fabrics.services import match_products
from quotes.errors import QuoteError
from quotes.models import (
    Line,
    Quote,
    QuoteRequest,
    RequestLine,
    Revision,
    RevisionDesign,
    Section,
    Terms,
)
from quotes.services.copying import discount_to_copy, lines_to_copy
from quotes.services.line_copies import COPIED
from quotes.services.lines import touch
from quotes.services.listings import Listings, listings_of
from quotes.services.moves import move_revision
from quotes.services.overrides import carry_over
from quotes.services.triage import take_request
from quotes.services.validity import default_validity
from quotes.states import (
    BOUGHT,
    EDITABLE,
    OPEN_REQUESTS,
    UNSENT,
    Actor,
    RequestStatus,
    RevisionStatus,
)
from sourceit.clock import has_ended, singapore_date
from sourceit.events import record_event
from sourceit.models import AccessLink, User

REVISABLE = (
    *BOUGHT,
    RevisionStatus.SENT,
    RevisionStatus.DECLINED,
    RevisionStatus.WITHDRAWN,
    RevisionStatus.SUPERSEDED,
)


@dataclass(slots=True)
class _Draft:
    """The rows of a new revision, gathered so that they are written in bulk."""

    revision: Revision
    listings: Listings
    lines: list[Line] = field(default_factory=list)

    def add(self, **fields: Any) -> None:
        position = len(self.lines)
        line = Line(revision=self.revision, position=position, **fields)
        self.lines.append(line)


# A design names a part by its ordering number, or by the family the catalogue has.
PART_KEYS = ("opn", "part")


@transaction.atomic
def build_quote(*, request: QuoteRequest, by: User, now: datetime) -> Revision:
    """Make the first draft that answers a request, from copies of what was asked.

    Listed products enter at today's price before GST, what is on request unpriced; a
    design becomes a section of its parts and an annex. A new request is taken first.

    Raises:
        QuoteError: the request is closed, or has a quote already.
    """
    # Held, so that two clicks make one quote.
    request = QuoteRequest.objects.select_for_update().get(pk=request.pk)
    if request.status not in OPEN_REQUESTS:
        state = request.get_status_display().lower()
        raise QuoteError(f"{request} is {state}, so it cannot be quoted.")
    if request.quotes.exists():
        raise QuoteError(f"{request} has a quote already. Revise it instead.")
    if request.status == RequestStatus.SUBMITTED:
        take_request(request=request, by=by)
    quote = Quote.objects.create(request=request)
    revision = Revision.objects.create(
        quote=quote,
        author=by,
        to_email=request.email,
        to_name=request.name,
        edited_at=now,
        edited_by=by,
        **_defaults(now),
    )
    _copy_request(revision, request, now)
    _start_validity(revision, now)
    text = f"Quote started by {by}"
    record_event(revision, "quote_started", text, by=by, after=revision.status)
    return revision


def _defaults(now: datetime) -> dict[str, Any]:
    """What every new revision starts with: the terms in force."""
    return {"terms": Terms.objects.in_force(singapore_date(now)).first()}


def _start_validity(draft: Revision, now: datetime) -> None:
    """Give a draft its last day, once it has what that rests on."""
    draft.valid_until = default_validity(draft, now)
    draft.save(update_fields=["valid_until"])


def _copy_request(revision: Revision, request: QuoteRequest, now: datetime) -> None:
    asked = list(
        request.lines.filter(removed_at=None).select_related(
            "product__collection", "design"
        )
    )
    designs = [line.design for line in asked if line.design]
    matches = _match_parts(designs)
    products = [line.product for line in asked if line.product]
    draft = _Draft(
        revision=revision,
        listings=listings_of(
            [*products, *matches.values()], currency=revision.currency, now=now
        ),
    )
    for line in asked:
        if line.design is None:
            _copy_line(draft, line)
    for position, line in enumerate(line for line in asked if line.design):
        _copy_design(draft, line, position, matches)
    Line.objects.bulk_create(draft.lines)
    products = [line.product for line in draft.lines if line.product]
    revision.notices.set(notices_for(products, now))


def _match_parts(designs: Iterable[DesignVersion]) -> dict[str, Product]:
    """Find the catalogue's products for all parts of some designs."""
    parts = [part for design in designs for part in design.result.get("bom", [])]
    return match_products({part.get(key, "") for part in parts for key in PART_KEYS})


def _copy_line(draft: _Draft, asked: RequestLine) -> None:
    copied: dict[str, Any] = {
        "maker": asked.maker,
        "mpn": asked.mpn,
        "description": asked.description,
    }
    if asked.product is not None:
        copied = draft.listings.new_line(asked.product)
    copied["asked_quantities"] = asked.more_quantities
    draft.add(quantity=Decimal(asked.quantity), **copied)


def _copy_design(
    draft: _Draft, asked: RequestLine, position: int, matches: Mapping[str, Product]
) -> None:
    """Turn a design into a section with a line for each part, and an annex."""
    design = asked.design
    assert design is not None
    section = Section.objects.create(
        revision=draft.revision, title=design.name, position=position
    )
    for part in design.result.get("bom", []):
        copied: dict[str, Any] = {
            "maker": part.get("maker", "")[:80],
            "mpn": part.get("opn", "")[:80],
        }
        found = (matches.get(part.get(key, "")) for key in PART_KEYS)
        product = next((each for each in found if each is not None), None)
        if product is not None:
            # The part number stays the design's own: a cable's ends in its length.
            listed = draft.listings.new_line(product)
            copied = {**listed, "mpn": copied["mpn"] or product.mpn}
        copied["description"] = part["description"][:500]
        quantity = Decimal(part["quantity"]) * asked.quantity
        draft.add(section=section, quantity=quantity, **copied)
    RevisionDesign.objects.create(
        revision=draft.revision,
        design=design,
        quantity=asked.quantity,
        position=position,
    )


def notices_for(products: Iterable[Product], now: datetime) -> list[Notice]:
    """Return the notices in force for the whole site or for one of the products."""
    wanted = list(products)
    return [
        notice
        for notice in Notice.objects.in_force(now)
        if notice.is_site_wide or any(notice.concerns(one) for one in wanted)
    ]


@transaction.atomic
def save_details(
    *,
    revision: Revision,
    changes: Mapping[str, Any],
    notices: Iterable[Notice] | None,
    by: User,
    now: datetime,
) -> None:
    """Write the fields of a draft that are not lines; `notices` None leaves them.

    Raises:
        QuoteError: it is no longer a draft.
    """
    touch(revision, by=by, now=now)
    if changes:
        Revision.objects.filter(pk=revision.pk).update(**changes)
    if notices is not None:
        revision.notices.set(notices)


@transaction.atomic
def revise_quote(*, revision: Revision, by: User, now: datetime) -> Revision:
    """Copy a revision that was sent into the next draft; the live one stays live.

    Validity (up to its cap), terms and notices are those of today; all else is copied,
    with the reasons for letting a check go that still hold.
    A revision that was accepted stays in force until the customer accepts the one that
    changes it.

    Raises:
        QuoteError: it was never sent, or the quote has an open draft already.
    """
    quote = revision.quote
    if revision.status not in REVISABLE:
        raise QuoteError(f"{revision} was not sent, so edit it instead.")
    if quote.revisions.filter(status__in=UNSENT).exists():
        raise QuoteError(f"{quote} has an open draft already.")
    last = quote.revisions.aggregate(last=Max("n"))["last"]
    draft = Revision(
        quote=quote,
        n=last + 1,
        author=by,
        edited_at=now,
        edited_by=by,
        amends=quote.revisions.filter(status__in=BOUGHT).first(),
        **{name: getattr(revision, name) for name in COPIED_DETAILS},
        discount_amount=discount_to_copy(revision),
        **_defaults(now),
    )
    try:
        with transaction.atomic():
            draft.save()
    except IntegrityError as error:
        raise QuoteError(f"{quote} has an open draft already.") from error
    copied_from = _copy_revision(revision, draft, now)
    _start_validity(draft, now)
    carry_over(source=revision, draft=draft, copied_from=copied_from, by=by, now=now)
    text = f"Revision {draft.n} started from revision {revision.n} by {by}"
    record_event(draft, "quote_revised", text, by=by, after=draft.status)
    return draft


COPIED_DETAILS = (
    "currency",
    "fx_rate",
    "fx_source",
    "fx_on",
    "fx_locked_until",
    "discount_percent",
    "incoterm",
    "delivery_place",
    "partial_shipment",
    "delivery_terms",
    "payment_terms",
    "excluded",
    "message",
    "internal_note",
    "to_email",
    "to_name",
    "cc",
)


def _copy_revision(source: Revision, draft: Revision, now: datetime) -> dict[int, int]:
    """Copy all that a revision has; return of each new line's id the one it is of."""
    sections: dict[int | None, Section | None] = {None: None}
    for section in source.sections.all():
        sections[section.pk] = Section.objects.create(
            revision=draft, title=section.title, position=section.position
        )
    lines = lines_to_copy(source)
    copies = Line.objects.bulk_create(
        Line(
            revision=draft,
            section=sections[line.section_id],
            position=line.position,
            **{name: getattr(line, name) for name in COPIED},
        )
        for line in lines
    )
    RevisionDesign.objects.bulk_create(
        RevisionDesign(
            revision=draft,
            design_id=annex.design_id,
            quantity=annex.quantity,
            position=i,
        )
        for i, annex in enumerate(source.designs.all())
    )
    products = [line.product for line in lines if line.product]
    draft.notices.set(notices_for(products, now))
    return {copy.pk: line.pk for copy, line in zip(copies, lines, strict=True)}


@transaction.atomic
def discard_draft(*, revision: Revision, by: User) -> None:
    """Delete a draft that no customer has seen; a quote without any goes with it.

    Raises:
        QuoteError: it is not a draft any more.
    """
    quote = revision.quote
    # Held, so that nobody sends it between the look and the deletion.
    drafts = Revision.objects.select_for_update().filter(status__in=EDITABLE)
    draft = drafts.filter(pk=revision.pk).first()
    if draft is None:
        raise QuoteError("The quote is no longer a draft. Load the page again.")
    text = f"{by} discarded draft revision {revision.n}"
    record_event(quote.request, "quote_discard", text, by=by, before=revision.status)
    draft.delete()
    if not quote.number and not quote.revisions.exists():
        quote.delete()


@transaction.atomic
def withdraw_quote(
    *, revision: Revision, by: User, reason: str, now: datetime
) -> Revision | None:
    """Take back a sent revision; return the one that is live again, if any.

    If nobody has acted on it, the revision it replaced is live again while that one's
    own date runs.

    Raises:
        QuoteError: there is no reason, or it is no longer only sent.
    """
    if not reason.strip():
        raise QuoteError("Enter a reason.")
    reason = reason.strip()[:500]
    move_revision(
        revision,
        "withdraw",
        f"Withdrawn by {by}: {reason}",
        actor=Actor.SALES,
        by=by,
        internal=True,
        closed_reason=reason,
    )
    return _restore_parent(revision, now)


def _restore_parent(revision: Revision, now: datetime) -> Revision | None:
    """Bring the replaced revision back, unless the customer answered its successor."""
    older = revision.quote.revisions.filter(
        n__lt=revision.n, status=RevisionStatus.SUPERSEDED
    )
    parent = older.order_by("-n").first()
    if parent is None or revision.change_requests.exists():
        return None
    if revision.quote.revisions.filter(status__in=BOUGHT).exists():
        # What was accepted stays in force; nothing else may be accepted beside it.
        return None
    if parent.valid_until is None or has_ended(parent.valid_until, now):
        return None
    text = f"Revision {parent.n} is live again"
    move_revision(parent, "restore", text, actor=Actor.SYSTEM, internal=True)
    # Only links that ended with the replacement; one revoked by hand stays so.
    AccessLink.objects.filter(
        subject_type=ContentType.objects.get_for_model(Revision),
        subject_id=parent.pk,
        revoked_at__gte=revision.sent_at or now,
    ).update(revoked_at=None)
    return parent
