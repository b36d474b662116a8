"""What a customer sees of a revision: built once, then frozen.

The page, the PDF, the e-mail and every export read this content and nothing else: they
cannot differ by a cent, and cost, margin, suppliers and notes cannot leak, for they are
never put in. All values are JSON: amounts are strings, dates are ISO dates.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.conf import settings

from quotes.compare import compare_contents
from quotes.models import Approval, Line, Revision
from quotes.offering import choices_of, offer_of
from quotes.pricing import Kind, Sums, add_up, line_net
from quotes.states import BOUGHT
from sourceit.clock import singapore_date
from sourceit.tax import gst_percent

Content = dict[str, Any]

# Bumped when the shape changes; old frozen content keeps the version it was made with.
CONTENT_VERSION = 3


def sums_of(revision: Revision, on: date) -> Sums:
    """Add up a revision at the GST rate of a date (lines as loaded, one rate query)."""
    return sums_at(revision, gst_percent(on))


def sums_at(revision: Revision, percent: Decimal) -> Sums:
    """Add up a revision, its discount included, at a GST rate (lines as loaded)."""
    return add_up(
        revision.lines.all(),
        gst_percent=percent,
        currency=revision.currency,
        discount=revision.discount,
        rate=revision.fx_rate if revision.is_foreign else None,
    )


def build_content(revision: Revision, *, now: datetime) -> Content:
    """Build what the customer will see; `now` is the moment of issue.

    Needs `Revision.objects.with_lines()`.
    """
    today = singapore_date(now)
    percent = gst_percent(today)
    sums = sums_at(revision, percent)
    request = revision.quote.request
    numbered = _number_lines(revision)
    content = {
        "version": CONTENT_VERSION,
        "number": revision.quote.number,
        "revision": revision.n,
        "issued_on": today.isoformat(),
        "valid_until": revision.valid_until.isoformat() if revision.valid_until else "",
        "currency": revision.currency,
        "fx": _rate_of(revision),
        "seller": {**settings.SELLER, "is_sample": settings.SELLER_IS_SAMPLE},
        "buyer": {
            "company": request.company,
            "name": request.name,
            "email": request.email,
            "phone": request.phone,
            "uen": request.uen,
            "billing_address": request.billing_address,
            "delivery_address": request.delivery_address,
            "reference": request.reference,
        },
        "request_number": request.number,
        "amends": _amends(revision),
        "salesperson": _person(revision),
        "prepared_by": str(revision.author),
        "approved_by": _approver_of(revision),
        "gst_percent": _plain(percent),
        "sections": _sections(revision, numbered),
        "options": [
            entry
            for line, entry in numbered
            if line.kind in (Kind.OPTIONAL, Kind.ALTERNATIVE)
        ],
        "choices": choices_of(numbered),
        "totals": write_sums(sums),
        "is_complete": sums.is_complete,
        "may_be_repriced": any(line.may_be_repriced for line, _entry in numbered),
        "delivery_terms": revision.delivery_words,
        "payment_terms": revision.payment_terms,
        "excluded": revision.excluded,
        "message": revision.message,
        "notices": [
            {"kind": notice.kind, "title": notice.title, "text": notice.text}
            for notice in revision.notices.all()
        ],
        "terms": _terms(revision),
        "designs": [
            {
                "id": str(annex.design.design_id),
                "name": annex.design.name,
                "spec": annex.design.spec,
                "result": annex.design.result,
                "version": annex.design.n,
                "drawing": annex.design.topology,
                "engine_version": annex.design.engine_version,
            }
            for annex in revision.designs.all()
        ],
    }
    return content | {"changes": _changes_since_parent(revision, content)}


def content_of(revision: Revision, *, now: datetime) -> Content:
    """Return the frozen content of a sent revision, or a draft's as it stands now."""
    if revision.content is not None:
        return dict(revision.content)
    return build_content(revision, now=now)


def hash_content(content: Content) -> str:
    """Return the SHA-256 of the content's canonical JSON."""
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _changes_since_parent(revision: Revision, content: Content) -> Content | None:
    """Tell what differs from the revision sent before; None for the first (one query).

    Frozen with the rest: an earlier revision cannot change, but this needs no look-up.
    """
    sent = Revision.objects.filter(quote=revision.quote_id, n__lt=revision.n)
    parent = sent.exclude(content=None).order_by("-n").first()
    if parent is None or parent.content is None:
        return None
    changes = asdict(compare_contents(parent.content, content))
    return {"since": parent.n, **json.loads(json.dumps(changes))}


def _amends(revision: Revision) -> int | None:
    """Return the number of the accepted revision that this would change, if any."""
    before = revision.amends
    return before.n if before is not None and before.status in BOUGHT else None


def _number_lines(revision: Revision) -> list[tuple[Line, Content]]:
    """Pair each line, section by section, with what the customer sees of it."""
    lines = revision.lines_in_order()
    return [(line, _entry(line, number)) for number, line in enumerate(lines, start=1)]


def _entry(line: Line, number: int) -> Content:
    net = line_net(line)
    return {
        "number": number,
        "kind": line.kind,
        "maker": line.maker,
        "mpn": line.mpn,
        "description": line.description,
        "quantity": _plain(line.quantity),
        "unit": line.unit,
        "unit_price": "" if line.unit_price is None else str(line.unit_price),
        "discount_percent": _plain(line.discount_percent),
        "net": "" if net is None else str(net),
        "tax": line.tax,
        "lead_time": lead_time_words(line),
        "warranty": line.warranty,
        "our_part": line.our_part,
        "origin": line.origin,
        "hs_code": line.hs_code,
        "note": line.note,
        "may_be_repriced": line.may_be_repriced,
        **offer_of(line),
    }


def lead_time_words(line: Line) -> str:
    """Say a lead time with its source and day: "8 weeks (maker, as of 1 Dec 2026)"."""
    low, high = line.lead_weeks_min, line.lead_weeks_max
    if low is None and high is None:
        return ""
    if low is None or high is None or low == high:
        weeks = high if low is None else low
        words = f"{weeks} week{'' if weeks == 1 else 's'}"
    else:
        words = f"{low} to {high} weeks"
    as_of = f"as of {line.lead_as_of:%-d %b %Y}" if line.lead_as_of else ""
    origin = ", ".join(part for part in (line.lead_source, as_of) if part)
    return f"{words} ({origin})" if origin else words


def _sections(
    revision: Revision, numbered: Iterable[tuple[Line, Content]]
) -> list[Content]:
    """Return the sections with the lines that count; lines without one come first."""
    titles = {section.pk: section.title for section in revision.sections.all()}
    found: dict[int, list[Content]] = {}
    for line, entry in numbered:
        if line.kind not in (Kind.OPTIONAL, Kind.ALTERNATIVE, Kind.ROUNDING):
            found.setdefault(line.section_id or 0, []).append(entry)
    return [
        {
            "title": titles.get(pk, ""),
            "lines": entries,
            "net": str(
                sum((Decimal(e["net"]) for e in entries if e["net"]), start=Decimal(0))
            ),
        }
        for pk, entries in found.items()
    ]


def write_sums(sums: Sums) -> Content:
    """Return sums as JSON values: amounts are strings."""
    totals = sums.totals
    return {
        "net": str(totals.net),
        "gst": str(totals.gst),
        "rounding": str(totals.rounding),
        "gross": str(totals.gross),
        **_discount(sums),
        **_home(sums),
        "taxes": [
            {
                "tax": tax.tax,
                "percent": _plain(tax.percent),
                "base": str(tax.base),
                "gst": str(tax.gst),
                "reason": tax.reason,
            }
            for tax in sums.taxes
        ],
    }


def _rate_of(revision: Revision) -> Content | None:
    """Return the rate that it stands on, with its source and day; None in S$."""
    if not revision.is_foreign or revision.fx_rate is None:
        return None
    return {
        "rate": _plain(revision.fx_rate),
        "source": revision.fx_source,
        "on": revision.fx_on.isoformat() if revision.fx_on else "",
    }


def _home(sums: Sums) -> Content:
    """Return the totals in S$ too, where the quote is in another currency."""
    if sums.home is None:
        return {}
    names = ("net", "gst", "gross")
    return {"sgd": {name: str(getattr(sums.home, name)) for name in names}}


def _discount(sums: Sums) -> Content:
    """Return the discount on the whole; nothing at all where none was given."""
    if not (sums.discount or sums.discount_percent):
        return {}
    percent = sums.discount_percent
    return {
        "subtotal": str(sums.subtotal),
        "discount": str(sums.discount),
        "discount_percent": _plain(percent) if percent else "",
    }


def _person(revision: Revision) -> Content:
    person = revision.quote.request.owner or revision.author
    return {
        "name": str(person),
        "email": person.email,
        "phone": person.phone or settings.SALES_PHONE,
    }


def _approver_of(revision: Revision) -> str:
    """Return who approved it; empty where nobody did (one query)."""
    given = revision.approvals.filter(outcome=Approval.Outcome.APPROVED)
    approval = given.select_related("decided_by").first()
    return str(approval.decided_by) if approval else ""


def _terms(revision: Revision) -> Content:
    terms = revision.terms
    if terms is None:
        return {"version": "", "clauses": [], "is_sample": False}
    return {
        "version": terms.version,
        "clauses": terms.clauses,
        "is_sample": terms.is_sample,
    }


def _plain(amount: Decimal) -> str:
    """Write a number without exponent or empty decimals: 4, 2.5, 100."""
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
