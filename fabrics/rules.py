"""The sizing rules as a page: the rules in words, the engine's tables, the documents.

The words are those of `docs/fabric-rules.md`, so that page and handbook cannot differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from django.conf import settings
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify

from fabrics.engine import Source
from fabrics.engine import sources as known_sources
from fabrics.engine.parts import PARTS, Part
from fabrics.engine.platforms import PLATFORMS, Platform
from fabrics.engine.profiles import PROFILES, Profile
from fabrics.words import DESIGNS, NETWORKS

HANDBOOK = "docs/fabric-rules.md"
# Chapters for those who change the engine.
_LEFT_OUT = {"adding-a-platform"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A paragraph, a list or a table of a chapter; only one of the three is there."""

    text: SafeString = SafeString("")
    items: tuple[SafeString, ...] = ()
    is_numbered: bool = False
    headings: tuple[SafeString, ...] = ()
    rows: tuple[tuple[SafeString, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    key: str
    title: str
    blocks: tuple[Block, ...]


@lru_cache(maxsize=1)
def chapters() -> tuple[Chapter, ...]:
    """The handbook's chapters, in its order."""
    text = (settings.BASE_DIR / HANDBOOK).read_text(encoding="utf-8")
    return tuple(
        chapter for chapter in read_chapters(text) if chapter.key not in _LEFT_OUT
    )


def read_chapters(text: str) -> Iterator[Chapter]:
    """Read the little Markdown that the handbook uses; what stands above is left out.

    >>> [c.key for c in read_chapters("# T\\n\\n## First part\\n\\nWords.\\n")]
    ['first-part']
    """
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, body = part.partition("\n")
        yield Chapter(
            key=slugify(title), title=title.strip(), blocks=tuple(_blocks(body))
        )


_BULLET, _NUMBER = re.compile(r"- "), re.compile(r"[0-9]+\. ")


def _blocks(body: str) -> Iterator[Block]:
    lines = [line for line in body.splitlines() if line.strip()]
    for kind, found in groupby(lines, key=_kind):
        some = list(found)
        if kind == "table":
            heading, _, *rows = [_cells(line) for line in some]
            yield Block(headings=heading, rows=tuple(rows))
        elif kind == "text":
            yield from (Block(text=_inline(line)) for line in some)
        else:
            start = _NUMBER if kind == "number" else _BULLET
            items = tuple(_inline(start.sub("", line, count=1)) for line in some)
            yield Block(items=items, is_numbered=kind == "number")


def _kind(line: str) -> str:
    if line.startswith("|"):
        return "table"
    if _BULLET.match(line):
        return "bullet"
    return "number" if _NUMBER.match(line) else "text"


def _cells(line: str) -> tuple[SafeString, ...]:
    return tuple(_inline(cell.strip()) for cell in line.strip().strip("|").split("|"))


def _inline(text: str) -> SafeString:
    """Bold and code; all else is text.

    >>> str(_inline("**Not** `<b>`"))
    '<strong>Not</strong> <code>&lt;b&gt;</code>'
    """
    safe = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escape(text))
    return mark_safe(re.sub(r"`(.+?)`", r"<code>\1</code>", safe))


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileRow:
    profile: Profile
    system: str
    network: str
    design: str
    node: str


def profile_rows() -> list[ProfileRow]:
    """The table that the rules read: a system on a network in a reference design."""
    return [
        ProfileRow(
            profile=each,
            system=PLATFORMS[each.system].name,
            network=NETWORKS[each.fabric].full,
            design=DESIGNS[each.design][0],
            node=PLATFORMS[each.system].node_word,
        )
        for each in PROFILES
    ]


def platforms() -> list[Platform]:
    return list(PLATFORMS.values())


def parts() -> list[Part]:
    return list(PARTS.values())


@lru_cache(maxsize=1)
def documents() -> tuple[Source, ...]:
    """Every document a number comes from, by title."""
    found = {each for each in vars(known_sources).values() if isinstance(each, Source)}
    return tuple(sorted(found, key=lambda each: each.title.lower()))


def part_anchor(key: str) -> str:
    return f"part-{slugify(key)}"
