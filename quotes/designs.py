"""Fabric designs in requests and quotes: who uses one, and what was changed since."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Max, Q
from django.urls import reverse

from fabrics.differences import Difference, difference
from fabrics.models import Design, DesignVersion
from fabrics.saved import difference_url
from fabrics.uses import Use
from quotes.models import QuoteRequest, RequestLine, Revision, RevisionDesign
from quotes.states import RequestStatus, RevisionStatus
from sourceit.models import User

# Bound on what one design's page tells: a design is asked about a few times.
MOST_USES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Newer:
    """A design of which the customer has saved a version since it was asked for."""

    asked: DesignVersion
    newest: DesignVersion
    since: Difference
    url: str


def newer_versions(versions: Iterable[DesignVersion]) -> list[Newer]:
    """Tell of each version whether its design has a newer one (two queries at most)."""
    asked = {version.pk: version for version in versions}
    designs = {version.design_id for version in asked.values()}
    if not designs:
        return []
    last = (
        DesignVersion.objects.filter(design__in=designs, design__removed_at=None)
        .order_by()
        .values_list("design")
        .annotate(Max("n"))
    )
    numbers = dict(last)
    old = [each for each in asked.values() if each.n < numbers.get(each.design_id, 0)]
    if not old:
        return []
    wanted = Q()
    for each in old:
        wanted |= Q(design=each.design_id, n=numbers[each.design_id])
    found = DesignVersion.objects.filter(wanted).defer("spec", "drawings")
    newest = {each.design_id: each for each in found}
    return [_tell(each, newest[each.design_id]) for each in old]


def _tell(asked: DesignVersion, newest: DesignVersion) -> Newer:
    return Newer(
        asked=asked,
        newest=newest,
        since=difference(asked.result, newest.result),
        url=difference_url(asked, newest),
    )


def find_uses(design: Design, reader: User | None) -> list[Use]:
    """Requests, baskets and quotes that hold a version of a design.

    Registered with `fabrics.uses`. A quote is told to those who may open it.
    """
    return [*_requests(design, reader), *_quotes(design, reader)]


def _requests(design: Design, reader: User | None) -> list[Use]:
    lines = (
        RequestLine.objects.filter(design__design=design, removed_at=None)
        .exclude(request__status=RequestStatus.SPAM)
        .select_related("request", "design")
        .defer("design__spec", "design__drawings")
        .order_by("-request__pk")[:MOST_USES]
    )
    seen = _visible_requests(reader, {line.request_id for line in lines})
    return [
        Use(
            name=line.request.number or "A request that is being prepared",
            version=line.design,
            url=seen.get(line.request_id, ""),
        )
        for line in lines
        if line.design is not None
    ]


def _visible_requests(reader: User | None, wanted: set[int]) -> dict[int, str]:
    """The addresses of those of some requests that the reader may open."""
    if reader is None or not wanted:
        return {}
    rows = QuoteRequest.objects.visible_to(reader).filter(pk__in=wanted)
    view = "desk:request" if reader.is_staff else "quotes:request"
    numbers = rows.exclude(status=RequestStatus.DRAFT).values_list("pk", flat=True)
    return {pk: reverse(view, args=[pk]) for pk in numbers}


def _quotes(design: Design, reader: User | None) -> list[Use]:
    """The newest revision of each quote that the reader may open."""
    if reader is None:
        return []
    gone = [RevisionStatus.SUPERSEDED, RevisionStatus.WITHDRAWN]
    mine = Revision.objects.visible_to(reader).exclude(status__in=gone)
    annexes = (
        RevisionDesign.objects.filter(design__design=design, revision__in=mine)
        .select_related("revision__quote__request", "design")
        .defer("design__spec", "design__drawings", "revision__content")
        .order_by("-revision__n")[:MOST_USES]
    )
    newest = {annex.revision.quote_id: annex for annex in reversed(annexes)}
    view = "desk:quote" if reader.is_staff else "quotes:my_quote"
    return [
        Use(
            name=str(annex.revision),
            version=annex.design,
            url=reverse(view, args=[annex.revision_id]),
            is_answer=True,
        )
        for annex in newest.values()
    ]
