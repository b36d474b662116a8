"""What a part was quoted, won, lost and bought for before. For the desk only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import QuerySet

from quotes.models import Line, Revision
from quotes.pricing import Kind, margin_percent
from quotes.states import UNSENT, RequestStatus, RevisionStatus
from sourceit.money import MoneyError

MOST = 20
WON = (RevisionStatus.ACCEPTED, RevisionStatus.CONVERTED)
GIVEN_UP = (RevisionStatus.DECLINED, RevisionStatus.WITHDRAWN)
# A price that the customer never answered is not a price of the past.
NOT_COUNTED = (*UNSENT, RevisionStatus.SUPERSEDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """A line of an earlier quote for the same part, and what became of it."""

    line: Line
    revision: Revision
    outcome: str

    @property
    def margin(self) -> Decimal | None:
        """The line's margin in percent; None where cost or price is not known."""
        try:
            net = self.line.net
            return None if net is None else margin_percent(net, self.line.cost)
        except MoneyError:
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """All that is remembered of a part, newest first, and the newest of each kind."""

    entries: Sequence[Remembered]

    @property
    def headlines(self) -> list[tuple[str, Remembered]]:
        """The last quoted, won and lost, and the last with a cost."""
        found = [
            ("Last quoted", self.entries),
            ("Last won", [one for one in self.entries if one.outcome == "Won"]),
            ("Last lost", [one for one in self.entries if one.outcome == "Lost"]),
            (
                "Last cost",
                [one for one in self.entries if one.line.unit_cost is not None],
            ),
        ]
        return [(label, entries[0]) for label, entries in found if entries]


def remember(line: Line, now: datetime) -> Memory:
    """Return what the part of a line was quoted for before (one query).

    By part number in any case, of every quote that was sent; drafts and replaced
    revisions do not count.
    """
    if not line.mpn:
        return Memory(entries=[])
    rows = _lines_of([line.mpn]).exclude(revision__quote=line.revision.quote_id)
    rows = rows.exclude(revision__status__in=NOT_COUNTED)
    newest = rows.order_by("-revision__sent_at", "-pk")[:MOST]
    return Memory(
        entries=[
            Remembered(line=one, revision=one.revision, outcome=_outcome(one, now))
            for one in newest
        ]
    )


def last_costs(revision: Revision) -> dict[str, Line]:
    """Return, by part number, the newest line elsewhere with a cost (one query).

    Costs are in S$, whatever the currency of a quote.
    """
    numbers = {line.mpn for line in revision.lines.all() if line.mpn}
    rows = _lines_of(numbers).exclude(unit_cost=None).exclude(revision=revision.pk)
    oldest_first = rows.order_by("edited_at", "pk")
    return {line.mpn.upper(): line for line in oldest_first}


def _lines_of(numbers: Iterable[str]) -> QuerySet[Line]:
    spelt = {text for number in numbers for text in (number, number.upper())}
    lines = Line.objects.filter(mpn__in=spelt).exclude(kind=Kind.TEXT)
    return lines.select_related("revision__quote__request").defer("revision__content")


def _outcome(line: Line, now: datetime) -> str:
    revision = line.revision
    request = revision.quote.request
    if revision.status in WON:
        return "Won"
    if revision.status in GIVEN_UP or request.status == RequestStatus.LOST:
        return "Lost"
    return "Expired" if revision.has_expired(now) else "Open"
