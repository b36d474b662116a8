"""Who uses a design: a registry that the app above fills in when it starts.

`fabrics` knows nothing of requests and quotes. It asks this list before a design is
taken away, and to tell an owner what has changed since somebody was asked about it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fabrics.models import Design, DesignVersion
from sourceit.models import User


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A request or quote that holds one version of a design.

    `url` is where the reader opens it, empty where it is not theirs to open.
    `is_answer` is true for a quote, which answers a request.
    """

    name: str
    version: DesignVersion
    url: str = ""
    is_answer: bool = False


FindUses = Callable[[Design, User | None], list[Use]]
_finders: list[FindUses] = []


def register_uses(find: FindUses) -> None:
    """Add a way to find uses; called once, in an app's `ready`."""
    if find not in _finders:
        _finders.append(find)


def uses_of(design: Design, reader: User | None = None) -> list[Use]:
    """Every use of a design's versions, with links for `reader`."""
    return [use for find in _finders for use in find(design, reader)]
