"""The PDF report: asked for once, made by a worker, kept; a failed one is retried."""

from __future__ import annotations

import hashlib
import io
import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from fabrics.engine import FabricSpec
from fabrics.models import DesignVersion
from fabrics.report import render_report
from fabrics.services import save_design
from fabrics.services.reports import (
    REPORT,
    ask_report,
    find_due_reports,
    make_report,
    report_of,
)
from sourceit.documents import MAX_ATTEMPTS, STALE_AFTER, claim_document
from sourceit.models import Document
from sourceit.pdf import PdfError

pytestmark = pytest.mark.django_db
SPEC = FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-x800", gpus=576)
Status = Document.Status


@pytest.fixture
def version():
    return save_design(spec=SPEC, owner=None, name="<b>Lab</b>")


def url_of(version) -> str:
    return reverse("fabrics:report", args=[version.design_id, version.n])


def page_of(client, version, **headers) -> str:
    response = client.get(version.get_absolute_url(), **headers)
    return re.sub(r"\s+", " ", response.content.decode())


def text_of(data: bytes) -> str:
    return " ".join(page.extract_text() for page in PdfReader(io.BytesIO(data)).pages)


def test_the_report_holds_figures_parts_checks_sources_and_drawings(version):
    text = text_of(render_report(version).data)

    for words in (
        "<b>Lab</b>",
        "Version 1",
        "A design, not an offer",
        "Q3400-RD",
        "8 leaf + 4 spine",
        "No published row on file",
        "docs.nvidia.com/pdf/dgx-spod-gb300-ra.pdf",
        "Topology",
        "NVLink domain",
        "Rack C0001",
        "Rack N0001",
    ):
        assert words in text


def test_the_same_version_prints_the_same_bytes_and_what_was_frozen(version):
    version.result["bom"][1]["description"] = "Frozen words"
    version.save()

    once, again = render_report(version).data, render_report(version).data

    assert once == again
    assert "Frozen words" in text_of(once)


def test_a_report_is_asked_for_made_and_taken(client, version):
    assert "Make the PDF report" in page_of(client, version)
    client.post(url_of(version))
    assert "The report is being made." in page_of(client, version)
    assert client.get(url_of(version)).status_code == 302

    assert make_report(version.pk, timezone.now())

    assert "Download the report" in page_of(client, version)
    taken = client.get(url_of(version))
    data = b"".join(taken)
    assert hashlib.sha256(data).hexdigest() == report_of(version).sha256
    assert taken["Content-Disposition"].startswith("attachment")
    assert "-v1.pdf" in taken["Content-Disposition"]


def test_a_report_is_made_once(version, monkeypatch):
    ask_report(version)
    assert make_report(version.pk, timezone.now())
    first = report_of(version).sha256
    ask_report(version)

    assert not make_report(version.pk, timezone.now())
    assert report_of(version).sha256 == first
    assert Document.objects.filter(kind=REPORT).count() == 1


def test_a_failed_report_says_so_and_is_made_again(client, version, monkeypatch):
    def breaks(_version):
        raise PdfError("No room on the disk")

    ask_report(version)
    monkeypatch.setattr("fabrics.services.reports.render_report", breaks)
    assert not make_report(version.pk, timezone.now())
    page = page_of(client, version)
    assert "The report could not be made." in page
    assert "No room on the disk" not in page

    monkeypatch.undo()
    client.post(url_of(version))
    assert make_report(version.pk, timezone.now())


def test_the_sweep_finds_what_waits_and_what_a_dead_worker_held(version):
    now = timezone.now()
    ask_report(version)
    assert find_due_reports(now) == [version.pk]
    assert find_due_reports(now) == []

    claim_document(version, REPORT, now)
    later = now + STALE_AFTER + timedelta(seconds=1)
    assert find_due_reports(later) == [version.pk]


def test_a_report_that_kills_its_worker_ends_as_failed(version):
    now = timezone.now()
    ask_report(version)
    for _ in range(MAX_ATTEMPTS):
        claim_document(version, REPORT, now)
        now += STALE_AFTER + timedelta(seconds=1)
        find_due_reports(now)

    assert report_of(version).status == Status.FAILED


def test_the_state_swaps_alone_and_polls_only_while_it_is_made(client, version):
    swap = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "report"}

    waiting = client.post(url_of(version), **swap).content.decode()
    make_report(version.pk, timezone.now())
    ready = page_of(client, version, **swap)

    assert waiting.strip().startswith("<section")
    assert 'hx-trigger="load delay:2s"' in waiting
    assert "hx-trigger" not in ready
    assert "Download the report" in ready


def test_the_configurator_saves_a_design_and_asks_for_its_report(client):
    asked = {"system": "gb300-nvl72", "fabric": "quantum-x800", "gpus": "72"}

    answer = client.post(reverse("fabrics:save"), {**asked, "report": "yes"})

    version = DesignVersion.objects.get()
    assert answer["Location"] == f"{version.design.get_absolute_url()}#report"
    assert report_of(version).status in (Status.WAITING, Status.READY)


def test_asking_for_reports_is_limited(client, version):
    answers = [client.post(url_of(version)) for _ in range(11)]

    assert answers[-1].status_code == 429
