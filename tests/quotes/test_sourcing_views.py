"""The pages about suppliers, by the client: at the desk and by the secret link."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone

from catalog.models import Supplier
from quotes.models import Line, SupplierInquiry, SupplierInvite, SupplierOffer
from quotes.services.inquiries import close_inquiry, print_inquiry
from quotes.services.offers import standing_offer
from sourceit.clock import singapore_date
from sourceit.links import issue_link, revoke_links, token_of
from sourceit.models import ViewLog
from tests.factories import make_line, make_revision
from tests.files import PDF_BYTES, upload
from tests.quotes.sourcing import make_inquiry, make_supplier, offer

pytestmark = pytest.mark.django_db


@pytest.fixture
def revision(sam):
    revision = make_revision(author=sam, lines=0)
    make_line(revision, mpn="Q3400-RA", description="Switch")
    make_line(revision, position=1, mpn="MFP7E30", quantity=Decimal(40))
    return revision


@pytest.fixture
def inquiry(revision, sam):
    return make_inquiry(revision, sam, make_supplier("Acme"), now=timezone.now())


@pytest.fixture
def invite(inquiry):
    return inquiry.invites.get()


@pytest.fixture
def page(invite):
    link = issue_link(invite, purpose="supplier", email=invite.email)
    return reverse("quotes:supplier", args=[token_of(link)])


def until(days=20):
    return singapore_date(timezone.now()) + timedelta(days=days)


def typed(inquiry, *prices, **fields):
    """What the offer's form posts."""
    data = {"currency": "USD", "valid_until": f"{until():%d %b %Y}"}
    for line, price in zip(inquiry.lines.all(), prices, strict=True):
        data[f"line-{line.pk}-price"] = price
    return data | fields


# The supplier's page


def test_a_supplier_offers_by_its_link(client, page, inquiry, invite):
    data = typed(inquiry, "1,250.50", "", freight="80", reference="ACME-7")
    response = client.post(page, data, follow=True)

    assert "We have your offer" in response.content.decode()
    given = standing_offer(invite)
    assert [line.price for line in given.lines.all()] == [Decimal("1250.5")]
    assert (given.freight, given.currency, given.entered_by) == (80, "USD", None)


def test_its_page_tells_nothing_of_the_customer_or_of_others(
    client, page, revision, inquiry
):
    other = make_supplier("Rival")
    SupplierInvite.objects.create(inquiry=inquiry, supplier=other)
    offer(inquiry.invites.last(), 1, 1, now=timezone.now())
    response = client.get(page)
    text = response.content.decode()

    request = revision.quote.request
    for secret in (request.company, request.name, request.email, request.number):
        assert not secret or secret not in text
    assert "Rival" not in text
    assert "26,168" not in text
    assert response["Referrer-Policy"] == "no-referrer"
    assert "noindex" in response["X-Robots-Tag"]


def test_opening_it_is_logged_and_changes_nothing(client, page, invite):
    client.get(page, headers={"user-agent": "Mozilla"})
    assert ViewLog.objects.count() == 1
    invite.refresh_from_db()
    assert invite.status == "pending"


def test_the_supplier_is_the_links_whatever_is_posted(client, page, inquiry, invite):
    rival = SupplierInvite.objects.create(inquiry=inquiry, supplier=make_supplier("R"))
    data = typed(inquiry, "10", "10")
    client.post(page, data | {"supplier": rival.supplier_id, "invite": rival.pk})
    assert standing_offer(rival) is None
    assert standing_offer(invite) is not None


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("valid_until", "1 Jan 2020", "not over"),
        ("valid_until", "soon", "Enter a day like"),
        ("valid_until", "", "until when the offer holds"),
        ("currency", "XXX", "Select a valid choice"),
        ("freight", "-1", "greater than or equal to 0"),
        ("price", "", "at least one line"),
        ("price", "-5", "greater than or equal to 0"),
        ("price", "NaN", "Enter a price in figures"),
        ("price", "1e30", "at most"),
        ("pack", "0", "greater than or equal"),
        ("lead_weeks_min", "9999", "0 to 260"),
        ("price_breaks", "ten: five", "quantity: price"),
    ],
)
def test_bad_input_is_said_and_nothing_typed_is_lost(
    client, page, inquiry, name, value, words
):
    data = typed(inquiry, "77.25", "", note="Typed with care")
    first = inquiry.lines.first()
    key = name if name in data or name == "freight" else f"line-{first.pk}-{name}"
    response = client.post(page, data | {key: value})

    text = response.content.decode()
    assert response.status_code == 422
    assert words in text
    assert "Typed with care" in text
    assert not SupplierOffer.objects.exists()


def test_a_line_half_filled_asks_for_its_price(client, page, inquiry):
    first = inquiry.lines.first()
    data = typed(inquiry, "", "5")
    response = client.post(page, data | {f"line-{first.pk}-pack": "10"})
    assert "Enter a price, or empty the rest" in response.content.decode()


def test_a_supplier_declines_and_changes_its_mind(client, page, inquiry, invite):
    client.post(page + "decline/", {"reason": "No stock"})
    invite.refresh_from_db()
    assert (invite.status, invite.declined_reason) == ("declined", "No stock")
    client.post(page, typed(inquiry, "10", "10"))
    invite.refresh_from_db()
    assert invite.status == "received"


def test_files_come_with_an_offer_and_stay_its_own(
    client, page, inquiry, invite, sam_client
):
    data = typed(inquiry, "10", "", attachments=[upload("list.pdf", PDF_BYTES)])
    assert client.post(page, data).status_code == 302
    text = client.get(page).content.decode()
    assert "list.pdf" in text
    address = page + f"files/{_file(invite).pk}/"
    response = client.get(address)
    assert response["Content-Disposition"].startswith("attachment")
    assert b"".join(response.streaming_content) == PDF_BYTES
    assert client.get(page + "files/999999/").status_code == 404


def _file(invite):
    from sourceit.uploads import uploads_of

    return uploads_of(standing_offer(invite)).get()


def test_a_file_of_a_wrong_kind_is_refused(client, page, inquiry):
    data = typed(inquiry, "10", "", attachments=[upload("run.exe", b"MZ\x00")])
    response = client.post(page, data)
    assert response.status_code == 422
    assert "run.exe" in response.content.decode()


def test_a_closed_inquiry_says_so_and_takes_nothing(client, page, inquiry, sam):
    close_inquiry(inquiry=inquiry, by=sam, now=timezone.now())
    assert "is closed" in client.get(page).content.decode()
    response = client.post(page, typed(inquiry, "10", "10"))
    assert "is closed" in response.content.decode()
    assert not SupplierOffer.objects.exists()


def test_a_revoked_link_and_a_foreign_purpose_are_not_found(client, page, invite):
    answer = issue_link(invite, purpose="answer", email=invite.email)
    wrong = reverse("quotes:supplier", args=[token_of(answer)])
    assert client.get(wrong).status_code == 404
    revoke_links(invite, purpose="supplier")
    assert client.get(page).status_code == 404
    assert client.post(page, {}).status_code == 404


# The desk


def test_from_the_draft_to_the_taken_offer(sam_client, revision, sam):
    """The whole way, as a salesperson clicks it."""
    make_supplier("Known")
    response = sam_client.post(
        reverse("desk:inquiry_new", args=[revision.pk]), follow=True
    )
    assert "What is asked for" in response.content.decode()
    inquiry = SupplierInquiry.objects.get()
    data = {
        "reply_by": f"{until(5):%d %b %Y}",
        "message": "Two sites",
        "suppliers": [Supplier.objects.get(name="Known").pk],
        "new_name": "Brand New",
        "new_email": "sales@new.example",
        "send": "1",
    }
    for line in inquiry.lines.all():
        data |= {
            f"line-{line.pk}-keep": "on",
            f"line-{line.pk}-quantity": "40",
            f"line-{line.pk}-note": "",
        }
    response = sam_client.post(
        reverse("desk:inquiry_save", args=[inquiry.pk]), data, follow=True
    )
    assert "on its way" in response.content.decode()
    assert print_inquiry(inquiry.pk, timezone.now())
    names = [str(one.supplier) for one in inquiry.invites.all()]
    assert names == ["Known", "Brand New"]

    invite = inquiry.invites.first()
    entered = sam_client.post(
        reverse("desk:offer_enter", args=[invite.pk]),
        typed(inquiry, "100", "5", currency="SGD"),
        follow=True,
    )
    assert "The offer is entered" in entered.content.decode()
    line = standing_offer(invite).lines.first()
    taken = sam_client.post(
        reverse("desk:offers_take", args=[inquiry.pk]),
        {f"pick-{line.asked_id}": line.pk},
        follow=True,
    )
    assert "1 line stands on the picked offers" in taken.content.decode()
    assert Line.objects.get(offer_line=line).unit_cost == 100
    builder = sam_client.get(reverse("desk:quote", args=[revision.pk]))
    assert builder.status_code == 200


def test_a_draft_with_faults_keeps_what_was_typed(sam_client, revision, sam):
    sam_client.post(reverse("desk:inquiry_new", args=[revision.pk]))
    inquiry = SupplierInquiry.objects.get()
    response = sam_client.post(
        reverse("desk:inquiry_save", args=[inquiry.pk]),
        {"reply_by": "1 Jan 2020", "message": "Keep me", "new_email": "a@b.example"},
    )
    text = response.content.decode()
    assert response.status_code == 422
    assert "Keep me" in text
    assert "not over" in text
    assert "Enter the name of the supplier" in text


def test_only_ticked_lines_are_asked_for(sam_client, revision):
    line = revision.lines.last()
    sam_client.post(
        reverse("desk:inquiry_new", args=[revision.pk]), {"line": [line.pk]}
    )
    assert [one.source for one in SupplierInquiry.objects.get().lines.all()] == [line]


def test_an_offer_that_was_replaced_is_refused_with_the_page(
    sam_client, inquiry, invite
):
    old = offer(invite, 100, 5, now=timezone.now()).lines.first()
    offer(invite, 110, 5, now=timezone.now())
    response = sam_client.post(
        reverse("desk:offers_take", args=[inquiry.pk]), {f"pick-{old.asked_id}": old.pk}
    )
    assert response.status_code == 409
    assert "Acme changed its offer" in response.content.decode()


def test_the_list_and_the_ends(sam_client, inquiry):
    assert inquiry.number in sam_client.get(reverse("desk:inquiries")).content.decode()
    again = sam_client.post(
        reverse("desk:inquiry_again", args=[inquiry.pk]), follow=True
    )
    assert "Asked before as" in again.content.decode()
    copy = SupplierInquiry.objects.exclude(pk=inquiry.pk).get()
    sam_client.post(reverse("desk:inquiry_discard", args=[copy.pk]))
    assert SupplierInquiry.objects.get() == inquiry
    sam_client.post(reverse("desk:inquiry_close", args=[inquiry.pk]))
    refused = sam_client.post(reverse("desk:inquiry_close", args=[inquiry.pk]))
    assert refused.status_code == 409


def test_pages_ask_as_much_for_many_suppliers(
    sam_client, inquiry, django_assert_max_num_queries
):
    for n in range(6):
        invite = SupplierInvite.objects.create(
            inquiry=inquiry, supplier=make_supplier(f"S{n}")
        )
        offer(invite, 100, 5, now=timezone.now())
    with django_assert_max_num_queries(24):
        sam_client.get(reverse("desk:inquiry", args=[inquiry.pk]))
