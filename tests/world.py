"""The people and things of one customer, for the tests of who may read what."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from fabrics.engine import FabricSpec
from fabrics.services import save_design
from quotes.models import DeskDay, QuoteTemplate, Section
from quotes.services.bids import BidPart
from quotes.services.inquiries import print_inquiry
from quotes.services.saved_views import save_view
from quotes.services.sending import dispatch_revision, send_quote
from quotes.states import RequestStatus
from sourceit.clock import singapore_date
from sourceit.links import issue_link, token_of
from sourceit.models import Delivery, Membership
from sourceit.pdf import Pdf
from sourceit.uploads import store_upload, uploads_of
from tests.factories import (
    make_bought,
    make_order,
    make_organisation,
    make_product,
    make_request,
    make_revision,
)
from tests.files import PDF_BYTES, upload
from tests.quotes.sourcing import make_bid, make_inquiry, offer


@pytest.fixture
def world(db, sam, carol, monkeypatch) -> dict[str, object]:
    """A request of carol's company with a sent quote, a draft, and all about them."""
    organisation = make_organisation()
    Membership.objects.create(user=carol, organisation=organisation)
    pdf = Pdf(data=b"%PDF-1.7 any", pages=1)
    monkeypatch.setattr("quotes.services.sending.render_quote", lambda *_, **__: pdf)
    asked = make_request(
        user=carol,
        organisation=organisation,
        owner=sam,
        status=RequestStatus.IN_PROGRESS,
    )
    sent = make_revision(request=asked, author=sam)
    now = timezone.now()
    send_quote(
        revision=sent,
        by=sam,
        to_email=asked.email,
        to_name=asked.name,
        cc=[],
        message="",
        now=now - timedelta(minutes=1),
    )
    assert dispatch_revision(sent.pk, now)
    delivery = Delivery.objects.filter(kind="quote_sent").get()
    bought = make_bought(sam, user=carol, organisation=organisation)
    order = make_order(bought, sam)
    draft = make_revision(quote=sent.quote, author=sam, n=2)
    inquiry = make_inquiry(draft, sam, now=now)
    assert print_inquiry(inquiry.pk, now)
    invite = inquiry.invites.get()
    price_list = upload("offer.pdf", PDF_BYTES)
    until = singapore_date(now) + timedelta(days=30)
    offered = offer(invite, 100, valid_until=until, files=[price_list], now=now)
    bid = make_bid(sam, BidPart("MSN3700-VS2F", Decimal(4), Decimal(100)))
    product = make_product()
    spec = FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-x800", gpus=576)
    return {
        "request": asked.pk,
        "file": store_upload(
            upload("plan.pdf", PDF_BYTES),
            subject=asked,
            kind="request",
            by=None,
            now=now,
        ).pk,
        "sent": sent.pk,
        "draft": draft.pk,
        "line": draft.lines.get().pk,
        "section": Section.objects.create(revision=draft, title="Compute").pk,
        "delivery": delivery.pk,
        "bought": bought.pk,
        "order": order.pk,
        "acceptance": bought.acceptances.get().pk,
        "accepted": token_of(
            issue_link(bought, purpose="answer", email=bought.to_email)
        ),
        "design": save_design(spec=spec, owner=None).design_id,
        "product": product.slug,
        "collection": product.collection.slug,
        "export": "parts.csv",
        "number": "Q-2026-0001",
        "letter": "none.eml",
        "one": 1,
        "day": DeskDay.objects.create(day="2030-01-02").pk,
        "template": QuoteTemplate.objects.create(
            name="Rack", content={"sections": [], "lines": []}
        ).pk,
        "view": save_view(user=sam, name="Mine", query="view=mine").pk,
        "inquiry": inquiry.pk,
        "bid": bid.pk,
        "invite": invite.pk,
        "offer_file": uploads_of(offered).get().pk,
        "supplier": token_of(
            issue_link(invite, purpose="supplier", email=invite.email)
        ),
        "track": token_of(issue_link(asked, purpose="track", email=asked.email)),
        "answer": token_of(issue_link(sent, purpose="answer", email=asked.email)),
    }


@pytest.fixture
def snapshot():
    """Count and digest every table that a page could change, but for the view log."""
    from django.apps import apps

    models = [
        model
        for label in ("quotes", "sourceit", "catalog", "fabrics")
        for model in apps.get_app_config(label).get_models()
        if model.__name__ not in ("ViewLog", "User")
    ]

    def take() -> dict[str, list[tuple]]:
        return {m.__name__: sorted(map(str, m.objects.values_list())) for m in models}

    return take
