"""Join tagged PDFs into one: pages, structure tree, bookmarks, page numbers."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any, cast

from pikepdf import (
    Array,
    Dictionary,
    Name,
    ObjectStreamMode,
    OutlineItem,
    Page,
    Pdf,
)


def join_pdfs(parts: Sequence[bytes], numbers: bytes) -> bytes:
    """Join parts in their order and lay the pages of `numbers` over the result.

    The same input gives the same bytes. The first part's title, language and dates
    stand for the whole.
    """
    joined = io.BytesIO()
    with ExitStack() as stack:
        # All stay open to the end: their streams are read while saving.
        first, *others = [
            stack.enter_context(Pdf.open(io.BytesIO(data))) for data in parts
        ]
        for position, part in enumerate(others, start=2):
            _append(first, part, f"{position}-")
        _stamp(first, stack.enter_context(Pdf.open(io.BytesIO(numbers))))
        first.save(
            joined,
            deterministic_id=True,
            object_stream_mode=ObjectStreamMode.generate,
        )
    return joined.getvalue()


def _append(whole: Pdf, part: Pdf, prefix: str) -> None:
    """Add a part's pages, then its structure: the other way round they would be lost.

    Keys of the parent tree are numbers and go on counting; ids of table heads are only
    unique within a part and get its prefix.
    """
    nums = whole.Root.StructTreeRoot.ParentTree.Nums
    offset = max(int(key) for key in list(nums)[::2]) + 1
    _shift_keys(part, offset)
    _prefix_ids(part, prefix)
    before = len(whole.pages)
    whole.pages.extend(part.pages)
    _append_outline(whole, part, before)
    tree = whole.copy_foreign(part.Root.StructTreeRoot)
    document = whole.Root.StructTreeRoot.K[0]
    for child in tree.K[0].K:
        child.P = document
        document.K.append(child)
    added = list(tree.ParentTree.Nums)
    for key, value in zip(added[::2], added[1::2], strict=True):
        nums.append(int(key) + offset)
        nums.append(value)


def _shift_keys(part: Pdf, offset: int) -> None:
    for page in part.pages:
        page.obj.StructParents = int(page.obj.StructParents) + offset
        for annotation in page.obj.get(Name.Annots, Array()):
            if Name.StructParent in annotation:
                annotation.StructParent = int(annotation.StructParent) + offset


def _prefix_ids(part: Pdf, prefix: str) -> None:
    for element in _elements(part):
        if Name.ID in element:
            element.ID = f"{prefix}{element.ID}"
        cell = element.get(Name.A)
        if isinstance(cell, Dictionary) and Name.Headers in cell:
            cell.Headers = Array([f"{prefix}{head}" for head in cell.Headers])


def _elements(part: Pdf) -> Iterator[Dictionary]:
    """Yield every structure element, without recursion: trees are deep and wide."""
    waiting = list(part.Root.StructTreeRoot.K)
    while waiting:
        element = waiting.pop()
        if isinstance(element, Dictionary) and Name.S in element:
            yield element
            kids = element.get(Name.K, Array())
            waiting.extend(kids if isinstance(kids, Array) else [kids])


def _append_outline(whole: Pdf, part: Pdf, before: int) -> None:
    """Hang a part's bookmarks under the first one, the document's title."""
    places: dict[Any, int] = {
        page.obj.objgen: before + n for n, page in enumerate(part.pages)
    }

    def copy(item: OutlineItem) -> OutlineItem:
        # WeasyPrint writes [page, /XYZ, left, top, zoom].
        page, _kind, left, top, _zoom = cast(Array, item.destination)
        copied = OutlineItem(
            item.title, places[page.objgen], "XYZ", left=float(left), top=float(top)
        )
        copied.children.extend(copy(child) for child in item.children)
        return copied

    with part.open_outline() as old, whole.open_outline() as new:
        new.root[0].children.extend(copy(item) for item in old.root)


def _stamp(whole: Pdf, numbers: Pdf) -> None:
    """Lay a page of `numbers` over each page, for screen readers a mere decoration."""
    pairs = zip(whole.pages, numbers.pages, strict=True)
    for n, (page, stamp) in enumerate(pairs, start=1):
        form = whole.copy_foreign(Page(stamp).as_form_xobject())
        # A name of our own, for a made-up one is random and the bytes would differ;
        # one for each page, for the pages of a part share their resources.
        page.add_resource(form, Name.XObject, Name(f"/PageNumber{n}"))
        # The page leaves its axes turned over; what is added needs them upright.
        page.contents_add(b"q", prepend=True)
        page.contents_add(f"Q /Artifact BMC /PageNumber{n} Do EMC".encode())
