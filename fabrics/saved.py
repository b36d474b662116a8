"""What the pages of saved designs show, gathered for the templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Count, QuerySet
from django.urls import reverse

from fabrics.differences import Difference, difference
from fabrics.engine import ENGINE_VERSION
from fabrics.models import Design, DesignVersion
from fabrics.uses import Use, uses_of
from sourceit.models import User

PAGE_SIZE = 50
MOST_CHOICES = 100


def list_context(user: User, query: Mapping[str, str]) -> dict[str, Any]:
    """A person's designs and, after one was taken away, that one to put back."""
    mine = Design.objects.owned_by(user)
    rows = mine.kept().annotate(versions_count=Count("versions"))
    page = _page_of(query)
    found = list(rows[page * PAGE_SIZE : (page + 1) * PAGE_SIZE + 1])
    gone = mine.exclude(removed_at=None)
    removed = _uuid(query.get("removed", ""))
    return {
        "designs": found[:PAGE_SIZE],
        "older": page + 1 if len(found) > PAGE_SIZE else None,
        "newer": page - 1 if page else None,
        "page": page,
        "removed": gone.filter(pk=removed).first() if removed else None,
    }


def _page_of(query: Mapping[str, str]) -> int:
    text = query.get("page", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class UseSince:
    """A request or quote of a design, and what was changed since, if anything."""

    use: Use
    since: Difference | None
    url: str


def versions_context(
    design: Design, shown: DesignVersion, reader: User | None
) -> dict[str, Any]:
    """The versions of a design beside the one that is shown (a query or two)."""
    versions = list(design.versions.light().order_by("-n"))
    newest = versions[0]
    return {
        "versions": versions,
        "newest": newest,
        "is_newest": shown.n == newest.n,
        "engine_version": ENGINE_VERSION,
        "uses": uses_since(design, reader),
        "older": [each for each in versions if each.n != shown.n],
        "own_others": _own_others(design, reader),
    }


def _own_others(design: Design, reader: User | None) -> list[Design]:
    """The reader's other designs, to compare this one with."""
    if reader is None:
        return []
    own = Design.objects.kept().owned_by(reader).exclude(pk=design.pk)
    return list(own[:MOST_CHOICES])


def uses_since(design: Design, reader: User | None) -> list[UseSince]:
    """Each request and quote of the design, with what the newest version changes."""
    uses = uses_of(design, reader)
    newest = design.latest() if uses else None
    return [_use_since(use, newest) for use in uses if newest is not None]


def _use_since(use: Use, newest: DesignVersion) -> UseSince:
    if use.version.n == newest.n:
        return UseSince(use=use, since=None, url="")
    return UseSince(
        use=use,
        since=difference(use.version.result, newest.result),
        url=difference_url(use.version, newest),
    )


def version_key(version: DesignVersion) -> str:
    """A version in an address: the design and its number."""
    return f"{version.design_id}.{version.n}"


def difference_url(left: DesignVersion, right: DesignVersion) -> str:
    asked = {"left": version_key(left), "right": version_key(right)}
    return f"{reverse('fabrics:difference')}?{urlencode(asked)}"


def choose_pair(
    visible: QuerySet[Design], query: Mapping[str, str]
) -> tuple[DesignVersion | None, DesignVersion | None]:
    """The two versions that the address names, of designs the reader may see."""
    left = _named(visible, query.get("left", ""))
    return left, _named(visible, query.get("right", ""))


def _named(visible: QuerySet[Design], key: str) -> DesignVersion | None:
    """A version by its key; a key without a number is the design's last version."""
    design, _, n = key.partition(".")
    pk = _uuid(design)
    if pk is None or not (n == "" or (n.isascii() and n.isdigit() and len(n) < 5)):
        return None
    versions = DesignVersion.objects.select_related("design")
    found = versions.filter(design__in=visible.filter(pk=pk))
    return found.filter(n=int(n)).first() if n else found.order_by("-n").first()


def difference_context(
    left: DesignVersion, right: DesignVersion, reader: User | None
) -> dict[str, Any]:
    """The difference and the other versions that may be chosen on either side."""
    return {
        "left": left,
        "right": right,
        "difference": difference(left.result, right.result),
        "is_one_design": left.design_id == right.design_id,
        "left_choices": _choices(left, right, reader),
        "right_choices": _choices(right, left, reader),
        "swap_url": difference_url(right, left),
    }


def _choices(
    chosen: DesignVersion, other: DesignVersion, reader: User | None
) -> list[tuple[str, str, bool]]:
    """Key, words and whether it is chosen: both designs' versions, then one's own."""
    near = DesignVersion.objects.light().filter(
        design__in={chosen.design_id, other.design_id}
    )
    found = {version_key(each): f"{each.title}, {each.name}" for each in near}
    own = Design.objects.kept().owned_by(reader) if reader else Design.objects.none()
    for design in own[:MOST_CHOICES]:
        found.setdefault(f"{design.pk}", f"Last version, {design.name}")
    return [(key, words, key == version_key(chosen)) for key, words in found.items()]
