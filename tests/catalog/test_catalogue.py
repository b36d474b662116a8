from __future__ import annotations

import xml.etree.ElementTree as ET
from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError
from django.urls import reverse
from django.utils import timezone

from catalog.admin import check_drawing, check_specs
from catalog.drawings import draw
from catalog.models import Collection, Notice, Product
from catalog.pricing import public_price
from catalog.search import PAGE_SIZE, Search
from tests.factories import make_collection, make_product

NINE = Decimal(9)


@pytest.fixture
def catalogue(db):
    call_command("load_catalogue", verbosity=0)


def page_of(client, product: Product) -> str:
    return client.get(product.get_absolute_url()).content.decode()


def test_the_start_up_catalogue_is_whole(catalogue) -> None:
    shown = Product.objects.exclude(supply=Product.Supply.BY_SOURCING)

    assert shown.count() == 8
    assert Product.objects.count() == 43
    assert Notice.objects.count() == 3
    assert Collection.objects.count() == 4


def test_loading_again_adds_nothing_and_keeps_edits(catalogue) -> None:
    Product.objects.filter(mpn="MSN3700-VS2F").update(price=Decimal("29000"))
    Notice.objects.first().delete()

    call_command("load_catalogue", verbosity=0)

    assert Product.objects.count() == 43
    assert Product.objects.get(mpn="MSN3700-VS2F").price == Decimal("29000")
    assert Notice.objects.count() == 2


def test_the_sn3700_shows_its_price_with_gst_first(catalogue, client) -> None:
    page = page_of(client, Product.objects.get(mpn="MSN3700-VS2F"))

    assert "S$28,523.25" in page
    assert "Includes 9% GST (S$26,168.12 before GST). Listed 6 Nov 2026." in page
    assert "Request for Quotation" in page


def test_every_specification_in_the_file_can_be_shown(catalogue) -> None:
    for product in Product.objects.all():
        check_specs(product.specs)


def test_every_product_page_opens(catalogue, client) -> None:
    for product in Product.objects.all():
        page = page_of(client, product)
        assert product.mpn in page
        assert 'class="drawing"' in page


def test_a_price_before_gst_gets_its_gst_added() -> None:
    product = Product(price=Decimal("100.00"), price_includes_gst=False)

    price = public_price(product, NINE)

    assert (price.inclusive, price.before_gst) == (Decimal("109.00"), Decimal("100.00"))


def test_a_price_of_zero_cannot_be_stored(db) -> None:
    with pytest.raises(IntegrityError):
        make_product(price=Decimal(0))


@pytest.mark.django_db
def test_a_price_on_request_is_nowhere(client) -> None:
    product = make_product(price=None, listed_on=None, mpn="ON-REQUEST")
    pages = [
        page_of(client, product),
        client.get(reverse("catalog:list")).content.decode(),
        client.get(reverse("catalog:home")).content.decode(),
        client.get(reverse("catalog:sitemap")).content.decode(),
        client.get(reverse("catalog:compare"), {"p": product.slug}).content.decode(),
    ]

    for page in pages:
        assert "S$" not in page
        assert "0.00" not in page
        assert 'itemprop="price"' not in page
    assert "Price on request" in pages[0]
    assert "schema.org/Offer" not in pages[0]


@pytest.mark.django_db
@pytest.mark.parametrize("sort", ["price", "-price"])
def test_on_request_comes_last_whichever_way_prices_run(client, sort) -> None:
    make_product(mpn="ASK", price=None)
    make_product(mpn="LOW", price=Decimal(1))
    make_product(mpn="HIGH", price=Decimal(9))

    page = client.get(reverse("catalog:list"), {"sort": sort}).content.decode()

    order = sorted(("ASK", "LOW", "HIGH"), key=page.index)
    assert order == (
        ["LOW", "HIGH", "ASK"] if sort == "price" else ["HIGH", "LOW", "ASK"]
    )


@pytest.mark.django_db
def test_an_exact_part_number_goes_to_its_product(client) -> None:
    product = make_product(mpn="920-9B36F-00RX-8S0")
    make_product(mpn="920-9B36F")

    response = client.get(reverse("catalog:list"), {"q": " 920-9b36f-00rx-8s0 "})

    assert response["Location"] == product.get_absolute_url()


@pytest.mark.django_db
def test_filters_and_words_narrow_the_list(client) -> None:
    make_product(mpn="A1", name="Alpha switch")
    make_product(mpn="B1", name="Beta tower", maker="Dell", price=None)
    listing = reverse("catalog:list")

    def shown(**query: str) -> list[str]:
        page = client.get(listing, query).content.decode()
        return [mpn for mpn in ("A1", "B1") if f"<code>{mpn}</code>" in page]

    assert shown(q="switch alpha") == ["A1"]
    assert shown(maker="Dell") == ["B1"]
    assert shown(price="request") == ["B1"]
    assert shown(supply="nonsense", sort="'; drop", page="-3") == ["A1", "B1"]
    assert shown(q="nothing like it") == []


@pytest.mark.django_db
def test_a_search_that_finds_nothing_offers_to_find_it(client) -> None:
    page = client.get(reverse("catalog:list"), {"q": "flux <b>"}).content.decode()

    assert "No items match" in page
    assert "?about=flux%20%3Cb%3E" in page
    assert "<b>" not in page


@pytest.mark.django_db
def test_what_is_not_on_show_is_not_found(client) -> None:
    product = make_product(is_on_show=False)

    assert client.get(product.get_absolute_url()).status_code == 404
    added = client.post(reverse("quotes:basket_add"), {"product": product.pk})
    assert added.status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("count", [3, 20])
@pytest.mark.parametrize("name", ["home", "list"])
def test_lists_take_as_many_queries_for_many_products(
    client, django_assert_max_num_queries, name, count
) -> None:
    for _ in range(count):
        make_product()

    with django_assert_max_num_queries(7):
        client.get(reverse(f"catalog:{name}"))


@pytest.mark.django_db
def test_compare_shows_what_differs_in_words(client) -> None:
    specs = [{"title": "Network", "rows": [["Ports", "32", ""], ["Height", "1U", ""]]}]
    other = [{"title": "Network", "rows": [["Ports", "64", ""], ["Height", "1U", ""]]}]
    one = make_product(specs=specs)
    two = make_product(specs=other)
    elsewhere = make_product(collection=make_collection("AI Servers"))
    slugs = [one.slug, two.slug, elsewhere.slug]

    whole = client.get(reverse("catalog:compare"), {"p": slugs}).content.decode()
    short = client.get(
        reverse("catalog:compare"), {"p": slugs, "differences": "1"}
    ).content.decode()

    assert "differs" in whole
    assert "belongs to another collection" in whole
    assert "Height" in whole
    assert "Height" not in short


@pytest.mark.django_db
def test_a_notice_shows_in_its_time_and_scope_and_escaped(client) -> None:
    now = timezone.now()
    product, other = make_product(maker="NVIDIA"), make_product(maker="Dell")
    Notice.objects.create(kind="price", title="<Rising>", text="t", maker="NVIDIA")
    Notice.objects.create(
        kind="price", title="Over", text="t", product=product, ends_at=now
    )
    Notice.objects.create(
        kind="price",
        title="Coming",
        text="t",
        product=product,
        starts_at=now + timedelta(minutes=1),
    )

    page = page_of(client, product)

    assert "&lt;Rising&gt;" in page
    assert "Over" not in page
    assert "Coming" not in page
    assert "Rising" not in page_of(client, other)


@pytest.mark.django_db
def test_site_notices_are_one_strip(client) -> None:
    for title in ("Second", "First", "Third"):
        Notice.objects.create(
            kind="price",
            title=title,
            text="t",
            priority=("First", "Second", "Third").index(title),
        )

    page = client.get(reverse("catalog:home")).content.decode()

    assert page.count('class="notice"') == 1
    assert "and 2 more" in page
    assert page.index("First") < page.index("Second") < page.index("Third")


@pytest.mark.parametrize("form", Product.Form.values)
def test_every_drawing_is_well_formed_and_has_no_inline_style(form) -> None:
    svg = draw(form, {}, 'A "title" & <more>')

    root = ET.fromstring(svg)

    assert root.find("title").text == 'A "title" & <more>'
    assert "style=" not in svg
    assert len(svg) < 30_000


@pytest.mark.parametrize("ports", [32, 48, 64, 72])
def test_a_switch_is_drawn_with_each_of_its_ports(ports) -> None:
    svg = draw("switch", {"units": 2, "rows": 2, "ports": ports}, "Switch")

    assert svg.count('class="d-port"') == ports


def test_a_rack_is_drawn_with_each_of_its_trays() -> None:
    numbers = {"compute_trays": 18, "switch_trays": 9, "power_shelves": 8}
    svg = draw("rack", numbers, "Rack")

    assert svg.count('class="d-tray"') == 18
    assert svg.count('class="d-nvlink"') == 9
    assert svg.count('class="d-power"') == 8


@pytest.mark.parametrize(
    "specs", [{}, [1], [{"title": "x"}], [{"title": "x", "rows": [["a"]]}]]
)
def test_specifications_of_another_shape_are_refused(specs) -> None:
    with pytest.raises(ValidationError):
        check_specs(specs)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("page", "shown"), [("0", 1), ("00000", 1), ("-1", 1), ("99999", 2), ("²", 1)]
)
def test_any_page_number_shows_a_page(client, page, shown) -> None:
    for number in range(PAGE_SIZE + 1):
        make_product(position=number, mpn=f"PART-{number:02}")

    text = client.get(reverse("catalog:list"), {"page": page}).content.decode()

    assert "No items match" not in text
    assert ("<code>PART-00</code>" in text) == (shown == 1)
    assert (f"<code>PART-{PAGE_SIZE}</code>" in text) == (shown == 2)


def test_a_typed_nul_reaches_no_query() -> None:
    search = Search.from_query({"q": "a\0b", "collection": "\0", "maker": "N\0"})

    assert (search.words, search.collection, search.maker) == ("ab", "", "N")


@pytest.mark.django_db
def test_compare_passes_over_what_cannot_be_a_product(client) -> None:
    product = make_product()

    page = client.get(reverse("catalog:compare"), {"p": ["\0", "", product.slug]})

    assert product.name in page.content.decode()


@pytest.mark.parametrize(
    "numbers",
    [[1], {"ports": "32"}, {"rows": 0}, {"units": "<b>"}, {"ports": 100_000}],
)
def test_numbers_that_cannot_be_drawn_are_refused(numbers) -> None:
    with pytest.raises(ValidationError):
        check_drawing("switch", numbers)


def test_every_drawing_in_the_file_can_be_drawn(catalogue) -> None:
    for product in Product.objects.all():
        check_drawing(product.form, product.drawing)


@pytest.mark.django_db
def test_compare_keeps_the_mark_of_a_value(client) -> None:
    rows = [["Weight", "11.1 kg", "third-party source"]]
    product = make_product(specs=[{"title": "Physical", "rows": rows}])

    page = client.get(reverse("catalog:compare"), {"p": product.slug}).content.decode()

    assert "third-party source" in page


@pytest.mark.django_db
def test_htmx_gets_the_results_alone_and_their_count(client) -> None:
    make_product(mpn="A1", name="Alpha switch")
    listing = reverse("catalog:list")

    found = client.get(listing, {"q": "alpha"}, headers={"HX-Request": "true"})
    exact = client.get(listing, {"q": "a1"}, headers={"HX-Request": "true"})

    assert found.content.decode().lstrip().startswith('<div id="results"')
    assert 'data-say="1 item"' in found.content.decode()
    assert exact["HX-Redirect"] == reverse("catalog:product", args=["a1"])
