"""The record of an acceptance: frozen as data with the yes, printed by a worker.

It is for both sides, so it is built from the content that the customer saw and from
what they signed, and from nothing else.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from django.template.loader import render_to_string

from quotes.bought import bought_content, bought_lines
from quotes.content import Content
from quotes.models import Acceptance
from quotes.pdf import figure, unit_figure
from quotes.services.papers import Paper, make_paper, papers_due
from quotes.services.po_files import po_file_of
from sourceit.clock import SINGAPORE
from sourceit.documents import await_document, document_of
from sourceit.models import Document
from sourceit.money import format_money
from sourceit.pdf import render_pdf

RECORD = "acceptance_record"
# 2: with the discount on the whole and the totals in S$.
MANIFEST_VERSION = 2
LINE_FIELDS = (
    "number",
    "kind",
    "maker",
    "mpn",
    "description",
    "quantity",
    "unit",
    "unit_price",
    "discount_percent",
    "net",
)


def record_acceptance(acceptance: Acceptance) -> None:
    """Freeze the record and ask for its PDF, in the transaction of the acceptance."""
    manifest = build_manifest(acceptance)
    acceptance.manifest = manifest
    acceptance.manifest_sha256 = hashlib.sha256(write_manifest(manifest)).hexdigest()
    acceptance.save(update_fields=["manifest", "manifest_sha256"])
    await_document(acceptance, RECORD, f"Acceptance of {acceptance.revision}")


def build_manifest(acceptance: Acceptance) -> Content:
    """Say who accepted what, when, and by which words; all values are JSON."""
    revision, content = acceptance.revision, bought_content(acceptance)
    assert revision.document is not None, "it was sent"
    return {
        "manifest_version": MANIFEST_VERSION,
        "quotation": {
            "number": content["number"],
            "revision": content["revision"],
            "issued_on": content["issued_on"],
            "valid_until": content["valid_until"],
            "file": revision.document.name,
            "pdf_sha256": acceptance.pdf_sha256,
            "content_sha256": acceptance.content_sha256,
        },
        "seller": {
            "name": content["seller"].get("legal_name", "") or "SourceIT",
            "is_sample": content["seller"].get("is_sample", False),
        },
        "buyer": {
            "company": content["buyer"]["company"],
            "uen": content["buyer"]["uen"],
        },
        "accepted": _signature(acceptance),
        "choice": acceptance.choice_words,
        # How it differs from the quotation, in words; none where it is as quoted.
        "chosen": acceptance.choice_words,
        "lines": lines_of(acceptance),
        "totals": _totals(acceptance, content),
        "terms_version": content["terms"]["version"],
    }


def _totals(acceptance: Acceptance, content: Content) -> Content:
    """Return the totals bought; a discount on the whole and S$ where there are any."""
    totals = content["totals"]
    figures = {name: totals[name] for name in ("net", "gst", "rounding")}
    figures |= {"currency": acceptance.currency, "gross": str(acceptance.gross)}
    if totals.get("discount"):
        figures |= {name: totals[name] for name in ("subtotal", "discount")}
    if totals.get("sgd"):
        figures |= {"sgd": totals["sgd"], "fx": content["fx"]}
    return figures


def _signature(acceptance: Acceptance) -> Content:
    desk = acceptance.entered_by
    return {
        "name": acceptance.name,
        "job_title": acceptance.job_title,
        "email": acceptance.email,
        "at_utc": acceptance.at.astimezone(UTC).isoformat(timespec="seconds"),
        "at_sgt": acceptance.at.astimezone(SINGAPORE).isoformat(timespec="seconds"),
        "network_address": acceptance.address,
        "browser": acceptance.agent,
        "words": acceptance.words,
        "po_number": acceptance.po_number,
        "po_file": _po_file(acceptance),
        "entered_by": str(desk) if desk else "",
    }


def _po_file(acceptance: Acceptance) -> Content | None:
    file = po_file_of(acceptance)
    if file is None:
        return None
    return {"name": file.name, "size": file.size, "sha256": file.sha256}


def lines_of(acceptance: Acceptance) -> list[Content]:
    """Return the frozen lines that were bought, as the record keeps them."""
    lines = bought_lines(acceptance)
    return [{name: line[name] for name in LINE_FIELDS} for line in lines]


def write_manifest(manifest: Content) -> bytes:
    """Write the record as the file that is downloaded; the same bytes every time."""
    return json.dumps(manifest, sort_keys=True, indent=2).encode()


def manifest_name(acceptance: Acceptance) -> str:
    number = (acceptance.manifest or {})["quotation"]["number"]
    return f"SourceIT-Acceptance-{number}-r{acceptance.revision.n}"


def make_record(pk: int, now: datetime) -> bool:
    """Print the record of an acceptance, unless another worker has it."""
    rows = Acceptance.objects.select_related("revision__quote")
    acceptance = rows.filter(pk=pk).first()
    if acceptance is None or acceptance.manifest is None:
        return False
    return make_paper(acceptance, RECORD, now, write=lambda: _print(acceptance))


def records_due(now: datetime) -> list[int]:
    return papers_due(RECORD, Acceptance.objects.all(), now)


def _print(acceptance: Acceptance) -> Paper:
    html = render_to_string("pdf/record.html", record_context(acceptance))
    name = manifest_name(acceptance)
    pdf = render_pdf(html, identifier=name, created=acceptance.at)
    return Paper(pdf, f"{name}.pdf")


def record_context(acceptance: Acceptance) -> Content:
    """Return what the printed record says: the record's own data, in words."""
    manifest, content = acceptance.manifest or {}, acceptance.revision.content or {}
    quotation, totals = manifest["quotation"], manifest["totals"]
    return {
        "seller": content["seller"],
        "buyer": content["buyer"],
        "paper": {
            "title": "Record of acceptance",
            "ref": f"{quotation['number']} rev {quotation['revision']}",
            "meta": [("Accepted", _time(acceptance.at))],
        },
        "what": [
            ("Quotation", f"{quotation['number']} revision {quotation['revision']}"),
            ("Buyer", manifest["buyer"]["company"] or content["buyer"]["name"]),
            *_total_rows(totals),
            ("Chosen", "; ".join(manifest["chosen"]) or "As quoted"),
            ("Terms of sale", f"Version {manifest['terms_version'] or 'none'}"),
        ],
        "who": _who(manifest["accepted"], acceptance.at),
        "lines": [_row(line) for line in manifest["lines"]],
        "hashes": [
            ("Quotation PDF", quotation["pdf_sha256"]),
            ("Content of it", quotation["content_sha256"]),
            ("This record as JSON", acceptance.manifest_sha256),
            *_po_hash(manifest["accepted"]["po_file"]),
        ],
    }


def _total_rows(totals: Content) -> list[tuple[str, str]]:
    """Write the totals as the quotation does; older records have fewer."""
    currency, sgd = totals["currency"], totals.get("sgd")
    known = (
        ("Lines together", totals.get("subtotal"), currency),
        ("Discount", totals.get("discount"), currency),
        ("Before GST", totals["net"], currency),
        ("GST", totals["gst"], currency),
        ("Rounding", totals["rounding"], currency),
        ("Total including GST", totals["gross"], currency),
        ("Before GST in S$", sgd and sgd["net"], "SGD"),
        ("GST in S$", sgd and sgd["gst"], "SGD"),
        ("Total including GST in S$", sgd and sgd["gross"], "SGD"),
    )
    return [
        (name, format_money(Decimal(amount), unit))
        for name, amount, unit in known
        if amount and (Decimal(amount) or name != "Rounding")
    ]


def _po_hash(file: Content | None) -> list[tuple[str, str]]:
    return [(f"Purchase order {file['name']}", file["sha256"])] if file else []


def _who(signed: Content, at: datetime) -> list[tuple[str, Any]]:
    facts = [
        ("Name", signed["name"]),
        ("Job title", signed["job_title"]),
        ("E-mail", signed["email"]),
        ("When", f"{_time(at)}, {at.astimezone(UTC):%-d %b %Y, %H:%M:%S} UTC"),
        ("Words", signed["words"]),
        ("Purchase order", signed["po_number"]),
        ("Network address", signed["network_address"]),
        ("Browser", signed["browser"]),
        ("Entered by", signed["entered_by"]),
    ]
    return [(name, value) for name, value in facts if value]


def _row(line: Content) -> Content:
    money = {"unit_price": unit_figure(line["unit_price"]), "net": figure(line["net"])}
    return {**line, **money}


def _time(at: datetime) -> str:
    return f"{at.astimezone(SINGAPORE):%-d %b %Y, %H:%M:%S} SGT"


def record_of(acceptance: Acceptance) -> Document | None:
    """Return the printed record, once it is ready."""
    document = document_of(acceptance, RECORD)
    is_ready = document is not None and document.status == Document.Status.READY
    return document if is_ready else None
