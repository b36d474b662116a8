"""Quotes in another currency: the rate, S$ beside it, and changes by choice alone."""

from __future__ import annotations

import io
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.urls import reverse
from pypdf import PdfReader

from quotes.choosing import AS_QUOTED, choose
from quotes.content import build_content
from quotes.errors import QuoteError
from quotes.models import FxRate, Line, Revision
from quotes.pricing import Discount, add_up, work_out_profit
from quotes.services.checks import find_problems
from quotes.services.currencies import How, set_currency
from quotes.services.lines import remove_line, restore_line, save_line
from quotes.services.quotes import revise_quote
from quotes.services.rounding import set_rounding
from quotes.services.sending import dispatch_revision
from sourceit.links import issue_link, token_of
from sourceit.money import MoneyError, format_money
from tests.factories import make_line, make_product, make_request, make_revision
from tests.quotes.builder_posts import url
from tests.quotes.test_pricing import item

NINE = Decimal(9)
RATE = Decimal("1.34865")
NOW = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)
FX = {
    "currency": "USD",
    "fx_rate": RATE,
    "fx_source": "Sample bank",
    "fx_on": date(2026, 12, 1),
}


@pytest.fixture
def usd(db) -> FxRate:
    return FxRate.objects.create(
        currency="USD",
        rate=RATE,
        on=date(2026, 12, 1),
        source="Sample bank",
        locked_until=date(2026, 12, 10),
    )


def draft(sam, **fields) -> Revision:
    asked = make_request(owner=sam, status="in_progress")
    revision = make_revision(request=asked, author=sam, lines=0, **fields)
    for price, quantity in (("21150", 72), ("0.3333", 10)):
        make_line(
            revision,
            unit_price=Decimal(price),
            quantity=Decimal(quantity),
            unit_cost=Decimal(price),
        )
    return revision


def loaded(revision) -> Revision:
    return Revision.objects.with_lines().get(pk=revision.pk)


def test_each_line_is_converted_and_the_sums_in_sgd_agree():
    """F11, and a second line that rounds on its own."""
    sums = add_up(
        [item("72", "21150.00"), item("3", "0.01")],
        gst_percent=NINE,
        currency="USD",
        rate=RATE,
    )

    assert sums.home.net == Decimal("2053724.26")
    assert sums.home.gross == sums.home.net + sums.home.gst
    with pytest.raises(MoneyError):
        sums.totals + sums.home


def test_the_margin_is_in_sgd_at_the_rate():
    line = item("1", "100", unit_cost=Decimal(80))

    profit = work_out_profit([line], Discount(percent=Decimal(10)), Decimal("1.5"))

    assert (profit.net, profit.cost) == (Decimal("135.00"), Decimal("120.00"))


@pytest.mark.django_db
def test_cost_is_in_sgd_and_the_price_in_the_quotes_currency(sam):
    revision = draft(sam, **FX)
    line = loaded(revision).lines.all()[0]
    assert line.cost == Decimal(21150) * 72 / RATE

    save_line(
        line=line,
        changes={"margin_percent": Decimal(10)},
        version=line.row_version,
        by=sam,
        now=NOW,
    )

    line.refresh_from_db()
    assert line.unit_price == round(Decimal(21150) / Decimal("0.9") / RATE, 4)


@pytest.mark.django_db
def test_converting_and_keeping_are_told_apart(sam, usd):
    converted, kept = draft(sam, discount_amount=Decimal(100)), draft(sam)

    set_currency(revision=converted, currency="USD", how=How.CONVERT, by=sam, now=NOW)
    set_currency(revision=kept, currency="USD", how=How.KEEP, by=sam, now=NOW)

    converted.refresh_from_db()
    assert converted.discount_amount == Decimal("74.15")
    prices = [str(line.unit_price) for line in converted.lines.all()]
    assert prices == ["15682.3490", "0.2471"]
    assert [line.unit_price for line in kept.lines.all()] == [21150, Decimal("0.3333")]
    assert {line.unit_cost for line in kept.lines.all()} == {21150, Decimal("0.3333")}
    assert (converted.fx_rate, converted.fx_source) == (RATE, "Sample bank")


@pytest.mark.django_db
def test_a_newer_rate_is_taken_without_touching_prices(sam, usd):
    revision = draft(sam, **FX)
    usd.rate = Decimal("1.4")
    usd.save()
    assert loaded(revision).fx_rate == RATE

    set_currency(revision=revision, currency="USD", how=How.CONVERT, by=sam, now=NOW)

    revision.refresh_from_db()
    assert revision.fx_rate == Decimal("1.4")
    assert revision.lines.first().unit_price == 21150


@pytest.mark.django_db
def test_no_rate_no_currency(sam):
    revision = draft(sam)
    with pytest.raises(QuoteError, match="no exchange rate for USD"):
        set_currency(revision=revision, currency="USD", how=How.KEEP, by=sam, now=NOW)
    for rate in (None, Decimal(0)):
        with pytest.raises(IntegrityError), transaction.atomic():
            FxRate.objects.create(currency="USD", rate=rate, on=NOW, source="x")
    Revision.objects.filter(pk=revision.pk).update(currency="USD")

    told = [p.message for p in find_problems(loaded(revision), NOW) if p.is_blocking]

    assert "Choose the exchange rate of USD." in told


@pytest.mark.django_db
def test_the_held_rate_limits_the_validity(sam):
    revision = draft(
        sam,
        **FX,
        fx_locked_until=date(2026, 12, 10),
        valid_until=date(2026, 12, 11),
    )

    told = " ".join(p.message for p in find_problems(loaded(revision), NOW))

    assert "until 10 Dec 2026: the rate of USD (Sample bank) is held" in told


@pytest.mark.django_db
def test_page_pdf_and_letter_show_sgd_with_its_rate(
    client, sam, django_capture_on_commit_callbacks
):
    revision = draft(sam, **FX, discount_percent=Decimal("2.5"))
    Line.objects.filter(revision=revision).update(unit_cost=Decimal("0.01"))
    Revision.objects.filter(pk=revision.pk).update(valid_until=date(2027, 1, 1))
    content = build_content(loaded(revision), now=NOW)
    assert choose(content, AS_QUOTED).sums.home.gross == Decimal(
        content["totals"]["sgd"]["gross"]
    )
    # Over the limit of the approval rules, which the sending is not about.
    Revision.objects.filter(pk=revision.pk).update(status="sending", send_after=NOW)
    texts = _texts(client, revision, django_capture_on_commit_callbacks)

    sgd = content["totals"]["sgd"]
    for name in ("net", "gst", "gross"):
        for where, text in texts.items():
            assert format_money(Decimal(sgd[name])) in text, (name, where)
    for where, text in texts.items():
        assert "S$1.34865 for 1 USD" in text, where
        assert "Sample bank" in text, where
        assert "1 Dec 2026" in text, where


def _texts(client, revision, capture) -> dict[str, str]:
    from quotes.services.sending import QUOTATION
    from sourceit.documents import await_document

    await_document(revision, QUOTATION, "Quotation")
    with capture(execute=True):
        assert dispatch_revision(revision.pk, NOW)
    revision.refresh_from_db()
    link = issue_link(revision, purpose="answer", email="carol@lab.example")
    page = client.get(reverse("quotes:answer", args=[token_of(link)])).text
    with revision.document.file.open("rb") as file:
        pages = PdfReader(io.BytesIO(file.read())).pages
        pdf = " ".join(" ".join(each.extract_text() for each in pages).split())
    return {"page": page, "pdf": pdf, "letter": mail.outbox[-1].body}


@pytest.mark.django_db
def test_the_builder_changes_it_by_an_explicit_choice(sam_client, sam, usd):
    revision = draft(sam)
    address = url("quote_currency", revision.pk)

    sam_client.post(address, {"currency": "USD"})
    revision.refresh_from_db()
    assert revision.currency == "SGD"

    sam_client.post(address, {"currency": "USD", "how": "keep"})
    page = sam_client.get(url("quote", revision.pk)).text
    assert "1 USD = S$1.34865 (Sample bank, 1 Dec 2026)" in page
    assert "US$1,522,803.33" in page


@pytest.mark.django_db
def test_the_next_revision_stands_on_the_same_rate(sam):
    revision = draft(sam, **FX)
    Revision.objects.filter(pk=revision.pk).update(status="declined")

    again = revise_quote(revision=loaded(revision), by=sam, now=NOW)

    assert (again.currency, again.fx_rate) == ("USD", RATE)


@pytest.mark.django_db
def test_a_newer_rate_lets_no_later_edit_move_a_price(sam, usd):
    revision = draft(sam, **FX)
    line = loaded(revision).lines.all()[0]
    act = {"by": sam, "now": NOW}
    margin = {"margin_percent": Decimal(10)}
    save_line(line=line, changes=margin, version=line.row_version, **act)
    price = line.unit_price
    FxRate.objects.update(rate=Decimal("1.4"))

    set_currency(revision=revision, currency="USD", how=How.KEEP, **act)

    line = loaded(revision).lines.all()[0]
    assert (line.unit_price, line.margin_percent, line.row_version) == (price, None, 3)
    more = {"quantity": Decimal(5)}
    save_line(line=line, changes=more, version=line.row_version, **act)
    assert Line.objects.get(pk=line.pk).unit_price == price


@pytest.mark.django_db
def test_a_line_of_the_currency_before_is_not_put_back(sam, usd):
    revision = draft(sam)
    act = {"by": sam, "now": NOW}
    event = remove_line(line=revision.lines.first(), **act)
    set_currency(revision=revision, currency="USD", how=How.CONVERT, **act)

    with pytest.raises(QuoteError, match="priced in SGD"):
        restore_line(revision=revision, event_pk=event.pk, **act)

    set_currency(revision=revision, currency="SGD", how=How.CONVERT, **act)
    back = restore_line(revision=revision, event_pk=event.pk, **act)
    assert back.unit_price == 21150


@pytest.mark.django_db
@pytest.mark.parametrize(
    "fields", [FX, {"discount_amount": Decimal(1)}, {"discount_percent": Decimal(1)}]
)
def test_only_list_prices_in_sgd_get_a_rounding_line(sam, fields):
    product = make_product(price=Decimal("28523.25"))
    revision = draft(sam, **fields)
    net = Decimal("26168.1193")
    make_line(revision, product=product, quantity=Decimal(7), unit_price=net)

    set_rounding(revision=loaded(revision), by=sam, now=NOW)

    assert not revision.lines.filter(kind="rounding").exists()
