"""What the same customer asked for before: so that nobody quotes one wish twice."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, Q

from quotes.models import QuoteRequest, RequestLine
from quotes.states import OPEN_REQUESTS

MOST = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """Another request of the same customer, and what it has in common with this one."""

    request: QuoteRequest
    same: list[str]
    is_open: bool

    @property
    def sent(self) -> datetime | None:
        return self.request.submitted_at


def earlier_of(request: QuoteRequest, lines: list[RequestLine]) -> list[Earlier]:
    """Return other requests of the same customer, open ones with the same items first.

    The same customer is the same e-mail, organisation, UEN or company's name (two
    queries).
    """
    others = (
        QuoteRequest.objects.sent()
        .filter(_same_customer(request))
        .exclude(pk=request.pk)
        .select_related("owner")
        .prefetch_related(
            Prefetch(
                "lines",
                queryset=RequestLine.objects.filter(removed_at=None),
                to_attr="asked_lines",
            )
        )
        .order_by("-pk")[:MOST]
    )
    mine = {key for line in lines for key in _keys(line)}
    found = [
        Earlier(
            request=other,
            same=[
                str(line.mpn or line.description)
                for line in other.asked_lines  # type: ignore[attr-defined]
                if mine.intersection(_keys(line))
            ],
            is_open=other.status in OPEN_REQUESTS,
        )
        for other in others
    ]
    return sorted(found, key=lambda one: not (one.is_open and one.same))


def _same_customer(request: QuoteRequest) -> Q:
    same = Q(email__iexact=request.email) if request.email else Q(pk__in=[])
    if request.organisation_id:
        same |= Q(organisation=request.organisation_id)
    if request.uen:
        same |= Q(uen=request.uen)
    if request.company:
        same |= Q(company__iexact=request.company)
    return same


def _keys(line: RequestLine) -> set[tuple[str, str]]:
    """What makes two lines ask for the same: product, design, part number or words."""
    if line.product_id:
        return {("product", str(line.product_id)), ("part", line.mpn.lower())}
    if line.design_id:
        return {("design", str(line.design_id))}
    if line.mpn:
        return {("part", line.mpn.lower())}
    return {("words", line.description.lower())}
