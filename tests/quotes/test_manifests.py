"""The record of an acceptance, and what a fingerprint is."""

from __future__ import annotations

import hashlib
import io
import json
import re
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from quotes.models import Acceptance, Revision
from quotes.services.acceptances import void_acceptance
from quotes.services.manifests import RECORD, make_record, records_due, write_manifest
from quotes.states import RevisionStatus
from quotes.tasks import sweep_papers
from sourceit.documents import document_of
from sourceit.models import Document
from tests.factories import make_approver, make_bought, make_revision
from tests.quotes.answering import accept, address_of, dispatch
from tests.quotes.answering import quick_pdf as quick_pdf
from tests.quotes.test_secrecy import secrets_in

pytestmark = pytest.mark.django_db

VERIFY = reverse("quotes:verify")


@pytest.fixture
def bought(sam, settings, tmp_path) -> Revision:
    settings.MEDIA_ROOT = tmp_path
    return make_bought(sam, lines=2)


def body_of(response) -> bytes:
    return b"".join(response.streaming_content)


def test_the_record_tells_who_what_when_and_the_fingerprints(bought) -> None:
    acceptance = bought.acceptances.get()
    manifest = acceptance.manifest

    assert manifest["quotation"]["number"] == bought.quote.number
    assert manifest["quotation"]["pdf_sha256"] == bought.document.sha256
    assert manifest["quotation"]["content_sha256"] == bought.content_sha256
    signed = manifest["accepted"]
    assert (signed["name"], signed["po_number"]) == ("Carol Tan", "PO-4711")
    assert signed["at_utc"].endswith("+00:00")
    assert signed["at_sgt"].endswith("+08:00")
    assert manifest["totals"]["gross"] == str(bought.gross)
    assert [line["number"] for line in manifest["lines"]] == [1, 2]


def test_the_pdf_says_what_the_data_says(bought) -> None:
    acceptance = bought.acceptances.get()
    document = document_of(acceptance, RECORD)
    with document.file.open("rb") as file:
        pages = PdfReader(io.BytesIO(file.read())).pages
        text = "\n".join(page.extract_text() for page in pages)
    flat = re.sub(r"\s", "", text)

    assert "Record of acceptance" in text
    assert f"{bought.gross:,}" in text
    for digest in (bought.document.sha256, acceptance.manifest_sha256):
        assert digest in flat
    assert "Carol Tan" in text
    assert "PO-4711" in text


def test_both_sides_download_the_very_same(client, sam_client, bought) -> None:
    acceptance = bought.acceptances.get()
    record = address_of(bought, "answer_record")
    desk = reverse("desk:acceptance_record", args=[acceptance.pk])

    theirs, ours = body_of(client.get(record)), body_of(sam_client.get(desk))
    assert theirs == ours
    assert hashlib.sha256(theirs).hexdigest() == document_of(acceptance, RECORD).sha256
    data = client.get(address_of(bought, "answer_record_json"))
    same = sam_client.get(reverse("desk:acceptance_record_json", args=[acceptance.pk]))
    assert data.content == same.content == write_manifest(json.loads(data.content))
    assert hashlib.sha256(data.content).hexdigest() == acceptance.manifest_sha256


def test_the_record_holds_no_cost_or_margin(client, bought) -> None:
    data = client.get(address_of(bought, "answer_record_json")).content.decode()

    assert secrets_in(data) == []
    assert "21234" not in data


def test_the_sweep_prints_what_waits(sam) -> None:
    sent = dispatch(make_revision(author=sam))
    acceptance = accept(sent)
    assert document_of(acceptance, RECORD).status == Document.Status.WAITING

    sweep_papers()

    assert document_of(acceptance, RECORD).status == Document.Status.READY
    assert not records_due(timezone.now())
    assert not make_record(acceptance.pk, timezone.now()), "once is enough"


def test_a_record_that_cannot_be_printed_says_so(sam, monkeypatch) -> None:
    sent = dispatch(make_revision(author=sam))
    acceptance = accept(sent)
    monkeypatch.setattr("quotes.services.manifests.render_pdf", lambda *_, **__: 1 / 0)

    assert not make_record(acceptance.pk, timezone.now())

    document = document_of(acceptance, RECORD)
    assert document.status == Document.Status.FAILED
    assert "division" in document.error


def test_there_is_no_record_of_what_was_not_accepted(client, sam) -> None:
    sent = dispatch(make_revision(author=sam))

    for name in ("answer_record", "answer_record_json"):
        assert client.get(address_of(sent, name)).status_code == 404


# Verifying


def ask(client, digest: str) -> str:
    return client.post(VERIFY, {"sha256": digest}).content.decode()


def digests(revision: Revision) -> dict[str, str]:
    acceptance = revision.acceptances.get()
    return {
        "Quotation (PDF)": revision.document.sha256,
        "Content of a quotation": revision.content_sha256,
        "Record of acceptance (PDF)": document_of(acceptance, RECORD).sha256,
        "Record of acceptance (JSON)": acceptance.manifest_sha256,
    }


def test_a_fingerprint_names_its_document(client, bought) -> None:
    for kind, digest in digests(bought).items():
        page = ask(client, digest)
        assert f"{kind}: {bought.quote.number} revision 1" in page
        assert f"{timezone.localdate():%-d %b %Y}" in page


def test_the_page_tells_no_price_and_no_name(client, bought) -> None:
    asked = bought.quote.request
    secrets = [f"{bought.gross:,}", f"{bought.net:,}", "Carol", "Sam Lim", "PO-4711"]
    secrets += [asked.company, asked.email, asked.number]

    for digest in digests(bought).values():
        page = ask(client, digest)
        assert [word for word in secrets if word in page] == []


def test_a_dropped_file_is_found_and_not_kept(client, bought) -> None:
    with bought.document.file.open("rb") as file:
        data = file.read()
    before = Document.objects.count()

    page = client.post(VERIFY, {"file": SimpleUploadedFile("quote.pdf", data)})
    other = client.post(VERIFY, {"file": SimpleUploadedFile("quote.pdf", data + b" ")})

    assert "Quotation (PDF)" in page.content.decode()
    assert "Not one of ours" in other.content.decode()
    assert Document.objects.count() == before


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (RevisionStatus.SENT, "It is the live revision and valid until"),
        (RevisionStatus.ACCEPTED, "It is the revision that was accepted"),
        (RevisionStatus.SUPERSEDED, "It is not the live revision"),
        (RevisionStatus.WITHDRAWN, "It is not the live revision"),
    ],
)
def test_it_tells_whether_the_revision_is_live(client, bought, status, words) -> None:
    Revision.objects.filter(pk=bought.pk).update(status=status)

    assert words in ask(client, bought.content_sha256)


def test_it_tells_of_expiry(client, bought) -> None:
    past = timezone.localdate() - timedelta(days=1)
    Revision.objects.filter(pk=bought.pk).update(status="sent", valid_until=past)

    assert "when its validity ended" in ask(client, bought.content_sha256)


def test_a_voided_record_no_longer_stands(client, bought) -> None:
    digest = bought.acceptances.get().manifest_sha256
    assert "This acceptance stands." in ask(client, digest)

    void_acceptance(
        revision=bought, by=make_approver(), reason="A mistake", now=timezone.now()
    )

    assert "no longer stands" in ask(client, digest)
    assert Acceptance.objects.count() == 1


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", "Enter a fingerprint, or choose a file."),
        ("abc", "A fingerprint has 64 signs"),
        ("z" * 64, "A fingerprint has 64 signs"),
        ("0" * 64, "Not one of ours"),
    ],
)
def test_what_is_typed_is_checked(client, db, typed, words) -> None:
    assert words in ask(client, typed)


def test_spaces_and_capitals_do_not_matter(client, bought) -> None:
    digest = bought.document.sha256.upper()

    assert "Quotation (PDF)" in ask(client, f"SHA-256: {digest[:32]} {digest[32:]}")


def test_guessing_is_slow(client, db) -> None:
    statuses = [
        client.post(VERIFY, {"sha256": f"{n:064x}"}).status_code for n in range(32)
    ]

    assert statuses == [200] * 30 + [429] * 2


def test_a_draft_has_no_fingerprint(client, bought) -> None:
    Revision.objects.filter(pk=bought.pk).update(status=RevisionStatus.DRAFT)

    assert "Not one of ours" in ask(client, bought.content_sha256)
