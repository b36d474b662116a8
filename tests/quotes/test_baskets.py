from __future__ import annotations

from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from quotes.errors import QuoteError
from quotes.models import QuoteRequest, RequestLine
from quotes.models.requests import MAX_LINES, MAX_QUANTITY
from quotes.services import baskets
from quotes.states import RequestStatus
from quotes.typed import clean_words, read_price, read_quantity, split_row
from tests.factories import make_product, make_request, make_user

# What people type


@pytest.mark.parametrize(
    ("typed", "quantity"),
    [
        ("1", 1),
        (" 12 ", 12),
        ("1,152", 1152),
        ("1 152", 1152),
        ("1,000,000", 1_000_000),
        ("4 pcs", 4),
        ("007", 7),
    ],
)
def test_a_quantity_is_read_as_people_write_it(typed, quantity) -> None:
    assert read_quantity(typed) == quantity


@pytest.mark.parametrize(
    "typed",
    ["", "0", "-1", "1.5", "1,5", "1,15,2", "1000001", "9" * 99, "１２", "4x", "NaN"],
)
def test_what_is_no_quantity_is_refused(typed) -> None:
    with pytest.raises(QuoteError, match="from 1 to 1,000,000"):
        read_quantity(typed)


@given(st.text(max_size=40))
def test_any_text_is_a_quantity_or_refused(text) -> None:
    try:
        quantity = read_quantity(text)
    except QuoteError:
        return
    assert 1 <= quantity <= MAX_QUANTITY


@given(st.integers(1, MAX_QUANTITY))
def test_every_quantity_in_range_is_read_in_both_layouts(quantity) -> None:
    assert read_quantity(f"{quantity}") == read_quantity(f"{quantity:,}") == quantity


@pytest.mark.parametrize(
    ("typed", "price"),
    [
        ("", None),
        ("S$26,000", Decimal(26000)),
        ("$ 26 000.50", Decimal("26000.50")),
        ("0.0001", Decimal("0.0001")),
    ],
)
def test_a_target_price_is_read_as_people_write_it(typed, price) -> None:
    assert read_price(typed) == price


@pytest.mark.parametrize(
    "typed", ["0", "-5", "26,5", "1e5", "Infinity", "NaN", "9" * 18, "0.00001", "cheap"]
)
def test_what_is_no_price_is_refused(typed) -> None:
    with pytest.raises(QuoteError, match="target price"):
        read_price(typed)


@given(st.text(max_size=600))
def test_cleaned_words_hold_nothing_that_disturbs(text) -> None:
    try:
        words = clean_words(text, "note", 500)
    except QuoteError:
        return
    assert len(words) <= 500
    assert not set(words) & {chr(code) for code in [*range(32), 0x7F, 0x202E, 0x2066]}
    assert clean_words(words, "note", 500) == words


def test_emoji_and_every_script_stay() -> None:
    words = "نص 机架 ✅ 👩‍💻 façade"
    assert clean_words(words, "note", 500) == words


@pytest.mark.parametrize(
    ("row", "parts"),
    [
        ("MSN3700-VS2F\t4", ("", "MSN3700-VS2F", "4", "")),
        ("4\tMSN3700-VS2F", ("", "MSN3700-VS2F", "4", "")),
        ("4 x MSN3700-VS2F", ("", "MSN3700-VS2F", "4", "")),
        ("MSN3700-VS2F\tSwitch\t4\t26,000", ("Switch", "MSN3700-VS2F", "4", "26,000")),
        ("4 MSN3700-VS2F", ("", "MSN3700-VS2F", "4", "")),
        ("2 pcs DGX Station GB300", ("DGX Station GB300", "", "2", "")),
        ("1,152, OSFP module", ("OSFP module", "", "1,152", "")),
        ("800 Gb/s", ("800 Gb/s", "", "1", "")),
        ("800G cable 3 m", ("800G cable 3 m", "", "1", "")),
        ("2 year warranty", ("2 year warranty", "", "1", "")),
        ("Red fibre, 1,152", ("Red fibre", "", "1,152", "")),
        ("MSN3700-VS2F\t4, 8\tlab", ("", "MSN3700-VS2F", "4, 8", "lab")),
        ("Cable, 3 m; 10/50", ("Cable, 3 m", "", "10/50", "")),
        ("Red fibre", ("Red fibre", "", "1", "")),
        ("Cable;-3", ("", "Cable", "-3", "")),
        ("\t\t", ("", "", "1", "")),
    ],
)
def test_a_pasted_row_is_parted(row, parts) -> None:
    assert split_row(row) == parts


# The basket


@pytest.fixture
def basket(db) -> QuoteRequest:
    return baskets.make_basket(user=None)


def add(basket: QuoteRequest, description: str = "Thing", quantity: int = 1, **kw):
    return baskets.add_text(
        basket=basket, description=description, quantity=quantity, **kw
    )


def test_words_beside_a_known_part_number_are_kept(basket) -> None:
    make_product(mpn="MSN3700-VS2F", name="SN3700")

    add(basket, "for lab 2", mpn="msn3700-vs2f", note="urgent")
    add(basket, "SN3700", mpn="MSN3700-VS2F", quantity=2, note="urgent")

    line = basket.lines.get()
    assert (line.description, line.quantity) == ("SN3700", 3)
    assert line.note == "for lab 2; urgent"


def test_a_part_number_of_two_makers_is_nobodys(basket) -> None:
    make_product(mpn="X-1", maker="Dell", slug="dell-x1")
    make_product(mpn="X-1", maker="HP", slug="hp-x1")

    assert add(basket, mpn="X-1").product is None


def test_nothing_too_long_is_cut_off(basket) -> None:
    with pytest.raises(QuoteError, match="Shorten the description to 500"):
        add(basket, "x" * 501)
    with pytest.raises(QuoteError, match="Shorten the note to 500"):
        add(basket, note="x" * 501)

    assert not basket.lines.exists()


def test_raising_a_quantity_keeps_to_the_bound(basket) -> None:
    product = make_product()
    baskets.add_product(basket=basket, product=product, quantity=MAX_QUANTITY)

    with pytest.raises(QuoteError, match="1,000,000"):
        baskets.add_product(basket=basket, product=product, quantity=1)

    assert basket.lines.get().quantity == MAX_QUANTITY


def test_a_full_basket_says_so(basket) -> None:
    rows = [RequestLine(request=basket, description="x") for _ in range(MAX_LINES)]
    RequestLine.objects.bulk_create(rows)

    with pytest.raises(QuoteError, match="at most 1,000 lines"):
        add(basket)


def test_a_sent_basket_is_frozen(basket) -> None:
    line = add(basket)
    sent = {"status": RequestStatus.SUBMITTED, "number": "RFQ-2026-0001"}
    QuoteRequest.objects.filter(pk=basket.pk).update(**sent)

    for change in (
        lambda: add(basket),
        lambda: baskets.set_line(line=line, quantity=5),
        lambda: baskets.remove_line(line=line, now=timezone.now()),
        lambda: baskets.restore_line(line=line),
    ):
        with pytest.raises(QuoteError, match="sent already"):
            change()
    line.refresh_from_db()
    assert (line.quantity, line.removed_at) == (1, None)


def test_a_restored_line_joins_the_same_item(basket) -> None:
    product = make_product()
    line = baskets.add_product(basket=basket, product=product, quantity=2)
    baskets.remove_line(line=line, now=timezone.now())
    baskets.add_product(basket=basket, product=product, quantity=3)

    baskets.restore_line(line=line)

    assert basket.lines.get().quantity == 5


def test_signing_in_joins_the_same_item(client, db) -> None:
    product = make_product()
    person = make_user("dana@example.com")
    own = baskets.make_basket(user=person)
    baskets.add_product(basket=own, product=product, quantity=2)
    client.post(reverse("quotes:basket_add"), {"product": product.pk, "quantity": "3"})

    client.login(username="dana@example.com", password="let me in please")
    page = client.get("/").content.decode()

    assert 'id="basket-count">(1)' in page
    assert own.lines.get().quantity == 5
    assert QuoteRequest.objects.count() == 1


def test_the_count_is_right_on_the_first_page_of_another_device(client, carol) -> None:
    own = baskets.make_basket(user=carol)
    add(own)
    add(own)

    client.force_login(carol)

    assert 'id="basket-count">(2)' in client.get("/").content.decode()


def test_another_persons_basket_is_never_taken_over(client, carol, mallory) -> None:
    add(baskets.make_basket(user=carol), "Carol's own")
    session = client.session
    session["basket"] = QuoteRequest.objects.get().pk
    session.save()

    guest = client.get(reverse("quotes:basket")).content.decode()
    client.force_login(mallory)
    stranger = client.get(reverse("quotes:basket")).content.decode()

    assert "Carol" not in guest + stranger.replace("Mallory", "")
    assert QuoteRequest.objects.get().user == carol


@pytest.mark.parametrize(
    "typed",
    [
        "<script>alert(1)</script>",
        "\x00\x01\u202etxt.exe",
        "A\r\nBcc: x@y.z",
        "🚀 机架",
    ],
)
def test_strange_words_are_harmless_and_kept(client, db, typed) -> None:
    client.post(
        reverse("quotes:basket_add_text"),
        {"description": typed, "quantity": "1", "note": typed},
    )

    page = client.get(reverse("quotes:basket")).content.decode()
    line = RequestLine.objects.get()
    assert "<script>alert" not in page
    assert "\n" not in line.description
    assert "\u202e" not in line.note


def test_a_note_of_ten_megabytes_is_refused_whole(client, db) -> None:
    response = client.post(
        reverse("quotes:basket_add_text"),
        {"description": "A", "quantity": "1", "note": "x" * 10_000_000},
    )

    assert response.status_code in (400, 413)
    assert not RequestLine.objects.exists()


@settings(max_examples=25, deadline=None)
@given(
    quantity=st.text(max_size=12),
    words=st.text(max_size=60),
    price=st.text(max_size=12),
)
@pytest.mark.django_db
def test_no_typing_breaks_the_page_or_gets_lost(quantity, words, price) -> None:
    from django.test import Client

    client = Client()
    typed = {
        "description": words,
        "quantity": quantity,
        "target_price": price,
        "note": words,
    }

    response = client.post(reverse("quotes:basket_add_text"), typed)

    assert response.status_code in (302, 422)
    if response.status_code == 422:
        assert response.context["typed"]["note"].split() == words.split()


def test_the_next_address_stays_on_this_site(client, db) -> None:
    product = make_product()
    for wanted in ("https://evil.example/", "//evil.example", "javascript:alert(1)"):
        response = client.post(
            reverse("quotes:basket_add"), {"product": product.pk, "next": wanted}
        )
        assert response["Location"] == "/basket/"


def test_a_request_of_somebody_else_is_no_basket(client, db) -> None:
    asked = make_request()
    session = client.session
    session["basket"] = asked.pk
    session.save()

    page = client.get(reverse("quotes:basket")).content.decode()

    assert "Thing 0" not in page
