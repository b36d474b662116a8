"""A quote's frozen content to HTML to a PDF. No database, no look-ups."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import segno
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from quotes.annex import annex_of
from quotes.offer_tables import (
    break_tables,
    choice_tables,
    plain_options,
    range_words,
)
from quotes.pricing import TAX_REASONS, Kind, Tax
from sourceit.money import SYMBOLS
from sourceit.pdf import Pdf, render_parts

Content = dict[str, Any]

CURRENCY_WORDS = {"SGD": "Singapore dollars", "USD": "United States dollars"}
# What a line's GST column prints besides a rate; the table at the foot explains each.
TAX_CODES = {
    Tax.OUT_OF_SCOPE: "OS",
    Tax.CUSTOMER_ACCOUNTING: "CA",
    Tax.NOT_REGISTERED: "NR",
}
# The most characters that the usual columns hold; beyond, all columns are set for more.
ROOM = {"net": 13, "unit_price": 12, "quantity": 7, "discount": 5}

# Lines laid out at a time, for the memory's sake: see `render_parts`.
PART_LINES = 260


def render_quote(content: Content, *, is_draft: bool, created: datetime) -> Pdf:
    """Render a quotation from its content alone; `created` is the time of issue."""
    parts = quote_parts(content, is_draft=is_draft)
    identifier = f"{content['number'] or 'draft'}-r{content['revision']}"
    return render_parts(parts, identifier=identifier, created=created)


def quote_parts(content: Content, *, is_draft: bool) -> list[str]:
    """Write the pages that are printed, in parts of at most so many lines each.

    Everything of a customer's is escaped. A usual quote is one part.
    """
    context = _context(content, is_draft)
    parts = _split(context["sections"])
    last = len(parts) - 1
    return [
        render_to_string(
            "pdf/quote.html",
            {**context, "sections": part, "is_first": n == 0, "is_last": n == last},
        )
        for n, part in enumerate(parts)
    ]


def print_context(content: Content) -> Content:
    """Return what the shared pieces of a paper print of a frozen content."""
    return _context(content, is_draft=False)


def file_name(number: str, revision: int) -> str:
    return f"SourceIT-Quotation-{number}-r{revision}.pdf"


def answer_url(content: Content) -> str:
    """The plain address that is printed: it asks who comes and gives nothing away."""
    return f"{content['seller']['site']}/q/{content['number']}/"


def _context(content: Content, is_draft: bool) -> Content:
    percent = content["gst_percent"]
    sections = [_section(part, percent) for part in content["sections"]]
    rows = [row for part in sections for row in part["lines"]]
    options = [_row(line, percent) for line in plain_options(content)]
    choices = [_choice(table, percent) for table in choice_tables(content)]
    asides = [*options, *(row for table in choices for row in table["lines"])]
    has_discounts = any(row["discount"] for row in (*rows, *asides))
    url = "" if is_draft or not content["number"] else answer_url(content)
    return {
        **content,
        "is_draft": is_draft,
        "issued_on": _day(content["issued_on"]),
        "valid_until": _day(content["valid_until"]),
        "currency_words": CURRENCY_WORDS.get(content["currency"], ""),
        "symbol": SYMBOLS.get(content["currency"], content["currency"]),
        "sections": sections,
        "has_subtotals": len(sections) > 1,
        "options": options,
        "choices": choices,
        "breaks": [_breaks(table) for table in break_tables(content)],
        "has_discounts": has_discounts,
        # What a row spans that has a number at its left and nothing else to count.
        "columns": 6 if has_discounts else 5,
        "has_long_amounts": any(_is_long(row) for row in (*rows, *asides)),
        "fx": _rate(content),
        "totals": _totals(content["totals"]),
        "taxes": _taxes(content),
        "gst_words": _gst_words(content),
        "url": url,
        "qr": _qr(url),
        "designs": [annex_of(design) for design in content["designs"]],
    }


def _rate(content: Content) -> Content | None:
    """The rate to S$ with its day; None in S$, and for contents from before rates."""
    fx = content.get("fx")
    return {**fx, "day": _day(fx["on"])} if fx else None


def _section(part: Content, percent: str) -> Content:
    lines = [_row(line, percent) for line in part["lines"]]
    name = part["title"]
    return {**part, "name": name, "lines": lines, "net": figure(part["net"])}


def _split(sections: list[Content]) -> list[list[Content]]:
    """Share sections out over parts; only a section longer than a part is cut.

    The pieces of a cut section keep its title; the last one has its subtotal.
    """
    parts: list[list[Content]] = [[]]
    room = PART_LINES
    for section in sections:
        rest = section["lines"]
        if len(rest) > room and room < PART_LINES:
            parts.append([])
            room = PART_LINES
        while len(rest) > room:
            piece = {**section, "lines": rest[:room], "net": ""}
            parts[-1].append(piece)
            parts.append([])
            section = {**section, "title": _continued(section["title"])}
            rest, room = rest[room:], PART_LINES
        parts[-1].append({**section, "lines": rest})
        room -= len(rest)
    return parts


def _continued(title: str) -> str:
    words = title or "Items"
    return words if words.endswith(", continued") else f"{words}, continued"


def _row(line: Content, percent: str) -> Content:
    known = (
        ("Lead time", line["lead_time"]),
        ("Warranty", line["warranty"]),
        ("Our part number", line.get("our_part")),
        ("Origin", line.get("origin")),
        ("HS code", line.get("hs_code")),
    )
    facts = [f"{name} {value}" for name, value in known if value]
    if limits := range_words(line):
        facts.append(f"You choose the quantity: {limits}")
    discount = line["discount_percent"]
    return {
        **line,
        "is_text": line["kind"] == Kind.TEXT,
        # Contents frozen before choices have alternatives among the options.
        "mark": "(alternative)" if line["kind"] == Kind.ALTERNATIVE else "",
        "part": " ".join(part for part in (line["maker"], line["mpn"]) if part),
        "facts": "\n".join(part for part in (" · ".join(facts), line["note"]) if part),
        "quantity": _count(line["quantity"]),
        "unit_price": unit_figure(line["unit_price"]),
        "discount": f"{discount}%" if Decimal(discount) else "",
        "tax_code": _tax_code(line["tax"], percent),
        "net": figure(line["net"]),
    }


def _choice(table: Content, percent: str) -> Content:
    """A choice of one as a table: each line says whether the total counts it."""
    rows = [_row(line, percent) for line in table["lines"]]
    for row in rows:
        is_counted = row["number"] == table["default"]
        row["mark"] = "(in the total)" if is_counted else "(instead)"
    return {**table, "lines": rows}


def _breaks(table: Content) -> Content:
    prices = ({**row, "price": unit_figure(row["unit_price"])} for row in table["rows"])
    return {**table, "rows": list(prices)}


def _is_long(row: Content) -> bool:
    return any(len(row[name]) > room for name, room in ROOM.items())


def _totals(totals: Content) -> Content:
    figures: Content = {name: figure(totals[name]) for name in ("net", "gst", "gross")}
    rounding = totals["rounding"]
    if sgd := totals.get("sgd"):
        figures["sgd"] = {name: f"S${figure(value)}" for name, value in sgd.items()}
    figures["subtotal"] = figure(totals.get("subtotal", ""))
    figures["discount"] = figure(totals.get("discount", ""))
    figures["discount_percent"] = totals.get("discount_percent", "")
    figures["rounding"] = figure(rounding) if Decimal(rounding) else ""
    return figures


def _taxes(content: Content) -> list[Content]:
    """The GST categories of the sum, then those that only options have."""
    percent, taxes = content["gst_percent"], content["totals"]["taxes"]
    rows = [
        {
            "code": _tax_code(tax["tax"], percent),
            "reason": tax["reason"],
            "base": figure(tax["base"]),
            "gst": figure(tax["gst"]),
        }
        for tax in taxes
    ]
    others = {line["tax"] for line in content["options"]} - {t["tax"] for t in taxes}
    rows += [
        {"code": _tax_code(tax, percent), "reason": TAX_REASONS[tax]}
        for tax in sorted(others)
    ]
    return rows


def _gst_words(content: Content) -> str:
    """Name the sum of GST: with its rate where one rate makes all of it."""
    taxes = [tax["tax"] for tax in content["totals"]["taxes"]]
    return f"GST {content['gst_percent']}%" if taxes == [Tax.STANDARD] else "GST"


def _tax_code(tax: str, percent: str) -> str:
    """Write a line's GST: the rate, or the letters of a treatment without one."""
    rates = {Tax.STANDARD: f"{percent}%", Tax.ZERO_RATED: "0%"}
    return rates.get(Tax(tax)) or TAX_CODES[Tax(tax)]


def _qr(url: str) -> SafeString:
    if not url:
        return mark_safe("")
    code = segno.make(url, error="m", micro=False)
    # Escaped by segno; the title becomes the picture's alternative text.
    svg = code.svg_inline(border=0, scale=3, title=f"QR code: {url}", dark="#111827")
    return mark_safe(svg)


def figure(amount: str) -> str:
    """Write an amount to the cent without its currency: 28,523.25; "" for none."""
    return f"{Decimal(amount):,.2f}" if amount else ""


def unit_figure(amount: str) -> str:
    """Write a unit price with two to four decimals, as many as it has."""
    if not amount:
        return ""
    whole, _, fraction = f"{Decimal(amount):,.4f}".partition(".")
    return f"{whole}.{fraction.rstrip('0').ljust(2, '0')}"


def _count(quantity: str) -> str:
    return f"{Decimal(quantity):,f}"


def _day(iso: str) -> date | None:
    return date.fromisoformat(iso) if iso else None
