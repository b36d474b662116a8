"""The demo's suppliers: invented, asked through the services of real work."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal

from catalog.models import Supplier
from quotes.models import Acceptance, Line, Revision, SupplierInquiry
from quotes.services.inquiries import (
    ASKABLE,
    draft_inquiry,
    print_inquiry,
    send_inquiry,
    set_suppliers,
)
from quotes.services.manifests import make_record
from quotes.services.offers import Offered, OfferedLine, record_offer
from quotes.services.orders import confirm_order, convert_quote, print_confirmation
from sourceit.clock import singapore_date
from sourceit.models import User

ASKED = 6
SUPPLIERS = (
    ("Sample Distribution (sample)", "Ana Yeo", "orders@distribution.example"),
    ("Sample Networks (sample)", "Ben Koh", "quotes@networks.example"),
    ("Sample Import (sample)", "Chloe Ng", "sales@import.example"),
)


def supplier(place: int) -> Supplier:
    """Return one of the demo's suppliers, made where it is not there."""
    name, contact, email = SUPPLIERS[place]
    found, _made = Supplier.objects.get_or_create(
        name=name, defaults={"contact_name": contact, "email": email}
    )
    return found


def order(revision: Revision, by: User, now: datetime) -> None:
    """Turn an accepted quote into a confirmed order, bought from a sample supplier."""
    Line.objects.filter(revision=revision).update(supplier=supplier(0))
    acceptance = Acceptance.objects.get(revision=revision)
    make_record(acceptance.pk, now)
    made = convert_quote(revision=revision, by=by, now=now)
    print_confirmation(made.pk, now)
    made.refresh_from_db()
    confirm_order(order=made, by=by, now=now)


def ask_suppliers(revision: Revision, by: User, now: datetime) -> None:
    """Ask three suppliers for a draft's first lines; two have answered."""
    goods = [line for line in revision.lines_in_order() if line.kind in ASKABLE]
    inquiry = draft_inquiry(revision=revision, lines=goods[:ASKED], by=by, now=now)
    set_suppliers(inquiry, [supplier(place) for place in range(len(SUPPLIERS))])
    send_inquiry(inquiry=inquiry, by=by, now=now)
    print_inquiry(inquiry.pk, now)
    _answer(inquiry, 0, now, factor=Decimal("1.00"), days=12)
    _answer(inquiry, 1, now, factor=Decimal("0.97"), days=25, freight=1800)


def _answer(
    inquiry: SupplierInquiry,
    place: int,
    now: datetime,
    *,
    factor: Decimal,
    days: int,
    freight: int = 0,
) -> None:
    """Offer every line but, from the second supplier, the last; prices are invented."""
    lines = list(inquiry.lines.all())
    lines = lines[:-1] if place else lines
    offered = Offered(
        currency="SGD",
        valid_until=singapore_date(now) + timedelta(days=days),
        freight=Decimal(freight),
        reference=f"SAMPLE-{place + 1}",
        lines=[
            OfferedLine(
                asked=line.pk,
                price=round(Decimal(900 + 350 * number) * factor, 2),
                lead_weeks_min=4 + place,
                lead_weeks_max=6 + place,
            )
            for number, line in enumerate(lines)
        ],
    )
    invite = inquiry.invites.get(supplier=supplier(place))
    record_offer(invite=invite, offered=offered, now=now + timedelta(hours=2))
