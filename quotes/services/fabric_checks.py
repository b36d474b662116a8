"""Whether a quote is whole: fabrics against their designs, support, the site."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from catalog.models import Product
from quotes.completeness import (
    EQUIPMENT,
    Gap,
    Sort,
    find_gaps,
    find_remarks,
    site_remarks,
    sort_of,
)
from quotes.models import Line, Revision
from quotes.pricing import Kind
from quotes.problems import Problem


def check_fabric(revision: Revision, *, has_designs: bool) -> Iterator[Problem]:
    """Compare the lines with the designs the quote carries, and with each other.

    Needs `Revision.objects.with_lines()`; reads the forms of the lines' products (one
    query).
    """
    lines = revision.lines_in_order()
    annexes = revision.designs.all() if has_designs else ()
    designs = [(annex.design, annex.quantity) for annex in annexes]
    for gap in find_gaps([(one.result, times) for one, times in designs], lines):
        yield _gap_problem(gap, lines)
    forms = forms_of(lines)
    if not designs:
        # A design's own list is whole: only free quotes are counted.
        for words in find_remarks(lines, forms):
            yield Problem(message=words, anchor="lines", is_blocking=False)
    yield from _check_support(lines, forms)
    said = " ".join([*(line.description for line in lines), revision.excluded])
    said += f" {revision.message} "
    for design, _times in designs:
        for words in site_remarks(design.result, design.name, said):
            yield Problem(message=words, anchor="id_excluded", is_blocking=False)


def forms_of(lines: Iterable[Line]) -> list[str]:
    """Return the form of each line's product, empty for none.

    One query, or none where the products are loaded already.
    """
    rows = list(lines)
    product = Line._meta.get_field("product")
    if all(product.is_cached(line) for line in rows):
        return [str(line.product.form) if line.product else "" for line in rows]
    pks = {line.product_id for line in rows if line.product_id is not None}
    forms = dict(Product.objects.filter(pk__in=pks).values_list("pk", "form"))
    return [str(forms.get(line.product_id or 0, "")) for line in rows]


def _gap_problem(gap: Gap, lines: Iterable[Line]) -> Problem:
    named = (line for line in lines if line.mpn.strip().upper() == gap.part)
    line = next(named, None)
    return Problem(
        message=gap.words,
        anchor=f"{line.pk}-quantity" if line else "lines",
        is_blocking=gap.is_short,
        code=f"fabric-{gap.part}-{gap.needed}-{gap.offered.normalize():f}"[:200],
    )


def _check_support(lines: Sequence[Line], forms: Sequence[str]) -> Iterator[Problem]:
    """Equipment needs a word on who stands by it: a warranty, or a line of support."""
    bare = []
    for number, (line, form) in enumerate(zip(lines, forms, strict=True), start=1):
        if line.kind != Kind.STANDARD:
            continue
        sort = sort_of(line, form)
        if sort == Sort.SERVICE:
            return
        if sort in EQUIPMENT and not line.warranty.strip():
            bare.append((number, line))
    if not bare:
        return
    numbers = ", ".join(str(number) for number, _line in bare)
    word = "Lines" if len(bare) > 1 else "Line"
    yield Problem(
        message=f"{word} {numbers}: no warranty and no support term.",
        anchor=f"line-{bare[0][1].pk}",
        kind="support",
        lines=tuple(line.pk for _number, line in bare),
    )
