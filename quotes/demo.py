"""The demo desk: invented people, sample terms and prices, requests in every state.

All of it goes through the same services as real work, so what it shows is what the
product does. Prices, costs, lead times and warranties are sample data and say so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from decimal import Decimal
from uuid import uuid4

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import Group
from django.core.files.base import ContentFile

from catalog.models import Product
from fabrics.engine import FabricSpec
from fabrics.models import DesignVersion
from fabrics.services import save_design, save_version
from quotes.demo_supply import ask_suppliers, order
from quotes.forms import WORDS_OF_ACCEPTANCE
from quotes.models import (
    FxRate,
    Line,
    QuoteRequest,
    Revision,
    Screening,
    Terms,
)
from quotes.pricing import Kind
from quotes.services import baskets
from quotes.services.answers import Signature, accept_quote, decline_quote
from quotes.services.approvals import submit_for_approval
from quotes.services.currencies import How, set_currency
from quotes.services.files import attach_file
from quotes.services.messages import add_message, add_note, ask_customer
from quotes.services.quotes import build_quote
from quotes.services.requests import submit_request
from quotes.services.screening import controlled_items, record_screening
from quotes.services.sending import dispatch_revision, send_quote
from quotes.services.triage import take_request
from sourceit.access import APPROVER, CATALOGUE_EDITOR, SALES
from sourceit.clock import singapore_date
from sourceit.models import Delivery, Event, Membership, Organisation, User
from sourceit.money import round_unit_price

PASSWORD = "demo-desk-2026"
SAMPLE = "sample data"

# E-mail, name, job title, roles; staff first, then customers with their company.
STAFF: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("mei@demo.example", "Mei Lim", "Account manager", (SALES,)),
    ("raj@demo.example", "Raj Nair", "Sales manager", (SALES, APPROVER)),
    ("edith@demo.example", "Edith Goh", "Director", (CATALOGUE_EDITOR, APPROVER)),
)
CUSTOMERS: tuple[tuple[str, str, str, str], ...] = (
    ("carol@lab.example", "Carol Tan", "Head of infrastructure", "Example Research"),
    ("wei@lab.example", "Wei Chen", "Research engineer", "Example Research"),
    ("dev@robotics.example", "Dev Pillai", "Founder", "Example Robotics"),
)
VIEWERS = {"wei@lab.example"}

RACK_LIST = ContentFile(
    b"Rack,Units free,Power\nR1,42,3 x 32 A\nR2,42,3 x 32 A\n", name="racks.csv"
)
TERMS_VERSION = "SAMPLE-2026-12"
CLAUSES = (
    ("Price and validity", "The price holds until the date on page 1."),
    ("Payment", "As stated above, from the date of invoice, in the currency shown."),
    ("Delivery", "Lead times run from the order and are estimates, not guarantees."),
    ("Title and risk", "Risk passes on delivery; title passes on full payment."),
    ("Warranty", "The maker's warranty applies as stated on each line."),
    ("Cancellation", "Orders placed with a maker can be cancelled only if it agrees."),
    ("Export control", "The buyer states the true end user, end use and destination."),
    ("Law", "The law of Singapore applies."),
)


def make_people() -> dict[str, User]:
    """Make the demo's people, by e-mail; those who exist are left as they are."""
    people = {}
    for email, name, title, roles in STAFF:
        user = _make_user(email, name=name, job_title=title, is_staff=True)
        user.groups.set(Group.objects.filter(name__in=roles))
        people[email] = user
    for email, name, title, company in CUSTOMERS:
        user = _make_user(email, name=name, job_title=title)
        organisation, _made = Organisation.objects.get_or_create(
            name=f"{company} Pte Ltd (sample)"
        )
        role = Membership.Role.VIEWER if email in VIEWERS else Membership.Role.BUYER
        Membership.objects.get_or_create(
            user=user, organisation=organisation, defaults={"role": role}
        )
        people[email] = user
    return people


def _make_user(email: str, **fields: object) -> User:
    user = User.objects.filter(email=email).first()
    if user is None:
        user = User.objects.create_user(email, PASSWORD, **fields)
        # The address needs no proof: it receives nothing.
        EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    return user


def make_terms() -> Terms:
    """Make the sample conditions of sale."""
    terms, _made = Terms.objects.get_or_create(
        version=TERMS_VERSION,
        defaults={
            "clauses": [{"title": title, "text": text} for title, text in CLAUSES],
            "valid_from": date(2026, 1, 1),
            "is_sample": True,
        },
    )
    return terms


def make_work(people: dict[str, User], now: datetime) -> None:
    """Make requests in every state, through the services of real work."""
    mei, raj = people["mei@demo.example"], people["raj@demo.example"]
    switch = Product.objects.get(mpn="MSN3700-VS2F")
    station = Product.objects.get(mpn="FCT6263")
    server = Product.objects.get(mpn="SR680a V3")
    with at(now - timedelta(days=6)) as day:
        won = ask(people["carol@lab.example"], [(switch, 2)], day)
        revision = quote(won, mei, day)
        accept(revision, people["carol@lab.example"], day)
        order(revision, mei, day)
    with at(now - timedelta(days=20)) as day:
        old = ask(people["dev@robotics.example"], [(switch, 12)], day)
        quote(old, mei, day, days=7)
    with at(now - timedelta(days=4)) as day:
        lost = ask(people["dev@robotics.example"], [(switch, 1)], day)
        decline(quote(lost, raj, day), "The lead time", day)
    with at(now - timedelta(days=2)) as day:
        waiting = ask(people["carol@lab.example"], [(switch, 4), (server, 1)], day)
        quote(waiting, mei, day)
        quote_dollars(ask(people["dev@robotics.example"], [(switch, 8)], day), mei, day)
    with at(now - timedelta(days=1, hours=4)) as day:
        open_ended = ask(people["carol@lab.example"], [(switch, 4)], day)
        quote_choices(open_ended, mei, day)
    with at(now - timedelta(days=1, hours=2)) as day:
        thin = ask(people["dev@robotics.example"], [(switch, 6)], day)
        ask_for_approval(thin, mei, day)
    with at(now - timedelta(days=1)) as day:
        wei = people["wei@lab.example"]
        design = save_design(spec=unit_of(576), owner=wei, name="Training cluster")
        fabric = ask(wei, [(design, 1)], day)
        ask_suppliers(build_quote(request=fabric, by=mei, now=day), mei, day)
    with at(now - timedelta(hours=5)):
        # The desk reads what changed since it was asked.
        note = "Room for the second team"
        save_version(design=design.design, spec=unit_of(1152), note=note)
    with at(now - timedelta(hours=4)) as day:
        carol = people["carol@lab.example"]
        talked = ask(carol, [(server, 2)], day, file=RACK_LIST)
        talk(talked, carol, mei, day)
    with at(now - timedelta(hours=3)) as day:
        ask(people["dev@robotics.example"], [(station, 2)], day)


def unit_of(gpus: int) -> FabricSpec:
    """Ask for GB300 NVL72 on Quantum-X800; 576 GPUs are the reference unit."""
    return FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-x800", gpus=gpus)


def ask(
    who: User,
    wanted: Sequence[tuple[Product | DesignVersion, int]],
    now: datetime,
    *,
    file: ContentFile[bytes] | None = None,
) -> QuoteRequest:
    """Fill a basket and submit it, as the customer would."""
    basket = baskets.make_basket(user=who)
    if file is not None:
        attach_file(basket=basket, file=file, by=who, now=now)
    for thing, quantity in wanted:
        if isinstance(thing, DesignVersion):
            baskets.add_design(basket=basket, design=thing)
        else:
            baskets.add_product(basket=basket, product=thing, quantity=quantity)
    details = {
        "name": who.name,
        "email": who.email,
        "job_title": who.job_title,
        "company": who.memberships.get().organisation.name,
        "delivery_address": "1 Sample Road, Singapore 000001",
        "end_user": who.memberships.get().organisation.name,
        "end_use": "Research (sample data)",
        "final_country": "Singapore",
    }
    return submit_request(
        basket=basket, details=details, key=uuid4(), user=who, now=now
    )


def talk(request: QuoteRequest, who: User, by: User, now: datetime) -> None:
    """Ask the customer, who answers, and note what only the desk reads."""
    take_request(request=request, by=by)
    question = "Which power do your racks have: one or three phases?"
    ask_customer(request=request, text=question, by=by, now=now)
    later = now + timedelta(minutes=40)
    answer = "Three phases, 32 A each. Two racks side by side."
    add_message(request=request, text=answer, by=who, now=later)
    note = "Ask the maker for the lead time with liquid cooling (sample note)."
    add_note(request=request, text=note, by=by, now=later + timedelta(minutes=5))


def quote(
    request: QuoteRequest, by: User, now: datetime, *, days: int = 14
) -> Revision:
    """Build, price and send a quote."""
    return send(prepare(request, by, now, days=days), by, now)


def quote_choices(request: QuoteRequest, by: User, now: datetime) -> Revision:
    """Send a quote that leaves open how many, which support, and a spare."""
    revision = prepare(request, by, now)
    switch = revision.lines.get()
    price = switch.unit_price or Decimal(0)
    lower = round_unit_price(price * Decimal("0.98"))
    switch.quantity_min, switch.quantity_max = Decimal(2), Decimal(12)
    switch.price_breaks = [{"from": "8", "unit_price": str(lower)}]
    switch.save()
    support = {"choice": "Support", "quantity": Decimal(4), "unit": "unit"}
    for position, (kind, description, each) in enumerate(
        (
            (Kind.STANDARD, "Support for 1 year, next business day", 1200),
            (Kind.ALTERNATIVE, "Support for 3 years, next business day", 3000),
            (Kind.OPTIONAL, "Spare fans and power supplies, one set", 950),
        ),
        start=1,
    ):
        line = revision.lines.create(
            position=position,
            kind=kind,
            description=f"{description} ({SAMPLE})",
            unit_price=Decimal(each),
            **({} if kind == Kind.OPTIONAL else support),
        )
        price_line(line, now)
    return send(revision, by, now)


def quote_dollars(request: QuoteRequest, by: User, now: datetime) -> Revision:
    """Send a quote in US$ with a discount on the whole, at an invented rate."""
    today = singapore_date(now)
    FxRate.objects.get_or_create(
        currency="USD",
        on=today,
        defaults={
            "rate": Decimal("1.3400"),
            "source": SAMPLE,
            "locked_until": today + timedelta(days=30),
        },
    )
    revision = prepare(request, by, now)
    set_currency(revision=revision, currency="USD", how=How.CONVERT, by=by, now=now)
    Revision.objects.filter(pk=revision.pk).update(discount_percent=Decimal("1.5"))
    return send(revision, by, now)


def send(revision: Revision, by: User, now: datetime) -> Revision:
    """Send a quote to who asked, with the undo time skipped."""
    request = revision.quote.request
    send_quote(
        revision=revision,
        by=by,
        to_email=request.email,
        to_name=request.name,
        cc=[],
        message="Thank you for asking. All figures of this demo are sample data.",
        now=now - timedelta(seconds=settings.SEND_UNDO_SECONDS),
    )
    dispatch_revision(revision.pk, now)
    revision.refresh_from_db()
    return revision


def prepare(
    request: QuoteRequest, by: User, now: datetime, *, days: int = 14
) -> Revision:
    """Build and price a draft that could be sent."""
    revision = build_quote(request=request, by=by, now=now)
    Revision.objects.filter(pk=revision.pk).update(
        valid_until=singapore_date(now) + timedelta(days=days)
    )
    for line in revision.lines.all():
        price_line(line, now)
    revision.refresh_from_db()
    screen(revision, by, now)
    return revision


def ask_for_approval(request: QuoteRequest, by: User, now: datetime) -> None:
    """Leave a quote waiting for an approver: its discount eats the margin."""
    revision = prepare(request, by, now)
    revision.lines.update(discount_percent=Decimal(8))
    submit_for_approval(
        revision=revision,
        by=by,
        note="Six more next quarter if we meet this price (sample data).",
        version=revision.row_version,
        now=now,
    )


def screen(revision: Revision, by: User, now: datetime) -> None:
    """Record a clear screening where something on the quote is controlled."""
    if controlled_items(revision.lines.all()):
        record_screening(
            revision=revision,
            result=Screening.Result.CLEAR,
            reference="SCR-SAMPLE-1",
            note=SAMPLE,
            by=by,
            now=now,
        )


def price_line(line: Line, now: datetime) -> None:
    """Give a line an invented price, cost, lead time and warranty."""
    price = line.unit_price or Decimal("400000.0000")
    Line.objects.filter(pk=line.pk).update(
        unit_price=price,
        unit_cost=round_unit_price(price * Decimal("0.9")),
        lead_weeks_min=4,
        lead_weeks_max=6,
        lead_source=SAMPLE,
        lead_as_of=singapore_date(now),
        warranty=f"1 year ({SAMPLE})",
    )


def accept(revision: Revision, who: User, now: datetime) -> None:
    accept_quote(
        revision=revision,
        signature=Signature(
            name=who.name,
            job_title=who.job_title,
            email=who.email,
            words=WORDS_OF_ACCEPTANCE,
            po_number="PO-SAMPLE-1",
            user=who,
        ),
        now=now,
    )


def decline(revision: Revision, reason: str, now: datetime) -> None:
    decline_quote(
        revision=revision,
        reason=reason,
        comment="",
        email=revision.to_email,
        name=revision.to_name,
        user=None,
        now=now,
    )


@contextmanager
def at(moment: datetime) -> Iterator[datetime]:
    """Let the events and e-mails that are made inside carry `moment` as their time."""
    last_event = Event.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    last_mail = (
        Delivery.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    )
    yield moment
    Event.objects.filter(pk__gt=last_event).update(at=moment)
    # The demo's letters were read long ago: they are not sent now.
    Delivery.objects.filter(pk__gt=last_mail).update(
        created_at=moment, sent_at=moment, status=Delivery.Status.SENT
    )
