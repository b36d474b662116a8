"""The demo desk: invented people, sample terms and prices, requests in every state.

All of it goes through the same services as real work, so what it shows is what the
product does. Prices, costs, lead times and warranties are sample data and say so.
"""

from __future__ import annotations

from datetime import date

from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group

from quotes.models import Terms
from sourceit.access import APPROVER, CATALOGUE_EDITOR, SALES
from sourceit.models import Membership, Organisation, User

PASSWORD = "demo-desk-2026"
SAMPLE = "sample data"

# E-mail, name, job title, roles; staff first, then customers with their company.
STAFF: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("mei@demo.example", "Mei Lim", "Account manager", (SALES,)),
    ("raj@demo.example", "Raj Nair", "Sales manager", (SALES, APPROVER)),
    ("edith@demo.example", "Edith Goh", "Catalogue editor", (CATALOGUE_EDITOR,)),
)
CUSTOMERS: tuple[tuple[str, str, str, str], ...] = (
    ("carol@lab.example", "Carol Tan", "Head of infrastructure", "Example Research"),
    ("wei@lab.example", "Wei Chen", "Research engineer", "Example Research"),
    ("dev@robotics.example", "Dev Pillai", "Founder", "Example Robotics"),
)
VIEWERS = {"wei@lab.example"}

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
            "valid_from": date(2026, 12, 1),
            "is_sample": True,
        },
    )
    return terms
