"""How long a quote may be valid: never longer than what its prices rest on.

The one place for the rule. The check before the send, the validity that a new revision
starts with, and the words beside the builder's field all ask here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.conf import settings
from django.db.models import prefetch_related_objects

from catalog.models import Notice
from quotes.models import Revision
from quotes.problems import Problem
from quotes.services.bid_checks import bids_under
from quotes.services.offer_costs import offers_under
from sourceit.clock import SINGAPORE, has_ended, last_whole_day, singapore_date

ANCHOR = "id_valid_until"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """The last day that something holds, and what that is.

    Without a `code` it must be kept to. Otherwise a salesperson may go beyond it with a
    reason, and then we honour the price after its end.
    """

    day: date
    words: str
    code: str = ""

    def __str__(self) -> str:
        return f"{self.day:%-d %b %Y}: {self.words}"


def validity_cap(
    revision: Revision, now: datetime, *, has_ending_prices: bool = True
) -> Limit | None:
    """Return the earliest limit of a quote's validity; None where nothing limits it."""
    limits = validity_limits(revision, now, has_ending_prices=has_ending_prices)
    return limits[0] if limits else None


def validity_limits(
    revision: Revision, now: datetime, *, has_ending_prices: bool = True
) -> list[Limit]:
    """Return all that limits a quote's validity, the earliest first.

    Reads the notices, unless the caller knows that none with an end is about a price.
    """
    found = [
        *_rate_limit(revision, now),
        *_offer_limits(revision, now),
        *_bid_limits(revision, now),
    ]
    if has_ending_prices:
        found += _notice_limits(revision, now)
    return sorted(found, key=lambda limit: limit.day)


def _rate_limit(revision: Revision, now: datetime) -> Iterator[Limit]:
    """A rate that a bank holds is not ours to hold for longer."""
    day = revision.fx_locked_until
    if revision.is_foreign and day is not None:
        held = "was held" if has_ended(day, now) else "is held"
        words = f"the rate of {revision.currency} ({revision.fx_source}) {held}"
        yield Limit(day=day, words=f"{words} until then")


def _offer_limits(revision: Revision, now: datetime) -> Iterator[Limit]:
    """A supplier's offer that a line's cost stands on: the first of each day is named.

    Reads nothing where no line stands on one.
    """
    lines = revision.lines_in_order()
    under = offers_under(lines)
    named: set[date] = set()
    for number, line in enumerate(lines, start=1):
        if (used := under.get(line.pk)) is None or used.offer.valid_until in named:
            continue
        named.add(used.offer.valid_until)
        ends = "ended" if used.offer.has_ended(now) else "ends"
        words = f"line {number} stands on the offer of {used.offer.invite.supplier}"
        yield Limit(day=used.offer.valid_until, words=f"{words}, which {ends} then")


def _bid_limits(revision: Revision, now: datetime) -> Iterator[Limit]:
    """A special bid that a line's cost stands on: its first line is named.

    Reads nothing where no line stands on one.
    """
    lines = revision.lines_in_order()
    bids = bids_under(lines)
    for number, line in enumerate(lines, start=1):
        if (bid := bids.pop(line.special_bid_id or 0, None)) is None:
            continue
        ends = "ended" if bid.has_ended(now) else "ends"
        words = f"line {number} stands on special bid {bid}, which {ends} then"
        yield Limit(day=bid.valid_until, words=words)


def _notice_limits(revision: Revision, now: datetime) -> Iterator[Limit]:
    """A notice about a price, printed on the quote: a promotion with its end."""
    prefetch_related_objects([revision], "notices")
    for notice in revision.notices.all():
        ends_at = notice.ends_at
        if notice.kind == Notice.Kind.PRICE and ends_at is not None:
            yield Limit(
                day=last_whole_day(ends_at),
                words=_end_words(notice.title, ends_at, now),
                code=f"validity-notice-{notice.pk}",
            )


def _end_words(title: str, ends_at: datetime, now: datetime) -> str:
    """Say that a notice ends; at what time, where that is not about midnight."""
    words = f"“{title}” {'ends' if now < ends_at else 'has ended'}"
    at = ends_at.astimezone(SINGAPORE)
    is_at_midnight = (at + timedelta(minutes=1)).time() < time(0, 2)
    return words if is_at_midnight else f"{words} at {at:%H:%M on %-d %b %Y}"


def default_validity(revision: Revision, now: datetime) -> date:
    """Return the last day that a new revision starts with.

    So many days from today, or up to its cap. A cap that is over is for the checks to
    say: a quote that ends before it begins would hide what is wrong.
    """
    day = singapore_date(now) + timedelta(days=settings.QUOTE_VALID_DAYS)
    cap = validity_cap(revision, now)
    if cap is None or has_ended(cap.day, now):
        return day
    return min(day, cap.day)


def check_validity(
    revision: Revision, now: datetime, *, has_ending_prices: bool = True
) -> Iterator[Problem]:
    """Yield what is wrong with the last day: none, over, or beyond what it rests on."""
    until = revision.valid_until
    if until is None:
        words = "Enter the date until which the quote is valid."
        yield Problem(message=words, anchor=ANCHOR)
        return
    if has_ended(until, now):
        words = f"The validity ended on {until:%-d %b %Y}."
        yield Problem(message=words, anchor=ANCHOR)
    limits = validity_limits(revision, now, has_ending_prices=has_ending_prices)
    for limit in limits:
        if until > limit.day:
            yield Problem(
                message=f"The quote may be valid until {limit}.",
                anchor=ANCHOR,
                # With another end, on either side, the question is open again.
                code=limit.code and f"{limit.code}-{limit.day}-{until}",
            )
