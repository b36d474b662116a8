"""A quote's frozen content to HTML to a PDF. No database, no look-ups."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import segno
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from quotes.annex import annex_of
from quotes.pricing import TAX_REASONS, Kind, Tax
from sourceit.money import SYMBOLS
from sourceit.pdf import Pdf, render_pdf

Content = dict[str, Any]

CURRENCY_WORDS = {"SGD": "Singapore dollars", "USD": "United States dollars"}
# What a line's GST column prints; the table at the foot explains each with its reason.
TAX_CODES = {
    Tax.STANDARD: "SR",
    Tax.ZERO_RATED: "ZR",
    Tax.OUT_OF_SCOPE: "OS",
    Tax.CUSTOMER_ACCOUNTING: "CA",
    Tax.NOT_REGISTERED: "NR",
}
# From this many characters on, amounts are set smaller so that none leaves its column.
LONG_AMOUNT = 15


def render_quote(content: Content, *, is_draft: bool, created: datetime) -> Pdf:
    """Render a quotation from its content alone; `created` is the time of issue."""
    html = quote_html(content, is_draft=is_draft)
    identifier = f"{content['number'] or 'draft'}-r{content['revision']}"
    return render_pdf(html, identifier=identifier, created=created)


def quote_html(content: Content, *, is_draft: bool) -> str:
    """Write the page that is printed. Everything of a customer's is escaped."""
    return render_to_string("pdf/quote.html", _context(content, is_draft))


def file_name(number: str, revision: int) -> str:
    return f"SourceIT-Quotation-{number}-r{revision}.pdf"


def answer_url(content: Content) -> str:
    """The plain address that is printed: it asks who comes and gives nothing away."""
    return f"{content['seller']['site']}/q/{content['number']}/"


def _context(content: Content, is_draft: bool) -> Content:
    lines = [line for part in content["sections"] for line in part["lines"]]
    everything = [*lines, *content["options"]]
    url = "" if is_draft or not content["number"] else answer_url(content)
    return {
        **content,
        "is_draft": is_draft,
        "issued_on": _day(content["issued_on"]),
        "valid_until": _day(content["valid_until"]),
        "currency_words": CURRENCY_WORDS.get(content["currency"], ""),
        "symbol": SYMBOLS.get(content["currency"], content["currency"]),
        "sections": [
            {**part, "lines": _rows(part["lines"]), "net": figure(part["net"])}
            for part in content["sections"]
        ],
        "options": _rows(content["options"]),
        "line_count": len([line for line in lines if line["kind"] != Kind.TEXT]),
        "has_discounts": any(_is_discounted(line) for line in everything),
        "has_long_amounts": any(
            len(figure(x["net"])) > LONG_AMOUNT for x in everything
        ),
        "totals": _totals(content["totals"]),
        "taxes": _taxes(content),
        "url": url,
        "qr": _qr(url),
        "designs": [annex_of(design) for design in content["designs"]],
    }


def _rows(lines: Iterable[Content]) -> list[Content]:
    return [_row(line) for line in lines]


def _row(line: Content) -> Content:
    facts = [
        f"Lead time {line['lead_time']}" if line["lead_time"] else "",
        f"Warranty {line['warranty']}" if line["warranty"] else "",
    ]
    return {
        **line,
        "is_text": line["kind"] == Kind.TEXT,
        "is_alternative": line["kind"] == Kind.ALTERNATIVE,
        "part": " ".join(part for part in (line["maker"], line["mpn"]) if part),
        "facts": " · ".join(fact for fact in facts if fact),
        "quantity": _count(line["quantity"]),
        "unit_price": unit_figure(line["unit_price"]),
        "discount": f"{line['discount_percent']}%" if _is_discounted(line) else "",
        "tax_code": TAX_CODES[Tax(line["tax"])],
        "net": figure(line["net"]),
    }


def _is_discounted(line: Content) -> bool:
    return Decimal(line["discount_percent"]) != 0


def _totals(totals: Content) -> Content:
    figures = {name: figure(totals[name]) for name in ("net", "gst", "gross")}
    rounding = totals["rounding"]
    figures["rounding"] = figure(rounding) if Decimal(rounding) else ""
    return figures


def _taxes(content: Content) -> list[Content]:
    """The GST categories of the sum, then those that only options have."""
    taxes = content["totals"]["taxes"]
    rows = [
        {
            "code": TAX_CODES[Tax(tax["tax"])],
            "reason": tax["reason"],
            "percent": f"{tax['percent']}%",
            "base": figure(tax["base"]),
            "gst": figure(tax["gst"]),
        }
        for tax in taxes
    ]
    summed = {tax["tax"] for tax in taxes}
    others = {line["tax"] for line in content["options"]} - summed
    rows += [
        {"code": TAX_CODES[Tax(tax)], "reason": TAX_REASONS[tax]}
        for tax in sorted(others)
    ]
    return rows


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
