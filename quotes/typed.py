"""What people type and paste: read, cleaned, or refused with the reason."""

from __future__ import annotations

import re
from decimal import Decimal

from quotes.errors import QuoteError
from quotes.models.requests import MAX_QUANTITY
from sourceit.money import MAX_UNIT_PRICE

MAX_DESCRIPTION = 500
MAX_MPN = 80
MAX_NOTE = 500
MAX_QUANTITIES = 5
# Control characters and those that turn the direction of what follows. Letters of any
# script, emoji and the joiners inside them stay.
INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
)
_UNIT = re.compile(r" ?(?:pcs?|ea|units?)$", re.IGNORECASE)
_WHOLE = re.compile(r"[0-9]{1,9}|[0-9]{1,3}(?:[, ][0-9]{3}){1,2}")
_CURRENCY = re.compile(r"S?\$|SGD", re.IGNORECASE)
_AMOUNT = re.compile(
    r"(?:[0-9]{1,18}|[0-9]{1,3}(?:[, ][0-9]{3}){1,5})(?:\.[0-9]{1,9})?"
)
# In a row without tabs and semicolons a comma parts it that groups no thousands.
_COMMA = re.compile(r",(?!\d{3}\b)")
# Between several quantities in one cell.
_BETWEEN = re.compile(r"\s*[/;|+&]\s*|\s+(?:or|and)\s+|,\s+|,(?![0-9]{3}\b)")
_NUMBER = re.compile(r"-?[\d., ]*\d[\d., ]*(?: ?(?:pcs?|ea|units?))?", re.IGNORECASE)
# "4 x red fibre", "4 pcs red fibre", and "4 MSN3700-VS2F": one word that is a part.
_TIMES = re.compile(
    r"(?P<quantity>\d[\d,]*)(?: ?(?:[x×]|pcs?|units?) | (?=\S*[a-z])(?=\S*\d)(?=\S+$))"
    r"(?P<item>[^\t;]+)",
    re.IGNORECASE,
)
_HEADINGS = frozenset(
    ("part", "parts", "number", "no", "item", "items", "mpn", "sku")
    + ("description", "name", "qty", "quantity")
)


def clean_words(text: str, name: str, most: int) -> str:
    """Return typed words on one line, without what no person types.

    Nothing is cut off: what is too long is refused, so that nothing is lost silently.

    Raises:
        QuoteError: longer than `most` characters.
    """
    words = " ".join(INVISIBLE.sub(" ", text).split())
    if len(words) > most:
        raise QuoteError(f"Shorten the {name} to {most} characters.")
    return words


def read_quantity(text: str) -> int:
    """Read a typed quantity: "4", "1,152", " 12 pcs ".

    A comma or a blank groups thousands and nothing else: "1,5" is refused, not 15.

    Raises:
        QuoteError: not a whole number from 1 to the most a line takes.
    """
    plain = _UNIT.sub("", text.strip())
    if not _WHOLE.fullmatch(plain):
        raise QuoteError(f"Enter a quantity from 1 to {MAX_QUANTITY:,}.")
    return check_quantity(int(re.sub(r"[, ]", "", plain)))


def read_quantities(text: str) -> list[int]:
    """Read one quantity or several that a price is asked for: "10, 50, 100", "10/50".

    A comma with three digits behind it groups thousands ("1,152") unless a blank
    follows it. The result goes up and holds each once.

    Raises:
        QuoteError: one of them is no quantity, or there are too many.
    """
    if _WHOLE.fullmatch(_UNIT.sub("", text.strip())):
        return [read_quantity(text)]
    found = sorted({read_quantity(part) for part in _BETWEEN.split(text)})
    if len(found) > MAX_QUANTITIES:
        raise QuoteError(f"Enter at most {MAX_QUANTITIES} quantities.")
    return found


def check_quantity(quantity: int) -> int:
    if not 1 <= quantity <= MAX_QUANTITY:
        raise QuoteError(f"Enter a quantity from 1 to {MAX_QUANTITY:,}.")
    return quantity


def read_price(text: str) -> Decimal | None:
    """Read a typed target price: "S$26,000", "26000.50"; None when nothing is typed.

    Raises:
        QuoteError: not an amount, or not one that fits.
    """
    plain = _CURRENCY.sub("", text).strip()
    if not plain:
        return None
    if not _AMOUNT.fullmatch(plain):
        raise QuoteError("Enter the target price as a number, like 26,000.")
    amount = Decimal(re.sub(r"[, ]", "", plain))
    if amount == 0:
        raise QuoteError("Enter a target price above zero.")
    if amount > MAX_UNIT_PRICE:
        raise QuoteError("Enter a smaller target price, or leave it out.")
    if amount != round(amount, 4):
        raise QuoteError("Enter the target price with at most four decimals.")
    return amount


def split_row(row: str) -> tuple[str, str, str, str]:
    """Part a pasted row into words, part number, quantity and the rest as a note.

    Tabs part a row, else semicolons, else commas: in a row of tabs "4, 8" is one cell
    with two quantities. The quantity is the first cell after the first that is a number
    or several, or the first cell itself where only that is one; without any it is 1.
    Cells before it are the item, cells after it (a price, a remark) are the note.

    >>> split_row("MSN3700-VS2F\\tSpectrum switch\\t1,152\\tfor lab 2")
    ('Spectrum switch', 'MSN3700-VS2F', '1,152', 'for lab 2')
    >>> split_row("4; MSN3700-VS2F")
    ('', 'MSN3700-VS2F', '4', '')
    >>> split_row("4 x red fibre")
    ('red fibre', '', '4', '')
    >>> split_row("4 MSN3700-VS2F")
    ('', 'MSN3700-VS2F', '4', '')
    """
    if (times := _TIMES.fullmatch(row.strip())) is not None:
        row = f"{times['quantity']}\t{times['item']}"
    cells = [cell.strip() for cell in _part_cells(row)]
    numbers = [i for i, cell in enumerate(cells) if _is_numbers(cell)]
    later = [i for i in numbers if i > 0]
    if not later and numbers and len(cells) > 1:
        item, quantity, rest = cells[1:], cells[0], []
    elif later:
        item, quantity, rest = cells[: later[0]], cells[later[0]], cells[later[0] + 1 :]
    else:
        item, quantity, rest = cells, "1", []
    item = [cell for cell in item if cell]
    note = ", ".join(cell for cell in rest if cell)
    if item and " " not in item[0]:
        return " ".join(item[1:]), item[0], quantity, note
    return " ".join(item), "", quantity, note


def _part_cells(row: str) -> list[str]:
    for mark in "\t;":
        if mark in row:
            return row.split(mark)
    return _COMMA.split(row)


def _is_numbers(cell: str) -> bool:
    return all(_NUMBER.fullmatch(part) for part in _BETWEEN.split(cell))


def is_heading(row: str) -> bool:
    words = re.findall(r"[a-z]+", row.lower())
    return bool(words) and _HEADINGS.issuperset(words) and not re.search(r"\d", row)
