"""Whatever is quoted and chosen, every paper states the same amounts, to the cent."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from quotes.bought import bought_content
from quotes.choosing import Choice, NotOffered
from quotes.content import build_content
from quotes.models import Acceptance, ApprovalRule, Order, Revision
from quotes.pdf import quote_parts, render_quote
from quotes.services.answers import Yes, accept_quote
from quotes.services.choices import settle_choice
from quotes.services.manifests import record_context
from quotes.services.orders import confirmation_context, convert_quote
from quotes.states import RequestStatus
from sourceit.models import Delivery
from sourceit.money import format_money
from tests.factories import make_line, make_request, make_revision
from tests.quotes import stories
from tests.quotes.answering import SIGNATURE, address_of, dispatch, quick_pdf
from tests.quotes.stories import Story, story_of
from tests.quotes.test_currencies import FX

__all__ = ["quick_pdf"]
pytestmark = pytest.mark.django_db
CENT = Decimal("0.01")
TAXES = ("standard", "zero_rated", "out_of_scope", "customer_accounting")


@dataclass(frozen=True, kw_only=True)
class Quoted:
    """What is quoted, and what is chosen of it."""

    fields: dict[str, Any]
    lines: list[dict[str, Any]]
    rounding: Decimal
    choice: Choice


prices = st.decimals(CENT, Decimal(99_999), places=4)
percents = st.sampled_from(["0", "0", "2.5", "12.3456", "100"]).map(Decimal)
lines = st.fixed_dictionaries(
    {
        "unit_price": prices,
        "quantity": st.integers(1, 60).map(Decimal),
        "discount_percent": percents,
        "tax": st.sampled_from(TAXES),
    }
)
ranges = st.builds(
    lambda low, high, price: {
        "quantity": Decimal(8),
        "quantity_min": Decimal(low),
        "quantity_max": Decimal(high),
        "price_breaks": [{"from": "10", "unit_price": str(price)}],
    },
    st.integers(0, 8),
    st.integers(9, 40),
    prices,
)
wholes = st.one_of(
    st.just({}),
    st.sampled_from(["3", "7.25", "0.0001"]).map(
        lambda text: {"discount_percent": Decimal(text)}
    ),
    st.decimals(CENT, Decimal("9.99"), places=2).map(
        lambda amount: {"discount_amount": amount}
    ),
)


@st.composite
def quotes(draw: st.DrawFn) -> Quoted:
    """A range with a break, one of two, an option and more, in S$ or US$."""
    made = [draw(lines) | draw(ranges), *draw(st.lists(lines, max_size=2))]
    first = len(made) + 1
    cable = {"choice": "Cable"}
    made += [draw(lines) | cable, draw(lines) | cable | {"kind": "alternative"}]
    made.append(draw(lines) | {"kind": "optional"})
    quantity = draw(st.integers(0, 40))
    return Quoted(
        fields=draw(wholes) | (FX if draw(st.booleans()) else {}),
        lines=made,
        rounding=draw(st.sampled_from(["0", "-0.01", "0.37"]).map(Decimal)),
        choice=Choice(
            options=frozenset(draw(st.sets(st.just(first + 2)))),
            picks=draw(st.sampled_from([{}, {"Cable": first}, {"Cable": first + 1}])),
            quantities={1: Decimal(quantity)} if draw(st.booleans()) else {},
        ),
    )


@contextmanager
def undone() -> Iterator[None]:
    """Take back what an example wrote, so that the next finds nothing."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def draft_of(quoted: Quoted, by) -> Revision:
    asked = make_request(owner=by, status=RequestStatus.IN_PROGRESS)
    revision = make_revision(request=asked, author=by, lines=0, **quoted.fields)
    for position, fields in enumerate(quoted.lines):
        cost = {"unit_cost": Decimal("0.0001"), "description": f"Thing {position + 1}"}
        make_line(revision, position=position, **cost, **fields)
    if quoted.rounding:
        words = {"description": "Rounding", "kind": "rounding", "position": 99}
        make_line(revision, unit_price=quoted.rounding, unit_cost=None, **words)
    return Revision.objects.with_lines().get(pk=revision.pk)


def differing(papers: dict[str, Story], story: Story) -> dict[str, Any]:
    """Return the papers that say something else, with what they say."""
    told = {name: paper.differences(story) for name, paper in papers.items()}
    return {name: differences for name, differences in told.items() if differences}


def adds_up(story: Story, off: Decimal) -> bool:
    nets = sum((net for _number, net in story.lines), start=Decimal(0))
    return (
        story.net == nets - off
        and story.gross == story.net + story.gst + story.rounding
    )


def off_of(content: dict[str, Any]) -> Decimal:
    return Decimal(content["totals"].get("discount", "0"))


def papers_of(client, revision: Revision, door: str) -> dict[str, Story]:
    """Read the desk's page, the customer's, and the files beside them."""
    desk = reverse("desk:quote", args=[revision.pk])
    pages = {"desk": desk, "customer": door}
    found = {
        name: stories.read_page(client.get(address).content.decode())
        for name, address in pages.items()
    }
    for name, address in pages.items():
        csv = client.get(f"{address}lines.csv")
        xlsx = client.get(f"{address}lines.xlsx")
        found[f"{name} CSV"] = stories.read_csv_file(csv.content)
        found[f"{name} Excel"] = stories.read_xlsx_file(xlsx.content)
    return found


def sent_papers(client, revision: Revision) -> dict[str, Story]:
    letter = Delivery.objects.get(kind="quote_sent")
    paper = "".join(quote_parts(revision.content, is_draft=False))
    return {
        **papers_of(client, revision, address_of(revision)),
        "PDF": stories.read_paper(paper),
        "letter": stories.read_letter(letter.body_text),
        "HTML letter": stories.read_html_letter(letter.body_html),
    }


def bought_papers(client, acceptance: Acceptance, order: Order) -> dict[str, Story]:
    revision, content = acceptance.revision, order.content
    manifest = acceptance.manifest
    lines = frozenset((each.number, each.net) for each in order.lines.all())
    page = client.get(reverse("desk:order", args=[order.pk])).content.decode()
    return {
        **papers_of(client, revision, address_of(revision)),
        "order": Story(net=order.net, gst=order.gst, gross=order.gross, lines=lines),
        "order's page": stories.read_page(page),
        "confirmation": stories.read_paper(
            render_to_string("pdf/order.html", confirmation_context(order))
        ),
        "confirmation's content": story_of(content),
        "record": stories.read_manifest(manifest),
        "printed record": stories.read_record(
            render_to_string("pdf/record.html", record_context(acceptance))
        ),
        "acceptance": Story(gross=acceptance.gross),
    }


def is_sendable(revision: Revision, choice: Choice) -> bool:
    """True where the discount fits and the choice is one that is offered."""
    content = build_content(revision, now=timezone.now())
    # What is taken off is never more than the lines: the discount asked for may be.
    subtotal = Decimal(content["totals"].get("subtotal", content["totals"]["net"]))
    if revision.discount and revision.discount.amount > subtotal:
        return False
    try:
        settle_choice(Revision(content=content, currency=revision.currency), choice)
    except NotOffered:
        return False
    return Decimal(content["totals"]["gross"]) > 0


@settings(
    deadline=None,
    max_examples=40,
    # No shrinking: each step of it would send and sell another quote.
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.filter_too_much,
        HealthCheck.too_slow,
    ],
)
@given(quoted=quotes())
def test_every_paper_states_the_same_amounts(sam, sam_client, quoted):
    with undone():
        ApprovalRule.objects.update(is_active=False)
        draft = draft_of(quoted, sam)
        assume(is_sendable(draft, quoted.choice))
        builder = sam_client.get(reverse("desk:quote", args=[draft.pk]))
        sent = dispatch(draft)
        story = story_of(sent.content)

        papers = sent_papers(sam_client, sent)
        papers["builder"] = stories.read_builder(builder.content.decode())

        assert differing(papers, story) == {}
        assert adds_up(story, off_of(sent.content))

        acceptance = accept(sent, quoted.choice)
        order = convert_quote(revision=sent, by=sam, now=timezone.now())
        bought = bought_content(acceptance)
        story = story_of(bought)
        assert differing(bought_papers(sam_client, acceptance, order), story) == {}
        assert adds_up(story, off_of(bought))
        total = format_money(story.gross, acceptance.currency)
        letter = Delivery.objects.get(kind="quote_accepted")
        assert f" {total} with GST" in letter.body_text
        assert f" {total} with GST" in letter.body_html


def accept(sent: Revision, choice: Choice) -> Acceptance:
    acceptance = accept_quote(
        revision=sent,
        signature=SIGNATURE,
        now=timezone.now(),
        yes=Yes(choice=choice),
    )
    sent.refresh_from_db()
    return acceptance


@settings(
    deadline=None,
    max_examples=3,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(quoted=quotes())
def test_the_pdf_itself_states_them(sam, quoted):
    with undone():
        draft = draft_of(quoted, sam)
        assume(is_sendable(draft, quoted.choice))
        content = build_content(draft, now=timezone.now())

    data = render_quote(content, is_draft=True, created=timezone.now()).data
    pages = PdfReader(io.BytesIO(data)).pages
    text = " ".join(" ".join(page.extract_text() for page in pages).split())

    story = story_of(content)
    amounts = {*stories.amounts_in(text)}
    assert {net for _number, net in story.lines} <= amounts
    assert {story.net, story.gst, story.gross, *(story.sgd or ())} <= amounts
    total = format_money(story.gross, content["currency"])
    assert f"Total including GST {total}" in text
