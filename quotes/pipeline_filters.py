"""What the pipeline is narrowed to: read from the address, written back into it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Self

from django.db.models import Q
from django.utils.http import urlencode

from quotes.models import RequestLine
from quotes.states import RequestStatus
from quotes.typed import INVISIBLE
from sourceit.models import User

ANYBODY, NOBODY = "", "nobody"
STATUSES = [
    (status.value, status.label)
    for status in RequestStatus
    if status not in (RequestStatus.DRAFT, RequestStatus.SPAM)
]
# Days back from today; the newest first.
RECEIVED = [("7", "Last 7 days"), ("30", "Last 30 days"), ("90", "Last 90 days")]
# Where an address calls it otherwise.
_PARAMETERS = {"words": "q"}
KINDS = [("fabric", "Fabric designs"), ("listed", "Catalogue items")]


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineFilters:
    """A view of the pipeline and what narrows it; empty means all."""

    view: str = "action"
    words: str = ""
    owner: str = ANYBODY
    status: str = ""
    received: str = ""
    kind: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str], views: Mapping[str, str]) -> Self:
        """Read an address's query; what is not offered is as if it were not there."""
        view = query.get("view", "action")
        owner = query.get("owner", "")
        return cls(
            view=view if view in views else "action",
            words=INVISIBLE.sub("", query.get("q", "")).strip()[:100],
            owner=owner if owner == NOBODY or _is_id(owner) else ANYBODY,
            status=_one_of(query.get("status", ""), STATUSES),
            received=_one_of(query.get("received", ""), RECEIVED),
            kind=_one_of(query.get("kind", ""), KINDS),
        )

    @property
    def query(self) -> str:
        """The address's query that says the same, without what is empty."""
        values = {_PARAMETERS.get(key, key): text for key, text in asdict(self).items()}
        return urlencode({key: text for key, text in values.items() if text})

    @property
    def is_narrowed(self) -> bool:
        """True where anything but the view and the words is chosen."""
        return self != type(self)(view=self.view, words=self.words)

    def in_view(self, view: str) -> Self:
        return replace(self, view=view)

    def condition(self, now: datetime) -> Q:
        """Return what keeps the requests that the filters choose, but for the words."""
        keep = Q()
        if self.owner:
            keep &= Q(owner=None) if self.owner == NOBODY else Q(owner=int(self.owner))
        if self.status:
            keep &= Q(status=self.status)
        if self.received:
            keep &= Q(submitted_at__gte=now - timedelta(days=int(self.received)))
        if self.kind:
            lines = RequestLine.objects.filter(removed_at=None)
            field = "design" if self.kind == "fabric" else "product"
            found = lines.exclude(**{field: None})
            keep &= Q(pk__in=found.values("request"))
        return keep


def owner_choices(people: list[User]) -> list[tuple[str, str]]:
    return [(NOBODY, "Nobody yet"), *((str(one.pk), str(one)) for one in people)]


def _one_of(value: str, choices: list[tuple[str, str]]) -> str:
    return value if value in dict(choices) else ""


def _is_id(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10
