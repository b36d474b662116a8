"""How devices and numbers are written: on labels, in the drawing, in the lists."""

from __future__ import annotations

from decimal import Decimal


def device_name(kind: str, number: int, *, plane: int = 0, planes: int = 1) -> str:
    """A name that sorts by number and says its plane where there are several.

    >>> device_name("leaf", 0), device_name("spine", 11, plane=1, planes=2)
    ('leaf-0001', 'p2-spine-0012')
    """
    prefix = f"p{plane + 1}-" if planes > 1 else ""
    return f"{prefix}{kind}-{number + 1:04d}"


def span_label(word: str, first: int, count: int) -> str:
    """A label for one or several, numbered from 1.

    >>> span_label("Leaf", 0, 1), span_label("Leaf", 4, 4)
    ('Leaf 1', 'Leaf 5–8')
    """
    if count == 1:
        return f"{word} {first + 1:,}"
    return f"{word} {first + 1:,}–{first + count:,}"


def plain(value: Decimal) -> str:
    """A number without needless zeros or an exponent.

    >>> plain(Decimal("1.50")), plain(Decimal("1E+2"))
    ('1.5', '100')
    """
    return f"{value.normalize():f}"


def many(count: int, word: str) -> str:
    """A count and its word.

    >>> many(1, "node"), many(1152, "GPU")
    ('1 node', '1,152 GPUs')
    """
    return f"{count:,} {word}{'' if count == 1 else 's'}"
