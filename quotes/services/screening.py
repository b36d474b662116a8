"""Controlled items: who was screened, whether it still holds, and writing it down."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from catalog.models import Product
from quotes.errors import QuoteError
from quotes.models import Line, QuoteRequest, Revision, Screening
from quotes.models.screening import PARTY_FIELDS
from quotes.typed import clean_words
from sourceit.events import record_event
from sourceit.models import User

FIELD_WORDS = {
    "company": "customer",
    "end_user": "end user",
    "end_use": "end use",
    "final_country": "country of final use",
    "delivery_address": "delivery address",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a request stands with the export gate.

    `items` are the controlled part numbers, none where nothing is controlled; `missing`
    names what the customer has not said; `latest` is the last screening and `changed`
    what is other than it was screened.
    """

    items: list[str]
    missing: list[str]
    latest: Screening | None
    changed: list[str]

    @property
    def is_held(self) -> bool:
        """True until a screening that is not refused holds for what stands here."""
        if not self.items:
            return False
        refused = Screening.Result.REFUSED
        return (
            self.latest is None or bool(self.changed) or self.latest.result == refused
        )

    @property
    def words(self) -> str:
        """Say what is in the way of a clear screening; empty where nothing is."""
        if not self.items:
            return ""
        named = ", ".join(self.items[:3]) + (" and more" if self.items[3:] else "")
        if self.latest is None:
            return f"Controlled items ({named}) have not been screened."
        if self.changed:
            what = ", ".join(self.changed)
            return f"Changed since the screening: {what}. Screen it again."
        if self.latest.result == Screening.Result.REFUSED:
            return f"The screening {self.latest.reference} was refused."
        if self.latest.result == Screening.Result.CONDITIONS:
            return f"The screening {self.latest.reference} has conditions."
        return ""


def standing_of(request: QuoteRequest, lines: Iterable[Line]) -> Standing:
    """Return how a request stands for a quote of these lines (at most two queries)."""
    items = controlled_items(lines)
    if not items:
        return Standing(items=[], missing=[], latest=None, changed=[])
    missing = [
        FIELD_WORDS[name]
        for name in ("end_user", "end_use", "final_country")
        if not getattr(request, name).strip()
    ]
    latest = request.screenings.select_related("by").last()
    changed = _changed_since(latest, request, items) if latest else []
    return Standing(items=items, missing=missing, latest=latest, changed=changed)


def controlled_items(lines: Iterable[Line]) -> list[str]:
    """Return the part numbers of the lines that are export-controlled (one query).

    By the line's product and by its part number: one that was typed counts too.
    """
    offered = list(lines)
    pks = {line.product_id for line in offered} - {None}
    numbers = {line.mpn.strip().upper() for line in offered} - {""}
    if not (pks or numbers):
        return []
    # Few products are controlled: part numbers are compared here, in either case.
    controlled = Product.objects.filter(is_controlled=True).values_list("pk", "mpn")
    return sorted(
        {mpn for pk, mpn in controlled if pk in pks or mpn.upper() in numbers}
    )


def _changed_since(
    screened: Screening, request: QuoteRequest, items: list[str]
) -> list[str]:
    changed = [
        FIELD_WORDS[name]
        for name in PARTY_FIELDS
        if screened.parties.get(name, "") != getattr(request, name)
    ]
    if set(items) - set(screened.items):
        changed.append("the items")
    return changed


def refuse_held(revision: Revision) -> None:
    """Refuse to go on with controlled items whose screening is missing or untrue.

    Raises:
        QuoteError: says what is in the way.
    """
    standing = standing_of(revision.quote.request, revision.lines.all())
    if standing.is_held:
        raise QuoteError(standing.words)


@transaction.atomic
def record_screening(
    *,
    revision: Revision,
    result: str,
    reference: str,
    note: str,
    by: User,
    now: datetime,
) -> Screening:
    """Write down a screening of the request's parties and the revision's items.

    Raises:
        QuoteError: nothing is controlled, or what is to be screened is not known.
    """
    request = QuoteRequest.objects.select_for_update().get(pk=revision.quote.request_id)
    standing = standing_of(request, revision.lines.all())
    if not standing.items:
        raise QuoteError("Nothing on this quote is controlled.")
    if standing.missing:
        raise QuoteError(f"Enter first: {', '.join(standing.missing)}.")
    if result not in Screening.Result.values:
        raise QuoteError("Choose the result of the screening.")
    if not reference.strip():
        raise QuoteError("Enter the reference of the screening.")
    screening = Screening.objects.create(
        request=request,
        parties={name: getattr(request, name) for name in PARTY_FIELDS},
        items=standing.items,
        result=result,
        reference=clean_words(reference, "reference", 80),
        note=clean_words(note, "note", 500),
        by=by,
        at=now,
    )
    label = screening.get_result_display().lower()
    text = f"{by} recorded the screening {screening.reference}: {label}"
    record_event(request, "request_screened", text, by=by, after=result)
    return screening


@transaction.atomic
def save_end_use(
    *, request: QuoteRequest, changes: dict[str, str], by: User, now: datetime
) -> None:
    """Write what the customer said of end use and destination, with what it was.

    Any other value than the screened one opens the screening again.
    """
    held = QuoteRequest.objects.select_for_update().get(pk=request.pk)
    wanted = {
        name: text for name, text in changes.items() if getattr(held, name) != text
    }
    if not wanted:
        return
    was = {name: getattr(held, name) for name in wanted}
    for name, text in wanted.items():
        setattr(held, name, text)
    held.save(update_fields=list(wanted))
    named = ", ".join(FIELD_WORDS[name] for name in wanted)
    record_event(
        held,
        "request_end_use",
        f"{by} changed the {named}",
        by=by,
        was=was,
        now=wanted,
        at=now.isoformat(),
    )
