"""Cost, margin and notes reach no page, letter or file that a customer can get."""

from __future__ import annotations

import io
import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from fabrics.engine import FabricSpec
from fabrics.saved import difference_url
from fabrics.services import save_design, save_version
from quotes.choosing import Choice
from quotes.models import Acceptance, QuoteRequest, RequestLine, Revision
from quotes.services.answers import Signature, Yes, accept_quote
from quotes.services.changes import ask_for_change
from quotes.services.messages import add_note
from quotes.services.quotes import build_quote
from quotes.services.sending import dispatch_revision, send_quote
from quotes.states import RequestStatus
from sourceit.links import issue_link, token_of
from tests.factories import make_line, make_request, make_revision

COST = Decimal("17321.9900")
SECRETS = re.compile(
    r"17,?321|33\.80|8,?846|hush|secret supplier|margin|markup|cost price|unit_cost",
    re.IGNORECASE,
)


@pytest.fixture
def sent(db, sam, django_capture_on_commit_callbacks) -> Revision:
    asked = make_request(owner=sam, status=RequestStatus.IN_PROGRESS)
    revision = make_revision(
        request=asked, author=sam, lines=0, internal_note="hush: secret supplier"
    )
    priced = {"unit_price": Decimal("26168.1193"), "unit_cost": COST}
    make_line(
        revision,
        **priced,
        quantity_min=Decimal(1),
        quantity_max=Decimal(4),
        price_breaks=[{"from": "2", "unit_price": "26000.0000"}],
    )
    make_line(revision, position=1, kind="optional", **priced)
    for position, kind in ((2, "standard"), (3, "alternative")):
        make_line(revision, position=position, kind=kind, choice="Switch", **priced)
    now = timezone.now()
    add_note(request=asked, text="hush: their margin for us", by=sam, now=now)
    with django_capture_on_commit_callbacks(execute=True):
        send_quote(
            revision=revision,
            by=sam,
            to_email=asked.email,
            to_name=asked.name,
            cc=[],
            message="",
            now=now - timedelta(minutes=1),
        )
        assert dispatch_revision(revision.pk, now)
    revision.refresh_from_db()
    return revision


def secrets_in(text: str) -> list[str]:
    return SECRETS.findall(text)


def test_the_pattern_would_find_them() -> None:
    assert secrets_in("Cost 17,321.99, margin 33.80%, profit 8,846.13")


def test_customers_pages_hold_none(client, sent) -> None:
    asked = sent.quote.request
    track = token_of(issue_link(asked, purpose="track", email=asked.email))
    answer = token_of(issue_link(sent, purpose="answer", email=asked.email))
    pages = [reverse("quotes:track", args=[track])]
    pages += [
        reverse(f"quotes:{name}", args=[answer])
        for name in ("answer", "accept", "decline", "change")
    ]

    for path in pages:
        response = client.get(path)
        assert response.status_code == 200
        assert secrets_in(response.content.decode()) == [], path


def test_the_owners_design_that_was_quoted_holds_none(carol, carol_client, sam) -> None:
    spec = FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-x800", gpus=576)
    version = save_design(spec=spec, owner=carol)
    asked = make_request(lines=0, user=carol, owner=sam)
    RequestLine.objects.create(request=asked, design=version, description="Lab")
    revision = build_quote(request=asked, by=sam, now=timezone.now())
    revision.lines.update(unit_cost=COST, note="")
    Revision.objects.filter(pk=revision.pk).update(
        status="sent", internal_note="hush: secret supplier"
    )
    smaller = FabricSpec.from_sizes(
        system="gb300-nvl72", fabric="quantum-x800", gpus=72
    )
    newer = save_version(design=version.design, spec=smaller)
    pages = [
        version.design.get_absolute_url(),
        version.get_absolute_url(),
        difference_url(version, newer),
        reverse("quotes:request", args=[asked.pk]),
    ]

    for path in pages:
        response = carol_client.get(path)
        assert response.status_code == 200
        assert secrets_in(response.content.decode()) == [], path


def test_a_choice_that_is_worked_out_holds_none(client, sent) -> None:
    path = reverse(
        "quotes:accept",
        args=[token_of(issue_link(sent, purpose="answer", email=sent.to_email))],
    )
    posted = {"update": "1", "option-2": "on", "pick-0": "4", "quantity-1": "3"}

    for headers in ({}, {"HX-Request": "true"}):
        response = client.post(path, posted, headers=headers)
        assert b"instead of 1" in response.content
        assert secrets_in(response.content.decode()) == []


def test_the_frozen_content_and_the_pdf_hold_none(sent) -> None:
    with sent.document.file.open("rb") as file:
        pdf = PdfReader(io.BytesIO(file.read()))
    text = "\n".join(page.extract_text() for page in pdf.pages)

    assert secrets_in(str(sent.content)) == []
    assert secrets_in(text + str(pdf.metadata)) == []


def test_letters_hold_none(sent, django_capture_on_commit_callbacks) -> None:
    now = timezone.now()
    who = {"email": sent.to_email, "name": "Carol Tan", "user": None}
    with django_capture_on_commit_callbacks(execute=True):
        ask_for_change(revision=sent, text="Fewer, please", now=now, **who)
        accept_quote(
            revision=sent,
            signature=Signature(
                name="Carol Tan", job_title="Buyer", email=sent.to_email, words="Yes"
            ),
            now=now,
            yes=Yes(choice=Choice(options=frozenset({2}), picks={"Switch": 4})),
        )

    assert secrets_in(str(Acceptance.objects.get().chosen)) == []
    to_customer = [m for m in mail.outbox if sent.to_email in m.to]
    assert len(to_customer) == 3
    for letter in to_customer:
        html = "".join(str(part[0]) for part in letter.alternatives)
        html = re.sub(r'style="[^"]*"|<style.*?</style>', "", html, flags=re.DOTALL)
        assert secrets_in(f"{letter.subject} {letter.body} {html}") == []


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["track", "my_requests", "request", "answer"])
def test_customers_pages_take_as_many_queries_for_many_rows(
    client, carol, sam, page, django_assert_max_num_queries
) -> None:
    """Doubling lines, requests and quotes adds no query."""
    counts = []
    for rows in (4, 8):
        asked = make_request(user=carol, owner=sam, lines=rows, status="in_progress")
        for _ in range(rows):
            make_request(user=carol)
        revision = make_revision(request=asked, author=sam, lines=rows)
        now = timezone.now()
        send_quote(
            revision=revision,
            by=sam,
            to_email=asked.email,
            to_name="Carol",
            cc=[],
            message="",
            now=now - timedelta(minutes=1),
        )
        assert dispatch_revision(revision.pk, now)
        client.force_login(carol)
        path = _path_of(page, asked, revision)
        with django_assert_max_num_queries(30) as queries:
            assert client.get(path).status_code == 200
        counts.append(len(queries))

    assert counts[1] <= counts[0]


def _path_of(page: str, asked: QuoteRequest, revision: Revision) -> str:
    if page == "my_requests":
        return reverse("quotes:my_requests")
    if page == "request":
        return reverse("quotes:request", args=[asked.pk])
    subject = asked if page == "track" else revision
    link = issue_link(subject, purpose=page, email=asked.email)
    return reverse(f"quotes:{page}", args=[token_of(link)])
